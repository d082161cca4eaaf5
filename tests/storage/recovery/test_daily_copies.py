"""Daily copies are made automatically, checked, and limited in number."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.errors import NotStored
from companion.referee.events import GameStarted, ThrowEntered
from companion.referee.referee import Referee
from companion.storage.database_copy import copies
from companion.storage.recovery import daily_copies
from companion.storage.recovery.daily_copies import COPIES_KEPT, DailyCopies
from companion.storage.store import Store


class Table:
    """A table with a game, and the current date."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.day = folder, 1
        first = GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=5)
        self.referee = Referee(Store(folder), first=first)
        self.daily = DailyCopies(folder, copy=self.referee.copy, last=self.last, today=lambda: f"2026-11-{self.day:02}")

    def last(self) -> int:
        return self.referee.snapshot().number

    def play(self) -> None:
        """Let something happen at the table."""
        self.referee.submit(ThrowEntered(4 if self.referee.state().phase == "throw_off" else 1))

    def copy(self) -> list[str]:
        """Make a copy if one is due. Returns the names of the copies, the newest first."""
        while self.daily.step():
            pass
        return [path.name for path in copies(self.folder)]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.referee.close()


def test_one_copy_a_day_on_which_something_was_played(table: Table) -> None:
    """A second run on the same day, or a day without play, makes none."""
    assert table.copy() == []
    table.play()
    table.day = 2
    first = table.copy()
    table.referee.submit(ThrowEntered(1))
    assert table.copy() == first
    table.day = 3
    second = table.copy()
    table.day = 4

    assert first == ["0001-2026-11-02-2.sqlite3"]
    assert second == ["0002-2026-11-03-3.sqlite3", *first]
    assert table.copy() == second


def test_a_restart_makes_no_second_copy_of_the_same(table: Table) -> None:
    """There is none on the same day, nor on a later one without play."""
    table.play()
    first = table.copy()
    for day in (1, 2):
        table.day = day
        table.daily = DailyCopies(
            table.folder, copy=table.referee.copy, last=table.last, today=lambda: f"day-{table.day}"
        )
        assert table.copy() == first


def test_only_the_newest_are_kept(table: Table) -> None:
    """They take a bounded part of the disk; a clock that jumps back does not change the order."""
    for day in (5, 6, 7, 1, 2, 3, 4, 8):
        table.day = day
        table.referee.submit(ThrowEntered(2)) if table.last() < 2 else table.referee.submit(
            ThrowEntered(table.last() % 5)
        )
        names = table.copy()

    assert len(names) == COPIES_KEPT
    assert [int(name.split("-")[0]) for name in names] == [8, 7, 6, 5, 4]


def test_a_copy_that_cannot_be_played_again_is_not_kept(
    table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The older ones stay, and the log gives the reason."""
    table.play()
    good = table.copy()
    table.play()
    table.referee.close()
    with closing(sqlite3.connect(tmp_path / "puluc.sqlite3")) as db:
        db.execute("UPDATE events SET body = '{' WHERE number = 2")
        db.commit()
    table.day = 2
    with closing(Store(tmp_path)) as store:
        table.daily = DailyCopies(tmp_path, copy=store.copy, last=lambda: store.last, today=lambda: "2026-11-02")
        names = table.copy()

    assert names == good
    assert "was not kept: event 2" in caplog.text
    assert len(list((tmp_path / "copies").iterdir())) == 1


def test_a_disk_without_room_is_left_alone(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The game goes on, and no partial copy stays."""
    table.play()
    with monkeypatch.context() as full:
        full.setattr(daily_copies, "LEFT_FREE", 10**15)
        assert table.copy() == []
    assert "not enough room" in caplog.text

    def refuse(_to: Path) -> None:
        raise NotStored("The disk is full.")

    table.daily = DailyCopies(table.folder, copy=refuse, last=table.last)

    assert table.copy() == []
    assert list((table.folder / "copies").iterdir()) == []

"""Each throw counts once, as its players accepted it, for the sticks that were thrown."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.referee.events import (
    Confirmed,
    Event,
    Face,
    GameDeleted,
    GameStarted,
    Lot,
    MoveChosen,
    Options,
    OptionsSet,
    ThrowAgain,
    ThrowEntered,
    ThrowSeen,
    ThrowStepped,
    ThrowUnreadable,
    Undone,
)
from companion.referee.history.game_record import export_game, parse_record
from companion.referee.referee import Referee
from companion.referee.throw_tally import CountSource
from companion.storage.schema import MIGRATIONS
from companion.storage.store import Store

START = GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1)


def seen(marked: int, *, sticks: str | None = "Beans", at: float = 100) -> ThrowSeen:
    """Four lots side by side, the first of them at this place."""
    lots = tuple(
        Lot(x=at + 50 * place, y=60, angle=90, face=Face.MARKED if place < marked else Face.PLAIN, confidence=0.9)
        for place in range(4)
    )
    return ThrowSeen(marked=marked, confidence=0.9, lots=lots, sticks=sticks)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Referee]:
    """Ana has won the throw-off with counts entered by hand."""
    referee = Referee(Store(tmp_path), first=START)
    referee.submit(ThrowEntered(4))
    referee.submit(ThrowEntered(1))
    yield referee
    referee.close()


def counts(referee: Referee, sticks: str | None = "Beans", teller: CountSource = CountSource.CAMERA) -> tuple[int, ...]:
    """The frequency of each count; empty without throws."""
    return next((one.counts for one in referee.tallies() if (one.sticks, one.teller) == (sticks, teller)), ())


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([seen(3)], ()),
        ([seen(3), Confirmed()], (0, 0, 0, 1, 0)),
        ([seen(3), ThrowEntered(2)], (0, 0, 1, 0, 0)),
        ([seen(3), ThrowStepped(), Confirmed()], (0, 0, 0, 0, 1)),
        ([seen(3), Confirmed(), ThrowEntered(2)], (0, 0, 1, 0, 0)),
        ([seen(3), Confirmed(), ThrowEntered(2), Undone()], (0, 0, 0, 1, 0)),
        ([seen(3), Confirmed(), Undone(), Confirmed()], (0, 0, 0, 1, 0)),
        ([seen(3), Confirmed(), Undone(), Undone()], (0, 0, 0, 1, 0)),
        ([seen(3), Confirmed(), Undone(), Undone(), seen(1, at=300), Confirmed()], (0, 1, 0, 1, 0)),
        ([seen(3), Confirmed(), Undone(), ThrowAgain(), seen(3, at=104), Confirmed()], (0, 0, 0, 1, 0)),
        ([seen(3), Confirmed(), Undone(), Undone(), ThrowAgain(), seen(3), Confirmed()], (0, 0, 0, 1, 0)),
        ([seen(3), ThrowAgain(), seen(1, at=300), Confirmed()], (0, 1, 0, 0, 0)),
        ([seen(3), ThrowUnreadable(reason="count"), seen(1, at=300), Confirmed()], (0, 1, 0, 0, 0)),
        ([seen(3), Confirmed(), MoveChosen(None, 3), Undone(), MoveChosen(None, 3)], (0, 0, 0, 1, 0)),
        ([seen(3), Confirmed(), Confirmed(), seen(3, at=300), Confirmed()], (0, 0, 0, 2, 0)),
    ],
)
def test_what_a_reading_counts_as(table: Referee, events: list[Event], expected: tuple[int, ...]) -> None:
    """It counts as accepted or corrected, even if the move is undone; a second look at the same throw adds none."""
    for event in events:
        table.submit(event)

    assert counts(table) == expected
    assert counts(table, None, CountSource.HAND) == (0, 1, 0, 0, 1)


def test_sets_of_sticks_are_kept_apart(table: Referee) -> None:
    """Each profile's sticks, the simulated ones, and counts entered without the camera are separate sets."""
    for event in (
        seen(3),
        Confirmed(),
        Confirmed(),
        seen(1, sticks="simulated"),
        Confirmed(),
        Confirmed(),
        ThrowUnreadable(reason="touching"),
        ThrowEntered(2),
    ):
        table.submit(event)

    assert counts(table) == (0, 0, 0, 1, 0)
    assert counts(table, "simulated") == (0, 1, 0, 0, 0)
    assert counts(table, None, CountSource.HAND) == (0, 1, 1, 0, 1)
    assert [one.sticks for one in table.tallies()] == [None, "simulated", "Beans"]


def test_the_throw_off_counts_too(tmp_path: Path) -> None:
    """Its throws count, including ties."""
    referee = Referee(Store(tmp_path), first=START)
    for place, marked in enumerate((2, 2, 3, 1)):
        referee.submit(seen(marked, at=100 + 20 * place))
        referee.submit(Confirmed())

    assert counts(referee) == (0, 1, 2, 1, 0)
    referee.close()


def test_what_the_companion_draws_is_no_throw_of_the_sticks(tmp_path: Path) -> None:
    """Throws drawn for computer players are counted separately."""
    referee = Referee(Store(tmp_path), first=START)
    referee.submit(OptionsSet(Options(draw=True)))
    referee.submit(GameStarted(variant="puluc", jade=("easy",), obsidian=("fair",), seed=3))

    assert sum(counts(referee, None, CountSource.DRAWN)) > 0
    assert {one.teller for one in referee.tallies()} == {CountSource.DRAWN}
    referee.close()


def test_two_throws_of_a_turn_count_each(tmp_path: Path) -> None:
    """In a turn of two throws both count; using one adds none, and correcting the second changes only that."""
    two = GameStarted(variant="aj-sayil", jade=("Ana",), obsidian=("Beto",), seed=1)
    referee = Referee(Store(tmp_path), first=two)
    for event in (
        ThrowEntered(4),
        ThrowEntered(1),
        seen(1),
        Confirmed(),
        seen(2, at=300),
        Confirmed(),
        ThrowEntered(3),
    ):
        referee.submit(event)
    move = referee.snapshot().moves[0]
    assert move.start == "base"
    assert isinstance(move.to, int)
    referee.submit(MoveChosen(None, move.to, move.value, move.unit))

    assert counts(referee) == (0, 1, 0, 1, 0)
    referee.close()


def test_counts_outlast_restarts_and_games(tmp_path: Path) -> None:
    """After a restart nothing is counted twice, and the throws of a deleted game still count."""
    referee = Referee(Store(tmp_path), first=START)
    for event in (seen(3), Confirmed(), START):
        referee.submit(event)
    referee.submit(GameDeleted(1))
    referee.close()
    again = Referee(Store(tmp_path), first=START)

    assert counts(again) == (0, 0, 0, 1, 0)
    again.submit(seen(3))
    again.submit(Confirmed())
    assert counts(again) == (0, 0, 0, 2, 0)
    again.close()


def test_a_record_was_thrown_at_another_table(table: Referee) -> None:
    """Its throws and corrected readings do not count here; throws made when it is continued do."""
    for event in (seen(3), ThrowEntered(2), Confirmed(), seen(1, at=300), Confirmed(), Confirmed()):
        table.submit(event)
    before = table.tallies()
    table.import_game(parse_record(export_game(table.load_game(1))))
    assert table.tallies() == before
    table.submit(seen(4))
    table.submit(Confirmed())

    assert counts(table) == (0, 1, 1, 0, 1)
    assert counts(table, None, CountSource.HAND) == (0, 1, 0, 0, 1)


def test_an_old_folder_is_counted_when_it_is_opened(tmp_path: Path) -> None:
    """Readings from before sets existed belong to a set without a name; a record imported then does not count."""
    old = Referee(Store(tmp_path), first=START)
    for event in (ThrowEntered(4), ThrowEntered(1), seen(3, sticks=""), Confirmed(), Undone()):
        old.submit(event)
    record = parse_record(export_game(old.load_game(1)))
    old.import_game(record)
    old.close()
    with sqlite3.connect(tmp_path / "puluc.sqlite3", isolation_level=None) as db:
        db.execute("UPDATE events SET body = json_remove(body, '$.sticks') WHERE kind = 'ThrowSeen'")
        db.execute("DROP TABLE throws")
        db.execute("DROP TABLE uncounted")
        db.execute("DROP TABLE verdicts")
        db.execute("PRAGMA user_version = 2")
    db.close()
    assert len(MIGRATIONS) >= 3
    for _ in range(2):
        referee = Referee(Store(tmp_path), first=START)

        assert counts(referee, "") == (0, 0, 0, 1, 0)
        assert counts(referee, None, CountSource.HAND) == (0, 1, 0, 0, 1)
        referee.close()


def test_an_old_game_that_cannot_be_played_any_more_counts_as_far_as_it_can(tmp_path: Path) -> None:
    """An event that a newer program refuses ends the counting of that game, not the program."""
    old = Referee(Store(tmp_path), first=START)
    for event in (ThrowEntered(4), ThrowEntered(1), ThrowEntered(2), MoveChosen(None, 2), ThrowEntered(3)):
        old.submit(event)
    old.submit(START)
    old.close()
    with sqlite3.connect(tmp_path / "puluc.sqlite3", isolation_level=None) as db:
        db.execute("UPDATE events SET body = replace(body, '\"to\":2', '\"to\":7') WHERE kind = 'MoveChosen'")
        db.execute("DELETE FROM throws")
        db.execute("INSERT INTO uncounted VALUES (1)")
    db.close()
    referee = Referee(Store(tmp_path), first=START)

    assert counts(referee, None, CountSource.HAND) == (0, 1, 1, 0, 1)
    referee.close()

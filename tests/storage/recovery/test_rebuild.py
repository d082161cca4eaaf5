"""A store rebuilt from another file's events equals the original."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion.referee.events import (
    Confirmed,
    GameResumed,
    GameStarted,
    MoveChosen,
    Options,
    OptionsSet,
    ThrowEntered,
)
from companion.referee.game_state import Phase
from companion.referee.history.game_record import export_game, first_turns, parse_record
from companion.referee.referee import Referee
from companion.rules.unit import Side
from companion.storage.event_json import parse_event
from companion.storage.recovery.found_events import in_database, in_pages
from companion.storage.recovery.rebuild import Found, InvalidContent, Row, rebuild, validate
from companion.storage.restore import GAMES
from companion.storage.store import Store

TABLES = ("events", "pictures", "games", "throws", "verdicts")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """One file with games of every kind."""
    folder = shutil.copytree(Path(__file__).parents[2] / "data" / "folder-0.1", tmp_path / "data")
    Store(folder).close()
    return folder / GAMES


def contents(file: Path) -> dict[str, list[tuple[object, ...]]]:
    """The rows of every table; events are parsed, because older versions wrote fewer fields."""
    with closing(sqlite3.connect(file)) as db:
        rows = {name: db.execute(f"SELECT * FROM {name}").fetchall() for name in TABLES}  # noqa: S608 - written above
    rows["events"] = [(*head, parse_event(kind, body), rest) for *head, kind, body, rest in rows["events"]]
    return rows


def test_a_rebuilt_store_is_the_same(file: Path, tmp_path: Path) -> None:
    """Every row of every table is equal, although only events, pictures and marks of kept cases were read."""
    with in_database(file) as found:
        rebuilt = rebuild(found, tmp_path / "again")

    assert (rebuilt.games, rebuilt.events, rebuilt.cut, rebuilt.lost) == (4, 106, 0, 0)
    assert contents(tmp_path / "again" / GAMES) == contents(file)


def test_a_store_read_page_by_page_is_the_same(file: Path, tmp_path: Path) -> None:
    """Header, schema and indexes are not used."""
    before = contents(file)
    file.write_bytes(bytes(4096) + file.read_bytes()[4096:])
    rebuilt = rebuild(in_pages(file), tmp_path / "again", partial=True)

    assert (rebuilt.games, rebuilt.events, rebuilt.cut, rebuilt.lost) == (4, 106, 0, 0)
    assert contents(tmp_path / "again" / GAMES) == before


def test_throws_after_an_import_are_counted_again(tmp_path: Path) -> None:
    """The record's own throws, stored in one instant, were thrown elsewhere; those made here afterwards count."""
    referee = Referee(
        Store(tmp_path / "games"), first=GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=5)
    )
    referee.submit(ThrowEntered(3))
    referee.import_game(parse_record(export_game(referee.load_game(1))))
    referee.submit(ThrowEntered(4))
    referee.close()
    with in_database(tmp_path / "games" / GAMES) as found:
        rebuild(found, tmp_path / "again")

    assert contents(tmp_path / "again" / GAMES)["throws"] == contents(tmp_path / "games" / GAMES)["throws"]


@pytest.mark.parametrize(("jade", "counted"), [("Ana", 4 + 2 + 2), ("easy", 5 + 3 + 3)])
def test_throws_of_a_game_played_on_are_counted_once(tmp_path: Path, jade: str, counted: int) -> None:
    """Copied throws count in their first game only, and all others do, however soon after the start they came.

    For the level, which begins, one more is drawn after the last turn of each game.
    """
    start = GameStarted(variant="puluc", jade=(jade,), obsidian=("Beto",), seed=5, begins=Side.JADE)
    present = datetime(2026, 11, 21, 20, tzinfo=UTC)
    referee = Referee(Store(tmp_path / "games", clock=lambda: present), first=start)
    referee.submit(OptionsSet(Options(draw=True)))

    def play(turns: int) -> None:
        while len((state := referee.state()).turns) < turns:
            if state.phase is Phase.THROW and not state.level:
                referee.submit(ThrowEntered(3))
            elif state.phase is Phase.MOVE and not state.level and len(steps := state.steps()) > 1:
                referee.submit(MoveChosen(steps[0].move.start, steps[0].move.to))
            else:
                referee.submit(Confirmed())

    play(4)
    present += timedelta(minutes=1)
    referee.submit(start)
    play(2)
    present += timedelta(minutes=1)
    referee.import_game(first_turns(referee.load_game(1), 4, seed=9))
    play(6)
    referee.close()
    with in_database(tmp_path / "games" / GAMES) as found:
        rebuild(found, tmp_path / "again")
    thrown = contents(tmp_path / "games" / GAMES)["throws"]

    assert len(thrown) == counted
    assert contents(tmp_path / "again" / GAMES)["throws"] == thrown


def test_options_set_during_another_game_hold(tmp_path: Path) -> None:
    """A game is replayed with the table's options at its start and at each resumption, whenever they were set."""
    game = GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=5)
    wait, watch = OptionsSet(Options(auto_throw=False)), OptionsSet(Options())
    table = Referee(Store(tmp_path / "games"), first=game)
    for event in (wait, game, Confirmed(), ThrowEntered(3), watch, game, wait, GameResumed(3), ThrowEntered(1)):
        table.submit(event)
    table.submit(Confirmed())
    left = table.state()
    table.close()
    again = Referee(Store(tmp_path / "games"), first=game)
    with in_database(tmp_path / "games" / GAMES) as found:
        rebuilt = rebuild(found, tmp_path / "again")

    assert (again.state(), rebuilt.games) == (left, 3)
    again.close()


def test_a_write_ahead_log_is_read_page_by_page(tmp_path: Path) -> None:
    """The log left by a kill is newer than the file."""
    folder = shutil.copytree(Path(__file__).parents[2] / "data" / "folder-0.1", tmp_path / "data")
    whole = validate(in_pages(folder / GAMES), partial=True)
    (folder / f"{GAMES}-wal").unlink()
    without = validate(in_pages(folder / GAMES), partial=True)

    assert whole.events == 106
    assert without.events < 106


@pytest.fixture
def rows(file: Path) -> Iterator[list[Row]]:
    with in_database(file) as found:
        yield list(found.rows)


def salvaged(rows: list[Row]) -> tuple[int, int, int]:
    """Counts of saved, truncated and lost games."""
    rebuilt = validate(Found(rows=rows, picture=lambda _: None), partial=True)
    return rebuilt.games, rebuilt.cut, rebuilt.lost


def test_a_game_is_saved_up_to_the_first_gap(rows: list[Row]) -> None:
    """Its later events may not follow from the earlier ones; games that began after the gap are whole."""
    assert salvaged(rows) == (4, 0, 0)
    assert salvaged([row for row in rows if row.number != 40]) == (4, 1, 0)
    assert salvaged([row for row in rows if not 75 <= row.number <= 80]) == (3, 1, 1)
    assert salvaged([row for row in rows if row.number != 1]) == (3, 0, 1)
    assert salvaged(rows[:20]) == (1, 0, 0)
    assert salvaged([]) == (0, 0, 0)


def test_without_leave_to_skip_nothing_is_skipped(rows: list[Row]) -> None:
    """The first event that cannot be replayed is named."""
    with pytest.raises(InvalidContent, match="event 2 "):
        validate(Found(rows=rows[1:], picture=lambda _: None))
    with pytest.raises(InvalidContent, match="out of order"):
        validate(Found(rows=[*rows[:3], rows[1]], picture=lambda _: None))


def test_it_is_given_up_in_time(rows: list[Row]) -> None:
    """An endless history is not replayed to its end."""
    with pytest.raises(TimeoutError):
        validate(Found(rows=rows, picture=lambda _: None), until=0.0)

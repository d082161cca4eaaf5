"""The events of a table in one SQLite file: appended durably, never changed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, fields, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter

from companion.errors import NotStored
from companion.i18n import _
from companion.referee.events import (
    CameraChanged,
    Event,
    GameDeleted,
    GameRenamed,
    GameResumed,
    GameStarted,
    OptionsSet,
    ScoresReset,
    ThrowSeen,
    ThrowUnreadable,
)
from companion.referee.saved_games import SavedGame
from companion.referee.throw_tally import CountedThrow
from companion.rules.variants import VARIANTS
from companion.storage.database import checked_rows, lock_folder, open_database, transaction
from companion.storage.database_copy import copy_database
from companion.storage.event_json import dump_event, parse_event
from companion.storage.newest_event import note_newest
from companion.storage.throw_table import ThrowTable

PICTURES_KEPT = 100
"""Number of pictures of readings to keep. Higher fills the card (150 kB each), lower loses them sooner."""

UNPLAYED = (CameraChanged, GameDeleted, GameRenamed, GameResumed, OptionsSet, ScoresReset)
"""Events that are stored with a game and do not go on with it."""

_SAVED_GAME = TypeAdapter(SavedGame)
_COLUMNS = tuple(field.name for field in fields(SavedGame))
_Kind = TypeVar("_Kind")


class Store:
    """The events in a table's folder. One process at a time may open it, and one thread at a time may use it.

    Raises SettingsUnusable if the folder is not writable or another companion has it open, and StoreDamaged if its file
    is damaged or not ours. Then nothing in it has changed.
    throws: the counted throws and labelled readings, in the same file. last: the number of the newest event.
    clock: the present time, in UTC.
    """

    def __init__(self, folder: Path, *, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self.folder, self._clock = folder, clock
        self._start_at = ""
        self._lock = lock_folder(folder)
        try:
            self._db = open_database(folder)
        except BaseException:
            self._lock.release()
            raise
        self.throws = ThrowTable(self._db, folder)
        try:
            self.last = int(self._db.execute("SELECT coalesce(max(number), 0) FROM events").fetchone()[0])
            # Checked now, because a worker that reads them later has nobody to tell.
            self._saved_games("1")
            self.throws.tallies()
            self.throws.oldest_labelled()
        except BaseException:
            self.close()
            raise

    def append(self, events: Sequence[Event], entry: SavedGame, thrown: Sequence[CountedThrow] = ()) -> None:
        """Append all of the events or none, durably, with the numbers after ``last``.

        Only what is appended together with the start of a game gets the same time as it.
        entry: their game as the list shows it afterwards; a name given by players stays.
        thrown: the throws that these events make count.
        Raises NotStored if they cannot be written.
        """
        now = self._clock()
        at = _text(now)
        if at == self._start_at:
            at = _text(now + timedelta(milliseconds=1))
        if any(isinstance(event, GameStarted) for event in events):
            self._start_at = at
        try:
            with transaction(self._db):
                for number, event in enumerate(events, self.last + 1):
                    self._insert(number, at, entry.number, event)
                self._save_game(entry, at, self.last + len(events))
                self.throws.write(thrown)
        except sqlite3.Error as error:
            raise NotStored(
                _(
                    "This could not be saved ({error}), so it was not done. Check that the disk has room and can "
                    "be written to, then try again.",
                    error=str(error),
                )
            ) from error
        self.last += len(events)
        note_newest(self.folder, self.last)

    @contextmanager
    def importing(self) -> Iterator[Callable[[int, str, SavedGame, Event, CountedThrow | None], None]]:
        """Yield a function that writes one event from another file; all of them are written, or none.

        It takes the number, the time, the game, the event and the throw that it makes count. Raises NotStored.
        """

        def write(number: int, at: str, entry: SavedGame, event: Event, throw: CountedThrow | None) -> None:
            self._insert(number, at, entry.number, event)
            self._save_game(entry, at, number)
            self.throws.write([throw] if throw else [])
            self.last = number

        try:
            with transaction(self._db):
                yield write
        except sqlite3.Error as error:
            raise NotStored(
                _(
                    "The games could not be written ({error}). Check that the disk has room and can be written to, "
                    "then try again.",
                    error=str(error),
                )
            ) from error

    def add_to_list(self, entry: SavedGame) -> None:
        """List a game that was stored before there was a list."""
        self._save_game(entry, _text(self._clock()), self.last)

    def game(self, start: int) -> Iterator[tuple[int, Event]]:
        """The numbered events of the game with that first event, in order."""
        with checked_rows(self.folder):
            rows = self._db.execute("SELECT number, kind, body FROM events WHERE game = ? ORDER BY number", (start,))
            for number, kind, body in rows:
                yield number, parse_event(kind, body)

    def current(self) -> int | None:
        """The first event of the game on the table; None if there has been none."""
        row = self._db.execute("SELECT game FROM events ORDER BY number DESC LIMIT 1").fetchone()
        return int(row[0]) if row else None

    def unlisted_games(self) -> list[int]:
        """The first events of games that are not in the list yet."""
        unlisted = "SELECT number FROM events WHERE kind = ? AND number NOT IN (SELECT number FROM games)"
        rows = self._db.execute(unlisted, (GameStarted.__name__,))
        return [int(number) for (number,) in rows]

    def newest(self, kind: type[_Kind], *, before: int | None = None) -> _Kind | None:
        """The newest event of that kind, or the newest before the one with that number; None if there is none."""
        with checked_rows(self.folder):
            row = self._db.execute(
                "SELECT body FROM events WHERE kind = ? AND number < ? ORDER BY number DESC LIMIT 1",
                (kind.__name__, before or self.last + 1),
            ).fetchone()
            return TypeAdapter(kind).validate_json(row[0]) if row else None

    def games(self) -> list[SavedGame]:
        """The saved games, most recently played first."""
        return self._saved_games("deleted = 0 ORDER BY newest DESC")

    def finished(self, *, match: int | None = None) -> list[SavedGame]:
        """The finished games of that match, or else all that were played here since the scores were last reset."""
        if match is not None:
            return self._saved_games("winner IS NOT NULL AND match = ? ORDER BY number", match)
        return self._saved_games(
            # A game that was brought from elsewhere got its events together with its start.
            "winner IS NOT NULL AND EXISTS (SELECT 1 FROM events WHERE game = games.number"
            " AND kind NOT IN (SELECT value FROM json_each(?))"
            " AND events.number > (SELECT coalesce(max(number), 0) FROM events WHERE kind = ?)"
            " AND at <> (SELECT at FROM events WHERE number = games.number)) ORDER BY number",
            json.dumps([kind.__name__ for kind in UNPLAYED]),
            ScoresReset.__name__,
        )

    def picture(self, number: int) -> bytes | None:
        """The JPEG of that event; None if it had none or it is no longer kept."""
        with checked_rows(self.folder):
            row = self._db.execute("SELECT jpeg FROM pictures WHERE number = ?", (number,)).fetchone()
            return bytes(row[0]) if row else None

    def copy(self, to: Path) -> None:
        """Copy the whole store into a new file. Raises NotStored if it cannot be written."""
        try:
            copy_database(self._db, to)
        except sqlite3.Error as error:
            raise NotStored(
                _(
                    "The games could not be copied to '{folder}' ({error}). Check that the disk has room and can "
                    "be written to, then try again.",
                    folder=to,
                    error=str(error),
                )
            ) from error

    def close(self) -> None:
        """Close the file and release its lock. A second call does nothing."""
        self._db.close()
        self._lock.release()

    def _saved_games(self, which: str, *values: int | str) -> list[SavedGame]:
        with checked_rows(self.folder):
            rows = self._db.execute(f"SELECT {', '.join(_COLUMNS)} FROM games WHERE {which}", values)  # noqa: S608 - no input
            entries = [dict(zip(_COLUMNS, row, strict=True)) for row in rows]
            teams = [{side: json.loads(entry[side]) for side in ("jade", "obsidian")} for entry in entries]
            games = [_SAVED_GAME.validate_python(entry | team) for entry, team in zip(entries, teams, strict=True)]
            if unknown := {game.variant for game in games} - VARIANTS.keys():
                raise ValueError(f"there is no variant {min(unknown)}")
            return games

    def _save_game(self, entry: SavedGame, at: str, newest: int) -> None:
        self._db.execute(
            "INSERT INTO games VALUES (:number, :name, :variant, :jade, :obsidian, :phase, :winner, :position, :match,"
            " :updated, :newest, 0) ON CONFLICT (number) DO UPDATE SET phase = excluded.phase,"
            " winner = excluded.winner, position = excluded.position, updated = excluded.updated,"
            " newest = excluded.newest",
            asdict(entry)
            | {"jade": json.dumps(entry.jade), "obsidian": json.dumps(entry.obsidian), "updated": at, "newest": newest},
        )

    def _insert(self, number: int, at: str, game: int, event: Event) -> None:
        jpeg = b""
        if isinstance(event, ThrowSeen | ThrowUnreadable) and event.picture:
            jpeg, event = event.picture.jpeg, replace(event, picture=replace(event.picture, jpeg=b""))
        kind, body = dump_event(event)
        self._db.execute(
            "INSERT INTO events (number, at, kind, body, game) VALUES (?, ?, ?, ?, ?)", (number, at, kind, body, game)
        )
        if isinstance(event, GameRenamed):
            self._db.execute("UPDATE games SET name = ? WHERE number = ?", (event.name, event.game))
        if isinstance(event, GameDeleted):
            self._db.execute("UPDATE games SET deleted = 1 WHERE number = ?", (event.game,))
        if jpeg:
            self._db.execute("INSERT INTO pictures VALUES (?, ?)", (number, jpeg))
            self._db.execute(
                "DELETE FROM pictures WHERE number NOT IN (SELECT number FROM pictures ORDER BY number DESC LIMIT ?)",
                (PICTURES_KEPT,),
            )


def _text(time: datetime) -> str:
    return time.isoformat(timespec="milliseconds")

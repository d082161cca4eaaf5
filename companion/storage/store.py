"""All that ever happened at this table, in one SQLite file: appended durably, never changed."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar, get_args

from pydantic import TypeAdapter

from companion.advice.keeping import to_disk
from companion.errors import NotKept, SettingsUnusable
from companion.referee.events import (
    Event,
    Face,
    GameDeleted,
    GameRenamed,
    GameStarted,
    ScoresReset,
    ThrowSeen,
    ThrowUnreadable,
)
from companion.referee.library import Entry
from companion.referee.swap import GAMES, finish
from companion.referee.tally import Counted, Tally, Teller
from companion.referee.verdict import Verdict
from companion.words import _

PICTURES_KEPT = 100
"""Readings whose picture is kept, the newest ones. Higher fills the card (about 150 kB each), lower forgets sooner."""

NEARLY_FULL = 256 * 1024
"""Free bytes below which a disk that refuses is called full. SQLite asks for some at once, so never for the last."""

_KINDS: dict[str, TypeAdapter[Event]] = {kind.__name__: TypeAdapter(kind) for kind in get_args(Event)}
_Kind = TypeVar("_Kind")


def _first_tables(db: sqlite3.Connection) -> None:
    db.execute(
        "CREATE TABLE events (number INTEGER PRIMARY KEY, at TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL)"
    )
    db.execute("CREATE INDEX events_by_kind ON events (kind, number)")
    db.execute("CREATE TABLE pictures (number INTEGER PRIMARY KEY REFERENCES events (number), jpeg BLOB NOT NULL)")


def _many_games(db: sqlite3.Connection) -> None:
    db.execute("ALTER TABLE events ADD COLUMN game INTEGER NOT NULL DEFAULT 0")
    starts = "SELECT max(number) FROM events AS start WHERE kind = 'GameStarted' AND start.number <= events.number"
    db.execute(f"UPDATE events SET game = ({starts})")  # noqa: S608 - no input
    db.execute("CREATE INDEX events_by_game ON events (game, number)")
    db.execute(
        "CREATE TABLE games (number INTEGER PRIMARY KEY, name TEXT NOT NULL, variant TEXT NOT NULL, jade TEXT NOT NULL,"
        " obsidian TEXT NOT NULL, phase TEXT NOT NULL, winner TEXT, position TEXT NOT NULL, match INTEGER NOT NULL,"
        " updated TEXT NOT NULL, newest INTEGER NOT NULL, deleted INTEGER NOT NULL DEFAULT 0)"
    )


def _counted_throws(db: sqlite3.Connection) -> None:
    db.execute(
        "CREATE TABLE throws (number INTEGER PRIMARY KEY REFERENCES events (number), sticks TEXT, teller TEXT NOT NULL,"
        " marked INTEGER NOT NULL)"
    )
    db.execute("CREATE TABLE uncounted (game INTEGER PRIMARY KEY)")
    db.execute("INSERT INTO uncounted SELECT number FROM events WHERE kind = 'GameStarted'")


def _true_readings(db: sqlite3.Connection) -> None:
    db.execute(
        "CREATE TABLE verdicts (picture INTEGER PRIMARY KEY REFERENCES events (number), marked INTEGER NOT NULL,"
        " faces TEXT NOT NULL, kept INTEGER NOT NULL DEFAULT 0)"
    )


MIGRATIONS = (_first_tables, _many_games, _counted_throws, _true_readings)
"""Each brings the file one version on; SQLite's user_version counts those done."""


class Store:
    """The events of one table's folder. One process at a time has it; one thread at a time uses it.

    Raises SettingsUnusable where the folder cannot be used: not writable, held by another companion, or not ours.
    """

    def __init__(self, folder: Path) -> None:
        try:
            fresh = [one for one in (folder.absolute(), *folder.absolute().parents) if not one.exists()]
            folder.mkdir(parents=True, exist_ok=True)
            # What is kept in it is worth nothing if its own name is not on the disk.
            for one in fresh:
                to_disk(one.parent)
            finish(folder)
            file = folder / GAMES
            self._db = sqlite3.connect(file, timeout=1, isolation_level=None, check_same_thread=False)
        except (OSError, sqlite3.Error) as error:
            raise SettingsUnusable(_cannot_open(folder, error)) from error
        try:
            # Exclusive keeps a second companion off this folder; full synchronisation survives the pulled plug.
            for pragma in ("locking_mode = EXCLUSIVE", "journal_mode = WAL", "synchronous = FULL"):
                self._db.execute(f"PRAGMA {pragma}")
            self._migrate()
            self.last = int(self._db.execute("SELECT coalesce(max(number), 0) FROM events").fetchone()[0])
        except sqlite3.Error as error:
            self._db.close()
            raise SettingsUnusable(_cannot_open(folder, error)) from error

    def append(self, events: Sequence[Event], entry: Entry, thrown: Sequence[Counted] = ()) -> None:
        """Write all of the events or none, on the disk when this returns; they get the numbers after ``last``.

        entry: the game they belong to, as the list is to show it then; a name it was given is kept.
        thrown: the throws that count by these events.
        Raises NotKept where the disk will not take them.
        """
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        try:
            self._db.execute("BEGIN IMMEDIATE")
            for number, event in enumerate(events, self.last + 1):
                self._insert(number, at, entry.number, event)
            self._list(entry, at, self.last + len(events))
            self._count(thrown)
            self._db.execute("COMMIT")
        except BaseException as error:  # whatever it was, nothing half written stays
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            if not isinstance(error, sqlite3.Error):
                raise
            raise NotKept(
                _("This could not be written down ({error}), so it did not happen. Is the disk full?", error=str(error))
            ) from error
        self.last += len(events)

    def list_anew(self, entry: Entry) -> None:
        """Put a game on the list that was kept before there was one."""
        self._list(entry, datetime.now(UTC).isoformat(timespec="milliseconds"), self.last)

    def uncounted(self) -> list[int]:
        """The starts of games that were played before throws were counted."""
        return [int(game) for (game,) in self._db.execute("SELECT game FROM uncounted ORDER BY game")]

    def count_anew(self, game: int, thrown: Sequence[Counted]) -> None:
        """Count the throws of a game that was played before throws were counted."""
        self._db.execute("BEGIN IMMEDIATE")
        self._count(thrown)
        self._db.execute("DELETE FROM uncounted WHERE game = ?", (game,))
        self._db.execute("COMMIT")

    def tallies(self) -> list[Tally]:
        """How often each count came, of each set of lots; the set thrown last first."""
        rows = self._db.execute(
            "SELECT sticks, teller, sum(marked = 0), sum(marked = 1), sum(marked = 2), sum(marked = 3),"
            " sum(marked = 4), min(at), max(at), max(number) AS newest FROM throws JOIN events USING (number)"
            " GROUP BY sticks, teller ORDER BY newest DESC"
        )
        return [
            Tally(
                sticks=sticks,
                teller=Teller(teller),
                counts=(zero, one, two, three, four),
                first=first,
                last=last,
                newest=newest,
            )
            for sticks, teller, zero, one, two, three, four, first, last, newest in rows
        ]

    def verdict(self) -> Verdict | None:
        """What players said of the oldest reading of which nobody has made a case yet; None where there is none.

        Only while its picture is kept.
        """
        row = self._db.execute(
            "SELECT picture, marked, faces, at, kind, body, jpeg FROM verdicts JOIN pictures ON number = picture"
            " JOIN events USING (number) WHERE NOT kept ORDER BY picture LIMIT 1"
        ).fetchone()
        if row is None:
            return None
        number, marked, faces, at, kind, body, jpeg = row
        reading = _KINDS[kind].validate_json(body)
        assert isinstance(reading, ThrowSeen | ThrowUnreadable)
        told = tuple(map(Face, json.loads(faces)))
        return Verdict(number=number, at=at, reading=reading, jpeg=bytes(jpeg), marked=marked, faces=told)

    def settle(self, verdict: Verdict) -> None:
        """That verdict is dealt with, unless the players have changed it since. Raises NotKept."""
        faces = json.dumps(verdict.faces)
        try:
            self._db.execute(
                "UPDATE verdicts SET kept = 1 WHERE picture = ? AND marked = ? AND faces = ?",
                (verdict.number, verdict.marked, faces),
            )
        except sqlite3.Error as error:
            raise NotKept(
                _("It could not be written down that a case is kept ({error}). Is the disk full?", error=str(error))
            ) from error

    def game(self, start: int) -> Iterator[tuple[int, Event]]:
        """The numbered events of the game with that start, in order."""
        rows = self._db.execute("SELECT number, kind, body FROM events WHERE game = ? ORDER BY number", (start,))
        for number, kind, body in rows:
            yield number, _KINDS[kind].validate_json(body)

    def current(self) -> int | None:
        """The start of the game that is on the table, or None where none ever was."""
        row = self._db.execute("SELECT game FROM events ORDER BY number DESC LIMIT 1").fetchone()
        return int(row[0]) if row else None

    def unlisted(self) -> list[int]:
        """The starts of games that are on no list yet."""
        listed = "SELECT number FROM games"
        rows = self._db.execute(
            f"SELECT number FROM events WHERE kind = ? AND number NOT IN ({listed})",  # noqa: S608 - no input
            (GameStarted.__name__,),
        )
        return [int(number) for (number,) in rows]

    def newest(self, kind: type[_Kind]) -> _Kind | None:
        """The newest event of that kind, or None."""
        row = self._db.execute(
            "SELECT body FROM events WHERE kind = ? ORDER BY number DESC LIMIT 1", (kind.__name__,)
        ).fetchone()
        return TypeAdapter(kind).validate_json(row[0]) if row else None

    def games(self) -> list[Entry]:
        """The saved games, the one played last first."""
        return self._entries("deleted = 0 ORDER BY newest DESC")

    def finished(self, *, match: int | None = None) -> list[Entry]:
        """The games that are over: all of that match, or else all since the scores were last reset."""
        if match is not None:
            return self._entries("winner IS NOT NULL AND match = ? ORDER BY number", match)
        row = self._db.execute("SELECT max(number) FROM events WHERE kind = ?", (ScoresReset.__name__,)).fetchone()
        return self._entries("winner IS NOT NULL AND newest > ? ORDER BY number", row[0] or 0)

    def picture(self, number: int) -> bytes | None:
        """The JPEG that belongs to that event, or None if it had none or it is no longer kept."""
        row = self._db.execute("SELECT jpeg FROM pictures WHERE number = ?", (number,)).fetchone()
        return bytes(row[0]) if row else None

    def copy(self, to: Path) -> None:
        """Write all that is kept into a new file of the same kind. Raises NotKept where the disk will not take it."""
        try:
            with closing(sqlite3.connect(to, isolation_level=None)) as other:
                # Whoever wants the copy on the disk sees to that; here the game waits.
                other.execute("PRAGMA synchronous = OFF")
                self._db.backup(other)
        except sqlite3.Error as error:
            raise NotKept(
                _(
                    "The games could not be copied to '{folder}' ({error}). Is the disk full?",
                    folder=to,
                    error=str(error),
                )
            ) from error

    def close(self) -> None:
        self._db.close()

    def _entries(self, which: str, *values: int) -> list[Entry]:
        columns = "number, name, variant, jade, obsidian, phase, winner, position, match, updated"
        return [
            Entry(
                number=number,
                name=name,
                variant=variant,
                jade=tuple(json.loads(jade)),
                obsidian=tuple(json.loads(obsidian)),
                phase=phase,
                winner=winner,
                position=position,
                match=match,
                updated=updated,
            )
            for number, name, variant, jade, obsidian, phase, winner, position, match, updated in self._db.execute(
                f"SELECT {columns} FROM games WHERE {which}",  # noqa: S608 - written above
                values,
            )
        ]

    def _list(self, entry: Entry, at: str, newest: int) -> None:
        self._db.execute(
            "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0) ON CONFLICT (number) DO UPDATE SET"
            " phase = excluded.phase, winner = excluded.winner, position = excluded.position,"
            " updated = excluded.updated, newest = excluded.newest",
            (
                entry.number,
                entry.name,
                entry.variant,
                json.dumps(entry.jade),
                json.dumps(entry.obsidian),
                entry.phase,
                entry.winner,
                entry.position,
                entry.match,
                at,
                newest,
            ),
        )

    def _count(self, thrown: Sequence[Counted]) -> None:
        for throw in thrown:
            facts = throw.sticks, throw.teller, throw.marked, throw.number
            if throw.fresh:
                self._db.execute(
                    "INSERT INTO throws (sticks, teller, marked, number) VALUES (?, ?, ?, ?) ON CONFLICT (number) DO"
                    " UPDATE SET sticks = excluded.sticks, teller = excluded.teller, marked = excluded.marked",
                    facts,
                )
            else:
                self._db.execute("UPDATE throws SET sticks = ?, teller = ?, marked = ? WHERE number = ?", facts)
            if throw.picture is None:
                continue
            if throw.fresh:
                self._db.execute(
                    "INSERT OR IGNORE INTO verdicts (picture, marked, faces) VALUES (?, -1, '')", (throw.picture,)
                )
            told = {"picture": throw.picture, "marked": throw.marked, "faces": json.dumps(throw.faces)}
            self._db.execute(
                "UPDATE verdicts SET kept = 0, marked = :marked, faces = :faces"
                " WHERE picture = :picture AND (marked, faces) <> (:marked, :faces)",
                told,
            )

    def _insert(self, number: int, at: str, game: int, event: Event) -> None:
        if isinstance(event, ThrowSeen | ThrowUnreadable) and event.picture:
            picture, event = event.picture, replace(event, picture=replace(event.picture, jpeg=b""))
        else:
            picture = None
        kind = type(event).__name__
        body = _KINDS[kind].dump_json(event).decode()
        self._db.execute(
            "INSERT INTO events (number, at, kind, body, game) VALUES (?, ?, ?, ?, ?)", (number, at, kind, body, game)
        )
        if isinstance(event, GameRenamed):
            self._db.execute("UPDATE games SET name = ? WHERE number = ?", (event.name, event.game))
        if isinstance(event, GameDeleted):
            self._db.execute("UPDATE games SET deleted = 1 WHERE number = ?", (event.game,))
        if picture:
            self._db.execute("INSERT INTO pictures VALUES (?, ?)", (number, picture.jpeg))
            newest = "SELECT number FROM pictures ORDER BY number DESC LIMIT ?"
            self._db.execute(f"DELETE FROM pictures WHERE number NOT IN ({newest})", (PICTURES_KEPT,))  # noqa: S608 - no input

    def _migrate(self) -> None:
        version = int(self._db.execute("PRAGMA user_version").fetchone()[0])
        if version > len(MIGRATIONS):
            raise sqlite3.DatabaseError("it was written by a newer version of this program")
        for done, migration in enumerate(MIGRATIONS[version:], version + 1):
            self._db.execute("BEGIN EXCLUSIVE")
            migration(self._db)
            self._db.execute(f"PRAGMA user_version = {done}")
            self._db.execute("COMMIT")


def _cannot_open(folder: Path, error: Exception) -> str:
    if "locked" in str(error):
        return _(
            "The games in '{folder}' are in use: another companion runs on them. Stop it, or give another --data.",
            folder=folder,
        )
    return _(
        "The games cannot be kept in '{folder}': {why}. Give another folder with --data.",
        folder=folder,
        why=_why(folder, error),
    )


def _why(folder: Path, error: Exception) -> str:
    """What is wrong with the disk, in the words of those who own it; what the database says where that is not known."""
    there = next(one for one in (folder.absolute(), *folder.absolute().parents) if one.exists())
    try:
        state = os.statvfs(there)
    except OSError:
        return str(error)
    if state.f_flag & os.ST_RDONLY:
        return _("its disk can only be read")
    if state.f_bavail * state.f_frsize < NEARLY_FULL:
        return _("its disk is full")
    return str(error) if os.access(there, os.W_OK) else _("it may not be written to")

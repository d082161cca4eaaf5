"""All that ever happened at this table, in one SQLite file: appended durably, never changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

from pydantic import TypeAdapter

from companion.errors import NotKept, SettingsUnusable
from companion.referee.events import Event, GameStarted, ThrowSeen, ThrowUnreadable

PICTURES_KEPT = 100
"""Readings whose picture is kept, the newest ones. Higher fills the card (about 150 kB each), lower forgets sooner."""

_KINDS: dict[str, TypeAdapter[Event]] = {kind.__name__: TypeAdapter(kind) for kind in get_args(Event)}


def _first_tables(db: sqlite3.Connection) -> None:
    db.execute(
        "CREATE TABLE events (number INTEGER PRIMARY KEY, at TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL)"
    )
    db.execute("CREATE INDEX events_by_kind ON events (kind, number)")
    db.execute("CREATE TABLE pictures (number INTEGER PRIMARY KEY REFERENCES events (number), jpeg BLOB NOT NULL)")


MIGRATIONS = (_first_tables,)
"""Each brings the file one version on; SQLite's user_version counts those done."""


class Store:
    """The events of one table's folder. One process at a time has it; one thread at a time uses it.

    Raises SettingsUnusable where the folder cannot be used: not writable, held by another companion, or not ours.
    """

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file = folder / "puluc.sqlite3"
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

    def append(self, events: Sequence[Event]) -> None:
        """Write all of the events or none, on the disk when this returns; they get the numbers after ``last``.

        Raises NotKept where the disk will not take them.
        """
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        try:
            self._db.execute("BEGIN IMMEDIATE")
            for number, event in enumerate(events, self.last + 1):
                self._insert(number, at, event)
            self._db.execute("COMMIT")
        except BaseException as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            if not isinstance(error, sqlite3.Error):
                raise
            raise NotKept(
                f"This could not be written down ({error}), so it did not happen. Is the disk full?"
            ) from error
        self.last += len(events)

    def game(self) -> Iterator[tuple[int, Event]]:
        """The numbered events of the newest game, its start first; nothing if there was none."""
        start = "SELECT max(number) FROM events WHERE kind = ?"
        rows = self._db.execute(
            f"SELECT number, kind, body FROM events WHERE number >= ({start}) ORDER BY number",  # noqa: S608 - no input
            (GameStarted.__name__,),
        )
        for number, kind, body in rows:
            yield number, _KINDS[kind].validate_json(body)

    def picture(self, number: int) -> bytes | None:
        """The JPEG that belongs to that event, or None if it had none or it is no longer kept."""
        row = self._db.execute("SELECT jpeg FROM pictures WHERE number = ?", (number,)).fetchone()
        return bytes(row[0]) if row else None

    def close(self) -> None:
        self._db.close()

    def _insert(self, number: int, at: str, event: Event) -> None:
        if isinstance(event, ThrowSeen | ThrowUnreadable) and event.picture:
            picture, event = event.picture, replace(event, picture=replace(event.picture, jpeg=b""))
        else:
            picture = None
        kind = type(event).__name__
        body = _KINDS[kind].dump_json(event).decode()
        self._db.execute("INSERT INTO events VALUES (?, ?, ?, ?)", (number, at, kind, body))
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
        return f"The games in '{folder}' are in use: another companion runs on them. Stop it, or give another --data."
    return f"The games cannot be kept in '{folder}': {error}. Give another folder with --data."

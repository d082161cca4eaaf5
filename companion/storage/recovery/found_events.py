"""Finds events in an untrusted file: another table's through SQLite, a damaged one page by page."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.storage.database_copy import reading
from companion.storage.recovery.page_scan import scan
from companion.storage.recovery.rebuild import Found, InvalidContent, Row
from companion.storage.schema import checked_version

LARGEST_VALUE = 8 * 1024**2
"""Largest value read from a foreign file, in bytes. The largest real ones are pictures of 150 kB."""
PROGRESS = 10_000
"""SQLite's steps between two checks of the clock, some 0.1 ms."""


@contextmanager
def in_database(file: Path, *, until: float = float("inf")) -> Iterator[Found]:
    """Read the events of an untrusted file.

    Only a file with exactly our schema is read, and only its tables, row by row. While it is read, InvalidContent is
    raised where it is damaged, and TimeoutError once the monotonic clock shows ``until``.
    """
    with _translated(until), reading(file) as db:
        db.set_progress_handler(lambda: time.monotonic() > until, PROGRESS)
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
        db.execute("PRAGMA cell_size_check = ON")
        version = checked_version(db)
        if version == 0:
            raise sqlite3.DatabaseError("it is empty")
        yield Found(
            rows=_rows(db, "game" if version > 1 else "NULL", until),
            picture=lambda number: _picture(db, number, until),
            kept=_kept(db) if version > 3 else frozenset(),
        )


@contextmanager
def _translated(until: float) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        if time.monotonic() > until:
            raise TimeoutError from error
        raise InvalidContent(str(error)) from error


def _rows(db: sqlite3.Connection, game: str, until: float) -> Iterator[Row]:
    # By row number, without an index: a corrupt one would hide events.
    found = db.execute(f"SELECT number, at, kind, body, {game} FROM events NOT INDEXED ORDER BY number")  # noqa: S608
    while True:
        with _translated(until):
            row = found.fetchone()
        if row is None:
            return
        number, at, kind, body, start = row
        if not (isinstance(at, str) and isinstance(kind, str) and isinstance(body, str)):
            raise InvalidContent(f"event {number} is no text")
        if not isinstance(start, int | None):
            raise InvalidContent(f"event {number} belongs to no game")
        yield Row(number=number, at=at, kind=kind, body=body, game=start)


def _picture(db: sqlite3.Connection, number: int, until: float) -> bytes | None:
    with _translated(until):
        row = db.execute("SELECT jpeg FROM pictures WHERE number = ?", (number,)).fetchone()
    return row[0] if row and isinstance(row[0], bytes) else None


def _kept(db: sqlite3.Connection) -> frozenset[int]:
    return frozenset(number for (number,) in db.execute("SELECT picture FROM verdicts WHERE kept = 1"))


def in_pages(file: Path) -> Found:
    """Read the surviving rows of a damaged file, regardless of its header, schema and indexes."""
    rows: dict[int, Row] = {}
    pictures: dict[int, bytes] = {}
    kept: set[int] = set()
    # Rows of all tables come mixed; each table's have a shape of their own.
    for number, values in scan(file):
        match values:
            case (None, str(at), str(kind), str(body), int(game)):
                rows[number] = Row(number=number, at=at, kind=kind, body=body, game=game)
            case (None, str(at), str(kind), str(body)):
                rows.setdefault(number, Row(number=number, at=at, kind=kind, body=body, game=None))
            case (None, bytes(jpeg)):
                pictures[number] = jpeg
            case (None, int(), str(), 1):
                kept.add(number)
    return Found(rows=[rows[number] for number in sorted(rows)], picture=pictures.get, kept=kept)

"""Read-only access to a file of games, and copies of it by SQLite's own backup."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from companion.errors import BackupNotMade, BackupUnusable
from companion.i18n import _
from companion.storage.restore import GAMES, LOCK
from companion.storage.schema import checked_version


@dataclass(frozen=True, slots=True)
class DatabaseCopy:
    """A complete copy of the games that nobody writes to. games, events: the numbers of each."""

    path: Path
    games: int
    events: int


COPIES = "copies"


def copies(folder: Path) -> list[Path]:
    """The daily copies in a table's folder, the newest first. Named by sequence, because a clock may be wrong."""
    return sorted((folder / COPIES).glob("[0-9]*.sqlite3"), reverse=True)


@contextmanager
def reading(file: Path) -> Iterator[sqlite3.Connection]:
    """A read-only connection. At most it leaves an empty ``-shm`` file beside a log."""
    logged = file.with_name(f"{file.name}-wal").exists()
    uri = f"{file.absolute().as_uri()}?{'mode=ro' if logged else 'immutable=1'}"
    with closing(sqlite3.connect(uri, uri=True, timeout=1, isolation_level=None)) as db:
        # A view, a default or a trigger in the file must not call anything.
        db.execute("PRAGMA trusted_schema = OFF")
        yield db


def verify(file: Path) -> None:
    """Compare the schema and check every page. Raises sqlite3.DatabaseError saying what is wrong."""
    with reading(file) as db:
        checked_version(db)
        (found,) = db.execute("PRAGMA integrity_check(1)").fetchone()
        if found != "ok":
            raise sqlite3.DatabaseError(found.splitlines()[-1])


def newest_number(file: Path) -> int:
    """The number of the last event in a file; 0 if there is none. Raises sqlite3.Error."""
    with reading(file) as db:
        return int(db.execute("SELECT coalesce(max(number), 0) FROM events").fetchone()[0])


def inspect(file: Path) -> DatabaseCopy:
    """Check every page of a copy, and count its games and events. Raises BackupUnusable."""
    try:
        verify(file)
        with reading(file) as db:
            (games,) = db.execute("SELECT count(*) FROM events WHERE kind = 'GameStarted'").fetchone()
            (events,) = db.execute("SELECT count(*) FROM events").fetchone()
    except sqlite3.Error as error:
        raise BackupUnusable(_("The games in it are damaged ({why}).", why=str(error))) from error
    return DatabaseCopy(file, int(games), int(events))


def copy_games(folder: Path, to: Path) -> DatabaseCopy:
    """Copy the games of a folder into a new file, also while another process plays there. Raises BackupNotMade."""
    try:
        with _undisturbed(folder), reading(folder / GAMES) as db:
            copy_database(db, to)
        return inspect(to)
    except BackupUnusable as error:
        raise BackupNotMade(str(error)) from error
    except (OSError, sqlite3.Error) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise BackupNotMade(
            _("The games in '{folder}' cannot be copied: {why}.", folder=str(folder), why=why)
        ) from error


def copy_database(db: sqlite3.Connection, to: Path) -> None:
    """Copy ``db``, as it is at one moment, to a new file, without syncing it. Raises sqlite3.Error."""
    with closing(sqlite3.connect(to, isolation_level=None)) as other:
        other.execute("PRAGMA synchronous = OFF")
        db.backup(other)
        # A single file, which needs no log beside it to be read.
        other.execute("PRAGMA journal_mode = DELETE")


@contextmanager
def _undisturbed(folder: Path) -> Iterator[None]:
    """Keep any companion from starting there meanwhile, and leave nothing behind if none is running."""
    shm = folder / f"{GAMES}-shm"
    lock = FileLock(folder / LOCK, timeout=0)
    with suppress(Timeout, OSError):
        # Made by whoever plays, never here: it would belong to another user where root makes a copy.
        if (folder / LOCK).exists():
            lock.acquire()
    leftover = lock.is_locked and not shm.exists()
    try:
        yield
    finally:
        if leftover:
            shm.unlink(missing_ok=True)
        lock.release()

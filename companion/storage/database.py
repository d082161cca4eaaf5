"""The database in a table's folder: locking it, opening it, and reading and writing it safely."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from companion.errors import CompanionError, SettingsUnusable, StoreDamaged
from companion.storage.atomic_file import to_disk
from companion.storage.database_copy import copies, newest_number, verify
from companion.storage.error_messages import damaged_message, is_damage, unusable_message
from companion.storage.newest_event import noted_newest
from companion.storage.restore import GAMES, LOCK, finish
from companion.storage.schema import migrate


def lock_folder(folder: Path) -> FileLock:
    """Create the folder if necessary, and lock it against other companions.

    Raises SettingsUnusable if it is not writable or already locked.
    """
    # The lock belongs to whoever opens the store, not to a thread.
    lock = FileLock(folder / LOCK, timeout=0, thread_local=False)
    try:
        fresh = [one for one in (folder.absolute(), *folder.absolute().parents) if not one.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        # Files in a new folder are lost with it unless its own name is on the disk.
        for one in fresh:
            to_disk(one.parent)
        lock.acquire()
    except (OSError, Timeout) as error:
        raise SettingsUnusable(unusable_message(folder, error)) from error
    return lock


def open_database(folder: Path) -> sqlite3.Connection:
    """Open the folder's database, verified and migrated to the present version.

    Raises StoreDamaged if its file is damaged or not ours, and SettingsUnusable if it cannot be opened. Then nothing in
    it has changed.
    """
    try:
        return _opened(folder)
    except (OSError, sqlite3.Error) as error:
        if isinstance(error, sqlite3.Error) and is_damage(error):
            raise StoreDamaged(damaged_message(folder, error), folder) from error
        raise SettingsUnusable(unusable_message(folder, error)) from error


def _opened(folder: Path) -> sqlite3.Connection:
    finish(folder)
    file = folder / GAMES
    if not file.exists() or not file.stat().st_size:
        if any(copies(folder)):
            raise sqlite3.DatabaseError("the file is empty or missing")
    elif not (folder / f"{GAMES}-journal").exists():
        # Before anything is written to it: even closing a damaged file would change it.
        verify(file)
        noted = noted_newest(folder)
        if noted and (found := newest_number(file)) < noted:
            raise sqlite3.DatabaseError(f"of {noted} events, those after {found} are missing")
    db = sqlite3.connect(file, timeout=1, isolation_level=None, check_same_thread=False)
    try:
        # Full synchronisation survives the pulled plug.
        for pragma in ("journal_mode = WAL", "synchronous = FULL"):
            db.execute(f"PRAGMA {pragma}")
        migrate(db)
    except BaseException:
        db.close()
        raise
    return db


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Commit what is written within, or roll it back on any exception."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


@contextmanager
def checked_rows(folder: Path) -> Iterator[None]:
    """Raise StoreDamaged if a row read within is not as it was written."""
    try:
        yield
    except CompanionError:
        raise
    except (sqlite3.Error, ValueError, TypeError) as error:
        raise StoreDamaged(damaged_message(folder, error), folder) from error

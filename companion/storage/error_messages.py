"""Explains SQLite's errors to the players."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from filelock import Timeout

from companion.i18n import _
from companion.storage.schema import NewerSchema

NEARLY_FULL = 256 * 1024
"""Free bytes below which a disk that refuses a write counts as full. SQLite writes several pages at once."""

UNREADABLE = (
    sqlite3.SQLITE_ERROR,  # a file that SQLite opens and cannot make sense of
    sqlite3.SQLITE_IOERR_READ,  # a worn card
    sqlite3.SQLITE_IOERR_SHORT_READ,
    sqlite3.SQLITE_IOERR_CORRUPTFS,
)
"""SQLite's error codes for a file that it cannot read, besides those that say that it is malformed."""


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the file itself is at fault, rather than the disk, its owner or another process."""
    if isinstance(error, NewerSchema):
        return False
    return not isinstance(error, sqlite3.OperationalError) or error.sqlite_errorcode in UNREADABLE


def damaged_message(folder: Path, error: Exception) -> str:
    """Say that the file is damaged, and which command shows what can be saved."""
    why = str(error).splitlines()[0][:200]
    return _(
        "The games in '{folder}' are damaged ({why}). The command puluc backup rescue shows what can be saved.",
        folder=folder,
        why=why,
    )


def unusable_message(folder: Path, error: Exception) -> str:
    """Say why nothing can be saved in the folder, and what to do."""
    if isinstance(error, Timeout) or "locked" in str(error):
        return _(
            "The games in '{folder}' are in use: another companion runs on them. Stop it, or give another --data.",
            folder=folder,
        )
    return _(
        "The games cannot be kept in '{folder}': {why}. Give another folder with --data.",
        folder=folder,
        why=_disk_problem(folder, error),
    )


def _disk_problem(folder: Path, error: Exception) -> str:
    """The disk's problem in plain words; the database's own message if it is unknown."""
    there = next(one for one in (folder.absolute(), *folder.absolute().parents) if one.exists())
    try:
        state = os.statvfs(there)
    except OSError:
        return str(error)
    if state.f_flag & os.ST_RDONLY:
        return _("its disk is read-only")
    if state.f_bavail * state.f_frsize < NEARLY_FULL:
        return _("its disk is full")
    return str(error) if os.access(there, os.W_OK) else _("it may not be written to")

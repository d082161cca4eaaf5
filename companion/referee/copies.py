"""Copies of the games: made while a companion plays, and looked at before they are trusted."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from companion.errors import BackupNotMade, BackupUnusable
from companion.referee.swap import GAMES
from companion.words import _

TRIES = 5
"""How often the games of a companion that plays just then are copied anew before it is given up."""
WAL_HEADER = 32


@dataclass(frozen=True, slots=True)
class Copied:
    """A copy of the games, whole, that nobody writes to. games, events: how many are in it."""

    path: Path
    games: int
    events: int


def looked_at(path: Path) -> Copied:
    """A copy, once every page of it has been found sound. Raises BackupUnusable."""
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            # What was still in the log beside it becomes part of it, and needs no log from here on.
            db.execute("PRAGMA journal_mode = DELETE")
            (found,) = db.execute("PRAGMA integrity_check(1)").fetchone()
            if found != "ok":
                raise sqlite3.DatabaseError(found)
            (games,) = db.execute("SELECT count(*) FROM events WHERE kind = 'GameStarted'").fetchone()
            (events,) = db.execute("SELECT count(*) FROM events").fetchone()
    except sqlite3.Error as error:
        raise BackupUnusable(_("The games in it are damaged ({why}).", why=str(error))) from error
    return Copied(path, int(games), int(events))


def copied(folder: Path, to: Path) -> Copied:
    """Copy the games of a folder, whether or not another process plays there. Never call it in the one that plays.

    Raises BackupNotMade.
    """
    try:
        for _attempt in range(TRIES):
            if _copied_at_rest(folder, to):
                return looked_at(to)
    except BackupUnusable as error:
        raise BackupNotMade(str(error)) from error
    except OSError as error:
        raise BackupNotMade(
            _("The games in '{folder}' cannot be copied: {why}.", folder=str(folder), why=str(error.strerror))
        ) from error
    raise BackupNotMade(
        _("The games in '{folder}' change faster than they can be copied. Try again.", folder=str(folder))
    )


def _copied_at_rest(folder: Path, to: Path) -> bool:
    """Copy the games, then their log. Answers whether the log was not begun anew meanwhile.

    While it was not, it holds every page that was put from it into the games during the copying, so what the copy
    has torn is made good by its log, to the last whole transaction in it.
    """
    games, log = folder / GAMES, folder / f"{GAMES}-wal"
    log_copy = to.with_name(f"{to.name}-wal")
    began = _header(log)
    shutil.copyfile(games, to)
    if began:
        shutil.copyfile(log, log_copy)
    else:
        log_copy.unlink(missing_ok=True)
    return _header(log) == began


def _header(log: Path) -> bytes:
    """The beginning of a log, which is another whenever it is begun anew; nothing where there is none."""
    try:
        with log.open("rb") as file:
            return file.read(WAL_HEADER)
    except FileNotFoundError:
        return b""

"""Ways out of a damaged store: a copy of the games, or what can still be read of them. The damaged file is kept."""

from __future__ import annotations

import logging
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from filelock import FileLock, Timeout

from companion.backup.unpacking import STAGED
from companion.errors import NotAllowed
from companion.i18n import _
from companion.storage.atomic_file import to_disk
from companion.storage.database_copy import copies
from companion.storage.recovery.found_events import in_database, in_pages
from companion.storage.recovery.rebuild import InvalidContent, Rebuilt, rebuild, validate
from companion.storage.restore import DAMAGED, GAMES, LOCK, READY, asides, commit, next_aside

log = logging.getLogger("puluc")

SURVEY_S = 300.0
"""Seconds that may go into looking for each way out. A Raspberry Pi plays some 1,000 events a second again."""


class Way(StrEnum):
    """The replacement for the damaged games."""

    RESCUE = "rescue"
    COPY = "copy"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A tested way out, and what it recovers. holds: None if it starts without any games."""

    way: Way
    holds: Rebuilt | None = None


class Recovery:
    """Finds ways to recover the damaged games in a folder, and carries one out. Any thread may call it.

    The damaged file is never changed, only moved aside.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.done = threading.Event()
        self._lock = threading.Lock()
        self._choices: tuple[Choice, ...] | None = None
        self._copy: Path | None = None
        self._seen = _stamps(folder)

    @property
    def choices(self) -> tuple[Choice, ...] | None:
        """The ways out, the one that loses least first; None until ``survey`` has found them."""
        return self._choices

    @property
    def is_busy(self) -> bool:
        """Whether a choice is being carried out."""
        return self._lock.locked()

    @property
    def is_over(self) -> bool:
        """Whether the games have been replaced, by a choice made here or by somebody else."""
        return self.done.is_set() or (not self.is_busy and _stamps(self.folder) != self._seen)

    def survey(self) -> None:
        """Try out every way. Takes some seconds for a long history."""
        found: list[Choice] = []
        try:
            found += filter(None, (self._rescue(), self._newest_copy()))
            # By what they hold and not by their times, because a clock may jump back.
            found.sort(key=lambda choice: choice.holds.events if choice.holds else 0, reverse=True)
        finally:
            self._choices = (*found, Choice(way=Way.EMPTY))

    def take(self, way: Way) -> Choice:
        """Put that in the place of the damaged games, which are kept aside.

        Raises NotAllowed where it is none of the choices or another companion plays there by now, and OSError.
        """
        with self._alone():
            choice = next((one for one in self._choices or () if one.way is way), None)
            if choice is None:
                raise NotAllowed(_("You can't do that now. Check the options again."))
            staged = self.folder / STAGED
            shutil.rmtree(staged, ignore_errors=True)
            staged.mkdir()
            if way is Way.COPY:
                assert self._copy is not None
                with in_database(self._copy) as found:
                    rebuild(found, staged)
            elif way is Way.RESCUE:
                rebuild(in_pages(_games(self.folder)), staged, partial=True)
            if way is not Way.EMPTY:
                to_disk(staged / GAMES)
            self._put_interrupted_restore_aside()
            commit(staged, replaces=(GAMES,), aside=DAMAGED)
            log.warning("The damaged games are kept in '%s'.", asides(self.folder, DAMAGED)[0])
            self.done.set()
            return choice

    def _rescue(self) -> Choice | None:
        with suppress(TimeoutError):
            holds = validate(in_pages(_games(self.folder)), partial=True, until=time.monotonic() + SURVEY_S)
            return Choice(way=Way.RESCUE, holds=holds) if holds.games else None
        return None

    def _newest_copy(self) -> Choice | None:
        for path in _candidates(self.folder):
            until = time.monotonic() + SURVEY_S
            with suppress(InvalidContent, TimeoutError, OSError), in_database(path, until=until) as found:
                holds = validate(found, until=until)
                if holds.games:
                    self._copy = path
                    return Choice(way=Way.COPY, holds=holds)
        return None

    def _put_interrupted_restore_aside(self) -> None:
        if (self.folder / READY).exists():
            aside = next_aside(self.folder, DAMAGED)
            aside.mkdir()
            (self.folder / READY).rename(aside / READY)
            to_disk(aside)
            to_disk(self.folder)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Nobody else recovers these games, or plays them. Raises NotAllowed."""
        if self.done.is_set() or not self._lock.acquire(blocking=False):
            raise NotAllowed(_("The games are being recovered right now."))
        try:
            with FileLock(self.folder / LOCK, timeout=0):
                yield
        except Timeout as error:
            raise NotAllowed(_("Another companion is using these games. Close it first.")) from error
        finally:
            self._lock.release()


def _stamps(folder: Path) -> list[tuple[int, int, int] | None]:
    """File identities that change when somebody else replaces the games."""
    return [_stamp(folder / name) for name in (GAMES, f"{GAMES}-wal", READY)]


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _games(folder: Path) -> Path:
    """The damaged file; where a restore was interrupted after it was moved, the one that was to come."""
    coming = folder / READY / GAMES
    return coming if coming.exists() and not (folder / GAMES).exists() else folder / GAMES


def _candidates(folder: Path) -> Iterator[Path]:
    """Files that may be good copies, the newest first."""
    yield folder / READY / GAMES
    yield from copies(folder)
    yield from (aside / GAMES for aside in asides(folder))

"""Makes automatic daily copies of the games, in case the file is damaged."""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from companion.errors import CompanionError
from companion.storage.atomic_file import to_disk
from companion.storage.database_copy import COPIES, copies
from companion.storage.recovery.found_events import in_database
from companion.storage.recovery.rebuild import InvalidContent, Replay
from companion.storage.restore import GAMES

log = logging.getLogger("puluc")

COPIES_KEPT = 5
"""Number of copies to keep. Each takes as much as the games, some 20 MB. More reach further back."""
LEFT_FREE = 64 * 1024**2
"""Bytes that must stay free on the disk. Higher stops copying sooner on a small card."""
CHECKING_S = 0.05
"""Seconds that one step spends on checking a copy. Longer finishes sooner but slows the table down meanwhile."""
UNCHECKED = ".new"


class DailyCopies:
    """Makes a copy on each day on which something was played, checks it, and removes the oldest ones.

    Only its own thread calls ``step``.

    Parameters
    ----------
    folder : Path
        The table's.
    copy : callable
        Writes the games as they are now into a new file; raises a CompanionError.
    last : callable
        The number of the newest event.
    """

    def __init__(
        self,
        folder: Path,
        *,
        copy: Callable[[Path], object],
        last: Callable[[], int],
        today: Callable[[], str] = lambda: f"{datetime.now(UTC):%Y-%m-%d}",
    ) -> None:
        self._folder, self._copy, self._last, self._today = folder, copy, last, today
        self._tried: tuple[str, int] | None = None
        self._checking: Iterator[None] | None = None

    def step(self) -> bool:
        """Do part of the work that is due. Returns whether more is due at once; never raises for a full disk."""
        try:
            if self._checking is None:
                self._checking = self._made() if self._is_due() else None
            until = time.monotonic() + CHECKING_S
            while self._checking is not None and time.monotonic() < until:
                if next(self._checking, StopIteration) is StopIteration:
                    self._checking = None
        except (OSError, CompanionError, InvalidContent) as error:
            self._checking = None
            log.warning("Today's copy of the games was not kept: %s. The older ones stay.", error)
        return self._checking is not None

    def _is_due(self) -> bool:
        now = self._today(), self._last()
        if self._tried is not None and (now[0] == self._tried[0] or now[1] == self._tried[1]):
            return False
        newest = next(iter(copies(self._folder)), None)
        self._tried = now
        _sequence, *day, last = newest.stem.split("-") if newest else ("", "", "")
        return now[1] > 0 and now[0] != "-".join(day) and str(now[1]) != last

    def _made(self) -> Iterator[None]:
        """Make a copy, and keep it once every event in it has been played again."""
        place = self._folder / COPIES
        fresh = place / UNCHECKED
        last = self._last()
        games = (self._folder / GAMES).stat().st_size
        if shutil.disk_usage(self._folder).free < games + LEFT_FREE:
            raise OSError("there is not enough room")
        place.mkdir(exist_ok=True)
        fresh.unlink(missing_ok=True)
        with ExitStack() as failed:
            failed.callback(fresh.unlink, missing_ok=True)
            self._copy(fresh)
            to_disk(fresh)
            yield
            with in_database(fresh) as found:
                replay = Replay(found)
                yield from replay.steps()
            if not replay.result().games:
                return
            older = copies(self._folder)
            number = int(older[0].name.split("-")[0]) + 1 if older else 1
            fresh.rename(place / f"{number:04}-{self._today()}-{last}.sqlite3")
            to_disk(place)
            to_disk(self._folder)
        for old in copies(self._folder)[COPIES_KEPT:]:
            old.unlink(missing_ok=True)

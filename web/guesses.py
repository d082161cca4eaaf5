"""Slows down whoever guesses the table's code, without shutting out anybody else."""

from __future__ import annotations

import hashlib
import logging
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from companion.errors import CompanionError
from companion.words import _

log = logging.getLogger("puluc")

AT_ONCE = 10
"""Wrong codes that one address may show one after the other. Fewer annoy who types badly, more help who guesses."""
PACE_S = 10.0
"""Seconds after which an address that has shown too many may show one more."""
PROVEN_AT_ONCE, PROVEN_PACE_S = 100, 0.02
"""The same for an address that has shown the right code before: behind it are those who know it, and their scripts,
which somebody who guesses beside them must not stop. Fifty guesses a second still take centuries."""
OVERALL = 50
"""Wrong codes a minute, from all addresses together, above which each address has a single try at a time. Lower lets
one guesser make others wait, higher lets many addresses guess more."""
REMEMBERED = 2000
"""Addresses that are remembered at once; the one that showed nothing for longest is forgotten first."""


class TooManyGuesses(CompanionError, PermissionError):
    """Too many wrong codes were shown. wait_s: seconds until the next is looked at."""

    def __init__(self, wait_s: float) -> None:
        self.wait_s = int(wait_s) + 1
        super().__init__(
            _("Too many wrong codes came from here. Wait {seconds} seconds, then try once more.", seconds=self.wait_s)
        )


@dataclass(slots=True)
class _Tries:
    """What an address has tried. left: tries it has now; at: when that was so; last: the wrong code shown last."""

    left: float
    at: float
    last: bytes = b""
    proven: bool = False


class Guesses:
    """Counts wrong codes, by address and over all. Any thread may call it.

    A code is looked at only while its address has tries left, so that guessing faster finds nothing. The phones'
    passes are no codes and cannot be guessed; they are not asked about here. clock: monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._lock = clock, Lock()
        self._addresses: OrderedDict[str, _Tries] = OrderedDict()
        self._overall = _Tries(left=OVERALL, at=clock())

    def judge(self, address: str, code: str, is_right: Callable[[str], bool]) -> bool:
        """Whether that code from there is right. Raises TooManyGuesses instead, if it is too early to tell."""
        with self._lock:
            now = self._clock()
            tries = self._tries(address, now)
            pace = PROVEN_PACE_S if tries.proven else PACE_S
            if tries.left < 1:
                raise TooManyGuesses((1 - tries.left) * pace)
            if is_right(code):
                if not tries.proven:
                    tries.proven, tries.left = True, PROVEN_AT_ONCE
                return True
            shown = hashlib.sha256(code.encode("utf-8", "replace")).digest()
            # An old address opened again and again, or a script with the code of yesterday, learns nothing new.
            if shown != tries.last:
                tries.last = shown
                tries.left -= 1
                self._overall.left = max(0.0, self._overall.left - 1)
                if tries.left < 1:
                    log.warning("Wrong codes keep coming from %s. It may try one every %g seconds.", address, pace)
            return False

    def _tries(self, address: str, now: float) -> _Tries:
        tries = self._addresses.pop(address, None) or _Tries(left=AT_ONCE, at=now)
        self._addresses[address] = tries
        while len(self._addresses) > REMEMBERED:
            self._addresses.popitem(last=False)
        _refill(self._overall, now, 60 / OVERALL, OVERALL)
        if tries.proven:
            _refill(tries, now, PROVEN_PACE_S, PROVEN_AT_ONCE)
        else:
            _refill(tries, now, PACE_S, AT_ONCE if self._overall.left >= 1 else 1)
        return tries


def _refill(tries: _Tries, now: float, pace: float, most: float) -> None:
    tries.left, tries.at = min(most, tries.left + (now - tries.at) / pace), now

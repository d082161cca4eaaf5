"""A rate limit on wrong codes that slows down guessing without locking out anyone who knows the code."""

from __future__ import annotations

import hashlib
import logging
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from companion.errors import CompanionError
from companion.i18n import _

log = logging.getLogger("puluc")

AT_ONCE = 10
"""Wrong codes that an address may show one after the other. Fewer annoy people who mistype, more help a guesser."""
PACE_S = 10.0
"""Seconds after which an address that has shown too many may show one more."""
PROVEN_AT_ONCE, PROVEN_PACE_S = 100, 0.02
"""The same for an address from which the right code was shown before, or where somebody plays. Behind it are people who
know the code, and their programs; a guesser beside them must not stop them. Fifty guesses a second take centuries."""
LONGEST_WAIT_S = 30.0
"""Seconds that a request may wait for its turn instead of being refused. Raising it keeps more connections waiting. At
a proven address nobody waits that long, because an address has too few connections for that."""
OVERALL = 50
"""Wrong codes a minute, from all addresses together, above which each address has a single try at a time. Lower lets
one guesser make others wait, higher lets many addresses guess more."""
REMEMBERED = 2000
"""Addresses that are remembered; the one that has shown nothing for longest is forgotten first."""


class TooManyGuesses(CompanionError, PermissionError):
    """Too many wrong codes were shown. wait_s: whole seconds until the next one is checked."""

    def __init__(self, wait_s: float) -> None:
        self.wait_s = int(wait_s) + 1
        super().__init__(
            _("Too many wrong codes came from here. Wait {seconds} seconds, then try once more.", seconds=self.wait_s)
        )


@dataclass(slots=True)
class Reservation:
    """A request's place in the queue. due: the time of its turn; None if it has not had to wait."""

    due: float | None = None


@dataclass(slots=True)
class _Bucket:
    """The tries of an address. left: how many it had at that time, below 0 if some wait for a turn. last: a hash of
    the wrong code that it has shown last.
    """

    left: float
    at: float
    last: bytes = b""
    is_proven: bool = False

    def refill(self, now: float, pace_s: float, most: float) -> None:
        self.left, self.at = min(most, self.left + (now - self.at) / pace_s), now


class RateLimit:
    """Limits how many codes are checked, for each address and over all. Any thread may call it.

    Right and wrong codes take the same turns, so waiting tells nothing about a code, and guessing faster finds nothing
    sooner. A request that can wait is given a turn instead of being refused: so a program with the right code gets
    its answer however many wrong ones come from the same address, only later. Passes of phones are no codes and
    cannot be guessed; they are not limited. clock: monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._lock = clock, Lock()
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()
        self._overall = _Bucket(left=OVERALL, at=clock())

    def check(self, address: str, code: str, is_right: Callable[[str], bool], turn: Reservation | None = None) -> bool:
        """Whether the code is right. Raises TooManyGuesses if it is too early to say.

        turn: the request's place in line, if it can wait. Where ``turn.due`` is set, ask again then, with the same one.
        """
        with self._lock:
            now = self._clock()
            bucket = self._bucket(address, now)
            pace_s = PROVEN_PACE_S if bucket.is_proven else PACE_S
            has_waited = turn is not None and turn.due is not None
            if not has_waited and bucket.left < 1:
                wait_s = (1 - bucket.left) * pace_s
                if turn is not None and wait_s <= LONGEST_WAIT_S:
                    turn.due = now + wait_s
                    bucket.left -= 1
                raise TooManyGuesses(wait_s)
            if turn is not None and turn.due is not None:
                if now < turn.due:
                    raise TooManyGuesses(turn.due - now)
                # The turn was paid for when it was given.
                turn.due = None
                bucket.left += 1
            if is_right(code):
                self._prove(bucket)
                return True
            shown = hashlib.sha256(code.encode("utf-8", "replace")).digest()
            # An old address opened again and again, or a program with yesterday's code, learns nothing new.
            if shown != bucket.last:
                bucket.last = shown
                bucket.left -= 1
                self._overall.left = max(0.0, self._overall.left - 1)
                if 0 <= bucket.left < 1:
                    log.warning("Wrong codes keep coming from %s. It may try one every %g seconds.", address, pace_s)
            return False

    def give_back(self, address: str, turn: Reservation) -> None:
        """Return the turn of a withdrawn request."""
        with self._lock:
            if turn.due is not None and address in self._buckets:
                turn.due = None
                self._buckets[address].left += 1

    def trust(self, address: str) -> None:
        """Trust an address from which somebody plays, because the right code is known there."""
        with self._lock:
            self._prove(self._bucket(address, self._clock()))

    def _prove(self, bucket: _Bucket) -> None:
        if not bucket.is_proven:
            bucket.is_proven, bucket.left = True, PROVEN_AT_ONCE

    def _bucket(self, address: str, now: float) -> _Bucket:
        bucket = self._buckets.pop(address, None) or _Bucket(left=AT_ONCE, at=now)
        self._buckets[address] = bucket
        while len(self._buckets) > REMEMBERED:
            self._buckets.popitem(last=False)
        self._overall.refill(now, 60 / OVERALL, OVERALL)
        if bucket.is_proven:
            bucket.refill(now, PROVEN_PACE_S, PROVEN_AT_ONCE)
        else:
            bucket.refill(now, PACE_S, AT_ONCE if self._overall.left >= 1 else 1)
        return bucket

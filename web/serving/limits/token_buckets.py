"""Token buckets: a rate limit for each address."""

from __future__ import annotations

from collections import OrderedDict

REMEMBERED = 2000
"""Addresses that are remembered; the least recently used one is forgotten."""


class TokenBuckets:
    """One bucket for each address, full at first. Times are monotonic seconds.

    at_once: capacity of a bucket, in tokens. per_s: tokens refilled per second.

    >>> buckets = TokenBuckets(at_once=2, per_s=1.0)
    >>> [buckets.take("here", now) for now in (0.0, 0.0, 0.0, 1.0)], buckets.take("there", 1.0)
    ([True, True, False, True], True)
    """

    def __init__(self, *, at_once: int, per_s: float) -> None:
        self._at_once, self._per_s = at_once, per_s
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, address: str, now: float) -> bool:
        """Take a token of that address. Returns whether there was one."""
        tokens, at = self._buckets.pop(address, (float(self._at_once), now))
        tokens = min(self._at_once, tokens + (now - at) * self._per_s)
        self._buckets[address] = (tokens - 1 if tokens >= 1 else tokens, now)
        if len(self._buckets) > REMEMBERED:
            self._buckets.popitem(last=False)
        return tokens >= 1

"""A clock for camera tests that need not wait."""

from __future__ import annotations


class FakeClock:
    """A monotonic clock that only ``sleep`` advances."""

    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds

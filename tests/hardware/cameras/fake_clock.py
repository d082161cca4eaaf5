"""Time for tests of cameras: it passes only while somebody waits."""

from __future__ import annotations


class Waiting:
    """A monotonic clock that stands still but for ``sleep``."""

    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds

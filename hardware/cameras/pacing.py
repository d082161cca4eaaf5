"""Frame timing for cameras without hardware."""

from __future__ import annotations

import time
from collections.abc import Callable

FRAME_S = 1 / 15
"""Seconds between two frames. Lower is smoother but loads a small machine; motion detection needs ten a second."""


class FramePacer:
    """Limits the frame rate to that of a real camera.

    clock: returns monotonic seconds. sleep: waits for the given number of seconds.
    """

    def __init__(
        self, *, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._clock, self._sleep = clock, sleep
        self._due = clock()

    def now(self) -> float:
        """Return monotonic seconds."""
        return self._clock()

    def wait(self) -> float:
        """Wait until the next frame is due and return its time, which is later than any returned before."""
        early = self._due - self._clock()
        if early > 0:
            self._sleep(early)
        taken_at = self._clock()
        self._due = taken_at + FRAME_S
        return taken_at

"""When the next frame of a camera without a lens is due."""

from __future__ import annotations

import time
from collections.abc import Callable

FRAME_S = 1 / 15
"""Seconds between two frames. Lower is smoother and costs a small machine more; settling wants ten frames a second."""


class Pace:
    """Deals out the moments at which frames are taken, no faster than a real camera would."""

    def __init__(
        self, *, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        """``clock`` answers monotonic seconds; ``sleep`` waits for that many."""
        self._clock, self._sleep = clock, sleep
        self._due = clock()

    def now(self) -> float:
        """Monotonic seconds."""
        return self._clock()

    def exposure(self) -> float:
        """Wait until the next frame is due and answer when that is; later than every answer before."""
        early = self._due - self._clock()
        if early > 0:
            self._sleep(early)
        taken_at = self._clock()
        self._due = taken_at + FRAME_S
        return taken_at

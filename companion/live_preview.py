"""Live pictures of the tray, made only while somebody watches."""

from __future__ import annotations

import threading
from collections.abc import Callable

VIEWER_TIMEOUT_S = 5.0
"""Seconds after its last request when a phone counts as gone. Lower stops and starts on a slow network; higher makes
pictures that nobody sees."""

FRAME_INTERVAL_S = 0.3
"""Seconds between two pictures. Lower is smoother but costs a Pi more: about 3 ms for each picture."""

MAX_AGE_S = 3.0
"""Seconds for which a picture counts as live. Higher would show the tray as a dead camera last saw it."""


class Preview:
    """Passes the newest picture of the tray from the camera's thread to the phones. Thread-safe.

    clock: returns monotonic seconds.
    """

    def __init__(self, *, clock: Callable[[], float]) -> None:
        self._clock, self._changed = clock, threading.Condition()
        self._asked_at = self._shown_at = float("-inf")
        self._jpeg = b""
        self._failure, self._failures = "", 0

    @property
    def has_viewers(self) -> bool:
        """Whether somebody is watching."""
        return self._clock() - self._asked_at <= VIEWER_TIMEOUT_S

    @property
    def is_due(self) -> bool:
        """Whether the next picture is wanted now."""
        return self.has_viewers and self._clock() - self._shown_at >= FRAME_INTERVAL_S

    def publish(self, jpeg: bytes) -> None:
        """Show a picture to the viewers."""
        with self._changed:
            self._jpeg, self._shown_at, self._failure = jpeg, self._clock(), ""
            self._changed.notify_all()

    def report_failure(self, why: str) -> None:
        """Say why there is no picture at present, and end the wait for one."""
        with self._changed:
            self._failure = why
            self._failures += 1
            self._changed.notify_all()

    @property
    def failure(self) -> str:
        """Why there was no picture last time; empty if there was one since."""
        return self._failure

    def picture(self, timeout_s: float = 0.0) -> bytes | None:
        """Return a live picture as JPEG, or None if none arrives in time."""

        def is_live() -> bool:
            return self._clock() - self._shown_at <= MAX_AGE_S

        with self._changed:
            self._asked_at, failures = self._clock(), self._failures
            self._changed.wait_for(lambda: is_live() or self._failures != failures, timeout_s)
            return self._jpeg if is_live() else None

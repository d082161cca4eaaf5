"""A look at the tray for whoever opens the camera's screen: phones ask, and only then the camera shows."""

from __future__ import annotations

import threading
from collections.abc import Callable

LOOKED_S = 5.0
"""Seconds after which a phone that has asked for no further picture has left. Shorter stops and starts with a slow
network, longer makes pictures that nobody sees."""

PICTURE_S = 0.3
"""Seconds between two pictures. Lower is smoother on the phones and costs a Pi more: each takes it about 3 ms."""

FRESH_S = 3.0
"""Seconds for which a picture shows what is so. Longer shows a tray that a dead camera saw."""


class Window:
    """The newest picture of the tray, while somebody wants it. Any thread may call it.

    clock: monotonic seconds.
    """

    def __init__(self, *, clock: Callable[[], float]) -> None:
        self._clock, self._changed = clock, threading.Condition()
        self._asked_at = self._shown_at = float("-inf")
        self._jpeg = b""

    @property
    def is_looked_through(self) -> bool:
        """Whether somebody looks just now."""
        return self._clock() - self._asked_at <= LOOKED_S

    @property
    def is_due(self) -> bool:
        """Whether the next picture is wanted now."""
        return self.is_looked_through and self._clock() - self._shown_at >= PICTURE_S

    def show(self, jpeg: bytes) -> None:
        """Let those who look see this picture."""
        with self._changed:
            self._jpeg, self._shown_at = jpeg, self._clock()
            self._changed.notify_all()

    def picture(self, patience_s: float = 0.0) -> bytes | None:
        """What the camera sees, as JPEG; None where no picture has come within that many seconds."""
        with self._changed:
            self._asked_at = self._clock()
            fresh = self._changed.wait_for(lambda: self._clock() - self._shown_at <= FRESH_S, patience_s)
            return self._jpeg if fresh else None

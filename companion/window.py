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
        self._why, self._tries = "", 0

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
            self._jpeg, self._shown_at, self._why = jpeg, self._clock(), ""
            self._changed.notify_all()

    def stay_dark(self, why: str) -> None:
        """Tell those who look that no picture comes just now, and why."""
        with self._changed:
            self._why = why
            self._tries += 1
            self._changed.notify_all()

    @property
    def why_dark(self) -> str:
        """Why no picture comes, as it was told last; empty where one came since, or nothing was told."""
        return self._why

    def picture(self, patience_s: float = 0.0) -> bytes | None:
        """What the camera sees, as JPEG; None where no picture has come within that many seconds, or none will."""

        def is_fresh() -> bool:
            return self._clock() - self._shown_at <= FRESH_S

        with self._changed:
            self._asked_at, tries = self._clock(), self._tries
            self._changed.wait_for(lambda: is_fresh() or self._tries != tries, patience_s)
            return self._jpeg if is_fresh() else None

"""Debouncing: from the edges of a bouncing contact to presses."""

from __future__ import annotations

from collections import deque
from enum import Enum
from math import inf


class Press(Enum):
    """How long a button was held."""

    SHORT = "short"
    LONG = "long"


class Debouncer:
    """Turns one button's edges into presses. All times are given by the caller, in monotonic seconds.

    A short press is reported on release, a long one as soon as it has lasted ``hold_s``; its release reports nothing.
    The presses depend on the edges only, not on how often ``poll`` is called.

    Parameters
    ----------
    settle_s : float
        How long a level must be stable to count. Higher tolerates worse contacts, lower reacts faster. Bare tactile
        switches bounce for 1 to 10 ms.
    hold_s : float
        How long a long press is. Lower is less tiring, but happens more easily by accident.
    pressed : bool
        The level at the start. A button that is already down reports nothing until it has been released.
    """

    def __init__(self, *, settle_s: float = 0.025, hold_s: float = 0.8, pressed: bool = False) -> None:
        self._settle_s, self._hold_s = settle_s, hold_s
        self._level = self._settled = pressed
        self._since = -inf  # time of the last change of level
        self._down_at: float | None = None  # start of the press that has not been reported yet
        self._presses: deque[Press] = deque()

    def edge(self, pressed: bool, at: float) -> None:
        """Note that the contact closed or opened. Repeating the present level changes nothing."""
        self._advance(at)
        if pressed != self._level:
            self._level, self._since = pressed, at

    def poll(self, now: float) -> Press | None:
        """Return the oldest press that has not been returned yet, or None. Call until it returns None."""
        self._advance(now)
        return self._presses.popleft() if self._presses else None

    @property
    def is_down(self) -> bool:
        """Whether the button is down, after debouncing."""
        return self._settled

    @property
    def down_at(self) -> float | None:
        """When the present press began, if it has not been reported yet; else None."""
        return self._down_at

    def cancel(self) -> None:
        """Drop the present press and those not returned yet."""
        self._down_at = None
        self._presses.clear()

    def _advance(self, now: float) -> None:
        """Draw the conclusions from the level not having changed until now."""
        if self._level != self._settled and now - self._since >= self._settle_s:
            self._settled = self._level
            if self._settled:
                self._down_at = self._since
            elif self._down_at is not None:
                self._report(Press.SHORT)
        if self._level and self._down_at is not None and now - self._down_at >= self._hold_s:
            self._report(Press.LONG)

    def _report(self, press: Press) -> None:
        self._presses.append(press)
        self._down_at = None

"""From a contact that chatters to the presses a person meant."""

from __future__ import annotations

from collections import deque
from enum import Enum
from math import inf


class Press(Enum):
    """How long a button was held."""

    SHORT = "short"
    LONG = "long"


class Debounce:
    """Tells the presses of one button from its edges. Knows no clock: every time is told, in monotonic seconds.

    A short press is given when the button comes up before the hold, a long one once the hold is reached, whose release
    then gives nothing. What is given depends on the edges alone, not on how often ``step`` is called between them.

    settle_s: how long a level must last to count. Higher forgives worse contacts, lower feels quicker; bare tact
        switches chatter for 1 to 10 ms.
    hold_s: how long a press must last to be a long one. Lower is easier on the hands and easier to do by accident.
    pressed: the level at the start. A button that is already down then gives nothing until it has come up.
    """

    def __init__(self, *, settle_s: float = 0.025, hold_s: float = 0.8, pressed: bool = False) -> None:
        self._settle_s, self._hold_s = settle_s, hold_s
        self._level = self._settled = pressed
        self._since = -inf  # when the level last changed
        self._down_at: float | None = None  # when the press began that has not been given yet
        self._presses: deque[Press] = deque()

    def edge(self, pressed: bool, at: float) -> None:
        """The contact closed or opened at this moment. The level it already has is no edge and changes nothing."""
        self._advance(at)
        if pressed != self._level:
            self._level, self._since = pressed, at

    def step(self, now: float) -> Press | None:
        """The oldest press that is certain by now and was not given before, or None. Ask until None."""
        self._advance(now)
        return self._presses.popleft() if self._presses else None

    @property
    def is_down(self) -> bool:
        """Whether the button is down, as far as is certain."""
        return self._settled

    @property
    def down_at(self) -> float | None:
        """When the press began that is going on and has given nothing yet; None where there is none."""
        return self._down_at

    def forget(self) -> None:
        """Let the press that is going on, and those not asked for yet, give nothing."""
        self._down_at = None
        self._presses.clear()

    def _advance(self, now: float) -> None:
        """Draw the conclusions of the level having stayed as it is until now."""
        if self._level != self._settled and now - self._since >= self._settle_s:
            self._settled = self._level
            if self._settled:
                self._down_at = self._since
            elif self._down_at is not None:
                self._give(Press.SHORT)
        if self._level and self._down_at is not None and now - self._down_at >= self._hold_s:
            self._give(Press.LONG)

    def _give(self, press: Press) -> None:
        self._presses.append(press)
        self._down_at = None

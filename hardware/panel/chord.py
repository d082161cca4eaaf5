"""Two buttons held together, which ends the companion: slow enough that nobody does it by accident."""

from __future__ import annotations

from collections.abc import Sequence

from hardware.debounce import Debounce


class Chord:
    """Watches two buttons. As soon as both are held, their presses mean nothing but this.

    Knows no clock: every time is told, in monotonic seconds. The time counts from the first look that finds both down,
    so that a program that was stopped for a while never takes that while for a hold.

    claim_s: how long the first must have been down. Two presses that merely overlap are shorter and stay two presses.
    hold_s: how long both must be held.
    """

    def __init__(self, buttons: Sequence[Debounce], *, claim_s: float, hold_s: float) -> None:
        self._buttons = buttons
        self._claim_s, self._hold_s = claim_s, hold_s
        self._both_since: float | None = None
        self._claimed = self._done = False

    @property
    def is_held(self) -> bool:
        """Whether both are held, and for that alone."""
        return self._claimed

    def step(self, now: float) -> bool:
        """Whether both have been held long enough by now. True once, and not again before one has come up."""
        if not all(button.is_down for button in self._buttons):
            self._both_since, self._claimed, self._done = None, False, False
            return False
        if not self._claimed:
            began = [button.down_at for button in self._buttons if button.down_at is not None]
            # One that was held for something else already, or lay down at the start, is not held for this.
            if len(began) < len(self._buttons):
                return False
            if self._both_since is None:
                self._both_since = now
            self._claimed = now - min(began) >= self._claim_s
        if not self._claimed or self._both_since is None:
            return False
        # Whatever is released first must not count as a press of its own.
        for button in self._buttons:
            button.forget()
        if self._done or now - self._both_since < self._hold_s:
            return False
        self._done = True
        return True

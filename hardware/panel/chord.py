"""A chord: two buttons held together, which ends the companion."""

from __future__ import annotations

from collections.abc import Sequence

from hardware.panel.debounce import Debouncer


class Chord:
    """Detects that two buttons are held together. Their own presses are cancelled as soon as both are.

    All times are given by the caller, in monotonic seconds. The hold counts from the first step that finds both buttons
    down, so a pause of the program never counts as a hold.

    claim_s: how long the first button must have been down. Two presses that only overlap are shorter and stay presses.
    hold_s: how long both must be held.
    """

    def __init__(self, buttons: Sequence[Debouncer], *, claim_s: float, hold_s: float) -> None:
        self._buttons = buttons
        self._claim_s, self._hold_s = claim_s, hold_s
        self._both_since: float | None = None
        self._claimed = self._done = False

    @property
    def is_held(self) -> bool:
        """Whether both are held as a chord."""
        return self._claimed

    def step(self, now: float) -> bool:
        """Return True once when both have been held for ``hold_s``; then one must be released first."""
        if not all(button.is_down for button in self._buttons):
            self._both_since, self._claimed, self._done = None, False, False
            return False
        if not self._claimed:
            began = [button.down_at for button in self._buttons if button.down_at is not None]
            # One of them has already been a long press, or was down at the start.
            if len(began) < len(self._buttons):
                return False
            if self._both_since is None:
                self._both_since = now
            self._claimed = now - min(began) >= self._claim_s
        if not self._claimed or self._both_since is None:
            return False
        # The button that is released first must not report a press.
        for button in self._buttons:
            button.cancel()
        if self._done or now - self._both_since < self._hold_s:
            return False
        self._done = True
        return True

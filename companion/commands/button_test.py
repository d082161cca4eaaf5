"""Trying the buttons and the lamp with whoever stands there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.doctor import table
from companion.doctor.finding import Finding
from companion.panel import Button
from companion.words import _

if TYPE_CHECKING:
    from hardware.panel import Panel

PRESS_S = 15.0
"""Seconds in which a button that was asked for is to be pressed. Shorter hurries people, longer bores them."""
SHINE_S = 1.5
"""Seconds for which the lamp shows each colour."""
TICK_S = 0.02


class Trial:
    """Somebody at the buttons, led through them.

    say: tells them what to do. confirm: asks them yes or no. clock, pause: monotonic seconds, and waiting for some.
    """

    def __init__(
        self,
        panel: Panel,
        *,
        say: Callable[[str], object],
        confirm: Callable[[str], bool],
        clock: Callable[[], float],
        pause: Callable[[float], object],
    ) -> None:
        self._panel, self._say, self._confirm, self._clock, self._pause = panel, say, confirm, clock, pause

    def stuck(self) -> list[str]:
        """The buttons that are down without a finger."""
        self._wait(0.2)
        return [button.value for button in Button if self._panel.is_down(button)]

    def findings(self) -> list[Finding]:
        """What came of asking for each button, and for the lamp's colours."""
        from hardware.lamp import Mood

        held, unfelt = self.stuck(), []
        for button in Button:
            if button.value in held:
                continue
            self._say(_("Press {button}, and let go.", button=button.value))
            if not self._wait(PRESS_S, button, down=True):
                unfelt.append(button.value)
            self._wait(PRESS_S, button, down=False)
        self._say(_("Look at the lamp: it flashes red, then is green, then blinks blue."))
        for mood in (Mood.REFUSED, Mood.SURE, Mood.THINKING):
            self._panel.show(mood)
            self._wait(SHINE_S)
        return [table.buttons("", held, unfelt), table.lamp(self._confirm(_("Did it?")))]

    def _wait(self, seconds: float, button: Button | None = None, *, down: bool = True) -> bool:
        """Let the panel work for so long, or until that button is down, or up. Answers whether it is."""
        end = self._clock() + seconds
        while (now := self._clock()) < end:
            self._panel.step(now)
            if button is not None and self._panel.is_down(button) is down:
                return True
            self._pause(TICK_S)
        return False

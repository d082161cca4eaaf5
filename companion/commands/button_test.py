"""Test the buttons and the lamp together with the person at the panel."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.doctor import table_checks
from companion.doctor.finding import Finding
from companion.i18n import _
from companion.panel import Button

if TYPE_CHECKING:
    from hardware.panel.panel import Panel

PRESS_S = 15.0
"""Seconds to wait for a press. Shorter hurries people, longer bores them."""
SHINE_S = 1.5
"""Seconds that the lamp shows each colour."""
TICK_S = 0.02


class ButtonTest:
    """Asks a person to press each button and to watch the lamp.

    say: prints an instruction. confirm: asks a yes-or-no question. clock: monotonic seconds. pause: sleeps for seconds.
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
        """Names of the buttons that are down before anybody was asked to press one."""
        self._wait(0.2)
        return [button.value for button in Button if self._panel.is_down(button)]

    def findings(self) -> list[Finding]:
        """Ask for each button and for the lamp's colours. Takes as long as the person does."""
        from hardware.panel.lamp import Mood

        held, unfelt = self.stuck(), []
        for button in Button:
            if button.value in held:
                continue
            self._say(_("Press {button} and let go.", button=button.value))
            if not self._wait(PRESS_S, button, down=True):
                unfelt.append(button.value)
            self._wait(PRESS_S, button, down=False)
        self._say(_("Look at the lamp: it flashes red, then is green, then blinks blue."))
        for mood in (Mood.REFUSED, Mood.SURE, Mood.THINKING):
            self._panel.show(mood)
            self._wait(SHINE_S)
        return [
            table_checks.buttons("", held, unfelt),
            table_checks.lamp(self._confirm(_("Did you see red, green and blue?"))),
        ]

    def _wait(self, seconds: float, button: Button | None = None, *, down: bool = True) -> bool:
        """Step the panel until the button is down, or up; False if that takes longer than ``seconds``."""
        end = self._clock() + seconds
        while (now := self._clock()) < end:
            self._panel.step(now)
            if button is not None and self._panel.is_down(button) is down:
                return True
            self._pause(TICK_S)
        return False

"""The worker that connects a panel to the referee and to the page."""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.errors import NotAllowed
from companion.i18n import _
from companion.panel import Button, ButtonStatus, PanelKind, PanelState
from companion.referee.events import ChoiceStepped, Confirmed, Event, ThrowStepped
from companion.referee.referee import Referee
from companion.service.shutdown import Shutdown
from hardware.panel.configuration import PanelConfiguration
from hardware.panel.lamp import Mood, mood_of
from hardware.panel.lamp_text import all_signals, describe
from hardware.panel.panel import Panel, open_panel

PRESS_SETTLE_S = 0.4
"""Seconds after a change of the game during which a press is refused, because nobody can have seen the change yet."""

TICK_S = 0.02
"""Seconds between two steps. The lamp's shortest flash takes a tenth of a second."""


class PanelWorker:
    """Submits a table's button presses and shows its state on the lamp.

    kind: real pins, or mock ones, which phones may press.
    stopping: ends the wait between two steps.
    Raises SettingsUnusable if the pins cannot be used.
    """

    def __init__(
        self,
        kind: PanelKind,
        pins: PanelConfiguration,
        referee: Referee,
        shutdown: Shutdown,
        *,
        stopping: threading.Event,
        clock: Callable[[], float],
    ) -> None:
        self._kind, self._pins, self._referee, self._shutdown = kind, pins, referee, shutdown
        self._stopping, self._clock = stopping, clock
        self._seen, self._seen_since = referee.state().step, 0.0
        panel = open_panel(kind.value, pins, self.submit, lambda: referee.state().phase, shutdown.request, clock=clock)
        assert panel is not None
        self._panel: Panel = panel
        self.close = panel.close

    def step(self) -> None:
        """Update the lamp, submit presses, and wait for TICK_S."""
        now, table = self._clock(), self._referee.state()
        if table.step != self._seen:
            self._seen, self._seen_since = table.step, now
        gone, counting = self._shutdown.is_pending, self._referee.countdown() is not None
        wrong, unsure = self._referee.is_board_wrong(), table.unreadable is not None
        mood = mood_of(table.phase, table.camera.state, unsure, counting=counting, wrong=wrong)
        self._panel.show(Mood.GONE if gone else mood)
        self._panel.step(now)
        self._stopping.wait(TICK_S)

    def submit(self, event: Event) -> None:
        """Submit the event of a press. Raises CompanionError, also if the game has only just changed.

        A confirmation that crosses with the end of the countdown says what has been done already.
        """
        if self._clock() - self._seen_since < PRESS_SETTLE_S and not isinstance(event, ChoiceStepped | ThrowStepped):
            if isinstance(event, Confirmed) and self._referee.has_counted():
                return
            raise NotAllowed(_("The game just moved on. Take a look, then press again."))
        self._referee.submit(event, seen=self._seen)
        # Changes made by stepping do not delay the next press.
        if isinstance(event, ChoiceStepped | ThrowStepped):
            self._seen = self._referee.state().step

    def state(self) -> PanelState:
        """Return the panel's state. Thread-safe."""
        meanings, off = self._pins.meanings, self._pins.off
        return PanelState(
            kind=self._kind,
            light=describe(self._panel.shown),
            language=all_signals(),
            keys=tuple(
                ButtonStatus(
                    button=button,
                    down=self._panel.is_down(button),
                    short=meanings.action(button, held=False),
                    held=meanings.action(button, held=True),
                )
                for button in Button
            ),
            hold_s=self._pins.buttons.hold_s,
            off=off.buttons if off.enabled else (),
            off_s=off.hold_s,
        )

    def press(self, button: Button, down: bool) -> None:
        """Press or release a button on mock pins. Raises NotAllowed if the pins are real."""
        if self._kind is not PanelKind.MOCK:
            raise NotAllowed(_("This panel has real buttons. Press them at the table."))
        self._panel.press(button, down)

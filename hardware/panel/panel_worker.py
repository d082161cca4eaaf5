"""The panel at work: it speaks for players who see the lamp but perhaps no page, and tells pages how it stands."""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.errors import NotNow
from companion.leaving import Leaving
from companion.panel import Button, Key, PanelKind, PanelState
from companion.referee.events import ChoiceStepped, Event, ThrowStepped
from companion.referee.referee import Referee
from companion.words import _
from hardware.lamp import Mood, mood_of
from hardware.lamp_words import language, light
from hardware.panel import Panel, open_panel
from hardware.pins import Pins

PRESS_SETTLE_S = 0.4
"""Seconds after a change of the game in which a press still meant what was so before: a person cannot have seen it."""

TICK_S = 0.02
"""Seconds between two looks at the pins: the lamp's shortest flash is a tenth of a second."""


class PanelWorker:
    """The panel of a table.

    kind: real pins, or mock ones, which phones may press.
    stopping: ends the wait between two steps.
    Raises SettingsUnusable where there are no pins to be had.
    """

    def __init__(
        self,
        kind: PanelKind,
        pins: Pins,
        referee: Referee,
        leaving: Leaving,
        *,
        stopping: threading.Event,
        clock: Callable[[], float],
    ) -> None:
        self._kind, self._pins, self._referee, self._leaving = kind, pins, referee, leaving
        self._stopping, self._clock = stopping, clock
        self._seen, self._seen_since = referee.table().step, 0.0
        panel = open_panel(kind.value, pins, self.submit, lambda: referee.table().phase, leaving.begin, clock=clock)
        assert panel is not None
        self._panel: Panel = panel
        self.close = panel.close

    def step(self) -> None:
        """Show the lamp, submit what was pressed, and wait a moment."""
        now, table = self._clock(), self._referee.table()
        if table.step != self._seen:
            self._seen, self._seen_since = table.step, now
        gone = self._leaving.is_going
        self._panel.show(
            Mood.GONE if gone else mood_of(table.phase, table.camera.state, table.unsure is not None, False)
        )
        self._panel.step(now)
        self._stopping.wait(TICK_S)

    def submit(self, event: Event) -> None:
        """What was pressed, unless it was meant for what stood there before. Raises CompanionError."""
        if self._clock() - self._seen_since < PRESS_SETTLE_S and not isinstance(event, ChoiceStepped | ThrowStepped):
            raise NotNow(_("The game has just gone on. Look, and press again."))
        self._referee.submit(event, seen=self._seen)
        # Its own doing is no surprise: whoever counts or chooses with the button presses on.
        if isinstance(event, ChoiceStepped | ThrowStepped):
            self._seen = self._referee.table().step

    def state(self) -> PanelState:
        """How the panel stands now. Any thread may ask."""
        meanings, off = self._pins.meanings, self._pins.off
        return PanelState(
            kind=self._kind,
            light=light(self._panel.shown),
            language=language(),
            keys=tuple(
                Key(
                    button=button,
                    down=self._panel.is_down(button),
                    short=meanings.of(button, held=False),
                    held=meanings.of(button, held=True),
                )
                for button in Button
            ),
            hold_s=self._pins.buttons.hold_s,
            off=off.buttons if off.enabled else (),
            off_s=off.hold_s,
        )

    def press(self, button: Button, down: bool) -> None:
        """Press a button of mock pins. Raises NotNow where the pins are real: those are pressed at the table."""
        if self._kind is not PanelKind.MOCK:
            raise NotNow(_("The panel hangs on real pins: press its buttons at the table."))
        self._panel.press(button, down)

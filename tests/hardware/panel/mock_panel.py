"""A panel on mock pins, with a fake clock and a fake referee."""

from __future__ import annotations

from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.panel import Button
from companion.referee.events import Event
from hardware.panel.configuration import LampSection, PanelConfiguration
from hardware.panel.lamp import Colour
from hardware.panel.panel import Panel

PINS = PanelConfiguration(lamp=LampSection(brightness=1.0))
TICK_S = 0.02


class MockPanel:
    """A panel whose buttons the test presses.

    events: submitted so far. refusal: raised by the next submissions, if not None. shutdowns: how often the buttons
    have ended the companion.
    """

    def __init__(self, pins: PanelConfiguration = PINS) -> None:
        self.pins, self.now, self.phase = pins, 100.0, "throw"
        self.events: list[Event] = []
        self.refusal: Exception | None = None
        self.factory = MockFactory(pin_class=MockPWMPin)
        self.shutdowns = 0
        self.panel = Panel(
            pins, self.submit, lambda: self.phase, self.shut_down, factory=self.factory, clock=lambda: self.now
        )

    def submit(self, event: Event) -> None:
        self.events.append(event)
        if self.refusal is not None:
            raise self.refusal

    def shut_down(self) -> None:
        self.shutdowns += 1

    def down(self, button: Button) -> None:
        self.factory.pin(getattr(self.pins.buttons, button.value)).drive_low()

    def up(self, button: Button) -> None:
        self.factory.pin(getattr(self.pins.buttons, button.value)).drive_high()

    def advance(self, seconds: float) -> None:
        """Let time pass while the panel is stepped every TICK_S."""
        for _ in range(round(seconds / TICK_S)):
            self.now += TICK_S
            self.panel.step(self.now)

    def press(self, button: Button, seconds: float) -> None:
        """Press a button for that long, and release it."""
        self.down(button)
        self.advance(seconds)
        self.up(button)
        self.advance(0.1)

    def lamp(self) -> Colour:
        """Return the states of the pins for red, green and blue."""
        red, green, blue = (self.factory.pin(pin).state for pin in (5, 6, 13))
        return (red, green, blue)

    def record_lamp(self, seconds: float) -> list[Colour]:
        """Let time pass, and return what the lamp shows at each tick."""
        shown = []
        for _ in range(round(seconds / TICK_S)):
            self.advance(TICK_S)
            shown.append(self.lamp())
        return shown

"""A panel on mock pins with hands on it, a clock that moves when told, and a referee that notes events."""

from __future__ import annotations

from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.panel import Button
from companion.referee.events import Event
from hardware.lamp import Colour
from hardware.panel import Panel
from hardware.pins import Lamp, Pins

PINS = Pins(lamp=Lamp(brightness=1.0))
TICK_S = 0.02


class Table:
    """A panel on mock pins with hands on it, a clock that moves when told, and a referee that notes events."""

    def __init__(self, pins: Pins = PINS) -> None:
        self.pins, self.now, self.phase = pins, 100.0, "throw"
        self.events: list[Event] = []
        self.answer: Exception | None = None
        self.factory = MockFactory(pin_class=MockPWMPin)
        self.left = 0
        self.panel = Panel(
            pins, self.submit, lambda: self.phase, self.leave, factory=self.factory, clock=lambda: self.now
        )

    def submit(self, event: Event) -> None:
        self.events.append(event)
        if self.answer is not None:
            raise self.answer

    def leave(self) -> None:
        self.left += 1

    def down(self, button: Button) -> None:
        self.factory.pin(getattr(self.pins.buttons, button.value)).drive_low()

    def up(self, button: Button) -> None:
        self.factory.pin(getattr(self.pins.buttons, button.value)).drive_high()

    def wait(self, seconds: float) -> None:
        """Let time pass while the panel's loop goes round."""
        for _ in range(round(seconds / TICK_S)):
            self.now += TICK_S
            self.panel.step(self.now)

    def press(self, button: Button, seconds: float) -> None:
        self.down(button)
        self.wait(seconds)
        self.up(button)
        self.wait(0.1)

    def lamp(self) -> Colour:
        """How far red, green and blue are driven, as the pins have it."""
        red, green, blue = (self.factory.pin(pin).state for pin in (5, 6, 13))
        return (red, green, blue)

    def watch(self, seconds: float) -> list[Colour]:
        """What the lamp shows at each tick."""
        shown = []
        for _ in range(round(seconds / TICK_S)):
            self.wait(TICK_S)
            shown.append(self.lamp())
        return shown

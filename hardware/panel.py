"""The panel at the table's edge: three buttons that speak for the players, and a lamp that says what is awaited."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from enum import Enum
from functools import partial
from queue import SimpleQueue
from types import MappingProxyType

# gpiozero has no types. Outside this file nobody sees it, nor the Any it brings.
from gpiozero import RGBLED, DigitalInputDevice  # type: ignore[import-untyped]
from gpiozero.pins import Factory  # type: ignore[import-untyped]
from gpiozero.pins.mock import MockFactory, MockPWMPin  # type: ignore[import-untyped]

from companion.errors import CompanionError, SettingsUnusable, Unknown
from companion.referee.events import (
    ChoiceStepped,
    Confirmed,
    Event,
    GameAgain,
    Passed,
    ThrowAgain,
    ThrowStepped,
    Undone,
)
from hardware.debounce import Debounce, Press
from hardware.lamp import DARK, Mood, colour_at
from hardware.pins import Pins

REFUSED_S = 1.0
"""Seconds the lamp shows a refusal: one round of its rhythm."""


class Button(Enum):
    """The buttons, spelt as in the settings file."""

    CONFIRM = "confirm"
    NEXT = "next"
    BACK = "back"


MEANINGS: Mapping[tuple[Button, Press], Event] = MappingProxyType(
    {
        (Button.CONFIRM, Press.SHORT): Confirmed(),
        (Button.CONFIRM, Press.LONG): ThrowAgain(),
        (Button.NEXT, Press.SHORT): ChoiceStepped(),
        (Button.NEXT, Press.LONG): Passed(),
        (Button.BACK, Press.SHORT): Undone(),
        (Button.BACK, Press.LONG): GameAgain(),
    }
)


def meaning(button: Button, press: Press, phase: str) -> Event:
    """What this press says in this phase of the game. Only ``next`` looks at the phase: it steps throws or moves."""
    if (button, press) == (Button.NEXT, Press.SHORT) and phase in ("throw_off", "throw", "reading"):
        return ThrowStepped()
    return MEANINGS[button, press]


class Panel:
    """Three buttons and a lamp on real or mock pins.

    submit: takes what a press says, on the thread that calls ``step``; a CompanionError from it makes the lamp refuse.
    phase: the game's phase at this moment, as the table's snapshot spells it.
    factory: gives the pins. The panel owns it from here on and closes it, also when the pins cannot be had.
    clock: monotonic seconds, the same that ``step`` is told. Asked on the threads of the pins.
    """

    def __init__(
        self,
        pins: Pins,
        submit: Callable[[Event], object],
        phase: Callable[[], str],
        *,
        factory: Factory,
        clock: Callable[[], float],
    ) -> None:
        self.factory = factory
        self._submit, self._phase, self._clock = submit, phase, clock
        self._brightness = pins.lamp.brightness
        self._edges: SimpleQueue[tuple[Button, bool, float]] = SimpleQueue()
        self._contacts: dict[Button, tuple[DigitalInputDevice, Debounce]] = {}
        self._mood = self._shown = Mood.WAITING
        self._shown_since = clock()
        self._refused_until = self._shown_since
        self._colour = DARK
        with ExitStack() as opened:
            opened.callback(factory.close)
            for button in Button:
                pin = getattr(pins.buttons, button.value)
                contact = opened.enter_context(DigitalInputDevice(pin, pull_up=True, pin_factory=factory))
                contact.when_activated = partial(self._enqueue, button, True)
                contact.when_deactivated = partial(self._enqueue, button, False)
                settle_s, hold_s = pins.buttons.settle_ms / 1000, pins.buttons.hold_s
                debounce = Debounce(settle_s=settle_s, hold_s=hold_s, pressed=bool(contact.is_active))
                self._contacts[button] = contact, debounce
            red, green, blue = pins.lamp.red, pins.lamp.green, pins.lamp.blue
            lamp = RGBLED(red, green, blue, active_high=not pins.lamp.common_anode, pin_factory=factory)
            self._lamp = opened.enter_context(lamp)
            self._opened = opened.pop_all()

    def show(self, mood: Mood) -> None:
        """Let the lamp say this from the next step on. Any thread may call it."""
        self._mood = mood

    def step(self, now: float) -> None:
        """Submit what was pressed and set the lamp. To be called every 20 ms or so, by one thread; never waits."""
        while not self._edges.empty():
            button, pressed, at = self._edges.get()
            self._contacts[button][1].edge(pressed, at)
        for button, (contact, debounce) in self._contacts.items():
            # The kernel keeps few edges and drops the rest: without this look, a lost one would hold the button down.
            debounce.edge(bool(contact.is_active), now)
            while press := debounce.step(now):
                self._say(meaning(button, press, self._phase()), now)
        self._light(now)

    def close(self) -> None:
        """Put the lamp out and let go of the pins. Twice is as good as once."""
        self._opened.close()

    def _enqueue(self, button: Button, pressed: bool) -> None:
        """Called on a thread of the pins, so this is all it does."""
        self._edges.put((button, pressed, self._clock()))

    def _say(self, event: Event, now: float) -> None:
        try:
            self._submit(event)
        except CompanionError:
            self._refused_until = now + REFUSED_S

    def _light(self, now: float) -> None:
        mood = Mood.REFUSED if now < self._refused_until else self._mood
        if mood is not self._shown:
            self._shown, self._shown_since = mood, now
        red, green, blue = (round(part * self._brightness, 2) for part in colour_at(mood, now - self._shown_since))
        # The pins know hundredths; telling them only news spares most of the writing.
        if (red, green, blue) != self._colour:
            self._colour = self._lamp.value = (red, green, blue)


def open_panel(
    spec: str, pins: Pins, submit: Callable[[Event], object], phase: Callable[[], str], *, clock: Callable[[], float]
) -> Panel | None:
    """The panel that --buttons asks for: ``gpio`` on a Pi's pins, ``mock`` on pins in memory, ``none`` for no panel.

    Mock pins are pressed through ``panel.factory.pin(number)``: drive_low() closes a contact, drive_high() opens it.
    Raises Unknown for any other word, and SettingsUnusable where there are no pins to be had.
    """
    match spec:
        case "none":
            return None
        case "mock":
            return Panel(pins, submit, phase, factory=MockFactory(pin_class=MockPWMPin), clock=clock)
        case "gpio":
            try:
                # Only here: it wants lgpio, which is nowhere but on a Pi, and writes a file when imported.
                from gpiozero.pins.lgpio import LGPIOFactory  # type: ignore[import-untyped]

                return Panel(pins, submit, phase, factory=LGPIOFactory(), clock=clock)
            # As wide as it is: where lgpio is missing or hollow, its own error class cannot be named.
            except Exception as error:
                raise SettingsUnusable(
                    f"--buttons gpio: the pins cannot be had ({error}); on a Raspberry Pi run "
                    "`sudo apt install -y python3-lgpio` and be in the group gpio, anywhere else use --buttons none."
                ) from error
        case _:
            raise Unknown(f"--buttons {spec} is not known; accepted are gpio, mock and none.")

"""The panel: three buttons, a lamp and a buzzer. The only file that imports gpiozero."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from queue import SimpleQueue
from types import MappingProxyType

# gpiozero has no types; its Any stays in this file.
from gpiozero import RGBLED, DigitalInputDevice, DigitalOutputDevice
from gpiozero.pins import Factory
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.errors import CompanionError, SettingsUnusable, Unknown
from companion.panel import Button, PanelAction
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
from hardware.panel.chord import Chord
from hardware.panel.configuration import PanelConfiguration
from hardware.panel.debounce import Debouncer, Press
from hardware.panel.lamp import DARK, Mood, colour_at

REFUSED_S = 1.0
"""Seconds for which the lamp shows a refusal: one round of its rhythm."""

TOUCH_TIMEOUT_S = 1.5
"""Seconds after which a button pressed from a phone is released, unless the phone repeats the press. Longer tolerates a
slower network; shorter releases the buttons of a phone out of reach sooner."""

EVENTS: Mapping[PanelAction, Event] = MappingProxyType(
    {
        PanelAction.YES: Confirmed(),
        PanelAction.LOOK: ThrowAgain(),
        PanelAction.NEXT: ChoiceStepped(),
        PanelAction.PASS: Passed(),
        PanelAction.UNDO: Undone(),
        PanelAction.AGAIN: GameAgain(),
    }
)
CHIRPS: Mapping[Mood, int] = MappingProxyType({Mood.SURE: 1, Mood.COUNTING: 1, Mood.UNSURE: 2, Mood.REFUSED: 3})
"""How often the buzzer sounds when a mood begins: as often as the lamp flashes."""

CHIRP_S = 0.07
"""Seconds of each sound and of the pause after it. Longer is easier to hear but more annoying."""


def event_for(action: PanelAction, phase: str) -> Event | None:
    """Return the event that an action stands for in a phase of the game, or None for no event."""
    if action is PanelAction.NEXT and phase in ("throw_off", "throw", "reading"):
        return ThrowStepped()
    return EVENTS.get(action)


class Panel:
    """Three buttons, a lamp and a buzzer on real or mock pins.

    Parameters
    ----------
    pins : PanelConfiguration
    submit : callable
        Receives the event of each press, on the thread that calls ``step``. If it raises CompanionError, the lamp shows
        a refusal.
    phase : callable
        Returns the present value of Phase.
    shut_down : callable
        Called when the two buttons have been held long enough to end the companion.
    factory : gpiozero.pins.Factory
        Provides the pins. The panel owns and closes it, also if the constructor fails.
    clock : callable
        Returns monotonic seconds, as given to ``step``. Called on the pins' threads.
    """

    def __init__(
        self,
        pins: PanelConfiguration,
        submit: Callable[[Event], object],
        phase: Callable[[], str],
        shut_down: Callable[[], object],
        *,
        factory: Factory,
        clock: Callable[[], float],
    ) -> None:
        self.pins, self.factory = pins, factory
        self._submit, self._phase, self._shut_down, self._clock = submit, phase, shut_down, clock
        self._edges: SimpleQueue[tuple[Button, bool, float]] = SimpleQueue()
        # The buttons that are pressed from a phone, and when that was last confirmed.
        self._touched: dict[Button, float] = {}
        self._contacts: dict[Button, tuple[DigitalInputDevice, Debouncer]] = {}
        self._mood = self._shown = Mood.WAITING
        self._shown_since = clock()
        self._refused_until = self._shown_since
        self._colour = DARK
        with ExitStack() as opened:
            opened.callback(factory.close)
            settle_s, hold_s = pins.buttons.settle_ms / 1000, pins.buttons.hold_s
            for button in Button:
                pin = getattr(pins.buttons, button.value)
                contact = opened.enter_context(DigitalInputDevice(pin, pull_up=True, pin_factory=factory))
                contact.when_activated = partial(self._enqueue, button, True)
                contact.when_deactivated = partial(self._enqueue, button, False)
                debounce = Debouncer(settle_s=settle_s, hold_s=hold_s, pressed=bool(contact.is_active))
                self._contacts[button] = contact, debounce
            red, green, blue = pins.lamp.red, pins.lamp.green, pins.lamp.blue
            lamp = RGBLED(red, green, blue, active_high=not pins.lamp.common_anode, pin_factory=factory)
            self._lamp = opened.enter_context(lamp)
            self._buzzer = None
            if pins.buzzer.fitted:
                self._buzzer = opened.enter_context(DigitalOutputDevice(pins.buzzer.pin, pin_factory=factory))
            held = [self._contacts[button][1] for button in pins.off.buttons]
            # Half of a long press, so that the first of the two buttons never reports one.
            self._chord = Chord(held, claim_s=hold_s / 2, hold_s=pins.off.hold_s) if pins.off.enabled else None
            self._opened = opened.pop_all()

    @property
    def shown(self) -> Mood:
        """The mood that the lamp shows. Thread-safe."""
        return self._shown

    def is_down(self, button: Button) -> bool:
        """Return whether a button is down. Thread-safe."""
        return self._contacts[button][1].is_down

    def show(self, mood: Mood) -> None:
        """Show a mood from the next step on. Thread-safe."""
        self._mood = mood

    def press(self, button: Button, down: bool) -> None:
        """Press or release a button on mock pins. Thread-safe.

        A pressed button is released after TOUCH_TIMEOUT_S unless it is pressed again.
        """
        pin = self.factory.pin(getattr(self.pins.buttons, button.value))
        if down:
            self._touched[button] = self._clock()
            pin.drive_low()
        else:
            self._touched.pop(button, None)
            pin.drive_high()

    def step(self, now: float) -> None:
        """Submit presses, and set lamp and buzzer. Does not block; one thread calls it about every 20 ms."""
        for button, touched_at in tuple(self._touched.items()):
            if now - touched_at > TOUCH_TIMEOUT_S:
                self.press(button, False)
        while not self._edges.empty():
            button, pressed, at = self._edges.get()
            self._contacts[button][1].edge(pressed, at)
        for contact, debounce in self._contacts.values():
            # The kernel's buffer drops edges when it is full. A lost one would leave the button pressed.
            debounce.edge(bool(contact.is_active), now)
        if self._chord and self._chord.step(now):
            self._shut_down()
        for button, (_, debounce) in self._contacts.items():
            while press := debounce.poll(now):
                action = self.pins.meanings.action(button, held=press is Press.LONG)
                if event := event_for(action, self._phase()):
                    self._submit_event(event, now)
        self._update_outputs(now)

    def close(self) -> None:
        """Switch the lamp off and release the pins. May be called more than once."""
        self._opened.close()

    def _enqueue(self, button: Button, pressed: bool) -> None:
        """Called on the pins' threads, so it must not do more."""
        self._edges.put((button, pressed, self._clock()))

    def _submit_event(self, event: Event, now: float) -> None:
        try:
            self._submit(event)
        except CompanionError:
            self._refused_until = now + REFUSED_S

    def _update_outputs(self, now: float) -> None:
        mood = Mood.REFUSED if now < self._refused_until else self._mood
        if self._chord and self._chord.is_held and self._mood is not Mood.GONE:
            mood = Mood.LEAVING
        if mood is not self._shown:
            self._shown, self._shown_since = mood, now
        t = now - self._shown_since
        brightness = self.pins.lamp.brightness
        red, green, blue = (round(part * brightness, 2) for part in colour_at(mood, t))
        # The lamp has a hundred levels, so most steps change nothing.
        if (red, green, blue) != self._colour:
            self._colour = self._lamp.value = (red, green, blue)
        if self._buzzer:
            chirp, within = divmod(t, 2 * CHIRP_S)
            on = chirp < CHIRPS.get(mood, 0) and within < CHIRP_S
            if on != bool(self._buzzer.value):
                self._buzzer.value = on


class BoundedMockPin(MockPWMPin):  # type: ignore[misc]  # gpiozero has no types
    """A mock pin that keeps its last state only. gpiozero's keeps all: for the lamp, millions a day."""

    states: Sequence[object]

    def clear_states(self) -> None:
        """Drop all states but the present one, and limit the memory to one from now on."""
        super().clear_states()
        self.states = deque(self.states, maxlen=1)


def open_panel(
    spec: str,
    pins: PanelConfiguration,
    submit: Callable[[Event], object],
    phase: Callable[[], str],
    shut_down: Callable[[], object],
    *,
    clock: Callable[[], float],
) -> Panel | None:
    """Open the panel that --buttons names: ``gpio`` for a Pi's pins, ``mock`` for pins in memory, ``none`` for None.

    Raises Unknown for any other word, and SettingsUnusable if the pins cannot be used.
    """
    match spec:
        case "none":
            return None
        case "mock":
            return Panel(pins, submit, phase, shut_down, factory=MockFactory(pin_class=BoundedMockPin), clock=clock)
        case "gpio":
            try:
                # Imported here because it needs lgpio, which exists on a Pi only and writes a file when imported.
                from gpiozero.pins.lgpio import LGPIOFactory

                return Panel(pins, submit, phase, shut_down, factory=LGPIOFactory(), clock=clock)
            # lgpio's own exception cannot be imported where lgpio is missing.
            except Exception as error:
                raise SettingsUnusable(
                    f"--buttons gpio: cannot use the GPIO pins ({error}). On a Raspberry Pi, run "
                    "`sudo apt install -y python3-lgpio` and join the group gpio; elsewhere, use --buttons none."
                ) from error
        case _:
            raise Unknown(f"--buttons {spec} is not known; accepted are gpio, mock and none.")

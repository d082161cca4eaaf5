"""The panel at the table's edge: three buttons that speak for the players, and a lamp that says what is awaited."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from queue import SimpleQueue
from types import MappingProxyType

# gpiozero has no types. Outside this file nobody sees it, nor the Any it brings.
from gpiozero import RGBLED, DigitalInputDevice, DigitalOutputDevice
from gpiozero.pins import Factory
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.errors import CompanionError, SettingsUnusable, Unknown
from companion.panel import Act, Button
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
from hardware.chord import Chord
from hardware.debounce import Debounce, Press
from hardware.lamp import DARK, Mood, colour_at
from hardware.pins import Pins

REFUSED_S = 1.0
"""Seconds the lamp shows a refusal: one round of its rhythm."""

FINGER_S = 1.5
"""Seconds after which a phone's finger is taken off a button unless it says again that it is there. Longer forgives a
slower network; shorter ends sooner what a phone left behind that went out of reach."""

EVENTS: Mapping[Act, Event] = MappingProxyType(
    {
        Act.YES: Confirmed(),
        Act.LOOK: ThrowAgain(),
        Act.NEXT: ChoiceStepped(),
        Act.PASS: Passed(),
        Act.UNDO: Undone(),
        Act.AGAIN: GameAgain(),
    }
)
CHIRPS: Mapping[Mood, int] = MappingProxyType({Mood.SURE: 1, Mood.UNSURE: 2, Mood.REFUSED: 3})
"""How often the buzzer sounds when the lamp begins to say this: as often as the lamp flashes."""

CHIRP_S = 0.07
"""Seconds of each sound and of the silence after it. Longer is easier to hear and sooner a nuisance."""


def meaning(act: Act, phase: str) -> Event | None:
    """What this act says in this phase of the game. Only ``next`` looks at the phase: it steps throws or moves."""
    if act is Act.NEXT and phase in ("throw_off", "throw", "reading"):
        return ThrowStepped()
    return EVENTS.get(act)


class Panel:
    """Three buttons and a lamp on real or mock pins.

    submit: takes what a press says, on the thread that calls ``step``; a CompanionError from it makes the lamp refuse.
    phase: the game's phase at this moment, as the table's snapshot spells it.
    leave: called once two buttons were held long enough to end the companion.
    factory: gives the pins. The panel owns it from here on and closes it, also when the pins cannot be had.
    clock: monotonic seconds, the same that ``step`` is told. Asked on the threads of the pins.
    """

    def __init__(
        self,
        pins: Pins,
        submit: Callable[[Event], object],
        phase: Callable[[], str],
        leave: Callable[[], object],
        *,
        factory: Factory,
        clock: Callable[[], float],
    ) -> None:
        self.pins, self.factory = pins, factory
        self._submit, self._phase, self._leave, self._clock = submit, phase, leave, clock
        self._edges: SimpleQueue[tuple[Button, bool, float]] = SimpleQueue()
        self._fingers: dict[Button, float] = {}
        self._contacts: dict[Button, tuple[DigitalInputDevice, Debounce]] = {}
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
                debounce = Debounce(settle_s=settle_s, hold_s=hold_s, pressed=bool(contact.is_active))
                self._contacts[button] = contact, debounce
            red, green, blue = pins.lamp.red, pins.lamp.green, pins.lamp.blue
            lamp = RGBLED(red, green, blue, active_high=not pins.lamp.common_anode, pin_factory=factory)
            self._lamp = opened.enter_context(lamp)
            self._buzzer = None
            if pins.buzzer.fitted:
                self._buzzer = opened.enter_context(DigitalOutputDevice(pins.buzzer.pin, pin_factory=factory))
            held = [self._contacts[button][1] for button in pins.off.buttons]
            # Half of a long press, so that the first of the two buttons never gives one.
            self._chord = Chord(held, claim_s=hold_s / 2, hold_s=pins.off.hold_s) if pins.off.enabled else None
            self._opened = opened.pop_all()

    @property
    def shown(self) -> Mood:
        """What the lamp says. Any thread may ask."""
        return self._shown

    def is_down(self, button: Button) -> bool:
        """Whether that button is down. Any thread may ask."""
        return self._contacts[button][1].is_down

    def show(self, mood: Mood) -> None:
        """Let the lamp say this from the next step on. Any thread may call it."""
        self._mood = mood

    def press(self, button: Button, down: bool) -> None:
        """Close a contact of mock pins, or open it, as a finger would. Any thread may call it.

        A closed one opens by itself if it is not closed again within FINGER_S.
        """
        pin = self.factory.pin(getattr(self.pins.buttons, button.value))
        if down:
            self._fingers[button] = self._clock()
            pin.drive_low()
        else:
            self._fingers.pop(button, None)
            pin.drive_high()

    def step(self, now: float) -> None:
        """Submit what was pressed and set the lamp. To be called every 20 ms or so, by one thread; never waits."""
        for button, put in tuple(self._fingers.items()):
            if now - put > FINGER_S:
                self.press(button, False)
        while not self._edges.empty():
            button, pressed, at = self._edges.get()
            self._contacts[button][1].edge(pressed, at)
        for contact, debounce in self._contacts.values():
            # The kernel keeps few edges and drops the rest: without this look, a lost one would hold the button down.
            debounce.edge(bool(contact.is_active), now)
        if self._chord and self._chord.step(now):
            self._leave()
        for button, (_, debounce) in self._contacts.items():
            while press := debounce.step(now):
                act = self.pins.meanings.of(button, held=press is Press.LONG)
                if event := meaning(act, self._phase()):
                    self._say(event, now)
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
        if self._chord and self._chord.is_held and self._mood is not Mood.GONE:
            mood = Mood.LEAVING
        if mood is not self._shown:
            self._shown, self._shown_since = mood, now
        t = now - self._shown_since
        brightness = self.pins.lamp.brightness
        red, green, blue = (round(part * brightness, 2) for part in colour_at(mood, t))
        # The pins know hundredths; telling them only news spares most of the writing.
        if (red, green, blue) != self._colour:
            self._colour = self._lamp.value = (red, green, blue)
        if self._buzzer:
            sound, place = divmod(t, 2 * CHIRP_S)
            on = sound < CHIRPS.get(mood, 0) and place < CHIRP_S
            if on != bool(self._buzzer.value):
                self._buzzer.value = on


class MemoryPin(MockPWMPin):  # type: ignore[misc]  # gpiozero has no types
    """A mock pin that remembers its last state alone: gpiozero's keeps all, and the lamp's are millions a day."""

    states: Sequence[object]

    def clear_states(self) -> None:
        """Forget them all but the present one, and each from now on when the next comes."""
        super().clear_states()
        self.states = deque(self.states, maxlen=1)


def open_panel(
    spec: str,
    pins: Pins,
    submit: Callable[[Event], object],
    phase: Callable[[], str],
    leave: Callable[[], object],
    *,
    clock: Callable[[], float],
) -> Panel | None:
    """The panel that --buttons asks for: ``gpio`` on a Pi's pins, ``mock`` on pins in memory, ``none`` for no panel.

    Raises Unknown for any other word, and SettingsUnusable where there are no pins to be had.
    """
    match spec:
        case "none":
            return None
        case "mock":
            return Panel(pins, submit, phase, leave, factory=MockFactory(pin_class=MemoryPin), clock=clock)
        case "gpio":
            try:
                # Only here: it wants lgpio, which is nowhere but on a Pi, and writes a file when imported.
                from gpiozero.pins.lgpio import LGPIOFactory

                return Panel(pins, submit, phase, leave, factory=LGPIOFactory(), clock=clock)
            # As wide as it is: where lgpio is missing or hollow, its own error class cannot be named.
            except Exception as error:
                raise SettingsUnusable(
                    f"--buttons gpio: the pins cannot be had ({error}); on a Raspberry Pi run "
                    "`sudo apt install -y python3-lgpio` and be in the group gpio, anywhere else use --buttons none."
                ) from error
        case _:
            raise Unknown(f"--buttons {spec} is not known; accepted are gpio, mock and none.")

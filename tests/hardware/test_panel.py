from __future__ import annotations

from collections.abc import Iterator
from threading import Thread, active_count

import pytest
from gpiozero import DigitalInputDevice, GPIOPinInUse  # type: ignore[import-untyped]
from gpiozero.pins.mock import MockFactory, MockPWMPin  # type: ignore[import-untyped]

from companion.errors import NotNow, SettingsUnusable, Unknown
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
from hardware.lamp import DARK, SIGNALS, Colour, Mood
from hardware.panel import FINGER_S, Panel, meaning, open_panel
from hardware.pins import Buttons, Buzzer, Lamp, Meanings, Off, Pins

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


def nobody() -> None:
    """Who asks for the end is told in other tests."""
    raise AssertionError("Nobody has held two buttons.")


class LeanedOn(MockPWMPin):  # type: ignore[misc]
    """A pin that something pulls to ground, whatever its pull-up does."""

    def drive_high(self) -> None:
        self.drive_low()


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table()
    yield table
    table.panel.close()


@pytest.mark.parametrize(
    ("button", "seconds", "phase", "event"),
    [
        (Button.CONFIRM, 0.2, "reading", Confirmed()),
        (Button.CONFIRM, 1.0, "reading", ThrowAgain()),
        (Button.NEXT, 0.2, "throw_off", ThrowStepped()),
        (Button.NEXT, 0.2, "throw", ThrowStepped()),
        (Button.NEXT, 0.2, "reading", ThrowStepped()),
        (Button.NEXT, 0.2, "move", ChoiceStepped()),
        (Button.NEXT, 1.0, "move", Passed()),
        (Button.BACK, 0.2, "move", Undone()),
        (Button.BACK, 1.0, "over", GameAgain()),
    ],
)
def test_press_says_one_thing(table: Table, button: Button, seconds: float, phase: str, event: Event) -> None:
    """Each button, pressed or held, is one event in the words of the referee."""
    table.phase = phase

    table.press(button, seconds)

    assert table.events == [event]


def test_every_press_of_every_button_means_something_of_its_own() -> None:
    """Nothing one can do with the buttons is without meaning, and no two do the same in the same phase."""
    for phase in ("throw_off", "throw", "reading", "move", "over"):
        said = [meaning(Meanings().of(button, held=held), phase) for button in Button for held in (False, True)]

        assert None not in said
        assert len(set(said)) == len(said) == 2 * len(Button)


def test_chattering_contact_says_it_once(table: Table) -> None:
    """Ten closings in twenty milliseconds, at either end of a press, are one press."""
    for level in (table.down, table.up):
        for _ in range(10):
            table.down(Button.CONFIRM)
            table.now += 0.001
            table.up(Button.CONFIRM)
            table.now += 0.001
        level(Button.CONFIRM)
        table.wait(0.2)

    assert table.events == [Confirmed()]


def test_pins_only_note_what_happened(table: Table) -> None:
    """Nothing is submitted on the thread of the pins; the step does it, with the time of the edges."""
    table.down(Button.CONFIRM)
    table.now += 0.2
    table.up(Button.CONFIRM)
    table.now += 0.2
    table.down(Button.NEXT)

    assert table.events == []

    table.panel.step(table.now)

    assert table.events == [Confirmed()]


def test_two_buttons_at_once_say_one_thing_each(table: Table) -> None:
    """A hand on two buttons is two presses, neither lost nor doubled."""
    table.phase = "move"
    table.down(Button.CONFIRM)
    table.down(Button.BACK)
    table.wait(0.2)
    table.up(Button.BACK)
    table.wait(0.1)
    table.up(Button.CONFIRM)
    table.wait(0.1)

    assert table.events == [Undone(), Confirmed()]


def test_holding_one_button_leaves_the_others_alone(table: Table) -> None:
    """A short press counts while another button is held."""
    table.down(Button.NEXT)
    table.wait(0.1)
    table.press(Button.CONFIRM, 0.1)
    table.wait(1.0)
    table.up(Button.NEXT)
    table.wait(0.1)

    assert table.events == [Confirmed(), Passed()]


def test_button_held_while_the_companion_starts_says_nothing() -> None:
    """A book that lies on a button must not take back a move at every start."""
    factory = MockFactory(pin_class=MockPWMPin)
    factory.pin(22, pin_class=LeanedOn)
    events: list[Event] = []
    panel = Panel(PINS, events.append, lambda: "move", nobody, factory=factory, clock=lambda: 0.0)
    for now in (1.0, 2.0, 3.0):
        panel.step(now)
    panel.close()

    assert events == []


def test_lost_edge_does_not_hold_a_button_down(table: Table) -> None:
    """Where the kernel drops the edge of a release, the level itself ends the press before it becomes a hold."""
    table.down(Button.CONFIRM)
    table.wait(0.2)
    table.factory.pin(17).edges = "none"
    table.up(Button.CONFIRM)
    table.wait(2.0)

    assert table.events == [Confirmed()]


def test_refusal_shows_red_for_a_second_and_nothing_else(table: Table) -> None:
    """A press that does not fit the moment flashes red three times, and then the lamp says what it said before."""
    table.panel.show(Mood.SURE)
    table.answer = NotNow("There is nothing to confirm.")

    table.down(Button.CONFIRM)
    table.wait(0.2)
    table.up(Button.CONFIRM)
    shown = table.watch(2.0)

    red, green = SIGNALS[Mood.REFUSED].colour, SIGNALS[Mood.SURE].colour
    refusal = shown[shown.index(red) :][: round(1.0 / TICK_S)]
    flashes = sum(before != red and now == red for before, now in zip([DARK, *refusal], refusal, strict=False))
    assert flashes == 3
    assert set(refusal) == {red, DARK}
    assert shown[-1] == green
    assert len(shown) - shown[::-1].index(DARK) - shown.index(red) == pytest.approx(1.0 / TICK_S, abs=1)
    assert table.events == [Confirmed()]


def test_bug_in_the_referee_is_not_mistaken_for_a_refusal(table: Table) -> None:
    """Anything but a refusal goes through, so that the worker dies and the companion is started anew."""
    table.answer = ZeroDivisionError()

    with pytest.raises(ZeroDivisionError):
        table.press(Button.CONFIRM, 0.2)


@pytest.mark.parametrize("mood", Mood)
def test_lamp_shows_every_mood_in_its_rhythm(table: Table, mood: Mood) -> None:
    """The pins carry the mood's colour when lit and nothing when dark, for as long as its rhythm says."""
    table.panel.show(mood)

    shown = table.watch(sum(lit + dark for lit, dark in SIGNALS[mood].beats))

    brightest = max(shown, key=max)
    lit_s = sum(lit for lit, _ in SIGNALS[mood].beats)
    assert brightest == pytest.approx(SIGNALS[mood].colour, abs=0.01)
    if not SIGNALS[mood].fade:
        assert set(shown) <= {SIGNALS[mood].colour, DARK}
        assert shown.count(SIGNALS[mood].colour) * TICK_S == pytest.approx(lit_s, abs=0.05)


def test_rhythm_begins_when_the_mood_does(table: Table) -> None:
    """A new mood starts with its first beat, not in the middle of a pause."""
    table.panel.show(Mood.LOST)
    table.wait(1.0)

    assert table.lamp() == DARK

    table.panel.show(Mood.UNSURE)
    table.wait(TICK_S)

    assert table.lamp() == SIGNALS[Mood.UNSURE].colour


def test_brightness_dims_every_colour() -> None:
    """The lamp never outshines what the settings allow."""
    table = Table(Pins(lamp=Lamp(brightness=0.25)))
    table.panel.show(Mood.UNSURE)
    table.wait(TICK_S)
    lamp = table.lamp()
    table.panel.close()

    assert lamp == pytest.approx((0.25, 0.12, 0.0))


def test_common_anode_lamp_is_driven_upside_down() -> None:
    """A lamp wired to 3.3 V is dark on a high pin and lit on a low one."""
    table = Table(Pins(lamp=Lamp(common_anode=True, brightness=1.0)))
    dark = table.lamp()
    table.panel.show(Mood.REFUSED)
    table.wait(TICK_S)
    red = table.lamp()
    table.panel.close()

    assert dark == (1.0, 1.0, 1.0)
    assert red == (0.0, 1.0, 1.0)


HANDS = (Button.CONFIRM, Button.BACK)


def held(table: Table, seconds: float) -> None:
    """Both buttons of the end go down, a little after each other, and stay so long."""
    table.down(HANDS[0])
    table.wait(0.1)
    table.down(HANDS[1])
    table.wait(seconds)


def test_two_buttons_held_for_three_seconds_end_the_companion(table: Table) -> None:
    """Once, with the lamp showing it from early on; what the buttons mean alone is not done."""
    table.phase = "over"
    held(table, 0.5)
    shown = table.panel.shown
    table.wait(2.3)
    before = table.left
    table.wait(3.0)
    for button in HANDS:
        table.up(button)
        table.wait(0.5)

    assert shown is Mood.LEAVING
    assert (before, table.left) == (0, 1)
    assert table.events == []
    assert table.panel.shown is Mood.WAITING


@pytest.mark.parametrize("released", HANDS)
def test_letting_go_early_leaves_all_as_it_was(table: Table, released: Button) -> None:
    """Whichever comes up first, nothing ends and nothing is pressed; a second try takes its full time again."""
    held(table, 2.8)
    table.up(released)
    table.wait(3.0)
    alone = table.left, list(table.events), table.panel.shown
    table.down(released)
    table.wait(3.5)
    for button in HANDS:
        table.up(button)
    table.wait(0.2)
    held(table, 2.8)

    assert alone == (0, [], Mood.WAITING)
    assert table.left == 0

    table.wait(0.4)

    assert table.left == 1


@pytest.mark.parametrize("pair", [(Button.CONFIRM, Button.NEXT), (Button.NEXT, Button.BACK)])
def test_other_two_buttons_end_nothing(table: Table, pair: tuple[Button, Button]) -> None:
    """Only the two of the settings do."""
    for button in pair:
        table.down(button)
    table.wait(5.0)

    assert table.left == 0
    assert len(table.events) == 2


def test_a_panel_may_be_kept_from_ending_anything() -> None:
    """Where children play, the settings switch it off, and the buttons mean what they mean."""
    table = Table(Pins(off=Off(enabled=False)))
    held(table, 5.0)
    table.panel.close()

    assert table.left == 0
    assert table.events == [ThrowAgain(), GameAgain()]


def test_a_stopped_program_takes_no_time_for_a_hold(table: Table) -> None:
    """Both buttons go down while the panel's thread sleeps for ten seconds: that is no three seconds of holding."""
    for button in HANDS:
        table.down(button)
    table.wait(TICK_S)
    table.now += 10
    table.panel.step(table.now)
    table.panel.step(table.now)

    assert table.left == 0


def test_meanings_are_those_of_the_settings() -> None:
    """A press may mean something else, or nothing."""
    table = Table(Pins(meanings=Meanings(confirm=Act.NOTHING, back=Act.YES)))
    table.press(Button.CONFIRM, 0.2)
    table.press(Button.BACK, 0.2)
    table.panel.close()

    assert table.events == [Confirmed()]


@pytest.mark.parametrize(("mood", "chirps"), [(Mood.WAITING, 0), (Mood.SURE, 1), (Mood.UNSURE, 2)])
def test_buzzer_sounds_as_often_as_the_lamp_flashes(mood: Mood, chirps: int) -> None:
    """Once when the mood begins, and then it is quiet; without one nothing sounds."""
    table = Table(Pins(buzzer=Buzzer(fitted=True)))
    table.panel.show(mood)
    sounds = []
    for _ in range(200):
        table.wait(TICK_S)
        sounds.append(table.factory.pin(12).state)
    table.panel.close()

    assert sum(after and not before for before, after in zip([0, *sounds], sounds, strict=False)) == chirps
    assert not sounds[-1]


def test_a_phones_finger_presses_the_very_pins(table: Table) -> None:
    """It is debounced and told short from long like any other; the same again while it lies there is one press."""
    table.panel.press(Button.NEXT, True)
    table.wait(0.5)
    table.panel.press(Button.NEXT, True)
    down = table.panel.is_down(Button.NEXT)
    table.wait(0.6)
    table.panel.press(Button.NEXT, False)
    table.wait(0.1)

    assert down
    assert not table.panel.is_down(Button.NEXT)
    assert table.events == [Passed()]


def test_a_phone_that_went_out_of_reach_holds_nothing_down(table: Table) -> None:
    """Its fingers are taken off by themselves, before two of them could end anything."""
    for button in HANDS:
        table.panel.press(button, True)
    table.wait(FINGER_S + 0.1)
    up = [table.panel.is_down(button) for button in HANDS]
    table.wait(4.0)

    assert up == [False, False]
    assert table.left == 0


def test_pins_of_the_settings_are_the_ones_used() -> None:
    """Another wiring is one line in the settings."""
    table = Table(Pins(buttons=Buttons(confirm=4)))
    table.factory.pin(4).drive_low()
    table.wait(0.2)
    table.factory.pin(4).drive_high()
    table.wait(0.1)
    table.panel.close()

    assert table.events == [Confirmed()]


def test_closing_darkens_the_lamp_and_frees_the_pins(table: Table) -> None:
    """After closing, the same pins can be had again, no thread is left, and closing twice is no harm."""
    threads = active_count()
    table.panel.show(Mood.SURE)
    table.wait(TICK_S)
    lamp = [table.factory.pin(pin) for pin in (5, 6, 13)]

    table.panel.close()
    table.panel.close()

    assert [pin.state for pin in lamp] == [0, 0, 0]
    assert not table.factory.pins
    assert active_count() == threads
    again = Panel(PINS, table.submit, lambda: "throw", nobody, factory=table.factory, clock=lambda: table.now)
    again.close()


def test_pins_in_use_leave_nothing_open() -> None:
    """A panel that cannot have all its pins gives back those it already had."""
    factory = MockFactory(pin_class=MockPWMPin)
    with DigitalInputDevice(27, pin_factory=factory), pytest.raises(GPIOPinInUse):
        Panel(PINS, lambda _: None, lambda: "throw", nobody, factory=factory, clock=lambda: 0.0)

    again = Panel(PINS, lambda _: None, lambda: "throw", nobody, factory=factory, clock=lambda: 0.0)
    again.close()


def test_edges_from_another_thread_arrive(table: Table) -> None:
    """The pins have a thread of their own; what it notes is found by the step."""
    for act in (table.down, table.up):
        hand = Thread(target=act, args=(Button.BACK,))
        hand.start()
        hand.join()
        table.wait(0.2)

    assert table.events == [Undone()]


def test_no_panel_when_none_is_asked_for() -> None:
    """The phone alone is enough to play."""
    assert open_panel("none", PINS, lambda _: None, lambda: "throw", nobody, clock=lambda: 0.0) is None


def test_mock_panel_is_pressed_through_its_pins() -> None:
    """A panel in memory takes the same presses as one on a Pi."""
    events: list[Event] = []
    panel = open_panel("mock", PINS, events.append, lambda: "throw", nobody, clock=lambda: 1.0)
    assert panel is not None
    panel.factory.pin(17).drive_low()
    panel.step(1.1)
    panel.factory.pin(17).drive_high()
    panel.step(1.2)
    panel.step(1.3)
    panel.close()

    assert events == [Confirmed()]


def test_gpio_without_a_pi_says_what_to_do() -> None:
    """Asked for pins that are not there, the companion names the package and the way around."""
    with pytest.raises(SettingsUnusable) as refusal:
        open_panel("gpio", PINS, lambda _: None, lambda: "throw", nobody, clock=lambda: 0.0)

    assert "sudo apt install -y python3-lgpio" in str(refusal.value)
    assert "--buttons none" in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_unknown_kind_of_panel_is_refused() -> None:
    """A misspelt kind names the three there are."""
    with pytest.raises(Unknown, match="accepted are gpio, mock and none"):
        open_panel("gpoi", PINS, lambda _: None, lambda: "throw", nobody, clock=lambda: 0.0)

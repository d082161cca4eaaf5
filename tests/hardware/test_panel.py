from __future__ import annotations

from collections.abc import Iterator
from threading import Thread, active_count

import pytest
from gpiozero import DigitalInputDevice, GPIOPinInUse
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.errors import NotNow, SettingsUnusable, Unknown
from companion.panel import Button
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
from hardware.lamp import DARK, SIGNALS, Mood
from hardware.panel import Panel, meaning, open_panel
from hardware.pins import Buttons, Lamp, Meanings, Pins
from tests.hardware.pressed import PINS, TICK_S, Table


def nobody() -> None:
    """Who asks for the end is told in other tests."""
    raise AssertionError("Nobody has held two buttons.")


class LeanedOn(MockPWMPin):  # type: ignore[misc]  # gpiozero has no types
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


def test_mock_panel_does_not_grow() -> None:
    """A lamp that breathes for weeks leaves no more behind than one that breathed once."""
    panel = open_panel("mock", PINS, lambda _: None, lambda: "throw", nobody, clock=lambda: 0.0)
    assert panel is not None
    panel.show(Mood.WAITING)
    lamp = panel.factory.pin(PINS.lamp.red)
    shown = set()
    for tick in range(400):
        panel.step(tick / 50)
        shown.add(lamp.state)

    assert len(shown) > 20
    assert len(lamp.states) == 1


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

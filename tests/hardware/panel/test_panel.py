"""The panel on mock pins: presses, lamp, buzzer, and opening it."""

from __future__ import annotations

from threading import Thread, active_count

import pytest
from gpiozero import DigitalInputDevice, GPIOPinInUse
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.errors import NotAllowed, SettingsUnusable, Unknown
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
from hardware.panel.configuration import ActionSection, ButtonSection, BuzzerSection, LampSection, PanelConfiguration
from hardware.panel.lamp import DARK, SIGNALS, Mood
from hardware.panel.panel import Panel, event_for, open_panel
from tests.hardware.panel.mock_panel import PINS, TICK_S, MockPanel


def no_shutdown() -> None:
    """Fail, because these tests never hold two buttons."""
    raise AssertionError("The panel asked to shut down.")


class GroundedPin(MockPWMPin):  # type: ignore[misc]  # gpiozero has no types
    """A pin that is always pulled to ground."""

    def drive_high(self) -> None:
        self.drive_low()


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
def test_press_submits_one_event(mock: MockPanel, button: Button, seconds: float, phase: str, event: Event) -> None:
    """Each button has one event for a short press and one for a long press."""
    mock.phase = phase

    mock.press(button, seconds)

    assert mock.events == [event]


def test_all_presses_have_different_events() -> None:
    """In each phase, every press has an event, and no two have the same."""
    for phase in ("throw_off", "throw", "reading", "move", "over"):
        events = [
            event_for(ActionSection().action(button, held=held), phase) for button in Button for held in (False, True)
        ]

        assert None not in events
        assert len(set(events)) == len(events) == 2 * len(Button)


def test_bouncing_contact_is_one_press(mock: MockPanel) -> None:
    """A contact that closes ten times in 20 ms at each end of a press gives one event."""
    for level in (mock.down, mock.up):
        for _ in range(10):
            mock.down(Button.CONFIRM)
            mock.now += 0.001
            mock.up(Button.CONFIRM)
            mock.now += 0.001
        level(Button.CONFIRM)
        mock.advance(0.2)

    assert mock.events == [Confirmed()]


def test_pin_callbacks_only_enqueue(mock: MockPanel) -> None:
    """Events are submitted by ``step``, with the times of the edges."""
    mock.down(Button.CONFIRM)
    mock.now += 0.2
    mock.up(Button.CONFIRM)
    mock.now += 0.2
    mock.down(Button.NEXT)

    assert mock.events == []

    mock.panel.step(mock.now)

    assert mock.events == [Confirmed()]


def test_two_buttons_at_once_are_two_presses(mock: MockPanel) -> None:
    """Neither is lost or doubled."""
    mock.phase = "move"
    mock.down(Button.CONFIRM)
    mock.down(Button.BACK)
    mock.advance(0.2)
    mock.up(Button.BACK)
    mock.advance(0.1)
    mock.up(Button.CONFIRM)
    mock.advance(0.1)

    assert mock.events == [Undone(), Confirmed()]


def test_short_press_counts_while_another_button_is_held(mock: MockPanel) -> None:
    """Both presses give their events."""
    mock.down(Button.NEXT)
    mock.advance(0.1)
    mock.press(Button.CONFIRM, 0.1)
    mock.advance(1.0)
    mock.up(Button.NEXT)
    mock.advance(0.1)

    assert mock.events == [Confirmed(), Passed()]


def test_button_held_at_the_start_is_ignored() -> None:
    """A book lying on a button must not undo a move at every start."""
    factory = MockFactory(pin_class=MockPWMPin)
    factory.pin(22, pin_class=GroundedPin)
    events: list[Event] = []
    panel = Panel(PINS, events.append, lambda: "move", no_shutdown, factory=factory, clock=lambda: 0.0)
    for now in (1.0, 2.0, 3.0):
        panel.step(now)
    panel.close()

    assert events == []


def test_lost_edge_does_not_hold_a_button_down(mock: MockPanel) -> None:
    """If the kernel drops the edge of a release, the pin's level ends the press before it becomes a long one."""
    mock.down(Button.CONFIRM)
    mock.advance(0.2)
    mock.factory.pin(17).edges = "none"
    mock.up(Button.CONFIRM)
    mock.advance(2.0)

    assert mock.events == [Confirmed()]


def test_refusal_is_shown_for_a_second(mock: MockPanel) -> None:
    """The lamp flashes red three times, then shows the previous mood again."""
    mock.panel.show(Mood.SURE)
    mock.refusal = NotAllowed("There is nothing to confirm.")

    mock.down(Button.CONFIRM)
    mock.advance(0.2)
    mock.up(Button.CONFIRM)
    shown = mock.record_lamp(2.0)

    red, green = SIGNALS[Mood.REFUSED].colour, SIGNALS[Mood.SURE].colour
    refusal = shown[shown.index(red) :][: round(1.0 / TICK_S)]
    flashes = sum(before != red and now == red for before, now in zip([DARK, *refusal], refusal, strict=False))
    assert flashes == 3
    assert set(refusal) == {red, DARK}
    assert shown[-1] == green
    assert len(shown) - shown[::-1].index(DARK) - shown.index(red) == pytest.approx(1.0 / TICK_S, abs=1)
    assert mock.events == [Confirmed()]


def test_bug_in_the_referee_is_not_mistaken_for_a_refusal(mock: MockPanel) -> None:
    """Other exceptions propagate, so that the worker dies and the companion is restarted."""
    mock.refusal = ZeroDivisionError()

    with pytest.raises(ZeroDivisionError):
        mock.press(Button.CONFIRM, 0.2)


@pytest.mark.parametrize("mood", Mood)
def test_lamp_shows_every_mood_in_its_rhythm(mock: MockPanel, mood: Mood) -> None:
    """The pins have the mood's colour or are dark, each for as long as its rhythm says."""
    mock.panel.show(mood)

    shown = mock.record_lamp(sum(lit + dark for lit, dark in SIGNALS[mood].beats))

    brightest = max(shown, key=max)
    lit_s = sum(lit for lit, _ in SIGNALS[mood].beats)
    assert brightest == pytest.approx(SIGNALS[mood].colour, abs=0.01)
    if not SIGNALS[mood].fade:
        assert set(shown) <= {SIGNALS[mood].colour, DARK}
        assert shown.count(SIGNALS[mood].colour) * TICK_S == pytest.approx(lit_s, abs=0.05)


def test_rhythm_begins_when_the_mood_does(mock: MockPanel) -> None:
    """A new mood starts with its first beat."""
    mock.panel.show(Mood.LOST)
    mock.advance(1.0)

    assert mock.lamp() == DARK

    mock.panel.show(Mood.UNSURE)
    mock.advance(TICK_S)

    assert mock.lamp() == SIGNALS[Mood.UNSURE].colour


def test_brightness_dims_every_colour() -> None:
    """The configured brightness applies to all signals."""
    mock = MockPanel(PanelConfiguration(lamp=LampSection(brightness=0.25)))
    mock.panel.show(Mood.UNSURE)
    mock.advance(TICK_S)
    lamp = mock.lamp()
    mock.panel.close()

    assert lamp == pytest.approx((0.25, 0.12, 0.0))


def test_common_anode_lamp_is_driven_inverted() -> None:
    """An LED wired to 3.3 V is dark when its pin is high."""
    mock = MockPanel(PanelConfiguration(lamp=LampSection(common_anode=True, brightness=1.0)))
    dark = mock.lamp()
    mock.panel.show(Mood.REFUSED)
    mock.advance(TICK_S)
    red = mock.lamp()
    mock.panel.close()

    assert dark == (1.0, 1.0, 1.0)
    assert red == (0.0, 1.0, 1.0)


def test_configured_pins_are_used() -> None:
    """A button on another pin works."""
    mock = MockPanel(PanelConfiguration(buttons=ButtonSection(confirm=4)))
    mock.factory.pin(4).drive_low()
    mock.advance(0.2)
    mock.factory.pin(4).drive_high()
    mock.advance(0.1)
    mock.panel.close()

    assert mock.events == [Confirmed()]


def test_closing_darkens_the_lamp_and_frees_the_pins(mock: MockPanel) -> None:
    """After closing, even twice, the pins can be opened again and no thread is left."""
    threads = active_count()
    mock.panel.show(Mood.SURE)
    mock.advance(TICK_S)
    lamp = [mock.factory.pin(pin) for pin in (5, 6, 13)]

    mock.panel.close()
    mock.panel.close()

    assert [pin.state for pin in lamp] == [0, 0, 0]
    assert not mock.factory.pins
    assert active_count() == threads
    again = Panel(PINS, mock.submit, lambda: "throw", no_shutdown, factory=mock.factory, clock=lambda: mock.now)
    again.close()


def test_pins_in_use_leave_nothing_open() -> None:
    """A panel that cannot open all its pins releases those it has opened."""
    factory = MockFactory(pin_class=MockPWMPin)
    with DigitalInputDevice(27, pin_factory=factory), pytest.raises(GPIOPinInUse):
        Panel(PINS, lambda _: None, lambda: "throw", no_shutdown, factory=factory, clock=lambda: 0.0)

    again = Panel(PINS, lambda _: None, lambda: "throw", no_shutdown, factory=factory, clock=lambda: 0.0)
    again.close()


def test_edges_from_another_thread_arrive(mock: MockPanel) -> None:
    """Edges from the pins' thread reach ``step``."""
    for act in (mock.down, mock.up):
        hand = Thread(target=act, args=(Button.BACK,))
        hand.start()
        hand.join()
        mock.advance(0.2)

    assert mock.events == [Undone()]


def test_none_opens_no_panel() -> None:
    """``--buttons none`` gives no panel."""
    assert open_panel("none", PINS, lambda _: None, lambda: "throw", no_shutdown, clock=lambda: 0.0) is None


def test_mock_panel_does_not_grow() -> None:
    """The mock pins keep one state only, however long the lamp fades."""
    panel = open_panel("mock", PINS, lambda _: None, lambda: "throw", no_shutdown, clock=lambda: 0.0)
    assert panel is not None
    panel.show(Mood.WAITING)
    lamp = panel.factory.pin(PINS.lamp.red)
    shown = set()
    for tick in range(400):
        panel.step(tick / 50)
        shown.add(lamp.state)

    assert len(shown) > 20
    assert len(lamp.states) == 1


def test_mock_panel_takes_presses() -> None:
    """``--buttons mock`` gives a panel whose pins can be driven."""
    events: list[Event] = []
    panel = open_panel("mock", PINS, events.append, lambda: "throw", no_shutdown, clock=lambda: 1.0)
    assert panel is not None
    panel.factory.pin(17).drive_low()
    panel.step(1.1)
    panel.factory.pin(17).drive_high()
    panel.step(1.2)
    panel.step(1.3)
    panel.close()

    assert events == [Confirmed()]


def test_gpio_without_a_pi_says_what_to_do() -> None:
    """If there are no GPIO pins, the message names the package to install and the alternative."""
    with pytest.raises(SettingsUnusable) as refusal:
        open_panel("gpio", PINS, lambda _: None, lambda: "throw", no_shutdown, clock=lambda: 0.0)

    assert "sudo apt install -y python3-lgpio" in str(refusal.value)
    assert "--buttons none" in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_unknown_kind_of_panel_is_refused() -> None:
    """The message lists the three kinds."""
    with pytest.raises(Unknown, match="accepted are gpio, mock and none"):
        open_panel("gpoi", PINS, lambda _: None, lambda: "throw", no_shutdown, clock=lambda: 0.0)


def test_configured_actions_are_used() -> None:
    """A press can have another action, or none."""
    mock = MockPanel(PanelConfiguration(meanings=ActionSection(confirm=PanelAction.NOTHING, back=PanelAction.YES)))
    mock.press(Button.CONFIRM, 0.2)
    mock.press(Button.BACK, 0.2)
    mock.panel.close()

    assert mock.events == [Confirmed()]


@pytest.mark.parametrize(("mood", "chirps"), [(Mood.WAITING, 0), (Mood.SURE, 1), (Mood.UNSURE, 2)])
def test_buzzer_sounds_as_often_as_the_lamp_flashes(mood: Mood, chirps: int) -> None:
    """It sounds when the mood begins, and then stays silent."""
    mock = MockPanel(PanelConfiguration(buzzer=BuzzerSection(fitted=True)))
    mock.panel.show(mood)
    sounds = []
    for _ in range(200):
        mock.advance(TICK_S)
        sounds.append(mock.factory.pin(12).state)
    mock.panel.close()

    assert sum(after and not before for before, after in zip([0, *sounds], sounds, strict=False)) == chirps
    assert not sounds[-1]


def test_press_from_a_phone_drives_the_pins(mock: MockPanel) -> None:
    """It is debounced and can be a long press; repeating it while the button is down is the same press."""
    mock.panel.press(Button.NEXT, True)
    mock.advance(0.5)
    mock.panel.press(Button.NEXT, True)
    down = mock.panel.is_down(Button.NEXT)
    mock.advance(0.6)
    mock.panel.press(Button.NEXT, False)
    mock.advance(0.1)

    assert down
    assert not mock.panel.is_down(Button.NEXT)
    assert mock.events == [Passed()]

"""Two buttons that end it all, meanings from the settings, the buzzer, and a phone's fingers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.panel import Act, Button
from companion.referee.events import Confirmed, GameAgain, Passed, ThrowAgain
from hardware.lamp import Mood
from hardware.panel import FINGER_S
from hardware.pins import Buzzer, Meanings, Off, Pins
from tests.hardware.pressed import TICK_S, Table


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table()
    yield table
    table.panel.close()


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

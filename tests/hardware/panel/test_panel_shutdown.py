"""Holding two buttons, which ends the companion."""

from __future__ import annotations

import pytest

from companion.panel import Button
from companion.referee.events import GameAgain, ThrowAgain
from hardware.panel.configuration import PanelConfiguration, ShutdownSection
from hardware.panel.lamp import Mood
from hardware.panel.panel import TOUCH_TIMEOUT_S
from tests.hardware.panel.mock_panel import TICK_S, MockPanel

CHORD = (Button.CONFIRM, Button.BACK)


def hold_both(mock: MockPanel, seconds: float) -> None:
    """Press both buttons, one shortly after the other, and hold them."""
    mock.down(CHORD[0])
    mock.advance(0.1)
    mock.down(CHORD[1])
    mock.advance(seconds)


def test_two_buttons_held_for_three_seconds_end_the_companion(mock: MockPanel) -> None:
    """It happens once, the lamp shows it early on, and the buttons' own events are not submitted."""
    mock.phase = "over"
    hold_both(mock, 0.5)
    shown = mock.panel.shown
    mock.advance(2.3)
    before = mock.shutdowns
    mock.advance(3.0)
    for button in CHORD:
        mock.up(button)
        mock.advance(0.5)

    assert shown is Mood.LEAVING
    assert (before, mock.shutdowns) == (0, 1)
    assert mock.events == []
    assert mock.panel.shown is Mood.WAITING


@pytest.mark.parametrize("released", CHORD)
def test_letting_go_early_cancels(mock: MockPanel, released: Button) -> None:
    """Whichever is released first, nothing happens, and the next attempt takes its full time."""
    hold_both(mock, 2.8)
    mock.up(released)
    mock.advance(3.0)
    alone = mock.shutdowns, list(mock.events), mock.panel.shown
    mock.down(released)
    mock.advance(3.5)
    for button in CHORD:
        mock.up(button)
    mock.advance(0.2)
    hold_both(mock, 2.8)

    assert alone == (0, [], Mood.WAITING)
    assert mock.shutdowns == 0

    mock.advance(0.4)

    assert mock.shutdowns == 1


@pytest.mark.parametrize("pair", [(Button.CONFIRM, Button.NEXT), (Button.NEXT, Button.BACK)])
def test_other_pairs_do_nothing(mock: MockPanel, pair: tuple[Button, Button]) -> None:
    """Only the two configured buttons end the companion; others are presses."""
    for button in pair:
        mock.down(button)
    mock.advance(5.0)

    assert mock.shutdowns == 0
    assert len(mock.events) == 2


def test_shutdown_can_be_disabled() -> None:
    """Then both buttons have long presses as usual."""
    mock = MockPanel(PanelConfiguration(off=ShutdownSection(enabled=False)))
    hold_both(mock, 5.0)
    mock.panel.close()

    assert mock.shutdowns == 0
    assert mock.events == [ThrowAgain(), GameAgain()]


def test_pause_of_the_program_is_not_a_hold(mock: MockPanel) -> None:
    """If the panel's thread sleeps for ten seconds after both buttons went down, that is not a hold."""
    for button in CHORD:
        mock.down(button)
    mock.advance(TICK_S)
    mock.now += 10
    mock.panel.step(mock.now)
    mock.panel.step(mock.now)

    assert mock.shutdowns == 0


def test_phone_out_of_reach_releases_its_buttons(mock: MockPanel) -> None:
    """They are released before two of them could end the companion."""
    for button in CHORD:
        mock.panel.press(button, True)
    mock.advance(TOUCH_TIMEOUT_S + 0.1)
    up = [mock.panel.is_down(button) for button in CHORD]
    mock.advance(4.0)

    assert up == [False, False]
    assert mock.shutdowns == 0

"""Two buttons held together are told from presses that merely overlap."""

from __future__ import annotations

import pytest

from hardware.chord import Chord
from hardware.debounce import Debounce, Press


class Pair:
    """Two buttons and their chord, looked at every 20 ms."""

    def __init__(self, *, pressed: bool = False) -> None:
        self.now = 0.0
        self.buttons = [Debounce(pressed=pressed), Debounce()]
        self.chord = Chord(self.buttons, claim_s=0.4, hold_s=3.0)
        self.given: list[tuple[int, Press]] = []
        self.done = 0

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.02)):
            self.now += 0.02
            self.done += self.chord_step()

    def chord_step(self) -> bool:
        for button in self.buttons:
            button.edge(button._level, self.now)
        done = self.chord.step(self.now)
        for number, button in enumerate(self.buttons):
            if press := button.step(self.now):
                self.given.append((number, press))
        return done

    def set(self, number: int, down: bool) -> None:
        self.buttons[number].edge(down, self.now)


@pytest.mark.parametrize("overlap", [0.02, 0.1, 0.2])
def test_presses_that_overlap_stay_presses(overlap: float) -> None:
    """Whoever presses one button while the other is still coming up means both."""
    pair = Pair()
    pair.set(0, True)
    pair.wait(0.1)
    pair.set(1, True)
    pair.wait(overlap)
    pair.set(0, False)
    pair.wait(0.1)
    pair.set(1, False)
    pair.wait(0.1)

    assert pair.given == [(0, Press.SHORT), (1, Press.SHORT)]


def test_the_time_counts_from_when_both_are_down() -> None:
    """Three seconds of the second button; not a tick less, and once."""
    pair = Pair()
    pair.set(0, True)
    pair.wait(0.3)
    pair.set(1, True)
    pair.wait(2.98)
    early = pair.done
    pair.wait(5)

    assert (early, pair.done) == (0, 1)
    assert pair.given == []


def test_a_button_that_was_long_pressed_already_is_not_held_for_this() -> None:
    """It has said what it had to say; both must be let go and pressed anew."""
    pair = Pair()
    pair.set(0, True)
    pair.wait(1.0)
    pair.set(1, True)
    pair.wait(5.0)

    assert pair.done == 0
    assert not pair.chord.is_held
    assert pair.given == [(0, Press.LONG), (1, Press.LONG)]


def test_a_button_that_lay_down_at_the_start_ends_nothing() -> None:
    """A book on one button, and a finger on the other."""
    pair = Pair(pressed=True)
    pair.set(1, True)
    pair.wait(5.0)

    assert pair.done == 0

"""Two buttons held together, and presses that only overlap."""

from __future__ import annotations

import pytest

from hardware.panel.chord import Chord
from hardware.panel.debounce import Debouncer, Press


class Pair:
    """Two buttons and their chord, stepped every 20 ms."""

    def __init__(self, *, pressed: bool = False) -> None:
        self.now = 0.0
        self.buttons = [Debouncer(pressed=pressed), Debouncer()]
        self.chord = Chord(self.buttons, claim_s=0.4, hold_s=3.0)
        self.presses: list[tuple[int, Press]] = []
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
            if press := button.poll(self.now):
                self.presses.append((number, press))
        return done

    def set(self, number: int, down: bool) -> None:
        self.buttons[number].edge(down, self.now)


@pytest.mark.parametrize("overlap", [0.02, 0.1, 0.2])
def test_presses_that_overlap_stay_presses(overlap: float) -> None:
    """Pressing one button while the other is still coming up is two presses."""
    pair = Pair()
    pair.set(0, True)
    pair.wait(0.1)
    pair.set(1, True)
    pair.wait(overlap)
    pair.set(0, False)
    pair.wait(0.1)
    pair.set(1, False)
    pair.wait(0.1)

    assert pair.presses == [(0, Press.SHORT), (1, Press.SHORT)]


def test_hold_counts_from_when_both_are_down() -> None:
    """It takes three seconds of the second button, and is reported once."""
    pair = Pair()
    pair.set(0, True)
    pair.wait(0.3)
    pair.set(1, True)
    pair.wait(2.98)
    early = pair.done
    pair.wait(5)

    assert (early, pair.done) == (0, 1)
    assert pair.presses == []


def test_button_after_a_long_press_does_not_count() -> None:
    """Both must be released and pressed again."""
    pair = Pair()
    pair.set(0, True)
    pair.wait(1.0)
    pair.set(1, True)
    pair.wait(5.0)

    assert pair.done == 0
    assert not pair.chord.is_held
    assert pair.presses == [(0, Press.LONG), (1, Press.LONG)]


def test_button_down_at_the_start_does_not_count() -> None:
    """A book on one button and a finger on the other are not a chord."""
    pair = Pair(pressed=True)
    pair.set(1, True)
    pair.wait(5.0)

    assert pair.done == 0

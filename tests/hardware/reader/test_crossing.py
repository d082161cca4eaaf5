"""Crossing sticks are read if exactly four explain the heap and their faces are visible."""

import numpy as np
import pytest

from companion.referee.events import ThrowSeen, ThrowUnreadable
from tests.hardware.reader.drawing import LENGTH, WIDTH, Stick, four, taught_reader, tray

HEAPS = {
    "a cross": [*four(2)[:2], Stick(250, 340, 10), Stick(250, 340, 70, marked=True)],
    "a T": [*four(2)[:2], Stick(250, 300, 0), Stick(250, 312 + LENGTH / 2, 90)],
    "a V": [*four(1)[:2], Stick(250, 300, 20), Stick(256, 322, 40, marked=True)],
    "a grid": [
        Stick(250, 200, 0),
        Stick(250, 270, 0, marked=True),
        Stick(215, 235, 90),
        Stick(285, 235, 90, marked=True),
    ],
}


@pytest.mark.parametrize("what", ["a T", "a V"])
def test_a_heap_of_four_is_never_misread(what: str) -> None:
    """A T and a V are read right or refused for touching."""
    sticks = HEAPS[what]

    seen = taught_reader().read(tray(sticks, noise=3))

    if isinstance(seen, ThrowSeen):
        assert seen.marked == sum(stick.marked for stick in sticks)
    else:
        assert seen.reason == "touching"


@pytest.mark.parametrize("what", ["a cross", "a grid"])
def test_a_plain_crossing_is_read(what: str) -> None:
    """If more than half of each stick is visible, the count is certain."""
    sticks = HEAPS[what]

    seen = taught_reader().read(tray(sticks, noise=3))

    assert isinstance(seen, ThrowSeen)
    assert seen.marked == sum(stick.marked for stick in sticks)
    for stick in sticks:
        assert any(np.hypot(lot.x - stick.x, lot.y - stick.y) < 8 for lot in seen.lots)


@pytest.mark.parametrize(
    "sticks",
    [
        HEAPS["a cross"][1:],
        HEAPS["a grid"][1:],
        [*HEAPS["a cross"], Stick(250, 340, 130)],
        [*HEAPS["a grid"], Stick(450, 360, 30)],
        [*four(2)[:2], Stick(250, 330), Stick(250 + LENGTH, 330)],
        [*four(2)[:2], Stick(250, 330), Stick(250, 330 + WIDTH)],
        [*four(2)[:2], Stick(250, 330, 3), Stick(250, 331, 0)],
        [*four(2)[:2], Stick(250, 340, 10), Stick(250, 340, 70, length=LENGTH * 0.6)],
    ],
    ids=[
        "three",
        "three of a grid",
        "five",
        "five with one apart",
        "in a row",
        "side by side",
        "on another",
        "a short one",
    ],
)
def test_what_is_not_surely_four_is_refused(sticks: list[Stick]) -> None:
    """Three, five, one stick on another, or one of another kind; two exactly in line may only be read correctly."""
    seen = taught_reader().read(tray(sticks, noise=4))

    if len(sticks) == 4 and isinstance(seen, ThrowSeen):
        assert seen.marked == sum(stick.marked for stick in sticks)
        assert min(stick.length for stick in sticks) == LENGTH
    else:
        assert isinstance(seen, ThrowUnreadable)

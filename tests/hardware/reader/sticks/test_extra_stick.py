"""A fifth stick is suspected only where it would explain evidence."""

import numpy as np
import pytest

from hardware.reader.sticks.bars import Bar, Ends
from hardware.reader.sticks.extra_stick import beside, one_more
from hardware.reader.sticks.heap import Heap, fit
from hardware.reader.tray import Floats

SIZE, ENDS, FAINTEST = Bar(0, 0, 0, 150, 18), Ends(0.4), 1.4
FOUR = tuple(
    Bar(x, y, turn, 150, 18) for x, y, turn in ((160, 120, 0), (430, 110, 50), (170, 330, 140), (450, 350, 90))
)


def evidence(*bars: Bar) -> Floats:
    """Noisy odds, positive on the sticks and negative elsewhere."""
    lies = np.zeros((480, 640), np.uint8)
    for bar in bars:
        lies |= ENDS.mask(bar, lies.shape)
    noise = np.random.default_rng(5).normal(0, 0.2, lies.shape)
    return np.clip(np.where(lies > 0, 1.4, -1.8) + noise, -2, 2).astype(np.float32)


def found(odds: Floats) -> Heap:
    """The four sticks as fitted."""
    return fit(odds, FOUR, SIZE, ENDS)


def test_four_sticks_leave_nothing_for_a_fifth() -> None:
    """Neither rims nor noise suggest one."""
    odds = evidence(*FOUR)

    assert not beside(odds, found(odds), SIZE, ENDS, FAINTEST)
    assert one_more(odds, found(odds), SIZE, ENDS, FAINTEST) is None


@pytest.mark.parametrize("push", [{"across": 6.0}, {"across": -9.0}, {"turn": 10.0}])
def test_a_stick_along_another_is_suspected(push: dict[str, float]) -> None:
    """It is visible on one side, or at its tips."""
    odds = evidence(*FOUR, FOUR[1].moved(**push))

    assert beside(odds, Heap(FOUR, 0.0), SIZE, ENDS, FAINTEST)


def test_a_fifth_stick_is_laid_where_it_lies() -> None:
    """This works also if it crosses another."""
    fifth = Bar(300, 240, 20, 150, 18)
    odds = evidence(*FOUR, fifth)

    more = one_more(odds, found(odds), SIZE, ENDS, FAINTEST)

    assert more is not None
    assert len(more.bars) == 5
    assert min(bar.apart(fifth)[0] for bar in more.bars) < 3

"""The upper of two crossing sticks is the one whose edges continue; if neither or both do, it is unknown."""

import cv2
import numpy as np
import pytest

from hardware.reader.sticks.stacking import stacking
from tests.hardware.reader.drawing_sticks import SQUARE, Laid, Mark, heap


def crossing(turn: float, marked: tuple[bool, bool]) -> tuple[Laid, Laid]:
    """Return the lower and the upper stick."""
    return Laid(x=300, y=240, turn=turn, marked=marked[0]), Laid(x=308, y=236, turn=turn + 65, marked=marked[1])


@pytest.mark.parametrize("turn", [0, 40, 100])
@pytest.mark.parametrize("marked", [(False, False), (True, False), (False, True)])
def test_the_upper_of_two_is_on_top(turn: float, marked: tuple[bool, bool]) -> None:
    """The lower one is never chosen, whichever is painted at the crossing."""
    lower, upper = crossing(turn, marked)

    on_top = stacking((heap([lower, upper])).astype(np.float32), SQUARE)

    assert on_top(upper.bar, lower.bar)
    assert not on_top(lower.bar, upper.bar)


@pytest.mark.parametrize("turn", [0, 40, 100])
def test_paint_upon_paint_never_turns_them_over(turn: float) -> None:
    """Black on black hides most edges; even so the lower is not taken for the upper."""
    lower, upper = crossing(turn, (True, True))

    on_top = stacking((heap([lower, upper])).astype(np.float32), SQUARE)

    assert not on_top(lower.bar, upper.bar)


@pytest.mark.parametrize("turn", [0, 40, 100])
def test_where_neither_shows_an_edge_nobody_can_tell(turn: float) -> None:
    """Two sticks of one colour merge in light that shows no edges."""
    lower, upper = crossing(turn, (False, False))
    picture = heap([])
    wood = ((SQUARE.mask(lower.bar, (480, 640)) | SQUARE.mask(upper.bar, (480, 640))) > 0)[..., None]
    flat = cv2.GaussianBlur(np.where(wood, (150, 190, 220), picture).astype(np.uint8), (0, 0), 0.7)

    on_top = stacking((flat.astype(np.uint8)).astype(np.float32), SQUARE)

    assert not on_top(upper.bar, lower.bar)
    assert not on_top(lower.bar, upper.bar)


@pytest.mark.parametrize("turn", [0, 40, 100])
def test_where_both_show_their_edges_nobody_can_tell(turn: float) -> None:
    """Lines that cross like a lattice prove nothing."""
    sticks = crossing(turn, (False, False))
    over, under = (heap(order).astype(np.float32) for order in (sticks, sticks[::-1]))

    on_top = stacking((((over + under) / 2).astype(np.uint8)).astype(np.float32), SQUARE)

    assert not on_top(sticks[0].bar, sticks[1].bar)
    assert not on_top(sticks[1].bar, sticks[0].bar)


def test_sticks_that_do_not_cross_lie_on_nothing() -> None:
    """Neither covers a part of the other."""
    one, other = Laid(x=200, y=150, turn=10), Laid(x=430, y=330, turn=80, marked=True)

    on_top = stacking((heap([one, other], mark=Mark.WHOLE)).astype(np.float32), SQUARE)

    assert not on_top(one.bar, other.bar)
    assert not on_top(other.bar, one.bar)

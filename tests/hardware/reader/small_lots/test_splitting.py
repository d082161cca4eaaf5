"""Outlines of single lots are recognized, and touching lots are cut apart."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from hardware.reader.small_lots.contour import LotContour, Measures, measured
from hardware.reader.small_lots.splitting import cut, notches
from hardware.reader.tray import Floats, Mask

EGG = np.array([(-17, -11), (-4, -14), (12, -9), (18, 0), (12, 9), (-4, 14), (-17, 11)], float)


def laid(mask: Mask, x: float, y: float, turn: float, size: float = 1.0) -> Mask:
    """One lot, 36 by 28 pixels at size 1, added to a mask."""
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    outline = EGG @ np.array([[cos, sin], [-sin, cos]]) * size + (x, y)
    cv2.fillPoly(mask, [outline.round().astype(np.int32)], 1, cv2.LINE_8)
    return mask


def part(*lots: tuple[float, float, float]) -> LotContour:
    mask = np.zeros((160, 160), np.uint8)
    for x, y, turn in lots:
        laid(mask, x, y, turn)
    found = measured(mask)
    assert found is not None
    return found


MEASURES = Measures.of([part((80, 80, turn)) for turn in (0, 40, 100, 200)])
EVEN: Floats = np.full((160, 160), 4.0, np.float32)


def centres(parts: Sequence[LotContour]) -> list[tuple[int, int]]:
    return sorted((round(one.x), round(one.y)) for one in parts)


def test_a_part_is_measured() -> None:
    """Length, width, area and hull are in pixels; an empty mask is no part."""
    one = part((80, 80, 0))

    assert (one.length, one.width) == pytest.approx((36, 29), abs=1)
    assert (one.x, one.y) == pytest.approx((80.5, 80), abs=1)
    assert 0.95 < one.solidity <= 1
    assert measured(np.zeros((9, 9), np.uint8)) is None


def test_a_single_lot_is_left_whole() -> None:
    """It is not cut, whatever its rotation."""
    for turn in range(0, 360, 50):
        one = part((70, 90, turn))

        assert cut(one, EVEN, MEASURES, 4) == [one]


@pytest.mark.parametrize("turn", [0, 45, 100, 170])
def test_two_that_touch_are_cut_at_their_notches(turn: float) -> None:
    """There is no shade between them."""
    way = np.radians(turn)
    other = (80 + 33 * float(np.cos(way)), 80 + 33 * float(np.sin(way)), 30 + turn)
    parts = cut(part((80, 80, turn), other), EVEN, MEASURES, 4)

    np.testing.assert_allclose(centres(parts), sorted([(80, 80), other[:2]]), atol=3)


def test_three_in_a_row_are_cut_twice() -> None:
    """They are not cut if only two parts are allowed."""
    row = part((40, 80, 90), (69, 80, 90), (98, 80, 90))

    assert [x for x, _ in centres(cut(row, EVEN, MEASURES, 4))] == [pytest.approx(x, abs=4) for x in (40, 69, 98)]
    assert cut(row, EVEN, MEASURES, 2) == []


def test_a_dark_seam_cuts_where_the_outline_has_no_notch() -> None:
    """Two halves of a smooth oval are two lots only if there is a seam."""
    mask = np.zeros((160, 160), np.uint8)
    cv2.ellipse(mask, (80, 80), (32, 18), 0, 0, 360, 1, cv2.FILLED)
    oval = measured(mask)
    assert oval is not None
    light = EVEN.copy()
    light[:, 79:82] -= 0.5

    assert cut(oval, EVEN, MEASURES, 4) == []
    assert [x for x, _ in centres(cut(oval, light, MEASURES, 4))] == [pytest.approx(x, abs=3) for x in (64, 96)]


def test_half_a_lot_and_far_too_many_are_none() -> None:
    """After any cuts, every part must be a lot."""
    mask = laid(np.zeros((160, 160), np.uint8), 80, 80, 20, size=0.6)
    small = measured(mask)
    assert small is not None
    block = measured(np.pad(np.ones((120, 120), np.uint8), 20))
    assert block is not None

    assert cut(small, EVEN, MEASURES, 4) == []
    assert cut(block, EVEN, MEASURES, 4) == []


def test_notches_are_where_an_outline_turns_inwards() -> None:
    """An oval has none; two touching lots have two between them."""
    oval = part((80, 80, 0))
    pair = part((64, 80, 90), (93, 80, 90))

    assert notches(oval.outline, 8) == []
    assert sorted(round(float(pair.outline[at][0]), -1) for at in notches(pair.outline, 8)) == [80, 80]

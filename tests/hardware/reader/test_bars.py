"""Masks, outlines and sums of bars."""

import cv2
import numpy as np
import pytest

from hardware.reader.bars import Bar, Ends

SHAPE = (200, 300)
TURNS = (0.0, 17.0, 45.0, 90.0, 133.0)


def bar(turn: float = 0.0) -> Bar:
    return Bar(150.3, 98.6, turn, 120.0, 16.0)


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("roundness", [0.0, 0.5, 1.0])
def test_a_mask_is_as_large_as_the_outline(turn: float, roundness: float) -> None:
    """For any direction and roundness, its pixel count is the outline's area, give or take the edge."""
    ends = Ends(roundness)
    outline = ends.outline(bar(turn)).astype(np.float32)

    area, around = cv2.contourArea(outline), cv2.arcLength(outline, closed=True)

    assert area - around / 2 < ends.mask(bar(turn), SHAPE).sum() < area + around


@pytest.mark.parametrize("turn", TURNS)
def test_a_mask_lies_where_its_bar_lies(turn: float) -> None:
    """The middle of its pixels is the middle of the bar, and its longer axis points the same way."""
    rows, columns = np.nonzero(Ends(0.5).mask(bar(turn), SHAPE))

    spread = np.cov(columns, rows)
    axis = np.linalg.eigh(spread)[1][:, -1]
    assert (columns.mean(), rows.mean()) == pytest.approx((150.3, 98.6), abs=0.5)
    assert abs(float(axis @ bar(turn).along)) > 0.999


@pytest.mark.parametrize(("area", "roundness"), [(120 * 16.0, 0.0), (120 * 16 - 16**2 * (1 - np.pi / 4), 1.0)])
def test_ends_are_as_round_as_the_area_says(area: float, roundness: float) -> None:
    """A stick that fills its rectangle has square ends; without the corners of two half circles, round ones."""
    assert Ends.of(120.0, 16.0, area).roundness == pytest.approx(roundness, abs=0.01)


def test_rounded_ends_keep_the_area_they_were_made_for() -> None:
    """An outline with the ends of a given area has that area."""
    area = 120 * 16 - 30.0

    outline = Ends.of(120.0, 16.0, area).outline(bar(20.0))

    assert cv2.contourArea(outline.astype(np.float32)) == pytest.approx(area, rel=0.005)


def test_a_bar_is_pushed_along_itself() -> None:
    """Along and across are the bar's own directions; turning keeps its middle."""
    upright = Bar(50, 60, 90, 100, 10)

    pushed = upright.moved(along=7, across=3, turn=5)

    assert (pushed.x, pushed.y) == pytest.approx((47, 67))
    assert (pushed.angle, pushed.length, pushed.width) == pytest.approx((95, 100, 10))


def test_a_bar_has_no_front() -> None:
    """Opposite directions are equal, and 179 degrees are two degrees from 1."""
    assert Bar(10, 10, 179, 90, 9).apart(Bar(13, 14, 1, 90, 9)) == pytest.approx((5, 2))
    assert Bar(10, 10, 0, 90, 9).apart(Bar(10, 10, 180, 90, 9)) == pytest.approx((0, 0))


def test_a_widened_bar_has_the_same_middle() -> None:
    """It grows equally at both ends and both sides."""
    wide = bar(30).widened(2.5)

    assert (wide.x, wide.y, wide.angle) == (150.3, 98.6, 30)
    assert (wide.length, wide.width) == (125, 21)


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("place", [(150.3, 98.6), (3.0, 5.0), (296.0, 197.0)])
def test_a_weight_is_the_sum_over_the_mask(turn: float, place: tuple[float, float]) -> None:
    """This holds also if a part of the bar is outside the picture."""
    odds = np.random.default_rng(3).normal(0, 1, SHAPE).astype(np.float32)
    lying = Bar(*place, turn, 120.0, 16.0)
    free = np.zeros(SHAPE, np.uint8)

    weight = Ends(0.5).weight(lying, odds, free)

    assert weight == pytest.approx(float(odds[Ends(0.5).mask(lying, SHAPE) > 0].sum()), abs=1e-2)


def test_two_crossing_bars_weigh_each_pixel_once() -> None:
    """A pixel counted for one bar is not counted for the other."""
    odds = np.random.default_rng(4).normal(1, 1, SHAPE).astype(np.float32)
    ends, one, other = Ends(0.3), bar(10), bar(80)
    taken = ends.mask(one, SHAPE)
    both = (taken + ends.mask(other, SHAPE)) > 0

    together = ends.weight(one, odds, np.zeros(SHAPE, np.uint8)) + ends.weight(other, odds, taken)

    assert together == pytest.approx(float(odds[both].sum()), rel=1e-4)


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("place", [(150.3, 98.6), (3.0, 5.0), (296.0, 197.0)])
def test_a_mean_is_that_of_the_masked_pixels(turn: float, place: tuple[float, float]) -> None:
    """Channel by channel, and also if a part of the bar is outside the picture."""
    planes = np.random.default_rng(5).normal(0, 1, (*SHAPE, 3)).astype(np.float32)
    lying = Bar(*place, turn, 120.0, 16.0)

    mean = Ends(0.5).mean(lying, planes)

    np.testing.assert_allclose(mean[:3], planes[Ends(0.5).mask(lying, SHAPE) > 0].mean(axis=0), atol=1e-4)


@pytest.mark.parametrize("x", [-300, -70])
def test_a_bar_out_of_the_picture_weighs_nothing(x: float) -> None:
    """Its distance from the picture does not matter."""
    odds, free, outside = np.ones(SHAPE, np.float32), np.zeros(SHAPE, np.uint8), Bar(x, 50, 20, 120, 16)

    assert Ends(0.0).weight(outside, odds, free) == 0.0
    assert Ends(0.0).mask(outside, SHAPE).sum() == 0
    assert Ends(0.0).mean(outside, odds)[0] == 0.0


@pytest.mark.parametrize(("along", "inside"), [(0.0, True), (88.0, True), (91.0, False), (-91.0, False)])
def test_a_bar_is_within_a_picture_with_its_ends(along: float, inside: bool) -> None:
    """Not if one of them is outside."""
    assert bar().moved(along).is_within(SHAPE) is inside

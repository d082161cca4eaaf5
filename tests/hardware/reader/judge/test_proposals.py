"""Wherever a lot of the taught size may lie, a place is proposed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hardware.reader.bars import Bar, Ends
from hardware.reader.detection.lot_shape import LotShape
from hardware.reader.judge.proposals import MOST, TURN, distinct, in_line, proposals, same_lot, within
from tests.hardware.reader.judge.ideal_model import COLUMNS, ROWS, SMALL, STICK, detection


def stick(x: float, y: float, turn: float) -> Bar:
    return replace(STICK.bar, x=x, y=y, angle=turn)


def small(x: float, y: float) -> Bar:
    return replace(SMALL.bar, x=x, y=y)


HEAPS = {
    "apart": (stick(160, 120, 0), stick(430, 110, 50), stick(170, 330, 140), stick(450, 350, 90)),
    "a cross and two apart": (stick(250, 200, 10), stick(255, 205, 75), stick(480, 120, 30), stick(480, 350, 5)),
    "a star": (stick(300, 240, 2), stick(305, 238, 47), stick(298, 243, 92), stick(302, 246, 137)),
    "a grid": (stick(250, 200, 0), stick(250, 270, 1), stick(215, 235, 90), stick(285, 235, 88)),
    "two nearly parallel": (stick(250, 200, 10), stick(262, 206, 22), stick(480, 120, 30), stick(450, 350, 5)),
    "side by side": (stick(250, 200, 0), stick(250, 218, 0), stick(250, 236, 0), stick(250, 254, 0)),
    "in one line": (stick(160, 200, 0), stick(312, 201, 0), stick(480, 310, 60), stick(250, 340, 5)),
    "half upon one another": (stick(250, 200, 20), stick(310, 226, 26), stick(480, 340, 60), stick(250, 360, 5)),
}


def off(place: Bar, lot: Bar) -> tuple[float, float, float]:
    """How far a place is off along the lot and across it, in pixels, and in degrees."""
    right, down = lot.along
    x, y = place.x - lot.x, place.y - lot.y
    return abs(x * right + y * down), abs(y * right - x * down), lot.apart(place)[1]


@pytest.mark.parametrize("what", HEAPS)
def test_each_stick_of_a_heap_has_a_place(what: str) -> None:
    """It is near enough for the judge to move it into place: a third of the length, half the width, three steps."""
    places = proposals(detection(HEAPS[what]), STICK)

    assert len(places) <= MOST[0]
    for lot in HEAPS[what]:
        far = [off(place, lot) for place in places]
        assert any(along < 50 and across < 9 and turned < 3 * TURN for along, across, turned in far)


def test_small_lots_have_places_beside_a_shadow() -> None:
    """It seems to show lots everywhere, and more certainly."""
    lots = [small(400 + 50 * number, 120 + 60 * number) for number in range(4)]
    found = detection(lots, SMALL)
    shadow = (np.mgrid[0:ROWS, 0:COLUMNS][1] < COLUMNS / 2).astype(np.float32)
    seen = replace(found, lot=np.maximum(0.8 * found.lot, shadow), inside=np.maximum(found.inside, shadow))

    places = proposals(seen, SMALL)

    for lot in lots:
        assert any(np.hypot(place.x - lot.x, place.y - lot.y) < 0.3 * lot.width for place in places)


def test_the_likeliest_place_comes_first() -> None:
    """A whole stick is before half of one, and nearly in its place; the judge moves it along itself."""
    half = replace(stick(450, 350, 90), length=75.0)

    first = proposals(detection([half, stick(200, 150, 32)]), STICK)[0]

    along, *others = off(first, stick(200, 150, 32))
    assert along < 0.11 * STICK.bar.length
    assert max(others) < 5


def test_a_stick_that_the_network_takes_for_another_thing_has_a_place() -> None:
    """It often does so at crossings."""
    places = proposals(detection([], other=[stick(300, 240, 30)]), STICK)

    along, *others = off(places[0], stick(300, 240, 30))
    assert along < 0.11 * STICK.bar.length
    assert max(others) < 5


@pytest.mark.parametrize("shape", [STICK, SMALL], ids=["sticks", "small lots"])
def test_an_empty_tray_has_no_places(shape: LotShape) -> None:
    """Nothing is new there."""
    assert proposals(detection([]), shape) == []


@pytest.mark.parametrize("second", [(300, 100), (128, 118), (126, 90)], ids=["apart", "touching below", "touching"])
def test_each_small_lot_has_a_place(second: tuple[int, int]) -> None:
    """Also if it touches another."""
    lots = [small(100, 100), small(*second), small(500, 300)]

    places = proposals(detection(lots, SMALL), SMALL)

    assert len(places) <= MOST[1]
    for lot in lots:
        assert min(np.hypot(place.x - lot.x, place.y - lot.y) for place in places) < 7


def test_places_have_the_taught_size_and_lie_in_the_picture() -> None:
    """Small lots have no direction."""
    sticks = proposals(detection(HEAPS["a star"]), STICK)
    lots = proposals(detection([small(12, 12), small(630, 470)], SMALL), SMALL)

    assert {(place.length, place.width) for place in sticks} == {(150, 18)}
    assert {(place.length, place.width, place.angle) for place in lots} == {(34, 28, 0)}
    assert all(0 <= place.x < COLUMNS and 0 <= place.y < ROWS for place in (*sticks, *lots))


def test_of_places_that_show_one_lot_the_best_is_kept() -> None:
    """The others are kept by their scores, down to a limit."""
    places = [stick(100, 100, 0), stick(103, 101, 4), stick(400, 100, 0), stick(100, 100, 90)]
    scores = np.array([1.0, 2.0, -1.0, 0.5], np.float32)

    assert distinct(places, scores, STICK, -2, same_lot) == [1, 3, 2]
    assert distinct(places, scores, STICK, -1, same_lot) == [1, 3]
    assert distinct([], scores[:0], STICK, -2, same_lot) == []


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (stick(110, 103, 10), True),
        (stick(100, 100, 179), True),
        (stick(100, 112, 0), False),
        (stick(190, 100, 0), False),
        (stick(100, 100, 30), False),
    ],
    ids=["a little off", "turned round", "beside it", "half on in line", "across"],
)
def test_two_sticks_may_cross_or_lie_side_by_side(other: Bar, same: bool) -> None:
    """But not lie in nearly the same place."""
    assert same_lot(stick(100, 100, 0), other, STICK) == same
    assert same_lot(other, stick(100, 100, 0), STICK) == same


@pytest.mark.parametrize(("far", "same"), [(8, True), (26, False)])
def test_two_small_lots_may_overlap_a_little(far: float, same: bool) -> None:
    """But not lie in nearly the same place."""
    assert same_lot(small(100, 100), small(100, 100 + far), SMALL) == same


@pytest.mark.parametrize(
    ("along", "across", "same"),
    [(16, 0, True), (20, 0, True), (24, 0, False), (0, 16, True), (0, 20, False), (14, 14, False)],
    ids=["near", "its end", "end to end", "near across", "side by side", "aslant"],
)
@pytest.mark.parametrize("turn", [0, 40])
def test_of_a_small_lot_the_ends_are_no_lots(along: float, across: float, same: bool, turn: float) -> None:
    """But another may lie against its side, as far from its middle as they are."""
    bean = Bar(200, 150, turn, 48, 24)

    assert within(bean.moved(along, across), bean, LotShape(bean, Ends(1.0), 1000.0)) == same


@pytest.mark.parametrize(
    ("other", "kept"),
    [
        (stick(160, 102, 3), 1),
        (stick(240, 100, 0), 2),
        (stick(160, 112, 0), 2),
        (stick(160, 100, 12), 2),
    ],
    ids=["further along", "end to end", "beside", "across"],
)
def test_a_stick_is_seen_once_along_its_axis(other: Bar, kept: int) -> None:
    """The judge may find one in two places in line."""
    places = [stick(100, 100, 0), stick(400, 300, 50), other]

    likely = np.array([3.0, 2.0, 1.0], np.float32)

    assert distinct(places, likely, STICK, 0, in_line) == [0, 1, 2][: kept + 1]
    assert distinct([small(100, 100), small(100, 101)], likely[:2], SMALL, 0, in_line) == [0, 1]

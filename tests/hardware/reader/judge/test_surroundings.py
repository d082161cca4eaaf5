"""What lies around the lots that were found: a part of another one, a shadow, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from hardware.reader.bars import Bar
from hardware.reader.detection.empty_tray import Scene
from hardware.reader.detection.lot_shape import DetectedScene, LotShape
from hardware.reader.judge.surroundings import Surroundings, burnt_out
from tests.hardware.reader.drawing import APART, tray
from tests.hardware.reader.judge.ideal_model import COLUMNS, ROWS, SMALL, STICK, detection

STICKS = [replace(STICK.bar, x=x, y=y, angle=turn) for x, y, turn in APART]
TOUCHING = [*STICKS[:3], STICKS[2].moved(across=STICK.bar.width)]
NO_SHADE = np.zeros((ROWS, COLUMNS), np.bool_)


def view(lots: Sequence[Bar], shape: LotShape = STICK, other: Sequence[Bar] = ()) -> DetectedScene:
    """Lots and other things at these places."""
    bare = tray(noise=1)
    return DetectedScene(Scene(bare, bare, bare.astype(np.float32), 1.0), detection(lots, shape, other))


@pytest.mark.parametrize(("away", "is_seen"), [(0.0, False), (0.2, False), (0.7, True), (4.0, False)])
def test_a_part_of_another_stick_lies_against_those_found(away: float, is_seen: bool) -> None:
    """An edge is none, and what lies alone is the judge's to know."""
    fifth = STICKS[0].moved(across=away * STICK.bar.width)

    around = Surroundings.of(view([fifth, *STICKS]), STICK, STICKS, NO_SHADE)

    assert around.show_another() == is_seen


@pytest.mark.parametrize("shape", [STICK, SMALL])
def test_what_the_detector_doubts_is_no_part_of_another_lot(shape: LotShape) -> None:
    """It takes a shadow beside a lot for one, but not certainly."""
    lots = [replace(shape.bar, x=stick.x, y=stick.y) for stick in STICKS]
    fifth = lots[0].moved(across=0.7 * shape.bar.width)
    seen = view([fifth, *lots], shape)
    own = np.maximum.reduce([shape.ends.mask(lot, (ROWS, COLUMNS)) for lot in lots])
    doubted = np.where(own > 0, 1, 0.8 * seen.found.lot).astype(np.float32)
    doubtful = replace(seen, found=replace(seen.found, lot=doubted))

    assert Surroundings.of(seen, shape, lots, NO_SHADE).show_another()
    assert not Surroundings.of(doubtful, shape, lots, NO_SHADE).show_another()


@pytest.mark.parametrize(("beside", "is_heap"), [(0.5, True), (0.7, False)])
def test_where_a_stick_is_half_hidden_what_the_detector_doubts_counts(beside: float, is_heap: bool) -> None:
    """The end of a fifth stick that looks out of a heap is seen less surely."""
    lower = STICKS[0]
    heap = [lower, lower.moved(across=beside * STICK.bar.width), *STICKS[1:3]]
    seen = view([lower.moved(across=-0.7 * STICK.bar.width), *heap])
    own = np.maximum.reduce([STICK.ends.mask(stick, (ROWS, COLUMNS)) for stick in heap])
    doubted = np.where(own > 0, 1, 0.8 * seen.found.lot).astype(np.float32)

    around = Surroundings.of(replace(seen, found=replace(seen.found, lot=doubted)), STICK, heap, NO_SHADE)

    assert [around.is_half_hidden(number) for number in range(4)] == [is_heap, is_heap, False, False]
    assert around.show_another() == is_heap


@pytest.mark.parametrize(("dark", "is_seen"), [(0.1, True), (0.5, True), (0.9, False)])
def test_what_is_nothing_but_a_shadow_is_no_part_of_another_stick(dark: float, is_seen: bool) -> None:
    """The detector takes the shadow of a leaning stick for one, but part of a stick may lie in a shadow."""
    fifth = STICKS[0].moved(across=0.7 * STICK.bar.width)
    shadow = replace(fifth, length=dark * fifth.length).moved(along=(dark - 1) / 2 * fifth.length)
    shade = STICK.ends.mask(shadow, (ROWS, COLUMNS)) > 0

    around = Surroundings.of(view([fifth, *STICKS]), STICK, STICKS, shade)

    assert around.show_another() == is_seen


@pytest.mark.parametrize(("x", "leaves"), [(80.0, False), (60.0, False), (40.0, True), (0.0, True)])
def test_a_stick_may_leave_the_picture(x: float, leaves: bool) -> None:
    """Its end alone may."""
    sticks = [replace(STICK.bar, x=x, y=240.0), *STICKS[:3]]

    assert Surroundings.of(view(sticks), STICK, sticks, NO_SHADE).leave_the_picture() is leaves


def test_what_lies_against_small_lots_counts_whatever_it_is_called() -> None:
    """The detector takes counters in one flat colour for other things. Only a shadow is nothing."""
    lot = replace(SMALL.bar, x=200.0, y=150.0)
    beside = lot.moved(across=0.8 * SMALL.bar.width)

    assert Surroundings.of(view([lot], SMALL, [beside]), SMALL, [lot], NO_SHADE).show_another()
    assert not Surroundings.of(view([lot], SMALL, [beside]), SMALL, [lot], ~NO_SHADE).show_another()


def test_where_two_sticks_cross_either_may_hide_the_other() -> None:
    """With its edges; those that lie apart hide nothing."""
    crossed = [STICKS[0], replace(STICKS[0], angle=STICKS[0].angle + 90), *STICKS[1:3]]

    around = Surroundings.of(view(crossed), STICK, crossed, NO_SHADE)

    for number in (0, 1):
        assert np.count_nonzero(around.hidden(number)) == pytest.approx(1.5 * STICK.bar.width**2, rel=0.1)
    assert not around.hidden(2).any()


def test_sticks_touch_that_lie_against_each_other() -> None:
    """A fifth one beside them is another, and one that is not seen is not there."""
    around = Surroundings.of(view(TOUCHING), STICK, TOUCHING, NO_SHADE)
    fifth = TOUCHING[3].moved(across=0.5 * STICK.bar.width)

    assert [around.touch(number) for number in range(4)] == [False, False, True, True]
    assert not around.show_another()
    assert Surroundings.of(view([*TOUCHING, fifth]), STICK, TOUCHING, NO_SHADE).show_another()
    assert around.are_seen()
    assert not Surroundings.of(view(TOUCHING[:3]), STICK, TOUCHING, NO_SHADE).are_seen()


@pytest.mark.parametrize(("share", "are_seen"), [(1.0, True), (0.5, True), (0.2, False)])
def test_what_is_hardly_seen_is_no_lot(share: float, are_seen: bool) -> None:
    """The judge may take a shadow for the stick that another one hides."""
    part = replace(STICKS[3], length=share * STICK.bar.length)

    assert Surroundings.of(view([*STICKS[:3], part]), STICK, STICKS, NO_SHADE).are_seen() is are_seen


def test_strangers_are_as_large_as_lots() -> None:
    """Three that are known, one that is not, and a crumb."""
    crumb = replace(STICK.bar, x=320.0, y=240.0, length=20.0)

    (stranger,) = Surroundings.of(view([*STICKS, crumb]), STICK, STICKS[:3], NO_SHADE).strangers()

    assert stranger.apart(STICKS[3])[0] < 2


def test_a_share_of_the_picture_is_covered() -> None:
    """By what is neither tray nor lot nor shadow."""
    thing = replace(STICK.bar, x=320.0, y=240.0, length=300.0, width=200.0)
    seen = view(STICKS, other=[thing])

    share = Surroundings.of(seen, STICK, STICKS, NO_SHADE).covered

    assert share == pytest.approx(300 * 200 / (ROWS * COLUMNS), rel=0.2)
    assert Surroundings.of(seen, STICK, STICKS, ~NO_SHADE).covered == 0


def test_glare_is_the_share_of_a_lot_that_is_burnt_out() -> None:
    """All three colours are."""
    seen = view(STICKS)
    x, y = round(STICKS[3].x), round(STICKS[3].y)
    seen.scene.small[y - 30 : y + 30, x : x + 100] = 255

    assert burnt_out(seen, STICK, [STICKS[3], STICKS[0]]) == [pytest.approx(0.5, abs=0.03), 0]

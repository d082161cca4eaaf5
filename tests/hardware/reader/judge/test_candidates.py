"""Places are proposed, judged, moved, and judged again: the lots come first, each once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hardware.reader.arrays import Floats
from hardware.reader.bars import Bar
from hardware.reader.detection.empty_tray import Scene
from hardware.reader.detection.lot_shape import DetectedScene, LotShape
from hardware.reader.judge.candidates import (
    FARTHEST,
    TURN,
    UNLIKELY,
    Candidates,
    Seeing,
    candidates,
    likely,
    parted,
    settled,
    turned,
)
from hardware.reader.judge.judge_model import Model
from hardware.reader.judge.lot_crops import WINDOWS, CropMaker
from hardware.reader.judge.lot_judge import FACE, MAKE, presence
from hardware.reader.judge.proposals import proposals, same_lot
from tests.hardware.reader.drawing import APART, tray
from tests.hardware.reader.judge.ideal_model import (
    SMALL,
    STICK,
    IdealDescriber,
    detection,
    ideal_model,
)

STICKS = [replace(STICK.bar, x=x, y=y, angle=turn) for x, y, turn in APART]
SMALL_LOTS = [replace(SMALL.bar, x=x, y=y) for x, y in ((100.0, 90.0), (400.0, 110.0), (160.0, 350.0), (500.0, 300.0))]


def seeing(lots: Sequence[Bar], shape: LotShape = STICK, model: Model | None = None) -> Seeing:
    """A picture with lots at these places."""
    bare = tray(noise=1)
    view = DetectedScene(Scene(bare, bare, bare.astype(np.float32), 1.0), detection(lots, shape))
    return Seeing(
        model or ideal_model(), presence, view, shape, CropMaker(view, shape, np.array([100, 100, 100], np.float32))
    )


def near(found: Candidates, lots: Sequence[Bar], number: int) -> list[float]:
    """The distance of each lot from the nearest of the first places."""
    return [min(float(np.hypot(one.x - lot.x, one.y - lot.y)) for one in found.places[:number]) for lot in lots]


@pytest.mark.parametrize(("shape", "lots"), [(STICK, STICKS), (SMALL, SMALL_LOTS)], ids=["sticks", "small lots"])
def test_the_lots_come_first_and_in_place(shape: LotShape, lots: list[Bar]) -> None:
    """Those are present and nothing else is, the likeliest first."""
    found = candidates(seeing(lots, shape))
    present = found.judgement.present

    assert max(near(found, lots, 4)) < 2.5
    assert min(present[:4]) > 0
    assert (present[4:] < 0).all()
    assert (np.diff(present) <= 0).all()


def test_each_lot_is_there_once() -> None:
    """No two places show the same lot, and none are kept that are unlikely."""
    found = candidates(seeing(STICKS))

    pairs = [(one, other) for one in found.places for other in found.places if one is not other]
    assert len(found.places) >= 4
    assert (found.judgement.present > UNLIKELY).all()
    assert not any(same_lot(one, other, STICK) for one, other in pairs)


def test_each_place_has_its_judgement_and_description() -> None:
    """The description was made before the last move, so that it fits the judgement."""
    found = candidates(seeing(STICKS))

    assert len(found.places) == len(found.judgement.present) == len(found.judgement.off) == len(found.told)
    assert found.told.shape[1:] == (5 + MAKE + FACE,)
    np.testing.assert_allclose(presence(found.told).present, found.judgement.present)


def test_an_empty_tray_has_no_candidates() -> None:
    """Nothing is proposed, so nothing is judged."""
    found = candidates(seeing([]))

    assert found.places == []
    assert len(found.judgement.present) == 0
    assert found.told.shape == (0, 5 + MAKE + FACE)


class Pushing(IdealDescriber):
    """Says that there is a lot at each place, and that it lies five lengths further along."""

    def describe(self, crops: Floats) -> Floats:
        told = super().describe(crops)
        told[:, :5] = (3, 3, 5, 0, 0)
        return told


def test_a_place_is_moved_only_a_little() -> None:
    """A mistaken judgement cannot carry it to another lot."""
    describer: Any = Pushing()
    lot = STICKS[3]
    start = proposals(detection([lot]), STICK)

    found = candidates(seeing([lot], model=replace(ideal_model(), describers=(describer, describer))))

    most = sum(FARTHEST) * STICK.bar.length
    assert found.places
    for place in found.places:
        assert min(np.hypot(place.x - one.x, place.y - one.y) for one in start) < most + 0.01


@pytest.mark.parametrize(("lots", "shape", "number"), [(STICKS, STICK, 0), (SMALL_LOTS, SMALL, 1)])
def test_faces_are_seen_from_close_by(lots: list[Bar], shape: LotShape, number: int) -> None:
    """Only what tells the faces is another network's, one for each kind; whether there is a lot stays."""

    class Close(IdealDescriber):
        def __init__(self, said: float) -> None:
            self.said = said

        def describe_all_round(self, crops: Floats) -> Floats:
            return np.full((len(crops), 5 + MAKE + FACE), self.said, np.float32)

    close: Any = (Close(7), Close(8))
    given = seeing(lots, shape, replace(ideal_model(), close=close))
    before = candidates(given)

    _, told, *_ = given.model.witnessed(before.told, given.maker, before.places)

    np.testing.assert_array_equal(told[:, : 5 + MAKE], before.told[:, : 5 + MAKE])
    assert (told[:, 5 + MAKE :] == 7 + number).all()


SIDE_BY_SIDE = [*STICKS[:2], STICKS[2], STICKS[2].moved(across=STICK.bar.width)]


def test_sticks_that_overlap_are_moved_apart_and_others_are_not() -> None:
    """Until together they explain what is seen."""
    closer = [place.moved(across=by) for place, by in zip(SIDE_BY_SIDE, (4, 0, 5, -5), strict=True)]

    found = parted(detection(SIDE_BY_SIDE).lot, closer, STICK.ends)

    assert found[:2] == closer[:2]
    for place, lot in zip(found[2:], SIDE_BY_SIDE[2:], strict=True):
        assert place.apart(lot)[0] < 2


def test_of_two_sticks_that_were_moved_on_to_one_the_other_is_looked_for_again() -> None:
    """It lies where more is seen than the others explain."""
    given = seeing(SIDE_BY_SIDE)
    three = likely(candidates(given), STICK).of([0, 1, 2])

    found = settled(given, three)

    assert len(found.places) == 4
    assert max(near(found, SIDE_BY_SIDE, 4)) < 3


def test_a_small_lot_against_one_that_is_found_is_looked_for_again() -> None:
    """The judge moves its place towards the other one, as it does here by up to ten pixels."""
    lots = [*SMALL_LOTS[:3], SMALL_LOTS[2].moved(along=34.0)]
    given = seeing(lots, SMALL)
    told = given.model.describe(given.maker, lots[:3])

    found = settled(given, Candidates(lots[:3], presence(told), told))

    assert len(found.places) == 4
    assert max(near(found, lots, 4)) < 10


def test_a_small_lot_that_lies_on_another_one_is_looked_for_again() -> None:
    """Their middles may be nearer to one another than places that can only show one lot when they are proposed."""

    class ToTheMiddle(IdealDescriber):
        def describe(self, crops: Floats) -> Floats:
            told, inside = super().describe(crops), 8
            for one, crop in zip(told, crops, strict=True):
                size = crop.shape[1:]
                middles = np.argwhere(crop[inside] > 0.9) - (np.array(size) - 1) / 2
                down, right = min(middles, key=lambda middle: float(np.hypot(*middle)))
                one[2:4] = right / size[1] * WINDOWS[False, False].long, down / size[0] * WINDOWS[False, False].wide
            return told

    describer: Any = ToTheMiddle()
    lots = [*SMALL_LOTS[:3], SMALL_LOTS[2].moved(along=18.0)]
    given = seeing(lots, SMALL, replace(ideal_model(), describers=(describer, describer)))
    told = given.model.describe(given.maker, lots[:3])

    found = settled(given, Candidates(lots[:3], presence(told), told))

    assert len(found.places) == 4
    assert max(near(found, lots, 4)) < 2


@pytest.mark.parametrize("turn", range(0, 180, 30))
def test_a_bean_lies_as_it_is_seen_and_not_towards_the_next_one(turn: int) -> None:
    """Its own two ends tell, although more of what lies around it is on one side."""
    bean = replace(SMALL.bar, x=200.0, y=150.0, angle=float(turn), length=40.0, width=22.0)
    lot = detection([bean.moved(across=31, turn=90), bean], SMALL).lot

    (found,) = turned(lot, [replace(bean, angle=0.0)], SMALL.ends)

    assert found.apart(bean)[1] <= TURN / 2

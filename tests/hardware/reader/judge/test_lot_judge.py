"""Faces are told by the taught ones, and places that differ from all taught lots are doubted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hardware.reader.arrays import Floats
from hardware.reader.bars import Bar
from hardware.reader.detection.empty_tray import Scene
from hardware.reader.detection.lot_shape import DetectedScene, LotShape
from hardware.reader.judge.lot_crops import CropMaker, diameter
from hardware.reader.judge.lot_judge import EVIDENCE, FACE, MAKE, Describer, LotJudge, evidence, moved, presence
from tests.hardware.reader.drawing import tray
from tests.hardware.reader.judge.ideal_model import RELATION, SMALL, STICK, detection, ideal_model

STEEP, NOISE, GAIN, STRANGE, HERE, FLAT = range(6)


def told(face: float, *, count: int = 1, seed: int = 0, make: float = 0.0, present: float = 3.0) -> Floats:
    """Descriptions of lots: the first ten numbers of the face tell it, the others are noise."""
    random = np.random.default_rng(seed)
    lots = np.zeros((count, 5 + MAKE + FACE), np.float32)
    lots[:, :2] = present
    lots[:, 5 : 5 + MAKE] = make
    lots[:, 5 + MAKE :] = random.normal(0, 1.0, (count, FACE))
    lots[:, 5 + MAKE : 15 + MAKE] = face + random.normal(0, 0.1, (count, 10))
    return lots


MARKED, PLAIN = told(2.0, count=4, seed=1), told(0.0, count=4, seed=2)
JUDGE = LotJudge(MARKED, PLAIN, RELATION)


@pytest.mark.parametrize(("face", "sign"), [(2.0, 1), (0.0, -1)])
def test_a_face_is_told_by_the_taught_ones(face: float, sign: int) -> None:
    """Although most numbers of its description tell nothing."""
    judgement = JUDGE(told(face, count=20, seed=5))

    assert (sign * judgement.marked > 1).all()


def test_a_face_between_the_two_is_neither() -> None:
    """Its odds are near zero, however many places are judged with it."""
    between, marked = JUDGE(np.concatenate([told(1.0, seed=6), MARKED[:1]])).marked

    assert abs(between) < 0.35 * marked


def test_the_sides_can_be_exchanged() -> None:
    """Then the odds have the opposite sign."""
    other = LotJudge(PLAIN, MARKED, RELATION)
    lots = told(1.4, count=5, seed=7)

    np.testing.assert_allclose(other(lots).marked, -JUDGE(lots).marked, atol=1e-5)


def test_what_resembles_no_taught_lot_is_doubted() -> None:
    """Both its presence and its face, by how much it differs; the learnt numbers are added."""
    judge = LotJudge(MARKED, PLAIN, (*RELATION[:HERE], 0.5, -0.25))

    own, strange = judge(told(2.0, seed=8)), judge(told(2.0, seed=8, make=2.0))

    assert own.present[0] == pytest.approx(3.5)
    assert own.readable[0] == pytest.approx(2.75)
    far = 2.0 * np.sqrt(MAKE) * RELATION[STRANGE]
    assert strange.present[0] == pytest.approx(3.5 - far, abs=1e-4)
    assert strange.readable[0] == pytest.approx(2.75 - far, abs=1e-4)
    assert strange.marked[0] == pytest.approx(own.marked[0])


def test_evidence_for_a_lot_is_what_both_networks_say() -> None:
    """That it is there and can be read, how odd a thing it is, how strange its face looks from close by, and 1."""
    near = LotJudge(MARKED + 1, PLAIN + 1, RELATION)
    places = np.concatenate([told(2.0, seed=8), told(2.0, seed=8, make=2.0)])

    said = evidence(JUDGE, near, places, places + 3)

    assert said.shape == (EVIDENCE, 2)
    np.testing.assert_allclose(said[:2], places[:, :2].T)
    np.testing.assert_allclose(said[2:4], [JUDGE.oddness(places), near.strangeness(places + 3)])
    assert said[2, 1] > said[2, 0] + 1
    assert (said[4] == 1).all()


def test_each_taught_face_is_told_by_the_others() -> None:
    """All of them right, and a mistaken one is found out."""
    mistaken = LotJudge(np.concatenate([MARKED[:3], told(0.0, seed=9)]), PLAIN, RELATION)

    assert len(JUDGE.by_others()[1]) == 8
    assert min(JUDGE.by_others()[1]) > 0.5
    assert int(np.argmin(mistaken.by_others()[1])) == 3
    assert mistaken.by_others()[1][3] < 0


def test_faces_that_do_not_differ_are_not_told() -> None:
    """All lead by next to nothing, or half of them are wrong."""
    judge = LotJudge(told(0.0, count=4, seed=11), told(0.0, count=4, seed=12), RELATION)

    assert float(np.median(judge.by_others()[1])) < 0.5


def test_more_faces_of_a_side_are_compared_with_too() -> None:
    """A worn face is told once it was shown."""
    worn = told(0.6, count=2, seed=13)
    wiser = LotJudge(np.concatenate([MARKED, worn]), PLAIN, RELATION)
    again = told(0.6, count=3, seed=14)

    assert (JUDGE(again).marked < 0).all()
    assert (wiser(again).marked > JUDGE(again).marked + 1).all()
    assert len(wiser.by_others()[1]) == 10


def test_before_teaching_only_presence_is_judged() -> None:
    """No face is told."""
    lots = told(2.0, count=3)
    lots[:, 2:5] = (0.1, 0.2, 0.3)

    judgement = presence(lots)

    np.testing.assert_array_equal(judgement.present, [3, 3, 3])
    np.testing.assert_array_equal(judgement.marked, [0, 0, 0])
    np.testing.assert_allclose(judgement.off, [[0.1, 0.2, 0.3]] * 3)


def test_some_places_of_a_judgement_are_taken_in_order() -> None:
    """All of its numbers go with them."""
    lots = told(2.0, count=3)
    lots[:, 0], lots[:, 2] = (1, 2, 3), (10, 20, 30)

    some = presence(lots).of([2, 0])

    np.testing.assert_array_equal(some.present, [3, 1])
    np.testing.assert_array_equal(some.off[:, 0], [30, 10])
    assert len(some.readable) == len(some.marked) == 2


def test_a_stick_is_moved_along_itself() -> None:
    """Along as a share of its length, across of its width, and turned by a width at its ends per unit."""
    upright = replace(STICK.bar, x=100.0, y=200.0, angle=90.0)

    place = moved(upright, np.array([0.1, 0.5, 1.0], np.float32), STICK)

    assert (place.x, place.y) == pytest.approx((100 - 9, 200 + 15))
    assert place.angle == pytest.approx(90 + np.degrees(18 / 150))
    assert (place.length, place.width) == (150, 18)


def test_a_small_lot_is_moved_right_and_down() -> None:
    """As shares of its diameter; it does not turn, and its place can be written as JSON."""
    place = moved(Bar(100, 200, 0, 34, 28), np.array([0.5, -0.25, 0.9], np.float32), SMALL)

    assert (place.x, place.y) == pytest.approx((100 + diameter(SMALL) / 2, 200 - diameter(SMALL) / 4))
    assert place.angle == 0
    assert isinstance(place.x, float)
    assert isinstance(place.y, float)


class Saying:
    """Describes every crop by one number."""

    def __init__(self, number: float) -> None:
        self._number = number

    def describe_all_round(self, crops: Floats) -> Floats:
        return np.full((len(crops), 5 + MAKE + FACE), self._number, np.float32)


@pytest.mark.parametrize(("shape", "own", "close"), [(STICK, 1, 3), (SMALL, 2, 4)])
def test_sticks_and_small_lots_have_their_own_networks(shape: LotShape, own: int, close: int) -> None:
    """One describes them, and another one their faces from close by; small lots are told by their colours as well."""
    saying: Any = [Saying(number) for number in range(5)]
    model = replace(ideal_model(), describers=(saying[1], saying[2]), close=(saying[3], saying[4]))
    place = replace(shape.bar, x=300.0, y=200.0)
    scene = Scene(tray(), tray(), tray().astype(np.float32), 1.0)
    maker = CropMaker(DetectedScene(scene, detection([place], shape)), shape, scene.mean)

    told = model.describe(maker, [place])
    same, closer, *colours = model.witnessed(told, maker, [place])

    assert (told == own).all()
    assert same is told
    assert (closer[:, : 5 + MAKE] == own).all()
    assert (closer[:, 5 + MAKE :] == close).all()
    assert [one.shape for one in colours] == ([] if shape.is_long else [(1, 5 + MAKE + 15)])


def test_another_network_is_refused(tmp_path: Path) -> None:
    """A model file that was replaced or truncated would misread."""
    (tmp_path / "sticks.onnx").write_bytes(b"another")

    with pytest.raises(ValueError, match="not the model"):
        Describer(tmp_path / "sticks.onnx", "0" * 64)

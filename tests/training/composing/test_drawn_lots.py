"""Drawn sets look like sets of lots, and their labels say where the lots lie."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.composing.cutouts import TrayScene
from training.composing.drawn_lots import drawn_lots
from training.composing.labelled_scenes import open_sets
from training.composing.lot_make import LotMake
from training.composing.marks import SMALL_MARKS, STICK_MARKS, Mark

HERE = Path(__file__).parents[2] / "data" / "throws"


@pytest.fixture(scope="module")
def scene() -> TrayScene:
    return open_sets(HERE, {"d03"})[0][1]


@pytest.fixture(scope="module", params=range(4))
def drawn(scene: TrayScene, request: pytest.FixtureRequest) -> TrayScene:
    made = (drawn_lots(scene, np.random.default_rng([request.param, number])) for number in range(50))
    return next(one for one in made if one is not None)


def test_four_lots_are_drawn_from_both_sides(drawn: TrayScene) -> None:
    """None is drawn twice."""
    assert sorted((cut.lot, cut.marked) for cut in drawn.cuts) == [
        (lot, marked) for lot in range(4) for marked in (False, True)
    ]


def test_a_mark_differs_from_the_plain_face(drawn: TrayScene) -> None:
    """Within a marked face's mark its colour is another than all over a plain face."""
    for cut in drawn.cuts:
        if cut.marked:
            other = next(one for one in drawn.cuts if one.lot == cut.lot and not one.marked)
            painted, bare = (np.average(one.pixels, axis=(0, 1), weights=_thrice(one.mark)) for one in (cut, other))

            assert np.abs(painted - bare).max() > 3


def test_some_small_lots_have_a_colour_each_that_both_their_sides_show() -> None:
    """Then the four plain faces differ more than lots of one colour do, and far more than sticks ever do."""
    apart = {
        is_long: [
            _plain_colours(LotMake(90.0 if is_long else 15.0, 15.0, random, is_long=is_long), random).std(axis=0).max()
            for random in (np.random.default_rng(number) for number in range(40))
        ]
        for is_long in (True, False)
    }

    assert max(apart[True]) < 40
    assert 5 < sum(one > 40 for one in apart[False]) < 25


def _plain_colours(make: LotMake, random: np.random.Generator) -> np.ndarray:
    """The mean colour of each lot's plain side, (4, 3)."""
    cuts = [make.cut(lot, random, marked=False) for lot in range(4)]
    return np.array(
        [np.average(cut.pixels, axis=(0, 1), weights=np.repeat(cut.alpha[..., None], 3, 2)) for cut in cuts]
    )


@pytest.mark.parametrize("name", dict.fromkeys((*STICK_MARKS, *SMALL_MARKS)))
def test_every_mark_covers_a_part_of_the_face(name: str) -> None:
    """Only a full one covers it all."""
    v, u = np.mgrid[-0.5:0.5:40j, -0.5:0.5:240j]

    share = Mark(name, number=3, thick=0.3).covers(u, v, proportion=6.0, is_long=True).mean()

    assert 0.001 < share <= 1
    assert (share == 1) == (name == "full")


def test_an_unknown_mark_is_refused() -> None:
    """A misspelt one would otherwise draw plain lots."""
    with pytest.raises(ValueError, match="starry"):
        Mark("starry", 1, 0.3).covers(np.zeros(1), np.zeros(1), 1.0, is_long=False)


def _thrice(plane: np.ndarray) -> np.ndarray:
    return cv2.merge([plane + 1e-6] * 3)

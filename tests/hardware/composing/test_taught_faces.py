"""The lots in the pictures that teach are found, straightened and compared."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from companion.calibration.forecast import Remedy
from hardware.cameras.camera import Pixels
from hardware.composing.taught_faces import UPRIGHT, TaughtFaces
from tests.hardware.reader import drawing_small_lots
from tests.hardware.reader.drawing import APART, WOOD, calibration, four, tray

EMPTY, MARKED, PLAIN = calibration()


@cache
def drawn() -> TaughtFaces:
    return TaughtFaces.found(EMPTY, MARKED, PLAIN)


def test_each_lot_is_outlined_where_it_lies() -> None:
    """In both pictures, within the drawn stick's edge."""
    for side in drawn().outlines:
        centres = sorted(tuple(cv2.minAreaRect(one)[0]) for one in side)

        np.testing.assert_allclose(centres, sorted((x, y) for x, y, _ in APART), atol=5)


def test_small_lots_are_outlined_too() -> None:
    """Each where it lies."""
    faces = TaughtFaces.found(*drawing_small_lots.calibration("coins"))

    assert not faces.is_long
    for side in faces.outlines:
        middles = sorted(tuple(outline.mean(axis=0)) for outline in side)
        assert np.abs(np.array(middles) - sorted((x, y) for x, y, _ in drawing_small_lots.APART)).max() < 6


def test_both_sides_are_shown_upright_at_one_scale() -> None:
    """Four wooden sticks side by side in each picture, dark bands across them in the marked one only."""
    marked, plain = drawn().upright()

    assert marked.shape == plain.shape
    assert marked.shape[1] == 4 * UPRIGHT[0] < marked.shape[0]
    for stick in range(4):
        middle = round((stick + 0.5) * UPRIGHT[0])
        ink, wood = (picture[60:-60, middle - 5 : middle + 5].mean(axis=(1, 2)) for picture in (marked, plain))
        assert ink.min() < 80 < 150 < wood.min()


def test_the_lots_are_taken_out_of_the_backgrounds() -> None:
    """Where they lay is the empty tray; elsewhere the picture is as it was."""
    background, _ = drawn().backgrounds(0)
    away = cv2.absdiff(background, EMPTY)

    assert np.percentile(away, 99.9) < 12
    np.testing.assert_array_equal(background[:40, :40], MARKED[:40, :40])


@pytest.mark.parametrize(
    ("change", "remedy"),
    [
        (lambda picture: picture, Remedy.MARK),
        (lambda picture: (picture * 0.2).astype(np.uint8), Remedy.LIGHT),
    ],
)
def test_the_remedy_depends_on_the_light(change: object, remedy: Remedy) -> None:
    """More light if the lots are dark; else a bolder mark."""
    assert callable(change)
    faces = TaughtFaces.found(change(EMPTY), change(PLAIN), change(tray(four(0), noise=9)))

    assert faces.remedy() is remedy


def test_sides_that_differ_only_in_brightness_need_a_mark() -> None:
    """A shadow would make one out of the other."""
    darker: Pixels = tray(four(4), noise=9, paint=[0.8 * part for part in WOOD])
    faces = drawn()
    shaded = TaughtFaces(
        empty=EMPTY, pictures=((darker * 0.85).astype(np.uint8), PLAIN), outlines=faces.outlines, is_long=True
    )

    assert shaded.remedy() is Remedy.COLOUR

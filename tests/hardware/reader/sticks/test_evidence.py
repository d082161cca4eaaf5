"""Pixels of sticks give evidence for sticks; tray, light and shadow do not."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.cameras.camera import Pixels
from hardware.reader.sticks.evidence import SURE, Evidence, StickColours, weigh
from hardware.reader.taught_lots import Taught, teach
from tests.hardware.reader.drawing import FELT
from tests.hardware.reader.drawing_sticks import SQUARE, Laid, apart, dim, heap, shadow, taught


@pytest.fixture(scope="module")
def known() -> Taught:
    return teach(*taught())


@pytest.fixture(scope="module")
def colours(known: Taught) -> StickColours:
    return StickColours(known)


def weighed(known: Taught, colours: StickColours, pixels: Pixels) -> Evidence:
    seen = known.tray.difference(pixels)
    assert seen is not None
    return weigh(seen, colours)


def inside(stick: Laid, by: float = -2.0) -> NDArray[np.bool_]:
    """The pixels of a stick without its rim."""
    return SQUARE.mask(stick.bar.widened(by), (480, 640)) > 0


@pytest.mark.parametrize("light", [1.0, 0.75])
@pytest.mark.parametrize("marked", [0, 2, 4])
def test_sticks_speak_for_sticks(known: Taught, colours: StickColours, light: float, marked: int) -> None:
    """Both wood and paint do, also in less light."""
    odds = weighed(known, colours, heap(apart(marked), light=light)).odds

    for stick in apart(marked):
        assert (odds[inside(stick)] > 0).mean() > 0.95
        assert odds[inside(stick)].mean() > 0.6 * SURE


@pytest.mark.parametrize(("light", "cast"), [(1.0, (1, 1, 1)), (0.7, (1, 1, 1)), (1.0, (0.9, 1.0, 1.1))])
def test_the_tray_speaks_for_none(
    known: Taught, colours: StickColours, light: float, cast: tuple[float, float, float]
) -> None:
    """Away from the sticks there is no evidence, whatever the light and its colour."""
    sticks = apart(2)
    picture = np.clip(heap(sticks, light=light) * np.array(cast), 0, 255).astype(np.uint8)

    odds = weighed(known, colours, picture).odds

    away = ~np.any([inside(stick, by=9.0) for stick in sticks], axis=0)
    assert (odds[away] > 0).mean() < 0.002
    assert odds[away].mean() < -0.9 * SURE


@pytest.mark.parametrize("light", [1.0, 0.75])
def test_a_soft_shadow_speaks_for_none(known: Taught, colours: StickColours, light: float) -> None:
    """The shadow of something outside the picture, in other light than during the calibration."""
    picture = heap([], light=light, noise=5).astype(np.float32)
    dark = np.zeros((480, 640), np.float32)
    cv2.ellipse(dark, ((320.0, 240.0), (180.0, 90.0), 30.0), (0.55,), -1)
    dim(picture, 1 - cv2.GaussianBlur(dark, (0, 0), 12).astype(np.float32))

    evidence = weighed(known, colours, picture.astype(np.uint8))

    within = cv2.erode((dark > 0).astype(np.uint8), np.ones((15, 15), np.uint8)) > 0
    assert (evidence.odds[within] > 0).mean() < 0.02
    assert not evidence.foreign[within].any()


def test_the_shadow_of_a_stick_speaks_for_none(known: Taught, colours: StickColours) -> None:
    """The shadow does not widen the stick."""
    stick = Laid(x=300, y=240, turn=20)

    odds = weighed(known, colours, heap([stick])).odds

    shaded = (shadow(stick.bar) < 0.85) & ~inside(stick, by=2.0)
    assert shaded.sum() > 150
    assert (odds[shaded] > 0).mean() < 0.1


def test_a_thing_of_another_colour_is_foreign(known: Taught, colours: StickColours) -> None:
    """A blue die is neither a stick nor the tray."""
    picture = heap(apart(2))
    picture[220:250, 300:330] = (220, 60, 30)

    evidence = weighed(known, colours, picture)

    assert evidence.foreign[225:245, 305:325].all()
    np.testing.assert_array_equal(evidence.odds[evidence.foreign], 0)
    assert not any(evidence.foreign[inside(stick)].mean() > 0.02 for stick in apart(2))


def test_where_nothing_changed_there_is_only_tray(known: Taught, colours: StickColours) -> None:
    """An empty tray gives no evidence for sticks, and all odds are bounded."""
    empty = weighed(known, colours, heap([], noise=6))
    full = weighed(known, colours, heap(apart(2)))

    assert (empty.odds == -SURE).mean() > 0.98
    assert not empty.foreign.any()
    assert np.abs(full.odds).max() <= SURE


def test_the_colours_of_both_faces_are_dense_and_others_are_not(colours: StickColours) -> None:
    """Wood and paint are in the table, the tray's felt and a strong blue are not."""
    shown = {"wood": (150, 190, 220), "paint": (30, 30, 35), "felt": FELT, "blue": (220, 60, 30)}
    pixels = np.array([list(shown.values())], np.float32) / 255
    points = cv2.cvtColor(pixels, cv2.COLOR_BGR2LAB)[0].T

    dense = dict(zip(shown, colours.density(points.astype(np.float32)), strict=True))

    assert min(dense["wood"], dense["paint"]) > 50 * max(dense["felt"], dense["blue"])

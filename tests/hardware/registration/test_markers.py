"""Detection of the sheet's markers, and the placement, scale and light derived from them."""

import cv2
import numpy as np
import pytest

from companion.printing.tray_plan import PAPERS
from hardware.cameras.camera import Pixels
from hardware.registration.markers import (
    TRAY_IDS,
    DetectedMarkers,
    estimate_placement,
    find_markers,
    marker_patterns,
)
from tests.hardware.reader.drawing import four, tray
from tests.printing.printed import Floats, carried, overhead, printed, seen

SHEET = PAPERS["a4"]
STRAIGHT = overhead(SHEET)
WITHIN = 0.5
"""Pixels."""


def truth(place: Floats, marker: int) -> Floats:
    """Return a marker's true corners in the picture."""
    box = SHEET.markers[marker]
    corners = [[box.left, box.top], [box.right, box.top], [box.right, box.bottom], [box.left, box.bottom]]
    return carried(place, np.array(corners))


def sure(pixels: Pixels) -> DetectedMarkers:
    found = find_markers(pixels)
    assert found is not None
    return found


def furthest_astray(matrix: Floats, taught: Floats, now: Floats) -> float:
    """Return the largest error of a placement over the whole sheet, in pixels."""
    spots = np.stack(np.meshgrid(np.linspace(5, 292, 9), np.linspace(5, 205, 7)), -1).reshape(-1, 2)
    missed = carried(matrix, carried(taught, spots)) - carried(now, spots)
    return float(np.linalg.norm(missed, axis=1).max())


def covered(pixels: Pixels, place: Floats, marker: int) -> Pixels:
    """Draw a pale wooden stick across a marker."""
    x, y = truth(place, marker).mean(axis=0)
    return np.asarray(
        cv2.line(pixels.copy(), (int(x) - 90, int(y) + 40), (int(x) + 90, int(y) - 40), (150, 190, 220), 40)
    )


@pytest.fixture(scope="module")
def taught() -> DetectedMarkers:
    return sure(seen(printed(), STRAIGHT, noise=9))


@pytest.mark.parametrize("tilt", [(0, 0), (4, -3), (-5, 5)])
@pytest.mark.parametrize("light", [0.8, 0.25])
def test_a_printed_sheet_is_found_to_half_a_pixel(tilt: tuple[float, float], light: float) -> None:
    """The camera is tilted or rotated; the picture is blurred, noisy or dim."""
    place = overhead(SHEET, tilt=tilt, turn=3, aside=(4, -3))

    found = sure(seen(printed(), place, light=light, noise=3))

    assert sorted(found.corners) == sorted(TRAY_IDS)
    for marker, corners in found.corners.items():
        assert np.linalg.norm(corners - truth(place, marker), axis=1).max() < WITHIN
    assert found.scale == pytest.approx(4.0, rel=0.02)


@pytest.mark.parametrize("size", [(640, 480), (1280, 960), (2560, 1920)])
def test_every_size_of_picture_will_do(size: tuple[int, int]) -> None:
    """From small frames to a large still."""
    scale = 4.0 * size[0] / 1280
    place = overhead(SHEET, size=size, scale=scale, turn=180)

    found = sure(seen(printed(), place, size=size, blur=0.8))

    assert len(found.corners) == 4
    assert found.scale == pytest.approx(scale, rel=0.02)


@pytest.mark.parametrize(
    ("aside", "tilt", "turn"), [((0, 0), (0, 0), 0), ((6, -4), (0, 0), 0), ((0, 3), (0, 0), 5), ((2, 1), (3, -4), 2)]
)
@pytest.mark.parametrize("light", [0.8, 0.3])
def test_the_taught_picture_is_placed_to_half_a_pixel(
    taught: DetectedMarkers, aside: tuple[float, float], tilt: tuple[float, float], turn: float, light: float
) -> None:
    """It is accurate on the whole sheet, not only at its markers."""
    now = overhead(SHEET, aside=aside, tilt=tilt, turn=turn)

    placement = estimate_placement(taught, sure(seen(printed(), now, light=light, noise=5)))

    assert placement is not None
    assert furthest_astray(placement.matrix, STRAIGHT, now) < WITHIN
    assert placement.residual < 0.3


def test_a_shift_is_told_in_pixels(taught: DetectedMarkers) -> None:
    """A shift of six millimetres is measured at four pixels each."""
    placement = estimate_placement(taught, sure(seen(printed(), overhead(SHEET, aside=(6, 0)))))

    assert placement is not None
    assert placement.shift(1280, 960) == pytest.approx(24, abs=0.5)
    np.testing.assert_array_equal(placement.matrix[2], [0, 0, 1])


@pytest.mark.parametrize("marker", TRAY_IDS)
def test_one_marker_may_be_covered(taught: DetectedMarkers, marker: int) -> None:
    """A stick across one marker leaves three, which are enough."""
    now = overhead(SHEET, aside=(3, 2), turn=1)

    found = sure(covered(seen(printed(), now), now, marker))
    placement = estimate_placement(taught, found)

    assert marker not in found.corners
    assert placement is not None
    assert furthest_astray(placement.matrix, STRAIGHT, now) < 2 * WITHIN


def test_two_covered_markers_are_too_many() -> None:
    """With two markers, a bent one would go unnoticed."""
    picture = seen(printed(), STRAIGHT)

    assert find_markers(covered(covered(picture, STRAIGHT, 0), STRAIGHT, 2)) is None


def test_a_marker_that_disagrees_is_left_out(taught: DetectedMarkers) -> None:
    """A marker that is off by millimetres is left out."""
    now = overhead(SHEET, aside=(3, 2))
    found = sure(seen(printed(), now))
    bent = {**found.corners, 1: found.corners[1] + np.array([[0, 0], [9, -7], [0, 0], [0, 0]])}

    placement = estimate_placement(taught, DetectedMarkers(corners=bent, clipped=0.0, width=found.width))

    assert placement is not None
    assert furthest_astray(placement.matrix, STRAIGHT, now) < 2 * WITHIN


def test_markers_that_agree_on_nothing_place_nothing(taught: DetectedMarkers) -> None:
    """Random corners give no placement."""
    strewn = {
        marker: corners + np.random.default_rng(marker).normal(0, 12, (4, 2))
        for marker, corners in taught.corners.items()
    }

    assert estimate_placement(taught, DetectedMarkers(corners=strewn, clipped=0.0, width=1280)) is None


def test_overexposed_paper_is_noticed() -> None:
    """Most of its white is clipped."""
    bright = sure(seen(printed(), STRAIGHT, light=1.3))

    assert bright.clipped > 0.5


def test_a_tray_without_markers_has_none() -> None:
    """Most trays have no markers."""
    assert find_markers(tray(four(2), noise=4)) is None


def test_markers_in_another_order_are_no_sheet() -> None:
    """Four separate markers in another arrangement are not a sheet."""
    picture = np.full((960, 1280, 3), 200, np.uint8)
    for place, cells in zip(((200, 200), (900, 650), (900, 200), (200, 650)), marker_patterns(), strict=True):
        small = np.where(np.array(cells), 10, 200).astype(np.uint8)
        square = cv2.resize(small, (90, 90), interpolation=cv2.INTER_NEAREST)
        picture[place[1] : place[1] + 90, place[0] : place[0] + 90] = square[..., None]

    assert find_markers(picture) is None

"""The sheet's markers are found in pictures, to a fraction of a pixel, and tell place, scale and light."""

import cv2
import numpy as np
import pytest

from companion.paper.layout import PAPERS
from hardware.camera import Pixels
from hardware.markers import IDS, Markers, find, patterns, where, white_ratio
from tests.hardware.drawing import four, tray
from tests.paper.printed import Floats, carried, overhead, printed, seen

SHEET = PAPERS["a4"]
STRAIGHT = overhead(SHEET)
WITHIN = 0.5
"""Pixels."""


def truth(place: Floats, marker: int) -> Floats:
    """Where a marker's corners lie in the picture."""
    box = SHEET.markers[marker]
    corners = [[box.left, box.top], [box.right, box.top], [box.right, box.bottom], [box.left, box.bottom]]
    return carried(place, np.array(corners))


def sure(pixels: Pixels) -> Markers:
    found = find(pixels)
    assert found is not None
    return found


def furthest_astray(matrix: Floats, taught: Floats, now: Floats) -> float:
    """Largest error in pixels, over the whole sheet, of a placement of the taught picture in the present one."""
    spots = np.stack(np.meshgrid(np.linspace(5, 292, 9), np.linspace(5, 205, 7)), -1).reshape(-1, 2)
    missed = carried(matrix, carried(taught, spots)) - carried(now, spots)
    return float(np.linalg.norm(missed, axis=1).max())


def covered(pixels: Pixels, place: Floats, marker: int) -> Pixels:
    """The picture with a stick of pale wood across a marker."""
    x, y = truth(place, marker).mean(axis=0)
    return np.asarray(
        cv2.line(pixels.copy(), (int(x) - 90, int(y) + 40), (int(x) + 90, int(y) - 40), (150, 190, 220), 40)
    )


@pytest.fixture(scope="module")
def taught() -> Markers:
    return sure(seen(printed(), STRAIGHT, noise=9))


@pytest.mark.parametrize("tilt", [(0, 0), (4, -3), (-5, 5)])
@pytest.mark.parametrize("light", [0.8, 0.25])
def test_a_printed_sheet_is_found_to_half_a_pixel(tilt: tuple[float, float], light: float) -> None:
    """Tipped, turned, blurred, in noise and in dim light."""
    place = overhead(SHEET, tilt=tilt, turn=3, aside=(4, -3))

    found = sure(seen(printed(), place, light=light, noise=3))

    assert sorted(found.corners) == sorted(IDS)
    for marker, corners in found.corners.items():
        assert np.linalg.norm(corners - truth(place, marker), axis=1).max() < WITHIN
    assert found.scale == pytest.approx(4.0, rel=0.02)


@pytest.mark.parametrize("size", [(640, 480), (1280, 960), (2560, 1920)])
def test_every_size_of_picture_will_do(size: tuple[int, int]) -> None:
    """From the settling frames to a large still."""
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
    taught: Markers, aside: tuple[float, float], tilt: tuple[float, float], turn: float, light: float
) -> None:
    """Everywhere on the sheet, not only at its markers."""
    now = overhead(SHEET, aside=aside, tilt=tilt, turn=turn)

    placement = where(taught, sure(seen(printed(), now, light=light, noise=5)))

    assert placement is not None
    assert furthest_astray(placement.matrix, STRAIGHT, now) < WITHIN
    assert placement.residual < 0.3


def test_a_shift_is_told_in_pixels(taught: Markers) -> None:
    """Six millimetres at four pixels each."""
    placement = where(taught, sure(seen(printed(), overhead(SHEET, aside=(6, 0)))))

    assert placement is not None
    assert placement.shift(1280, 960) == pytest.approx(24, abs=0.5)
    np.testing.assert_array_equal(placement.matrix[2], [0, 0, 1])


@pytest.mark.parametrize("marker", IDS)
def test_one_marker_may_be_covered(taught: Markers, marker: int) -> None:
    """A stick across any one of them leaves three, and they place the sheet."""
    now = overhead(SHEET, aside=(3, 2), turn=1)

    found = sure(covered(seen(printed(), now), now, marker))
    placement = where(taught, found)

    assert marker not in found.corners
    assert placement is not None
    assert furthest_astray(placement.matrix, STRAIGHT, now) < 2 * WITHIN


def test_two_covered_markers_are_too_many() -> None:
    """With two left nobody would notice that one is bent."""
    picture = seen(printed(), STRAIGHT)

    assert find(covered(covered(picture, STRAIGHT, 0), STRAIGHT, 2)) is None


def test_a_marker_that_disagrees_is_left_out(taught: Markers) -> None:
    """One whose place is wrong by millimetres does not pull the sheet along."""
    now = overhead(SHEET, aside=(3, 2))
    found = sure(seen(printed(), now))
    bent = {**found.corners, 1: found.corners[1] + np.array([[0, 0], [9, -7], [0, 0], [0, 0]])}

    placement = where(taught, Markers(corners=bent, white=found.white, clipped=0.0, width=found.width))

    assert placement is not None
    assert furthest_astray(placement.matrix, STRAIGHT, now) < 2 * WITHIN


def test_markers_that_agree_on_nothing_place_nothing(taught: Markers) -> None:
    """Corners strewn about are no sheet's."""
    strewn = {
        marker: corners + np.random.default_rng(marker).normal(0, 12, (4, 2))
        for marker, corners in taught.corners.items()
    }

    assert where(taught, Markers(corners=strewn, white=taught.white, clipped=0.0, width=1280)) is None


def test_the_paper_tells_how_the_light_changed(taught: Markers) -> None:
    """Dimmer, and warmer: less blue than red."""
    picture = seen(printed(), STRAIGHT, light=0.8).astype(float)
    dimmed = (picture * (0.4, 0.5, 0.6)).astype(np.uint8)

    ratio = white_ratio(taught, sure(dimmed))

    assert ratio is not None
    np.testing.assert_allclose(ratio, (0.4, 0.5, 0.6), rtol=0.03)


def test_white_that_is_too_bright_tells_nothing(taught: Markers) -> None:
    """Where the paper is burnt out nobody knows how bright it is."""
    bright = sure(seen(printed(), STRAIGHT, light=1.3))

    assert bright.clipped > 0.5
    assert white_ratio(taught, bright) is None
    assert white_ratio(bright, taught) is None


def test_a_tray_without_markers_has_none() -> None:
    """Most trays; and it is no fault."""
    assert find(tray(four(2), noise=4)) is None


def test_markers_in_another_order_are_no_sheet() -> None:
    """Four squares cut out and laid down as someone liked do not tell where the tray is."""
    picture = np.full((960, 1280, 3), 200, np.uint8)
    for place, cells in zip(((200, 200), (900, 650), (900, 200), (200, 650)), patterns(), strict=True):
        small = np.where(np.array(cells), 10, 200).astype(np.uint8)
        square = cv2.resize(small, (90, 90), interpolation=cv2.INTER_NEAREST)
        picture[place[1] : place[1] + 90, place[0] : place[0] + 90] = square[..., None]

    assert find(picture) is None

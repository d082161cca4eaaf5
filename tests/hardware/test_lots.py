"""Outlines are told apart by length, width and area."""

import cv2
import numpy as np
import pytest

from hardware.lots import Blob, Likeness, Shape, blobs

STICK = Shape(150.0, 18.0, 2700.0)
KERNEL = Shape(40.0, 32.0, 1000.0)


def drawn(*bars: tuple[float, float, float, float, float]) -> list[Blob]:
    """The blobs of a mask with bars (x, y, length, width, turn)."""
    mask = np.zeros((480, 640), np.uint8)
    for x, y, length, width, turn in bars:
        cv2.fillConvexPoly(mask, cv2.boxPoints(((x, y), (length, width), turn)).round().astype(np.int32), 255)
    return blobs(mask, least_area=50, thinnest=3)


@pytest.mark.parametrize("turn", [0, 30, 90, 135])
def test_a_blob_knows_its_place_and_size(turn: float) -> None:
    """Centre within a pixel, sides within two, angle within one degree, whichever way it lies."""
    [blob] = drawn((320, 240, 150, 18, turn))

    assert (blob.x, blob.y) == pytest.approx((320, 240), abs=1)
    assert (blob.length, blob.width) == pytest.approx((151, 19), abs=2)
    assert abs((blob.angle - turn + 90) % 180 - 90) < 1
    assert blob.area == pytest.approx(150 * 18, rel=0.1)
    assert not blob.at_border


def test_holes_are_filled_and_specks_left_out() -> None:
    """A dark band that looks like the tray does not make two of one."""
    mask = np.zeros((100, 200), np.uint8)
    mask[40:60, 20:180] = 255
    mask[45:55, 90:110] = 0
    mask[10, 10] = 255

    assert [round(blob.area, -2) for blob in blobs(mask, least_area=50, thinnest=3)] == [3200]


@pytest.mark.parametrize(
    ("bar", "likeness"),
    [
        ((320, 240, 150, 18, 20), Likeness.LOT),
        ((320, 240, 300, 18, 20), Likeness.CLUSTER),
        ((320, 240, 150, 37, 20), Likeness.CLUSTER),
        ((320, 240, 150, 8, 20), Likeness.EDGE),
        ((320, 240, 120, 18, 20), Likeness.EDGE),
        ((320, 240, 30, 18, 20), Likeness.OTHER),
        ((14, 240, 150, 18, 90), Likeness.LOT),
    ],
)
def test_a_stick_is_known_by_its_outline(bar: tuple[float, float, float, float, float], likeness: Likeness) -> None:
    """Two in a row or side by side, a thin or a short one are not one lot."""
    [blob] = drawn(bar)

    assert STICK.likeness(blob) is likeness


def test_what_leaves_the_picture_is_no_lot() -> None:
    """What is beyond the border could be anything."""
    [blob] = drawn((70, 240, 160, 18, 0))

    assert blob.at_border
    assert STICK.likeness(blob) is not Likeness.LOT


@pytest.mark.parametrize(
    ("bar", "likeness"),
    [
        ((320, 240, 40, 30, 0), Likeness.LOT),
        ((320, 240, 34, 30, 50), Likeness.LOT),
        ((320, 240, 80, 32, 0), Likeness.CLUSTER),
        ((320, 240, 40, 14, 0), Likeness.EDGE),
        ((320, 240, 15, 12, 0), Likeness.OTHER),
    ],
)
def test_a_kernel_is_known_by_its_outline(bar: tuple[float, float, float, float, float], likeness: Likeness) -> None:
    """Kernels may differ more than sticks, but two are not one."""
    [blob] = drawn(bar)

    assert KERNEL.likeness(blob) is likeness


def test_a_lot_has_a_size() -> None:
    """A shape without one is a fault in the profile."""
    with pytest.raises(ValueError, match="cannot be"):
        Shape(10, 20, 100)

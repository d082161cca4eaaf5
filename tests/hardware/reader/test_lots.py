"""Outlines of things in the tray."""

import cv2
import numpy as np
import pytest

from hardware.reader.lots import Blob, Shape, blobs, reaching
from hardware.reader.tray import Tray
from tests.hardware.reader.drawing import tray


def drawn(*bars: tuple[float, float, float, float, float]) -> list[Blob]:
    """The blobs of a mask with bars (x, y, length, width, turn)."""
    mask = np.zeros((480, 640), np.uint8)
    for x, y, length, width, turn in bars:
        cv2.fillConvexPoly(mask, cv2.boxPoints(((x, y), (length, width), turn)).round().astype(np.int32), 255)
    return blobs(mask, least_area=50, thinnest=3)


@pytest.mark.parametrize("turn", [0, 30, 90, 135])
def test_a_blob_knows_its_place_and_size(turn: float) -> None:
    """The centre is within a pixel, sides within two, the angle within one degree."""
    [blob] = drawn((320, 240, 150, 18, turn))

    assert (blob.x, blob.y) == pytest.approx((320, 240), abs=1)
    assert (blob.length, blob.width) == pytest.approx((151, 19), abs=2)
    assert abs((blob.angle - turn + 90) % 180 - 90) < 1
    assert blob.area == pytest.approx(150 * 18, rel=0.1)
    assert not blob.at_border


def test_holes_are_filled_and_specks_left_out() -> None:
    """A dark band with the tray's colour does not split a stick."""
    mask = np.zeros((100, 200), np.uint8)
    mask[40:60, 20:180] = 255
    mask[45:55, 90:110] = 0
    mask[10, 10] = 255

    assert [round(blob.area, -2) for blob in blobs(mask, least_area=50, thinnest=3)] == [3200]


def test_what_leaves_the_picture_says_so() -> None:
    """The part beyond the border is unknown."""
    [blob] = drawn((70, 240, 160, 18, 0))

    assert blob.at_border


def test_what_reaches_in_is_large_and_at_the_border() -> None:
    """This is a hand with its shadow, not a stick that rolled away, a throw in the middle or other light."""
    picture = tray(noise=1).astype(np.float32)
    hand, rolled, shadow, lit = np.s_[50:130, :70], np.s_[200:208, :12], np.s_[300:400, :90], np.s_[40:160, 560:]
    for place in (hand, rolled, np.s_[220:240, 250:400]):
        picture[place] = (110, 140, 210)
    picture[shadow] *= 0.6
    picture[lit] *= 1.5
    seen = Tray(tray(noise=2)).difference(np.clip(picture, 0, 255).astype(np.uint8))
    assert seen is not None

    hands = reaching(seen, 1000)

    assert hands[hand][3:-3, :-3].all()
    assert hands.sum() == pytest.approx(80 * 70, rel=0.1)


@pytest.mark.parametrize(("length", "width", "long"), [(150, 18, True), (40, 32, False)])
def test_sticks_are_long(length: float, width: float, long: bool) -> None:
    """Sticks have an axis to unroll along, kernels have none."""
    assert Shape(length, width, length * width).is_long is long


def test_a_lot_has_a_size() -> None:
    """A shape without a size is an error in the profile."""
    with pytest.raises(ValueError, match="cannot be"):
        Shape(10, 20, 100)

"""Hands are detected in any light, and nothing else is taken for one."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from hardware.cameras.camera import Pixels
from hardware.tracking.intrusion import IntrusionDetector, downsample
from tests.hardware.reader.drawing import four, tray


def bumped(picture: Pixels, right: float, down: float) -> Pixels:
    move = np.array([[1.0, 0.0, right], [0.0, 1.0, down]])
    return cv2.warpAffine(picture, move, picture.shape[1::-1], borderMode=cv2.BORDER_REPLICATE).astype(np.uint8)


def flickering(picture: Pixels) -> Pixels:
    """Simulate a flickering lamp seen by a rolling shutter."""
    bands = 1 + 0.08 * np.sin(np.arange(len(picture)) / 25)
    return np.asarray(np.clip(picture * bands[:, None, None], 0, 255), np.uint8)


def shaded(picture: Pixels) -> Pixels:
    """Simulate light from one side, warmer and weaker than during the calibration."""
    across = np.linspace(0.55, 0.95, picture.shape[1])[None, :, None] * np.array([0.85, 1.0, 1.1])
    return np.asarray(np.clip(picture * across, 0, 255), np.uint8)


LIGHTS: dict[str, Callable[[Pixels], Pixels]] = {
    "same": lambda picture: picture,
    "dim": lambda picture: (picture * 0.5).astype(np.uint8),
    "from the side": shaded,
    "flickering": flickering,
    "bumped": lambda picture: bumped(picture, 7, -4),
}


@pytest.mark.parametrize("light", LIGHTS)
def test_hands_are_detected_and_lots_are_not(light: str) -> None:
    """Fingertips and whole hands are detected, the empty tray and lots are not."""
    detector, change = IntrusionDetector(tray()), LIGHTS[light]

    intruded = {
        name: detector.has_intrusion(downsample(change(picture)))
        for name, picture in {
            "empty": tray(noise=1),
            "lots": tray(four(2), noise=2),
            "fingers": tray(four(2), hand=(610, 300), noise=3),
            "hand": tray(four(2), hand=(300, 200), noise=4),
        }.items()
    }

    assert intruded == {"empty": False, "lots": False, "fingers": True, "hand": True}


def test_accepted_object_does_not_hide_a_hand() -> None:
    """A hand over an accepted cup is detected; the cup, or its removal, is not."""
    detector = IntrusionDetector(tray())
    cup = downsample(tray(hand=(560, 300), noise=1))
    assert detector.has_intrusion(cup)
    detector.accept(cup)

    assert not detector.has_intrusion(downsample(tray(four(3), hand=(560, 300), noise=2)))
    assert not detector.has_intrusion(downsample(tray(four(3), noise=3)))
    assert detector.has_intrusion(downsample(tray(four(3), hand=(300, 300), noise=4)))
    assert detector.has_intrusion(downsample(tray(four(3), hand=(560, 120), noise=5)))


@pytest.mark.parametrize("shape", [(480, 640), (960, 1280), (640, 480), (30, 40)])
def test_pictures_may_have_any_size(shape: tuple[int, int]) -> None:
    """The calibration has full pictures, the frames are small."""
    picture = cv2.resize(tray(hand=(400, 200)), shape[::-1], interpolation=cv2.INTER_AREA).astype(np.uint8)

    assert IntrusionDetector(tray()).has_intrusion(downsample(picture))


def cast(picture: Pixels, penumbra: float) -> Pixels:
    """Cast a shadow over a corner of the picture. penumbra: half width of its edge in pixels."""
    rows, columns = np.mgrid[0 : picture.shape[0], 0 : picture.shape[1]]
    shade = 1 - 0.4 / (1 + np.exp((np.hypot(rows - 60, columns) - 220) / penumbra))
    return np.asarray(picture * shade[..., None], np.uint8)


def test_soft_shadow_is_not_a_hand() -> None:
    """Somebody stands in the light. A sharp shadow counts, because its object is near the table."""
    detector = IntrusionDetector(tray())

    assert not detector.has_intrusion(downsample(cast(tray(four(2), noise=1), 25)))
    assert detector.has_intrusion(downsample(cast(tray(four(2), noise=1), 1)))
    assert detector.has_intrusion(downsample(cast(tray(four(2), hand=(560, 400), noise=1), 25)))

"""A hand in view is noticed in any light, and what is no hand is not taken for one."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from hardware.camera import Pixels
from hardware.hands import Hands, coarse
from tests.hardware.drawing import four, tray


def bumped(picture: Pixels, right: float, down: float) -> Pixels:
    move = np.array([[1.0, 0.0, right], [0.0, 1.0, down]])
    return cv2.warpAffine(picture, move, picture.shape[1::-1], borderMode=cv2.BORDER_REPLICATE).astype(np.uint8)


def flickering(picture: Pixels) -> Pixels:
    """A lamp on alternating current, as a shutter sees it that rolls down the picture."""
    bands = 1 + 0.08 * np.sin(np.arange(len(picture)) / 25)
    return np.asarray(np.clip(picture * bands[:, None, None], 0, 255), np.uint8)


def shaded(picture: Pixels) -> Pixels:
    """Light from one side, warmer and weaker than when the tray was taught."""
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
def test_a_hand_is_seen_and_lots_are_none(light: str) -> None:
    """Fingers that come in by a finger's breadth, a whole hand, the empty tray, lots in the tray."""
    hands, change = Hands(tray()), LIGHTS[light]

    seen = {
        name: hands.reaches_in(coarse(change(picture)))
        for name, picture in {
            "empty": tray(noise=1),
            "lots": tray(four(2), noise=2),
            "fingers": tray(four(2), hand=(610, 300), noise=3),
            "hand": tray(four(2), hand=(300, 200), noise=4),
        }.items()
    }

    assert seen == {"empty": False, "lots": False, "fingers": True, "hand": True}


def test_what_belongs_there_does_not_hide_a_hand() -> None:
    """A hand over the cup that players accepted is a hand; the cup alone is none, and nor is its going away."""
    hands = Hands(tray())
    cup = coarse(tray(hand=(560, 300), noise=1))
    assert hands.reaches_in(cup)
    hands.accept(cup)

    assert not hands.reaches_in(coarse(tray(four(3), hand=(560, 300), noise=2)))
    assert not hands.reaches_in(coarse(tray(four(3), noise=3)))
    assert hands.reaches_in(coarse(tray(four(3), hand=(300, 300), noise=4)))
    assert hands.reaches_in(coarse(tray(four(3), hand=(560, 120), noise=5)))


@pytest.mark.parametrize("shape", [(480, 640), (960, 1280), (640, 480), (30, 40)])
def test_pictures_of_any_size_will_do(shape: tuple[int, int]) -> None:
    """The tray is taught from full pictures and watched in small ones."""
    picture = cv2.resize(tray(hand=(400, 200)), shape[::-1], interpolation=cv2.INTER_AREA).astype(np.uint8)

    assert Hands(tray()).reaches_in(coarse(picture))


def cast(picture: Pixels, penumbra: float) -> Pixels:
    """Someone's shadow over a corner of the picture, its edge that many pixels wide to either side."""
    rows, columns = np.mgrid[0 : picture.shape[0], 0 : picture.shape[1]]
    shade = 1 - 0.4 / (1 + np.exp((np.hypot(rows - 60, columns) - 220) / penumbra))
    return np.asarray(picture * shade[..., None], np.uint8)


def test_a_soft_shadow_is_no_hand_and_a_sharp_one_may_be() -> None:
    """Someone stands in the light; what has a sharp edge lies near the table."""
    hands = Hands(tray())

    assert not hands.reaches_in(coarse(cast(tray(four(2), noise=1), 25)))
    assert hands.reaches_in(coarse(cast(tray(four(2), noise=1), 1)))
    assert hands.reaches_in(coarse(cast(tray(four(2), hand=(560, 400), noise=1), 25)))

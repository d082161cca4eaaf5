"""New things in the tray are detected in spite of movement, shaking and other light."""

import cv2
import numpy as np
import pytest

from hardware.cameras.camera import Pixels
from hardware.reader.tray import Difference, Tray
from tests.hardware.reader.drawing import Stick, four, tray


@pytest.fixture(scope="module")
def known() -> Tray:
    return Tray(tray(noise=1))


def difference(known: Tray, pixels: Pixels) -> Difference:
    seen = known.difference(pixels)
    assert seen is not None
    return seen


def share(mask: Pixels) -> float:
    return float((mask > 0).mean())


@pytest.mark.parametrize(
    ("light", "nudged"), [(1.0, (0, 0)), (0.7, (0, 0)), (1.2, (0, 0)), (1.0, (4, -3)), (0.8, (-3, 2))]
)
def test_an_empty_tray_shows_nothing_new(known: Tray, light: float, nudged: tuple[int, int]) -> None:
    """After a change of light or a nudge, only slivers differ."""
    seen = difference(known, tray(light=light, nudged=nudged, noise=9))

    assert share(seen.changed) < 0.004


def test_half_a_pixel_of_shaking_shows_nothing_new(known: Tray) -> None:
    """A camera on a table is never quite still."""
    shaken = cv2.warpAffine(
        tray(noise=2), np.array([[1, 0, 0.5], [0, 1, -0.4]]), (640, 480), borderMode=cv2.BORDER_REFLECT
    )

    seen = difference(known, shaken.astype(np.uint8))

    assert share(seen.changed) < 0.001


def test_sticks_are_new_with_and_without_their_shadows(known: Tray) -> None:
    """Both masks cover the sticks; the one without shadows is no larger."""
    seen = difference(known, tray(four(2)))

    assert 0.03 < share(seen.solid) <= share(seen.changed) < 0.05


def test_a_shadow_alone_is_not_solid(known: Tray) -> None:
    """A shadow is new, but not a thing."""
    picture = tray().astype(np.float32)
    picture[200:260, 200:300] *= 0.6

    seen = difference(known, picture.astype(np.uint8))

    assert (seen.changed[210:250, 210:290] > 0).mean() > 0.95
    assert (seen.solid[210:250, 210:290] > 0).mean() < 0.05


def test_the_picture_is_returned_in_the_light_of_the_empty_one(known: Tray) -> None:
    """A stick in two thirds of the light is returned as in full light."""
    bright, dim = (difference(known, tray([Stick(300, 240)], light=light)) for light in (1.0, 0.67))

    np.testing.assert_allclose(
        dim.relit[236:244, 250:350].mean(axis=(0, 1)), bright.relit[236:244, 250:350].mean(axis=(0, 1)), rtol=0.05
    )


def test_another_scene_is_not_the_tray(known: Tray) -> None:
    """If the empty tray's texture is not found, no difference is computed."""
    strange = np.random.default_rng(3).integers(0, 255, (480, 640, 3)).astype(np.uint8)

    assert known.difference(cv2.GaussianBlur(strange, (0, 0), 2).astype(np.uint8)) is None


def test_a_slope_of_light_is_taken_away_under_the_sticks_too(known: Tray) -> None:
    """A coloured lamp from the side: the whole picture is returned in the light of the empty tray."""
    slope = np.linspace(0.75, 1.1, 640)[None, :, None] * np.array([0.9, 1.0, 1.05])
    lit = (tray(four(2), noise=3) * slope).clip(0, 255).astype(np.uint8)

    seen = difference(known, lit)

    np.testing.assert_allclose(
        cv2.blur(seen.relit, (31, 31)), cv2.blur(tray(four(2)).astype(np.float32), (31, 31)), atol=6
    )

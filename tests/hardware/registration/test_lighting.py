"""Changes of light and of the camera's contrast are estimated from the picture."""

import numpy as np
import pytest

from hardware.registration.lighting import straightened
from tests.hardware.reader.drawing import four, tray


@pytest.mark.parametrize("power", [0.6, 0.8, 1.25, 1.6])
def test_a_raised_contrast_is_taken_back(power: float) -> None:
    """The original contrast is restored, also with something in a corner."""
    shades = np.repeat(np.repeat(np.array([[45, 160, 70], [110, 60, 200]], np.uint8), 240, axis=0), 214, axis=1)
    grain = np.random.default_rng(1).normal(0, 2, shades.shape)
    then = np.clip(np.repeat((shades + grain)[..., None], 3, axis=2), 0, 255).astype(np.uint8)
    raised = np.round(255 * (np.arange(256) / 255) ** power).astype(np.uint8)
    now = raised[then]
    now[300:420, 20:120] = (40, 90, 220)

    table = straightened(now, then)

    assert table is not None
    assert table.shape == (1, 256, 3)
    dark, bright = (table[0, raised[shade]].astype(float) for shade in (60, 200))
    assert np.log(bright / dark) == pytest.approx(np.full(3, np.log(200 / 60)), rel=0.06)


@pytest.mark.parametrize("light", [0.6, 1.0, 1.2])
def test_a_lamp_alone_leaves_the_contrast(light: float) -> None:
    """It scales the picture, and is no exponent."""
    assert straightened(tray(four(3), light=light, noise=5), tray(noise=1)) is None


def test_a_shadow_leaves_the_contrast() -> None:
    """Its edge is not taken for what the camera does to all dark and bright places."""
    shaded = tray(four(3), noise=1)
    shaded[:, 300:] = (0.55 * shaded[:, 300:]).astype(np.uint8)

    assert straightened(shaded, tray(noise=1)) is None


def test_a_bare_sheet_tells_nothing_of_contrast() -> None:
    """Without dark and bright places no exponent is estimated."""
    sheet = np.full((480, 640, 3), 120, np.uint8)

    assert straightened(np.full_like(sheet, 90), sheet) is None

"""Grain is measured in spite of texture."""

import numpy as np
import pytest

from hardware.cameras.camera import Pixels
from hardware.reader.picture_noise import grain, is_drowned


def edge(sigma: float) -> Pixels:
    """A dark and a bright half with grain of this many grey levels."""
    picture = np.full((200, 300, 3), 60.0)
    picture[:, 150:] = 170
    return np.clip(picture + np.random.default_rng(7).normal(0, sigma, picture.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("sigma", [2.0, 6.0, 12.0])
def test_grain_is_measured_in_grey_levels(sigma: float) -> None:
    """It is accurate to a tenth, whatever the picture shows."""
    assert grain(edge(sigma)) == pytest.approx(sigma, rel=0.1, abs=0.2)


def test_marks_drown_in_grain_that_the_tray_had_not() -> None:
    """A coarse weave is not grain; only grain beyond it counts."""
    assert is_drowned(edge(16), 1.0)
    assert not is_drowned(edge(10), 1.0)
    assert not is_drowned(edge(16), 15.0)

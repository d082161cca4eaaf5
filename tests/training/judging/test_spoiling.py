"""Spoiled pictures stay pictures of the same scene."""

import numpy as np

from tests.training.drawn_set import APART, laid, speckled
from training.judging.spoiling import spoiled


def test_a_spoiled_picture_keeps_its_shape_and_its_scene() -> None:
    """Light, blur and noise change, but not what lies where."""
    random = np.random.default_rng(1)
    pixels = laid(speckled(1), APART, "1010")

    for _ in range(20):
        seen = spoiled(pixels, random)

        assert seen.shape == pixels.shape
        assert seen.dtype == np.uint8
        assert (seen != pixels).any()
        assert np.corrcoef(seen.ravel(), pixels.ravel())[0, 1] > 0.6

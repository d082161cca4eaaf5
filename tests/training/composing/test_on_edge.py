"""Lots on their edge."""

from pathlib import Path

import numpy as np
import pytest

from hardware.composing.arrangement import Pose
from hardware.composing.painting import placed
from tests.training.drawn_set import LENGTH, WIDTH, drawn_set
from training.composing.labelled_scenes import open_set
from training.composing.on_edge import THICKNESS, on_edge


@pytest.mark.parametrize("seed", range(4))
def test_a_lot_on_its_edge_is_as_long_and_narrower(tmp_path: Path, seed: int) -> None:
    """It lies where its pose says, in its own direction."""
    one = drawn_set(tmp_path)
    cut = open_set(one.folder.parent, one.labels).cuts[seed]
    edge = on_edge(cut, np.random.default_rng(seed))
    layer = placed((240, 320), edge, Pose(x=160.0, y=120.0, angle=0.0))
    down, across = np.argwhere(layer.alpha > 0.5).T
    down, across = down + layer.top, across + layer.left

    assert np.ptp(across) == pytest.approx(LENGTH, abs=4)
    assert THICKNESS[0] * WIDTH - 3 < np.ptp(down) < THICKNESS[1] * WIDTH + 2
    assert across.mean() == pytest.approx(160, abs=1.5)
    assert down.mean() == pytest.approx(120, abs=1.5)

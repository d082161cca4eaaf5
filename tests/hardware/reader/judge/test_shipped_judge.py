"""The shipped judges belong together, are small, and are loaded once."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from hardware.reader.judge.lot_crops import CHANNELS, WINDOWS
from hardware.reader.judge.lot_judge import EVIDENCE, FACE, MAKE
from hardware.reader.judge.shipped_judge import (
    DETECTOR,
    FACTS,
    HERE,
    NETWORKS,
    load_judge,
    shipped_detector,
    shipped_judge,
)
from tests.hardware.reader.judge.ideal_model import RELATION, IdealDetector

MEGABYTES = 3


@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_that_does_not_belong_to_the_others_is_refused(tmp_path: Path, name: str) -> None:
    """Even one that differs in its last byte; the message names it."""
    folder = shutil.copytree(HERE, tmp_path / "model")
    stored = (folder / name).read_bytes()
    (folder / name).write_bytes(stored[:-1] + bytes([stored[-1] ^ 1]))

    with pytest.raises(ValueError, match=f"{name} is not the model"):
        load_judge(folder, IdealDetector())


def test_the_networks_are_small() -> None:
    """The judges and the detector together; there are no others beside them that are not used."""
    assert {path.name for path in HERE.iterdir()} == {*NETWORKS, FACTS}
    assert sum(path.stat().st_size for path in (DETECTOR, *HERE.glob("*.onnx"))) <= MEGABYTES * 1_000_000


@pytest.mark.parametrize("is_long", [True, False])
@pytest.mark.parametrize(("axis", "signs"), [(3, (-1, 1, -1)), (2, (1, -1, -1))])
def test_mirrored_crops_are_described_alike_all_round(is_long: bool, axis: int, signs: tuple[int, int, int]) -> None:
    """Only where the lot lies is mirrored too; no crops have no descriptions."""
    size = WINDOWS[is_long, False].size
    crops = np.random.default_rng(2).normal(0, 0.3, (2, CHANNELS, *size)).astype(np.float32)
    mirrored = np.flip(crops, axis).copy()
    mirrored[:, -1] *= -1
    describer = shipped_judge().describers[0 if is_long else 1]

    seen, other = describer.describe_all_round(crops), describer.describe_all_round(mirrored)

    other[:, 2:5] *= signs
    np.testing.assert_allclose(other, seen, atol=1e-4)
    assert describer.describe_all_round(crops[:0]).shape == (0, 5 + MAKE + FACE)


def test_the_networks_are_loaded_once() -> None:
    """All readers share them."""
    assert shipped_judge() is shipped_judge()
    assert shipped_judge().detector is shipped_detector()


@pytest.mark.parametrize("is_long", [True, False])
def test_crops_are_described(is_long: bool) -> None:
    """One, several and none at once, each regardless of the others; the learnt numbers are there."""
    random = np.random.default_rng(1)
    size = WINDOWS[is_long, False].size
    crops = random.normal(0, 0.3, (3, CHANNELS, *size)).astype(np.float32)
    describer = shipped_judge().describers[0 if is_long else 1]

    together = describer.describe(crops)

    assert together.shape == (3, 5 + MAKE + FACE)
    assert np.isfinite(together).all()
    np.testing.assert_allclose(describer.describe(crops[1:2])[0], together[1], atol=1e-4)
    assert describer.describe(crops[:0]).shape == (0, 5 + MAKE + FACE)
    assert len(shipped_judge().relations[0 if is_long else 1]) == len(RELATION)
    assert shipped_judge().odds.shape == (2, 2, EVIDENCE)

"""Training crops and their labels."""

from pathlib import Path

import numpy as np
import pytest

from hardware.reader.general.detector import LOT, OTHER
from tests.training.drawn_set import WIDTH, drawn_set
from training.composing.examples import STRANGER, Composer, Example
from training.rendered_sets import RenderedSet
from training.samples import CROP, Source, Stream, crop


@pytest.fixture
def one(tmp_path: Path) -> RenderedSet:
    return drawn_set(tmp_path)


def example(one: RenderedSet, number: int = 0) -> Example:
    made = Source(one, one.images("throw")[number]).example()
    assert made is not None
    return made


def test_a_rendered_picture_comes_with_its_empty_tray(one: RenderedSet) -> None:
    """Without lots the two differ only by noise."""
    made = example(one)

    bare = made.mask == 0
    off = np.abs(made.pixels.astype(int) - made.bare.astype(int)).max(axis=2)
    assert np.median(off[bare]) < 8 < np.median(off[~bare])
    assert made.width == pytest.approx(WIDTH, abs=1)
    np.testing.assert_allclose(made.angles[1:5], [20, 160, 75, 40])


def test_hands_are_no_lots(one: RenderedSet) -> None:
    """Hands are a separate class."""
    made = example(one, 2)

    assert (made.mask == STRANGER).sum() > 1000


def test_a_crop_tells_class_edge_and_direction(one: RenderedSet) -> None:
    """In any rotation or reflection, the middle of a lot is farthest from its edge."""
    random = np.random.default_rng(3)

    for _ in range(12):
        made = crop(example(one, 1), random)
        lots = made.classes == LOT

        assert made.seen.shape == (36, CROP // 2, CROP // 2)
        assert made.weights.shape == (CROP, CROP)
        assert not made.inside[~lots].any()
        np.testing.assert_allclose(np.linalg.norm(made.along, axis=0)[lots], 1, atol=1e-5)
        if lots.sum() > 500:
            assert made.inside[lots].max() > 0.8


def test_composed_pictures_hold_lots_and_strangers(one: RenderedSet) -> None:
    """Cut-outs from all throws are arranged anew, sometimes beside a hand."""
    random = np.random.default_rng(2)
    composer = Composer([one], random)

    values = [set(np.unique(composer.example().mask)) for _ in range(20)]

    assert {1, 2, 3, 4} in [found & {1, 2, 3, 4} for found in values]
    assert any(STRANGER in found for found in values)


def test_a_stream_mixes_both_kinds(one: RenderedSet) -> None:
    """A batch has the inputs of the network and the loss, in one shape."""
    random = np.random.default_rng(4)
    stream = Stream(Composer([], random), random, kept=6)
    stream.add(one)

    batch = stream.batch(4)

    assert len(batch) == 4
    assert {made.seen.shape for made in batch} == {(36, CROP // 2, CROP // 2)}
    assert {int(value) for made in batch for value in np.unique(made.classes)} <= {0, LOT, OTHER}

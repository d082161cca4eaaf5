"""Training crops and their labels."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.training.drawn_set import ROWS, WIDTH, drawn_set
from training.composing.examples import STRANGER, Composer, Example
from training.rendered_sets import LOTS, RenderedSet
from training.samples import CROP, LOT, OTHER, Source, Stream, _grain, _otherwise_lit, crop


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


def test_without_lots_nothing_is_composed() -> None:
    """The training stops instead of trying for ever."""
    with pytest.raises(LookupError, match="add other sets"):
        Composer([], np.random.default_rng(2)).example()


def test_some_composed_lots_take_on_the_trays_colour(one: RenderedSet) -> None:
    """In the other pictures one channel of the lots is more than twice, or less than half, as bright as the tray's."""
    composer = Composer([one], np.random.default_rng(3))

    apart = []
    for made in (composer.example() for _ in range(60)):
        lots = np.isin(made.mask, LOTS)
        if lots.any():
            ratio = made.pixels[lots].mean(axis=0) / made.pixels[made.mask == 0].mean(axis=0)
            apart.append(np.abs(np.log(ratio)).max())

    assert 0.05 < np.mean(np.array(apart) < np.log(2)) < 0.25


def test_a_composed_lot_may_lie_beside_the_tray(one: RenderedSet) -> None:
    """It is a lot like the others, and one at most."""
    edge = 200
    floor = [[4, 4], [edge, 4], [edge, ROWS - 4], [4, ROWS - 4]]
    composer = Composer(
        [replace(one, labels=one.labels | {"camera": {"tray_floor_outline_px": floor}})], np.random.default_rng(2)
    )

    beside = []
    for mask in (composer.example().mask for _ in range(60)):
        inside = np.unique(mask[:, : edge + 1])
        beside.append(len(set(np.unique(mask)) & set(LOTS) - set(inside)))

    assert set(beside) == {0, 1}


def test_some_crops_have_strong_noise() -> None:
    """Most have little, and some have none."""
    random, grey = np.random.default_rng(1), np.full((CROP, CROP, 3), 128, np.uint8)

    lit = [_otherwise_lit(grey, grey, random)[0][..., 1] for _ in range(200)]

    noise = np.array([1.4826 * np.median(np.abs(one - cv2.blur(one, (9, 9)))) for one in lit])
    assert 0.05 < (noise > 5).mean() < 0.2
    assert (noise < 0.5).mean() > 0.2
    assert noise.max() < 20


def test_half_of_the_noise_is_coarse() -> None:
    """Neighbouring pixels then go together; it is as strong as the fine noise."""
    random = np.random.default_rng(1)

    grains = [_grain(random) for _ in range(40)]

    alike = np.array([np.mean(grain[:, 1:] * grain[:, :-1]) for grain in grains])
    np.testing.assert_allclose([grain.std() for grain in grains], 1, atol=0.02)
    assert 0.3 < (alike > 0.1).mean() < 0.7
    assert (np.abs(alike[alike < 0.1]) < 0.02).mean() > 0.9


def test_a_stream_mixes_both_kinds(one: RenderedSet) -> None:
    """A batch has the inputs of the network and the loss, in one shape."""
    random = np.random.default_rng(4)
    stream = Stream(Composer([], random), random, kept=6)
    stream.add(one)

    batch = stream.batch(4)

    assert len(batch) == 4
    assert {made.seen.shape for made in batch} == {(36, CROP // 2, CROP // 2)}
    assert {int(value) for made in batch for value in np.unique(made.classes)} <= {0, LOT, OTHER}

"""What is changed at random in the crops that the judge learns from."""

import numpy as np
import pytest

from hardware.reader.judge.lot_crops import CHANNELS, WINDOWS

torch = pytest.importorskip("torch", reason="trains the judge")

from training.judging.augmentation import (  # noqa: E402 - they need PyTorch
    CLOSE_SPOT,
    SPOT,
    augmented,
    bend,
    gleam,
    mirror,
    mix,
    move,
    shine,
)

STICK_CROP, CLOSE_STICK_CROP = (WINDOWS[True, close].size for close in (False, True))
SMALL_CROP = WINDOWS[False, False].size


@pytest.mark.parametrize("is_long", [True, False])
def test_mirrored_crops_say_where_their_lots_lie(is_long: bool) -> None:
    """A lot is found where its offset says, and its direction turns with it."""
    rows, columns = STICK_CROP if is_long else SMALL_CROP
    random = np.random.default_rng(1)
    spots = np.stack([random.integers(0, columns, 60), random.integers(0, rows, 60)], axis=1)
    seen = torch.zeros(60, CHANNELS, rows, columns)
    seen[np.arange(60), 0, spots[:, 1], spots[:, 0]] = 1
    off = torch.zeros(60, 3)
    off[:, :2] = torch.from_numpy(spots) - torch.tensor([(columns - 1) / 2, (rows - 1) / 2])
    if is_long:
        off[:, 2] = torch.from_numpy(random.normal(0, 1, 60))
        seen[:, CHANNELS - 1] = off[:, 2, None, None]
    before = off.clone()

    mirror(seen, off, torch.Generator().manual_seed(1), is_long=is_long)

    row, column = np.divmod(seen[:, 0].flatten(1).argmax(dim=1).numpy(), columns)
    found = np.stack([column - (columns - 1) / 2, row - (rows - 1) / 2], axis=1)
    np.testing.assert_allclose(found, off[:, :2])
    np.testing.assert_allclose(seen[:, CHANNELS - 1, 0, 0], off[:, 2])
    assert 0 < (before == off).all(dim=1).sum() < 40


def test_augmentation_leaves_the_samples_as_they_are() -> None:
    """Shapes and the original tensors stay; unknown offsets stay unknown."""
    random, (rows, columns) = np.random.default_rng(1), STICK_CROP
    supports, crops = (
        torch.from_numpy(random.normal(0, 0.2, (n, CHANNELS, rows, columns)).astype(np.float32)) for n in (8, 40)
    )
    off = torch.from_numpy(random.normal(0, 0.1, (40, 3)).astype(np.float32))
    off[::2] = np.nan
    kept = crops.clone()

    changed = augmented(supports, crops, off, torch.Generator().manual_seed(1), is_long=True)

    assert [one.shape for one in changed] == [supports.shape, crops.shape, off.shape]
    assert torch.equal(crops, kept)
    assert not torch.equal(changed[1], crops)
    np.testing.assert_array_equal(changed[2].abs(), off.abs())


def test_things_on_another_ground_keep_their_colour_beside_what_is_taken_for_light() -> None:
    """Ratios to the ground change within a thing, colours around it, and neither those of the taught lots."""
    seen = torch.full((400, CHANNELS, *SMALL_CROP), 0.2)
    seen[:, 6:8] = 0
    seen[:, 6, 12:24, 12:24] = 1
    before = seen.clone()

    move(seen, 8, torch.Generator().manual_seed(1))

    changed = seen - before
    moved = changed[:, :6].abs().amax(dim=(1, 2, 3)) > 1e-5
    thing, around = changed[moved][:, :, 18, 18], changed[moved][:, :, 2, 2]
    assert not moved[:8].any()
    assert 0.1 < moved.float().mean() < 0.2
    assert (around[:, 3:6] == 0).all()
    assert (thing[:, 3:6].abs() > 0).all()
    # A brighter ground makes ratios smaller, and dims the thing only as much as it is taken for light.
    ground, dimmed = -thing[:, 3:6].mean(dim=1), -torch.log((thing[:, :3] + 0.7) / 0.7).mean(dim=1)
    assert ((dimmed * ground >= -1e-6) & (dimmed.abs() <= ground.abs() + 1e-5) & (dimmed.abs() < 0.7001)).all()


def test_contrast_changes_colours_and_ratios_alike() -> None:
    """Grey on grey of half its light stays so to the power of the contrast."""
    seen = torch.zeros(400, CHANNELS, *SMALL_CROP)
    seen[:, :3], seen[:, 3:6] = 0.4 - 0.5, float(np.log(0.5))

    bend(seen, 8, torch.Generator().manual_seed(1))

    power = seen[:, 3, 0, 0] / float(np.log(0.5))
    np.testing.assert_allclose(seen[:, 0, 5, 5] + 0.5, 0.4**power, rtol=1e-5)
    assert (power[:8] == 1).all()
    assert 0.1 < (power != 1).float().mean() < 0.2


def test_reflections_are_near_the_middle_and_brighten() -> None:
    """They show in the colours and in their ratios, of some crops."""
    seen = torch.zeros(400, CHANNELS, *SMALL_CROP)

    shine(seen, SPOT, torch.Generator().manual_seed(1))

    shining = seen[:, 0].amax(dim=(1, 2)) > 0.01
    row, column = np.divmod(seen[shining, 0].flatten(1).argmax(dim=1).numpy(), SMALL_CROP[1])
    assert 0.1 < shining.float().mean() < 0.2
    assert ((row > 8) & (row < 27) & (column > 8) & (column < 27)).all()
    assert (seen[:, :6] >= 0).all()
    assert (seen[:, :3] < 0.5).all()
    assert (seen[:, 3][seen[:, 0] > 0.01] > 0.01).all()


def test_lamps_are_reflected_in_sticks_but_not_beside_them() -> None:
    """They brighten a part of some sticks, and no taught one."""
    rows, columns = CLOSE_STICK_CROP
    seen = torch.zeros(400, CHANNELS, rows, columns)
    seen[:, 6, 3:-3] = 1

    gleam(seen, 8, torch.Generator().manual_seed(1))

    gleaming = seen[:, 0].amax(dim=(1, 2)) > 0.01
    assert not gleaming[:8].any()
    assert 0.1 < gleaming.float().mean() < 0.3
    assert (seen[:, :6, :3] == 0).all()
    assert (seen[:, :6, -3:] == 0).all()
    assert (seen[:, :3] < 0.5).all()
    assert (seen[:, 3][seen[:, 0] > 0.01] > 0.01).all()


def test_a_whole_face_may_shine() -> None:
    """From close by reflections are up to as large as a lot."""
    near, close = torch.zeros(400, CHANNELS, *SMALL_CROP), torch.zeros(400, CHANNELS, *SMALL_CROP)

    shine(near, SPOT, torch.Generator().manual_seed(1))
    shine(close, CLOSE_SPOT, torch.Generator().manual_seed(1))

    largest, whole = ((seen[:, 0] > 0.05).float().mean(dim=(1, 2)).max() for seen in (near, close))
    assert largest < 0.25
    assert whole > 0.5


def test_mixed_colours_are_those_of_another_lamp_and_paint() -> None:
    """Grey stays grey, what looks like the tray still does, and a set's lots are changed alike."""
    seen = torch.zeros(4, CHANNELS, *SMALL_CROP)
    seen[0, :3], seen[1:, :3] = 0.1, torch.tensor([0.3, -0.1, -0.3])[:, None, None]
    seen[2, 3:6] = torch.tensor([0.5, 0.0, -0.5])[:, None, None]
    before, chance = seen.clone(), torch.Generator().manual_seed(1)
    for _ in range(20):
        mix(seen, chance)
        if not torch.equal(seen, before):
            break

    np.testing.assert_allclose(seen[0], before[0], atol=1e-5)
    assert (seen[1, :3] - before[1, :3]).abs().max() > 0.02
    assert torch.equal(seen[1, :3], seen[2, :3])
    np.testing.assert_allclose(seen[1, 3:6], 0, atol=1e-5)
    assert (seen[2, 3:6] - before[2, 3:6]).abs().max() > 0.02
    assert torch.equal(seen[:, 6:], before[:, 6:])

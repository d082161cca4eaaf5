"""Marks that are painted on lots from close by."""

import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.reader.judge.lot_crops import CHANNELS, WINDOWS
from training.judging.lot_samples import LotSamples

torch = pytest.importorskip("torch", reason="trains the judge")

from training.judging.painted_marks import paint  # noqa: E402 - they need PyTorch
from training.judging.sample_tensors import SetTensors  # noqa: E402

CROP = WINDOWS[False, True].size
ROWS, COLUMNS = np.indices(CROP)


def lots(n: int) -> NDArray[np.float32]:
    """Grey lots in the middle of their crops, a diameter wide, on a tray of the same colour."""
    seen = np.zeros((n, CHANNELS, *CROP), np.float32)
    seen[:, 6] = np.hypot(ROWS - 17.5, COLUMNS - 17.5) < 11.25
    return seen


@pytest.mark.parametrize("seed", range(12))
def test_marks_are_alike_and_on_the_lots_alone(seed: int) -> None:
    """They have one colour, are darker or brighter beside the tray as in themselves, and turned at random."""
    seen = torch.from_numpy(lots(40))
    before = seen.clone()

    paint(seen, torch.zeros(40, 3), torch.Generator().manual_seed(seed))

    changed = (seen - before)[:, :6].abs().amax(dim=1)
    assert (changed[before[:, 6] == 0] == 0).all()
    assert (changed.amax(dim=(1, 2)) > 0.02).all()
    assert torch.equal(seen[:, 6:], before[:, 6:])
    assert (seen[:, :3] * seen[:, 3:6] > -1e-9).all()
    shares = (changed > 0.01).float().mean(dim=(1, 2))
    assert shares.std() < 0.5 * shares.mean()
    assert not torch.equal(seen[0], seen[1])


def test_marks_lie_where_the_lots_do() -> None:
    """A lot beside the middle of its crop has its mark there, too."""
    middles = []
    for across in (-0.2, 0.2):
        seen = torch.from_numpy(lots(400))
        seen[:, 6] = 1
        off = torch.zeros(400, 3)
        off[:, 0] = across

        paint(seen, off, torch.Generator().manual_seed(3))

        weights = (seen[:, :3]).abs().sum(dim=(0, 1)).numpy()
        middles.append(np.average(COLUMNS, weights=weights))
    # Crops show 1.6 diameters in 36 pixels.
    assert middles[1] - middles[0] == pytest.approx(0.4 * 36 / 1.6, abs=1)


def test_a_set_is_taught_by_painted_marks() -> None:
    """Its taught lots show the same ones with and without a mark, and so do about half of the drawn ones."""
    n, random = 60, np.random.default_rng(1)
    grey = random.normal(0, 0.01, (8 + n, CHANNELS, *CROP))
    grey[:, 6] = lots(8 + n)[:, 6]
    face = np.where(np.arange(n) % 2, 1, -1)
    samples = LotSamples(
        supports=grey[:8].astype(np.float16),
        crops=grey[8:].astype(np.float16),
        present=np.ones(n, np.int8),
        readable=np.ones(n, np.int8),
        face=face.astype(np.int8),
        off=np.zeros((n, 3), np.float32),
    )
    one = SetTensors.of(samples, torch.device("cpu"))

    drawn = one.painted(random, torch.Generator().manual_seed(1))

    marked, plain = drawn.supports[:4], drawn.supports[4:]
    difference = (marked - plain).abs().amax(dim=(2, 3))
    assert (difference[:, :6].amax(dim=1) > 0.02).all()
    assert (difference[:, 6:] == 0).all()
    assert any(torch.equal(plain, taught) for taught in (one.samples.supports[:4], one.samples.supports[4:]))
    assert set(drawn.face.tolist()) == {-1.0, 1.0}
    is_changed = [not any(torch.equal(crop, own.float()) for own in one.samples.crops) for crop in drawn.crops]
    assert is_changed == (drawn.face == 1).tolist()

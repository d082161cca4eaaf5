"""The detector's training and its file."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from hardware.reader.detection.detector import Detector, network_input, network_output
from tests.training.drawn_set import drawn_set
from training.samples import CROP

torch = pytest.importorskip("torch", reason="trains the detector")

from torch.utils.data import DataLoader  # noqa: E402 - they need PyTorch

from training.detector import BATCH, Crops, load, train  # noqa: E402
from training.network import LotNet, export  # noqa: E402


@pytest.fixture
def pair() -> np.ndarray:
    random = np.random.default_rng(1)
    return random.integers(0, 256, (2, 96, 128, 3)).astype(np.float32)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # the exporter whose files OpenCV 4.6 reads is the older one
def test_opencv_answers_as_pytorch_does(tmp_path: Path, pair: np.ndarray) -> None:
    """The exported network gives the same output as the trained one, and is small."""
    network = LotNet().eval()
    digest = export(network, tmp_path / "lots.onnx")

    seen = Detector(tmp_path / "lots.onnx", digest).detect(pair[0], pair[1])

    with torch.no_grad():
        scores = network_output(network(torch.from_numpy(network_input(*pair)[None]))[0].numpy())
    shares = np.exp(scores[:3]) / np.exp(scores[:3]).sum(axis=0)
    np.testing.assert_allclose(seen.lot, shares[1], atol=1e-4)
    np.testing.assert_allclose(seen.other, shares[2], atol=1e-4)
    assert (tmp_path / "lots.onnx").stat().st_size < 3_000_000


@pytest.mark.slow
def test_a_training_that_was_stopped_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It resumes from the checkpoint alone."""
    drawn_set(tmp_path / "sets")

    train([tmp_path / "sets"], tmp_path, steps=1)
    train([tmp_path / "sets"], tmp_path, steps=2)

    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines()] == ["step 1", "step 2"]
    assert sum(weights.numel() for weights in load(tmp_path / "detector.pt").parameters()) > 100_000


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")  # Python 3.12 warns of PyTorch's threads
def test_each_process_makes_other_crops(tmp_path: Path) -> None:
    """They take turns."""
    crops = Crops([drawn_set(tmp_path)], [1])

    one, other = islice(DataLoader(crops, batch_size=None, num_workers=2), 2)

    assert one.seen.shape == other.seen.shape == (BATCH, 36, CROP // 2, CROP // 2)
    assert one.classes.shape == one.directed.shape == (BATCH, CROP, CROP)
    assert not torch.equal(one.seen, other.seen)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_training_may_begin_with_a_shipped_detector(tmp_path: Path, pair: np.ndarray) -> None:
    """Before the first step it says what that one says."""
    drawn_set(tmp_path / "sets")
    shipped = LotNet()
    with torch.no_grad():
        shipped.train()(torch.randn(2, 36, 32, 40))  # so that its BatchNorms change something
    export(shipped, tmp_path / "lots.onnx")

    begun = train([tmp_path / "sets"], tmp_path, 0, shipped=tmp_path / "lots.onnx").eval()

    inputs = torch.from_numpy(network_input(*pair)[None])
    with torch.no_grad():
        np.testing.assert_allclose(begun(inputs), shipped.eval()(inputs), atol=1e-3)

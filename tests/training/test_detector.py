"""The detector's training and its file."""

from pathlib import Path

import numpy as np
import pytest

from hardware.reader.general.detector import Detector, network_input, network_output
from tests.training.drawn_set import drawn_set

torch = pytest.importorskip("torch", reason="trains the detector")

from training.detector import load, train  # noqa: E402 - they need PyTorch
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


def test_a_training_that_was_stopped_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It resumes from the checkpoint alone."""
    drawn_set(tmp_path / "sets")

    train([tmp_path / "sets"], tmp_path, steps=1)
    train([tmp_path / "sets"], tmp_path, steps=2)

    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines()] == ["step 1", "step 2"]
    assert sum(weights.numel() for weights in load(tmp_path / "detector.pt").parameters()) > 100_000

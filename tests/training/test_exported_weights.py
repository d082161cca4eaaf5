"""Reading the weights of an exported network."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from hardware.reader.detection.detector import open_network
from hardware.reader.judge.lot_crops import CHANNELS, WINDOWS

torch = pytest.importorskip("torch", reason="reads weights into its networks")

from training import network as detector  # noqa: E402 - they need PyTorch
from training.exported_weights import load_exported, normalising  # noqa: E402
from training.judging import judge_network as judge  # noqa: E402

Network = detector.LotNet | judge.JudgeNet


def stick_judge() -> judge.JudgeNet:
    return judge.JudgeNet(is_long=True)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # the exporter whose files OpenCV 4.6 reads is the older one
@pytest.mark.parametrize(
    ("made", "export", "shape"),
    [
        (detector.LotNet, detector.export, (detector.INPUTS, 32, 40)),
        (stick_judge, judge.export, (CHANNELS, *WINDOWS[True, False].size)),
    ],
)
def test_a_network_says_what_its_exported_file_says(
    tmp_path: Path, made: Callable[[], Network], export: Callable[[Network, Path], str], shape: tuple[int, ...]
) -> None:
    """Also once it normalises, and then in training as in use."""
    path, inputs = tmp_path / "network.onnx", torch.randn(3, *shape, generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        exported, network = made(), made()
        exported.train()(2 * inputs + 1)  # so that its BatchNorms change something
        file = open_network(path, export(exported, path))
        file.setInput(inputs[:1].numpy())
        said = file.forward()

        load_exported(network, path)
        loaded = network(inputs[:1])
        with normalising(network):
            network(inputs)
        normalised = network(inputs)
        trained = network.train()(inputs)

    assert np.ptp(said) > 0.1
    np.testing.assert_allclose(loaded, said, atol=1e-4)
    np.testing.assert_allclose(normalised[:1], said, atol=1e-4)
    np.testing.assert_allclose(trained, normalised, atol=1e-4)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_weights_of_another_size_are_refused(tmp_path: Path) -> None:
    """The judges of sticks and of small lots see crops of different sizes."""
    judge.export(stick_judge(), tmp_path / "network.onnx")

    with pytest.raises(RuntimeError, match=r"place\.weight"):
        load_exported(judge.JudgeNet(is_long=False), tmp_path / "network.onnx")

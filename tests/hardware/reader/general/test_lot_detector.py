"""Input and output of the detector's network."""

from pathlib import Path

import numpy as np
import pytest

from hardware.reader.general.detector import OUTPUTS, Detector, network_input, network_output


def test_each_square_of_four_pixels_becomes_channels() -> None:
    """Each pixel has nine: the picture, the empty tray, and the logarithm of their ratio."""
    random = np.random.default_rng(1)
    pixels, bare = random.uniform(0, 255, (2, 4, 6, 3)).astype(np.float32)

    seen = network_input(pixels, bare)

    assert seen.shape == (36, 2, 3)
    np.testing.assert_allclose(seen[:3, 1, 2], pixels[2, 4] / 255 - 0.5, atol=1e-6)
    np.testing.assert_allclose(seen[9 + 3 : 9 + 6, 1, 2], bare[2, 5] / 255 - 0.5, atol=1e-6)
    np.testing.assert_allclose(seen[27 + 6 :, 0, 0], np.log((pixels[1, 1] + 8) / (bare[1, 1] + 8)), atol=1e-5)


def test_the_networks_channels_become_pixels_again() -> None:
    """Unfolding inverts folding."""
    scores = np.arange(4 * OUTPUTS * 2 * 3, dtype=np.float32).reshape(4 * OUTPUTS, 2, 3)

    full = network_output(scores)

    assert full.shape == (OUTPUTS, 4, 6)
    assert full[2, 3, 4] == scores[2 * OUTPUTS + 2, 1, 2]


def test_another_model_is_refused(tmp_path: Path) -> None:
    """A model file that was replaced or truncated would misread."""
    (tmp_path / "lots.onnx").write_bytes(b"another")

    with pytest.raises(ValueError, match="not the model"):
        Detector(tmp_path / "lots.onnx", "0" * 64)

"""Input and output of the detector's network."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.cameras.camera import Pixels
from hardware.reader.arrays import Floats, Mask
from hardware.reader.detection.detector import OUTPUTS, STEP, Detector, near_change, network_input, network_output
from hardware.reader.judge.shipped_judge import shipped_detector
from tests.hardware.reader.drawing import COLUMNS, ROWS, Stick, four, tray


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


def near(pixels: Pixels | Floats) -> Mask:
    """Where the tray has changed, or near it."""
    return near_change(np.asarray(pixels, np.float32), tray(noise=1).astype(np.float32))


def changed(pixels: Pixels | Floats) -> tuple[int, int, int, int]:
    """The first row and column of the part that has changed, and those after the last."""
    left, top, width, height = cv2.boundingRect(near(pixels))
    return top, left, top + height, left + width


def test_the_part_that_has_changed_has_room_around_it() -> None:
    """The network needs surroundings."""
    top, left, below, right = changed(tray([Stick(300, 200, 0)], noise=2))

    assert 110 <= top <= 160
    assert 160 <= left <= 200
    assert 230 <= below <= 280
    assert 400 <= right <= 450


def test_in_an_empty_tray_nothing_has_changed() -> None:
    """Noise is nothing new."""
    assert not near(tray(noise=2)).any()


def test_between_two_sticks_that_lie_far_apart_nothing_has_changed() -> None:
    """Noise and light may look like lots there."""
    mask = near(tray([Stick(100, 60, 0), Stick(540, 420, 0)], noise=2))

    assert all([mask[60, 100], mask[420, 540]])
    assert not any([mask[60, 540], mask[240, 320], mask[420, 100]])


@pytest.mark.parametrize(("x", "y"), [(100, 60), (540, 420), (100, 420), (540, 60)])
def test_what_reaches_the_border_is_seen_to_its_end(x: int, y: int) -> None:
    """The part ends with the picture."""
    top, left, below, right = changed(tray([Stick(x, y, 30)], noise=2))

    assert (top == 0) == (y == 60)
    assert (left == 0) == (x == 100)
    assert (below == ROWS) == (y == 420)
    assert (right == COLUMNS) == (x == 540)


def test_a_faint_stick_is_found_beside_a_deep_shadow() -> None:
    """However much else has changed, the least that plainly is new is not overlooked."""
    empty = tray(noise=1).astype(np.float32)
    seen = empty + np.clip(tray([Stick(480, 330, 0)], noise=2) - empty, -20, 20)
    seen[:, :400] *= 0.3

    assert changed(seen)[3] >= 480 + 75


def test_the_changed_part_shows_what_the_whole_picture_does() -> None:
    """Of the sticks nothing is missing, and there is nothing else."""
    pixels, bare = tray(four(2), noise=2), tray(noise=1).astype(np.float32)

    whole, part = (shipped_detector().detect(pixels, bare, 0.6, both) for both in (True, False))

    assert (whole.lot > 0.5).sum() > 4 * 1500
    np.testing.assert_allclose(part.lot, whole.lot, atol=0.1)
    np.testing.assert_allclose(part.other, whole.other, atol=0.1)
    np.testing.assert_allclose(part.inside[whole.lot > 0.5], whole.inside[whole.lot > 0.5], atol=0.1)


def test_the_part_begins_where_the_network_joins_pixels_in_the_whole_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here the channels of a pixel are its row and its column."""
    shown = []

    def scores(_self: Detector, seen: Floats, _empty: Floats) -> Floats:
        shown.append(seen)
        return np.zeros((OUTPUTS, *seen.shape[:2]), np.float32)

    monkeypatch.setattr(Detector, "_scores", scores)
    bare = np.stack([*np.indices((ROWS, COLUMNS)), np.zeros((ROWS, COLUMNS))], axis=2).astype(np.float32)
    pixels = bare.copy()
    pixels[250:290, 333:390, 2] = 200

    shipped_detector().detect(pixels, bare, whole=False)

    row, column, _ = shown[0][0, 0]
    assert 180 <= row <= 210
    assert 270 <= column <= 293
    assert row % STEP == column % STEP == 0


@pytest.mark.parametrize("whole", [True, False])
def test_where_nothing_has_changed_the_tray_is_certain(whole: bool) -> None:
    """Whatever the network says, if it is asked at all."""
    found = shipped_detector().detect(tray(noise=2), tray(noise=1).astype(np.float32), whole=whole)

    assert max(found.lot.max(), found.other.max()) < 0.001

"""The folder camera: the order of its pictures, their movement, and files that are not pictures."""

from __future__ import annotations

import logging
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import CameraLost, Unknown
from hardware.cameras.camera import Pixels
from hardware.cameras.folder_camera import MOVING_S, FolderCamera
from tests.hardware.cameras.fake_clock import FakeClock


def picture(shade: int) -> Pixels:
    """Draw a stick on a tray of the given brightness."""
    pixels = np.full((480, 720, 3), shade, np.uint8)
    cv2.rectangle(pixels, (100, 200), (500, 240), (20, 20, 20), -1)
    return pixels


def write(folder: Path, *names: str) -> None:
    """Write pictures whose brightness tells their place in the list: 100, 110, ..."""
    for place, name in enumerate(names):
        assert cv2.imwrite(str(folder / name), picture(100 + 10 * place))


def folder_camera(folder: Path) -> FolderCamera:
    clock = FakeClock()
    return FolderCamera(folder, clock=clock, sleep=clock.sleep)


def brightness_after_throw(camera: FolderCamera) -> int:
    """Throw, wait until it has come to rest, and return the picture's brightness."""
    camera.throw()
    for _ in range(round(MOVING_S * 15) + 2):
        camera.next_frame()
    return int(camera.still().pixels[0, 0, 0])


def moving_share(one: Pixels, other: Pixels) -> float:
    """Return the share of pixels that differ clearly."""
    apart = np.abs(one.astype(int) - other.astype(int)).max(axis=2)
    return float((apart > 12).mean())


def test_natural_order_in_a_loop(tmp_path: Path) -> None:
    """Throw 2 comes before throw 10, and the first follows the last."""
    write(tmp_path, "t1.png", "t2.png", "t10.png", "u1.png")
    (tmp_path / "set.json").write_text("{}")
    (tmp_path / "more.png").mkdir()
    camera = folder_camera(tmp_path)

    assert [brightness_after_throw(camera) for _ in range(6)] == [100, 110, 120, 130, 100, 110]


def test_throw_moves_then_rests(tmp_path: Path) -> None:
    """After a throw all frames differ clearly for a while; then they show exactly the picture."""
    write(tmp_path, "t1.png", "t2.png")
    camera = folder_camera(tmp_path)
    waiting = [camera.next_frame().pixels for _ in range(3)]
    camera.throw()
    frames = [camera.next_frame().pixels for _ in range(round(MOVING_S * 15) + 4)]
    still = camera.still().pixels

    np.testing.assert_array_equal(waiting[0], waiting[2])
    shares = [moving_share(one, other) for one, other in pairwise(frames)]
    assert min(shares[:10]) > 0.02
    assert shares[-2:] == [0, 0]
    np.testing.assert_array_equal(still, picture(100))
    np.testing.assert_array_equal(frames[-1], cv2.resize(still, (640, 427), interpolation=cv2.INTER_AREA))


def test_nothing_to_read_before_the_first_throw(tmp_path: Path) -> None:
    """Before the first throw, stills are blurred as well."""
    write(tmp_path, "t1.png")
    still = folder_camera(tmp_path).still().pixels

    assert still.shape == (480, 720, 3)
    assert cv2.Laplacian(still, cv2.CV_64F).max() < 20


def test_broken_picture_is_skipped(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A warning names the file, and the next picture takes its place."""
    write(tmp_path, "t1.png", "t3.png")
    (tmp_path / "t2.jpg").write_bytes(b"not a picture")
    camera = folder_camera(tmp_path)
    with caplog.at_level(logging.WARNING):
        shades = [brightness_after_throw(camera) for _ in range(3)]

    assert shades == [100, 110, 100]
    assert "t2.jpg" in caplog.text


def test_folder_without_a_loadable_picture_is_lost(tmp_path: Path) -> None:
    """At the start and later alike."""
    write(tmp_path, "t1.png")
    camera = folder_camera(tmp_path)
    (tmp_path / "t1.png").write_bytes(b"")

    with pytest.raises(CameraLost, match="None of the 1 pictures"):
        camera.throw()
    with pytest.raises(CameraLost, match="None of the 1 pictures"):
        folder_camera(tmp_path)


def test_folder_without_pictures_is_refused(tmp_path: Path) -> None:
    """A folder that is empty, missing or a file is a wrong request."""
    (tmp_path / "notes.txt").write_text("")

    with pytest.raises(Unknown, match="has no pictures"):
        folder_camera(tmp_path)
    for wrong in (tmp_path / "missing", tmp_path / "notes.txt"):
        with pytest.raises(Unknown, match="no folder of pictures"):
            folder_camera(wrong)

"""The words that name a camera, right and wrong."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import CameraLost, Unknown
from hardware.camera import Thrower
from hardware.camera_folder import FolderCamera
from hardware.camera_stream import StreamCamera
from hardware.cameras import open_camera
from hardware.simulated import SimulatedCamera
from tests.hardware.stream_server import serving


def test_none_is_no_camera() -> None:
    """Throws entered by hand need none."""
    assert open_camera("none") is None


def test_simulated_with_seed() -> None:
    """The same seed throws the same, and the camera brings its own throws."""
    throws = []
    for _ in range(2):
        camera = open_camera("simulated", seed=5)
        assert isinstance(camera, SimulatedCamera)
        assert isinstance(camera, Thrower)
        camera.throw()
        throws.append(camera.truth)

    assert throws[0] == throws[1]


def test_folder(tmp_path: Path) -> None:
    """A folder of pictures brings its own throws."""
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((480, 640, 3), np.uint8))
    camera = open_camera(f"folder:{tmp_path}")

    assert isinstance(camera, FolderCamera)
    assert isinstance(camera, Thrower)


def test_stream() -> None:
    """An address opens a stream, which does not bring its own throws."""
    with serving() as server:
        camera = open_camera(server.url)
        assert isinstance(camera, StreamCamera)
        camera.close()

    assert not isinstance(camera, Thrower)


@pytest.mark.skipif(importlib.util.find_spec("picamera2") is not None, reason="picamera2 is installed")
def test_pi_without_its_library() -> None:
    """Off a Pi the ribbon camera is named rightly, but lost, with the way to install what it needs."""
    with pytest.raises(CameraLost, match="apt install -y python3-picamera2"):
        open_camera("pi")


@pytest.mark.parametrize(
    "spec",
    ["", "webcam", "usb:", "usb:one", "usb:-1", "usb", "folder:", "folder", "pi:0", "ftp://x/y", "http:"],
)
def test_wrong_words(spec: str) -> None:
    """A wrong word is answered with all that is accepted."""
    with pytest.raises(Unknown, match=r"names no camera; accepted are simulated, pi, usb:N, .*folder:DIR, or none"):
        open_camera(spec)

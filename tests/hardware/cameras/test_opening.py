"""Opening the camera that a command-line option names."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.camera_spec import CameraSpec
from companion.errors import CameraLost, Unknown
from hardware.cameras.camera import SupportsThrow
from hardware.cameras.folder_camera import FolderCamera
from hardware.cameras.opening import open_camera
from hardware.cameras.simulated_camera import SimulatedCamera
from hardware.cameras.stream_camera import StreamCamera
from tests.hardware.cameras.stream_server import serving


def test_none_is_no_camera() -> None:
    """``none`` opens nothing."""
    assert open_camera(CameraSpec("none")) is None


def test_simulated_with_seed() -> None:
    """The camera makes its own throws, and equal seeds give equal throws."""
    throws = []
    for _ in range(2):
        camera = open_camera(CameraSpec("simulated"), seed=5)
        assert isinstance(camera, SimulatedCamera)
        assert isinstance(camera, SupportsThrow)
        camera.throw()
        throws.append(camera.truth)

    assert throws[0] == throws[1]


def test_folder(tmp_path: Path) -> None:
    """A folder camera makes its own throws."""
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((480, 640, 3), np.uint8))
    camera = open_camera(CameraSpec("folder", str(tmp_path)))

    assert isinstance(camera, FolderCamera)
    assert isinstance(camera, SupportsThrow)


def test_stream() -> None:
    """An address opens a stream, which makes no throws of its own."""
    with serving() as server:
        camera = open_camera(CameraSpec.parse(server.url))
        assert isinstance(camera, StreamCamera)
        camera.close()

    assert not isinstance(camera, SupportsThrow)


@pytest.mark.skipif(importlib.util.find_spec("picamera2") is not None, reason="picamera2 is installed")
def test_pi_without_its_library() -> None:
    """On other computers the camera is lost, and the message says how to install picamera2."""
    with pytest.raises(CameraLost, match="apt install -y python3-picamera2"):
        open_camera(CameraSpec("pi"))


@pytest.mark.parametrize(
    "spec",
    ["", "webcam", "phon", "usb:", "usb:one", "usb:-1", "usb", "folder:", "folder", "pi:0", "ftp://x/y", "http:"],
)
def test_unknown_camera_is_refused(spec: str) -> None:
    """The message lists what is accepted."""
    with pytest.raises(
        Unknown, match=r"is not a camera\. Use simulated, simulated:board, pi, .*folder:DIR, or none"
    ) as refused:
        open_camera(CameraSpec.parse(spec))

    assert "phone (puluc play only)" in str(refused.value)


def test_a_phone_needs_the_page_of_the_table() -> None:
    """Elsewhere it is refused with the reason."""
    with pytest.raises(Unknown, match="Only puluc play can use a phone"):
        open_camera(CameraSpec("phone"))

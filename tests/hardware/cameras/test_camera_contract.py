"""What every camera promises, tried on each that needs no hardware."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import CameraLost
from hardware.camera import Camera, Frame
from hardware.camera_folder import FolderCamera
from hardware.camera_pi import PiCamera
from hardware.camera_stream import StreamCamera
from hardware.simulated import SimulatedCamera
from tests.hardware.fake_picamera2 import Rig
from tests.hardware.stream_server import serving
from tests.hardware.waiting import Waiting

Clock = Callable[[], float]


@pytest.fixture(
    name="camera_and_clock",
    params=[
        "folder",
        "folder thrown",
        "simulated",
        "simulated thrown",
        "stream",
        "pi on a stand-in",
        pytest.param("pi", marks=pytest.mark.pi),
    ],
)
def fixture_camera_and_clock(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Camera, Clock]]:
    """Each camera in turn, with the clock it goes by."""
    waiting, rig = Waiting(), Rig()
    with ExitStack() as stack:
        camera: Camera
        clock: Clock = waiting
        match request.param:
            case "folder" | "folder thrown":
                cv2.imwrite(str(tmp_path / "t1.png"), np.full((960, 1280, 3), 90, np.uint8))
                camera = folder = FolderCamera(tmp_path, clock=waiting, sleep=waiting.sleep)
                if request.param.endswith("thrown"):
                    folder.throw()
            case "stream":
                camera, clock = StreamCamera(stack.enter_context(serving()).url), time.monotonic
            case "pi":
                camera, clock = PiCamera(), time.monotonic
            case "pi on a stand-in":
                camera, clock = PiCamera(library=rig.library, clock=lambda: rig.now), lambda: rig.now
            case _:
                camera = simulated = SimulatedCamera(1, clock=waiting, sleep=waiting.sleep)
                if request.param.endswith("thrown"):
                    simulated.throw()
        stack.callback(camera.close)
        yield camera, clock


def check(frame: Frame) -> tuple[int, ...]:
    """What every frame is; answers its shape."""
    assert frame.pixels.dtype == np.uint8
    assert frame.pixels.ndim == 3
    assert frame.pixels.shape[2] == 3
    assert frame.pixels.flags.c_contiguous
    assert not frame.pixels.flags.writeable
    return frame.pixels.shape


def test_frames_are_pictures_in_order(camera_and_clock: tuple[Camera, Clock]) -> None:
    """Small frames are about 640 x 480, stills larger, none may be written to, and each is newer than the last."""
    camera, _ = camera_and_clock
    frames = [camera.watch(), camera.watch(), camera.still(), camera.watch(), camera.still(), camera.still()]

    shapes = [check(frame) for frame in frames]
    assert {shapes[0], shapes[1], shapes[3]} == {(480, 640, 3)}
    assert len({shapes[2], shapes[4], shapes[5]}) == 1
    assert shapes[2][0] > 480
    times = [frame.taken_at for frame in frames]
    assert all(earlier < later for earlier, later in pairwise(times))


def test_still_is_newer_than_the_call(camera_and_clock: tuple[Camera, Clock]) -> None:
    """A still was exposed after it was asked for, by the camera's own clock."""
    camera, clock = camera_and_clock
    for _ in range(3):
        camera.watch()
        asked_at = clock()

        assert asked_at <= camera.still().taken_at <= clock()


def test_closed_twice_and_then_lost(camera_and_clock: tuple[Camera, Clock]) -> None:
    """Closing twice is fine; a closed camera gives no frames."""
    camera, _ = camera_and_clock
    camera.watch()
    camera.close()
    camera.close()

    for look in (camera.watch, camera.still):
        with pytest.raises(CameraLost, match="closed"):
            look()


def test_closed_before_the_first_frame(camera_and_clock: tuple[Camera, Clock]) -> None:
    """A camera that was never looked at can be closed as well."""
    camera, _ = camera_and_clock
    camera.close()

    with pytest.raises(CameraLost):
        camera.watch()

"""The contract of every camera, tested on those that need no hardware and, with ``-m pi``, on the Pi's."""

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
from companion.phone_camera.mailbox import PhoneMailbox
from hardware.cameras.camera import Camera, Frame
from hardware.cameras.folder_camera import FolderCamera
from hardware.cameras.phone_camera import PhoneCamera
from hardware.cameras.pi_camera import PiCamera
from hardware.cameras.simulated_camera import SimulatedCamera
from hardware.cameras.stream_camera import StreamCamera
from tests.hardware.cameras.fake_clock import FakeClock
from tests.hardware.cameras.fake_picamera2 import Rig
from tests.hardware.cameras.stream_server import serving
from tests.hardware.cameras.test_phone_camera import grey
from tests.phone_camera.answering_phone import answering

Clock = Callable[[], float]


@pytest.fixture(
    name="camera_and_clock",
    params=[
        "folder",
        "folder thrown",
        "simulated",
        "simulated thrown",
        "stream",
        "phone",
        "pi on a stand-in",
        pytest.param("pi", marks=pytest.mark.pi),
    ],
)
def fixture_camera_and_clock(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Camera, Clock]]:
    """Each camera in turn, with its clock."""
    fake_clock, rig = FakeClock(), Rig()
    with ExitStack() as stack:
        camera: Camera
        clock: Clock = fake_clock
        match request.param:
            case "folder" | "folder thrown":
                cv2.imwrite(str(tmp_path / "t1.png"), np.full((960, 1280, 3), 90, np.uint8))
                camera = folder = FolderCamera(tmp_path, clock=fake_clock, sleep=fake_clock.sleep)
                if request.param.endswith("thrown"):
                    folder.throw()
            case "stream":
                camera, clock = StreamCamera(stack.enter_context(serving()).url), time.monotonic
            case "phone":
                mailbox, clock = PhoneMailbox(clock=time.monotonic), time.monotonic
                stack.enter_context(answering(mailbox, grey))
                camera = PhoneCamera(mailbox)
            case "pi":
                camera, clock = PiCamera(), time.monotonic
            case "pi on a stand-in":
                camera, clock = PiCamera(library=rig.library, clock=lambda: rig.now), lambda: rig.now
            case _:
                camera = simulated = SimulatedCamera(1, width=800, height=600, clock=fake_clock, sleep=fake_clock.sleep)
                if request.param.endswith("thrown"):
                    simulated.throw()
        stack.callback(camera.close)
        yield camera, clock


def check(frame: Frame) -> tuple[int, ...]:
    """Assert what holds for every frame, and return its shape."""
    assert frame.pixels.dtype == np.uint8
    assert frame.pixels.ndim == 3
    assert frame.pixels.shape[2] == 3
    assert frame.pixels.flags.c_contiguous
    assert not frame.pixels.flags.writeable
    return frame.pixels.shape


def test_frames_are_pictures_in_order(camera_and_clock: tuple[Camera, Clock]) -> None:
    """Small frames are 640 x 480, stills are larger, all are read-only, and each is newer than the one before."""
    camera, _ = camera_and_clock
    small, still = camera.next_frame, camera.still
    frames = [take() for take in (small, small, still, small, still, still)]

    shapes = [check(frame) for frame in frames]
    assert {shapes[0], shapes[1], shapes[3]} == {(480, 640, 3)}
    assert len({shapes[2], shapes[4], shapes[5]}) == 1
    assert shapes[2][0] > 480
    times = [frame.taken_at for frame in frames]
    assert all(earlier < later for earlier, later in pairwise(times))


def test_still_is_newer_than_the_call(camera_and_clock: tuple[Camera, Clock]) -> None:
    """The exposure of a still begins after the call."""
    camera, clock = camera_and_clock
    for _ in range(3):
        camera.next_frame()
        asked_at = clock()

        assert asked_at <= camera.still().taken_at <= clock()


def test_closed_camera_is_lost(camera_and_clock: tuple[Camera, Clock]) -> None:
    """Closing twice is fine; afterwards there are no frames."""
    camera, _ = camera_and_clock
    camera.next_frame()
    camera.close()
    camera.close()

    for take in (camera.next_frame, camera.still):
        with pytest.raises(CameraLost, match="closed"):
            take()


def test_closed_before_the_first_frame(camera_and_clock: tuple[Camera, Clock]) -> None:
    """A camera that has taken no frame can be closed as well."""
    camera, _ = camera_and_clock
    camera.close()

    with pytest.raises(CameraLost):
        camera.next_frame()

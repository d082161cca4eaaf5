"""``python -m tests.hardware.real_picamera2 WHAT``: camera_pi on the real picamera2, with only libcamera stubbed.

Each of these is run in a process of its own, because the stub takes libcamera's place for good.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable

import numpy as np

from companion.errors import CameraLost
from hardware.camera_pi import PiCamera
from hardware.locked_controls import LockedControls
from tests.hardware import stub_libcamera
from tests.hardware.stub_libcamera import MANAGER

HELD = LockedControls(exposure_us=7_000, analogue_gain=1.5, colour_gains=(1.7, 1.3), lens_position=2.5)


def pictures() -> None:
    """Both streams come blue first, without padding, and a still was exposed after it was asked for."""
    camera = PiCamera()
    watched, still = camera.watch(), camera.still()
    camera.close()
    for frame, shape in ((watched, (480, 640, 3)), (still, (960, 1280, 3))):
        assert frame.pixels.shape == shape
        left, right = frame.pixels[shape[0] // 2, 8], frame.pixels[shape[0] // 2, shape[1] - 8]
        assert left[0] > left[2] + 50, left
        assert right[2] > right[0] + 50, right
    np.testing.assert_array_equal(still.pixels[0, 0], (200, 40, 20))
    assert watched.taken_at < still.taken_at


def held_from_the_start() -> None:
    """What was locked before reaches libcamera with the start, modes and all."""
    camera = PiCamera(HELD)
    told = MANAGER.cameras[0].effective
    assert (told["ExposureTimeMode"], told["ExposureTime"]) == (1, 7_000), told
    assert (told["AnalogueGainMode"], told["AnalogueGain"]) == (1, 1.5)
    assert (told["AwbEnable"], told["ColourGains"]) == (False, (1.7, 1.3))
    assert (told["AfMode"], told["LensPosition"]) == (0, 2.5)
    assert told["FrameDurationLimits"] == (33_333, 83_333)
    camera.close()


def locking() -> None:
    """It lets the camera find its place, focuses, and holds all four; and again, from what was held."""
    camera = PiCamera()
    held = camera.lock()
    assert held == LockedControls(exposure_us=9_000, analogue_gain=2.0, colour_gains=(1.9, 1.4), lens_position=2.9), (
        held
    )
    told = MANAGER.cameras[0].effective
    assert (told["ExposureTimeMode"], told["ExposureTime"]) == (1, 9_000), told
    assert told["AfMode"] == 0
    assert camera.lock() == held
    camera.close()


def unplugged() -> None:
    """A ribbon that comes loose is told within seconds, all is let go of, and plugged in again it goes on."""
    camera = PiCamera()
    camera.watch()
    MANAGER.cameras[0].stalled = True
    assert "no picture" in refusal(camera.watch)
    assert "closed" in refusal(camera.still)
    assert not MANAGER.cameras[0].running
    MANAGER.cameras[0].stalled = False
    for _ in range(3):
        camera = PiCamera(HELD)
        assert camera.still().pixels.shape == (960, 1280, 3)
        camera.close()
    assert not [one for one in threading.enumerate() if one.name == "camera closing"]


def busy() -> None:
    """Another program has it; then not any more."""
    MANAGER.cameras[0].taken = True
    assert "Another program" in refusal(PiCamera)
    MANAGER.cameras[0].taken = False
    PiCamera().close()


def refusal(look: Callable[[], object]) -> str:
    """Why the camera is lost when that is asked of it."""
    try:
        look()
    except CameraLost as lost:
        return str(lost)
    raise AssertionError("it was not lost")


def long_run() -> None:
    """Two hundred frames of both kinds: no request is kept, so the camera never runs out of buffers."""
    camera = PiCamera()
    stamps = [(camera.still() if number % 10 == 0 else camera.watch()).taken_at for number in range(200)]
    camera.close()
    assert stamps == sorted(stamps)
    assert len(set(stamps)) == 200


WAYS: dict[str, Callable[[], None]] = {
    one.__name__: one for one in (pictures, held_from_the_start, locking, unplugged, busy, long_run)
}

if __name__ == "__main__":
    stub_libcamera.install()
    WAYS[sys.argv[1]]()

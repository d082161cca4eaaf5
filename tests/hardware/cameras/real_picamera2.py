"""Run PiCamera on the real picamera2 with a stub of libcamera.

Usage: ``python -m tests.hardware.cameras.real_picamera2 SCENARIO``. Each scenario needs its own process, because the
stub replaces libcamera for good.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable

import numpy as np

from companion.errors import CameraLost
from hardware.cameras.locked_controls import LockedControls
from hardware.cameras.pi_camera import PiCamera
from tests.hardware.cameras import stub_libcamera
from tests.hardware.cameras.stub_libcamera import MANAGER

HELD = LockedControls(exposure_us=7_000, analogue_gain=1.5, colour_gains=(1.7, 1.3), lens_position=2.5)


def pictures() -> None:
    """Both streams are in blue-green-red order, without padding; a still is exposed after the call."""
    camera = PiCamera()
    small, still = camera.next_frame(), camera.still()
    camera.close()
    for frame, shape in ((small, (480, 640, 3)), (still, (960, 1280, 3))):
        assert frame.pixels.shape == shape
        left, right = frame.pixels[shape[0] // 2, 8], frame.pixels[shape[0] // 2, shape[1] - 8]
        assert left[0] > left[2] + 50, left
        assert right[2] > right[0] + 50, right
    np.testing.assert_array_equal(still.pixels[0, 0], (200, 40, 20))
    assert small.taken_at < still.taken_at


def locked_from_the_start() -> None:
    """Locked controls and their modes reach libcamera when the camera starts."""
    camera = PiCamera(HELD)
    controls = MANAGER.cameras[0].effective
    assert (controls["ExposureTimeMode"], controls["ExposureTime"]) == (1, 7_000), controls
    assert (controls["AnalogueGainMode"], controls["AnalogueGain"]) == (1, 1.5)
    assert (controls["AwbEnable"], controls["ColourGains"]) == (False, (1.7, 1.3))
    assert (controls["AfMode"], controls["LensPosition"]) == (0, 2.5)
    assert controls["FrameDurationLimits"] == (33_333, 83_333)
    camera.close()


def locking() -> None:
    """``lock`` lets the camera adjust, focuses, and holds all four controls; so does a second call."""
    camera = PiCamera()
    held = camera.lock()
    assert held == LockedControls(exposure_us=9_000, analogue_gain=2.0, colour_gains=(1.9, 1.4), lens_position=2.9), (
        held
    )
    controls = MANAGER.cameras[0].effective
    assert (controls["ExposureTimeMode"], controls["ExposureTime"]) == (1, 9_000), controls
    assert controls["AfMode"] == 0
    assert camera.lock() == held
    camera.close()


def unplugged() -> None:
    """A loose ribbon cable raises within seconds and releases everything; then the camera can be opened again."""
    camera = PiCamera()
    camera.next_frame()
    MANAGER.cameras[0].stalled = True
    assert "no picture" in refusal(camera.next_frame)
    assert "closed" in refusal(camera.still)
    assert not MANAGER.cameras[0].running
    MANAGER.cameras[0].stalled = False
    for _ in range(3):
        camera = PiCamera(HELD)
        assert camera.still().pixels.shape == (960, 1280, 3)
        camera.close()
    assert not [one for one in threading.enumerate() if one.name == "camera closing"]


def busy() -> None:
    """Another program uses the camera, then closes it."""
    MANAGER.cameras[0].taken = True
    assert "Another program" in refusal(PiCamera)
    MANAGER.cameras[0].taken = False
    PiCamera().close()


def refusal(take: Callable[[], object]) -> str:
    """Return the message of the CameraLost that the call raises."""
    try:
        take()
    except CameraLost as lost:
        return str(lost)
    raise AssertionError("CameraLost was not raised")


def long_run() -> None:
    """Two hundred frames: every request is released, so the camera never runs out of buffers."""
    camera = PiCamera()
    stamps = [(camera.still() if number % 10 == 0 else camera.next_frame()).taken_at for number in range(200)]
    camera.close()
    assert stamps == sorted(stamps)
    assert len(set(stamps)) == 200


SCENARIOS: dict[str, Callable[[], None]] = {
    one.__name__: one for one in (pictures, locked_from_the_start, locking, unplugged, busy, long_run)
}

if __name__ == "__main__":
    stub_libcamera.install()
    SCENARIOS[sys.argv[1]]()

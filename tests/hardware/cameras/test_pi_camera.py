"""The Pi's camera, on a fake with the signatures of the real picamera2."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import json
import logging
from pathlib import Path
from threading import Event
from threading import enumerate as enumerate_threads

import numpy as np
import pytest

from companion.errors import CameraLost, ProfileUnusable
from hardware.cameras.locked_controls import LockedControls
from hardware.cameras.pi_camera import PiCamera
from tests.hardware.cameras.fake_picamera2 import SIGNATURES, AfModeEnum, FakePicamera2, FakeRequest, Rig

HELD = LockedControls(exposure_us=9_000, analogue_gain=2.5, colour_gains=(1.9, 1.4), lens_position=2.9)


def pi(rig: Rig, controls: LockedControls | None = None) -> PiCamera:
    return PiCamera(controls, library=rig.library, clock=lambda: rig.now)


def test_colours_arrive_blue_first() -> None:
    """Both streams are in blue-green-red order, without the rows' padding."""
    camera = pi(Rig())
    still, small = camera.still(), camera.next_frame()
    camera.close()

    np.testing.assert_array_equal(still.pixels[0, 0], (200, 120, 40))
    assert small.pixels.shape == (480, 640, 3)
    blue, green, red = small.pixels[240, 630].tolist()
    assert blue > green > red
    assert small.pixels.std(axis=(0, 1)).max() == 0


def test_saved_controls_hold_from_the_first_frame() -> None:
    """Controls locked during the calibration are set before the camera starts."""
    rig = Rig()
    pi(rig, HELD).close()

    assert rig.calls[:3] == ["open", "configure", "start"]
    assert rig.settings == {
        "FrameDurationLimits": (33_333, 83_333),
        "AeEnable": False,
        "ExposureTime": 9_000,
        "AnalogueGain": 2.5,
        "AwbEnable": False,
        "ColourGains": (1.9, 1.4),
        "AfMode": AfModeEnum.Manual,
        "LensPosition": 2.9,
    }


def test_lock_waits_for_the_light_and_holds_it() -> None:
    """Locking lets the camera adjust, focuses once, and returns when frames have the locked values."""
    rig = Rig()
    camera = pi(rig)
    held = camera.lock()
    camera.close()

    assert held == LockedControls(exposure_us=9_013, analogue_gain=2.0, colour_gains=(1.9, 1.4), lens_position=2.9)
    assert rig.calls.count("autofocus_cycle") == 1
    assert rig.settings["AeEnable"] is False
    assert rig.settings["AfMode"] is AfModeEnum.Manual
    assert rig.effective["ExposureTime"] == 9_013


def test_lock_again_adjusts_again() -> None:
    """A second lock releases the controls first, so that the camera follows the present light."""
    rig = Rig()
    camera = pi(rig, LockedControls(exposure_us=500, analogue_gain=1.0))
    held = camera.lock()
    camera.close()

    assert held.exposure_us == 9_013


def test_unknown_controls_are_left_alone(caplog: pytest.LogCaptureFixture) -> None:
    """A camera without focus and white balance is locked as far as possible; a warning names what is missing."""
    rig = Rig(advertised=("AeEnable", "ExposureTime", "AnalogueGain"))
    with caplog.at_level(logging.WARNING):
        camera = pi(rig, HELD)
        held = camera.lock()
        camera.close()

    assert held == LockedControls(exposure_us=9_013, analogue_gain=2.0)
    assert "autofocus_cycle" not in rig.calls
    assert "AfMode, AwbEnable, ColourGains, FrameDurationLimits, LensPosition" in caplog.text


def test_disobedient_camera_is_reported(caplog: pytest.LogCaptureFixture) -> None:
    """A camera that ignores the values holds up the lock for at most fifteen frames."""
    rig = Rig(obeys=False)
    camera = pi(rig)
    camera.lock()
    camera.close()

    assert "ignores the settings" in caplog.text
    assert rig.frames < 60


def test_hung_driver_does_not_hang_the_game(caplog: pytest.LogCaptureFixture) -> None:
    """If stopping hangs, ``close`` returns anyway and logs what may help."""
    rig = Rig(released=Event())
    camera = PiCamera(library=rig.library, clock=lambda: rig.now, close_s=0.01)
    camera.close()
    hung = rig.calls[-1]
    assert rig.released is not None
    rig.released.set()
    for thread in [thread for thread in enumerate_threads() if thread.name == "camera closing"]:
        thread.join(5)

    assert hung == "stop"
    assert "did not close within" in caplog.text
    assert rig.owner is None


def test_failed_autofocus_is_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    """The camera goes on without it."""
    rig = Rig(focuses=False)
    camera = pi(rig)
    camera.lock()
    camera.close()

    assert "found no focus" in caplog.text


@pytest.mark.parametrize("look", ["next_frame", "still"])
def test_timed_out_capture_is_cancelled_before_stopping(look: str) -> None:
    """Otherwise stop would wait for the capture."""
    rig = Rig()
    camera = pi(rig)
    rig.stalled = True
    began = rig.now
    with pytest.raises(CameraLost, match=r"no picture for 2 seconds.*ribbon"):
        getattr(camera, look)()

    assert rig.now - began < 3
    assert rig.calls[-3:] == ["cancel_all_and_flush", "stop", "close"]
    with pytest.raises(CameraLost, match="closed"):
        getattr(camera, look)()


def test_lost_camera_can_be_reopened() -> None:
    """CameraLost releases the device, so that a new object can open it."""
    rig = Rig()
    camera = pi(rig)
    rig.stalled = True
    with pytest.raises(CameraLost):
        camera.next_frame()
    with pytest.raises(CameraLost, match="no picture"):
        pi(rig)
    rig.stalled = False
    again = pi(rig)
    frame = again.still()
    again.close()

    assert frame.pixels.shape == (960, 1280, 3)
    assert rig.held == 0


def test_busy_camera_is_named() -> None:
    """The message says that another program uses the camera."""
    with pytest.raises(CameraLost, match=r"Another program.*fuser"):
        pi(Rig(busy=True))


def test_missing_camera_is_named() -> None:
    """A missing camera is told apart from a busy one."""
    with pytest.raises(CameraLost, match=r"sees no camera.*ribbon"):
        pi(Rig(cameras=0))


def test_missing_library_says_how_to_install() -> None:
    """Without picamera2, the message says what failed and which package to install."""
    with pytest.raises(CameraLost, match=r"libcamera.*sudo apt install -y python3-picamera2.*system-site-packages"):
        pi(Rig(cameras=-1))


def test_camera_without_timestamps_skips_frames() -> None:
    """If the time of exposure is unknown, a still skips the frames that may have begun before the call."""
    rig = Rig(timed=False)
    camera = pi(rig)
    frames = rig.frames
    asked_at = rig.now
    frame = camera.still()
    camera.close()

    assert rig.frames - frames == 4
    assert frame.taken_at >= asked_at


def test_locked_controls_survive_json() -> None:
    """``from_dict`` reads what ``to_dict`` wrote."""
    assert LockedControls.from_dict(json.loads(json.dumps(HELD.to_dict()))) == HELD
    assert LockedControls.from_dict({}) == LockedControls()


def test_locked_controls_are_kept_beside_the_profile(tmp_path: Path) -> None:
    """``load`` reads what ``save`` wrote, returns None if there is nothing, and refuses a damaged file."""
    assert LockedControls.load(tmp_path) is None
    HELD.save(tmp_path)
    assert LockedControls.load(tmp_path) == HELD
    (tmp_path / "camera.json").write_text("{half")

    with pytest.raises(ProfileUnusable, match="Calibrate again"):
        LockedControls.load(tmp_path)


def test_locked_controls_that_cannot_be_removed(tmp_path: Path) -> None:
    """The lesson fails with the reason, and the camera goes on."""
    (tmp_path / "camera.json").mkdir()

    with pytest.raises(ProfileUnusable, match="The profile cannot be written to"):
        LockedControls.delete(tmp_path)


@pytest.mark.parametrize("saved", [{"exposure_us": "long"}, {"colour_gains": [1.0]}, {"colour_gains": 3}, []])
def test_damaged_controls_are_refused(saved: dict[str, object]) -> None:
    """The message asks for a new calibration."""
    with pytest.raises(ProfileUnusable, match="Calibrate again"):
        LockedControls.from_dict(saved)


@pytest.mark.parametrize(("fake", "name"), [(FakePicamera2, "Picamera2"), (FakeRequest, "CompletedRequest")])
def test_fake_has_the_recorded_signatures(fake: type, name: str) -> None:
    """The fake has exactly the parameters that were recorded from the real class."""
    for method, recorded in SIGNATURES[name].items():
        theirs = ast.parse(f"def f{recorded}: ...").body[0]
        assert isinstance(theirs, ast.FunctionDef)
        assert list(inspect.signature(getattr(fake, method)).parameters) == [a.arg for a in theirs.args.args], method


def test_recorded_signatures_are_the_real_ones() -> None:
    """If picamera2 is installed, its source has the recorded signatures."""
    found = importlib.util.find_spec("picamera2")
    if found is None or found.submodule_search_locations is None:
        pytest.skip("picamera2 is not installed")
    package = Path(next(iter(found.submodule_search_locations)))
    for name, file in (("Picamera2", "picamera2.py"), ("CompletedRequest", "request.py")):
        classes = [node for node in ast.parse((package / file).read_text()).body if isinstance(node, ast.ClassDef)]
        body = next(node.body for node in classes if node.name == name)
        # Overloads come before the method itself, so the last of a name stays.
        real = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
        for method, recorded in SIGNATURES[name].items():
            ours = ast.parse(f"def f{recorded}: ...").body[0]
            assert isinstance(ours, ast.FunctionDef)
            theirs = real[method].args
            assert [a.arg for a in theirs.args] == [a.arg for a in ours.args.args], method
            assert [ast.unparse(d) for d in theirs.defaults] == [ast.unparse(d) for d in ours.args.defaults], method

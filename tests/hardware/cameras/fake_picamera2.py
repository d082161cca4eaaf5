"""A fake picamera2: it accepts the calls that PiCamera makes, and refuses what the real one refuses."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from threading import Event
from types import SimpleNamespace
from typing import Any

import numpy as np

FRAME_S = 1 / 30
AUTO_FRAMES = 12
"""Frames until exposure and white balance have converged."""

SIGNATURES = {
    "Picamera2": {
        "__init__": "(self, camera_num=0, verbose_console=None, tuning=None, allocator=None)",
        "global_camera_info": "()",
        "create_preview_configuration": (
            "(self, main={}, lores=None, raw={}, transform=libcamera.Transform(), "
            "colour_space=libcamera.ColorSpace.Sycc(), buffer_count=4, controls={}, display='main', encode='main', "
            "queue=True, sensor={}, use_case='preview')"
        ),
        "configure": "(self, camera_config=None)",
        "start": "(self, config=None, show_preview=False)",
        "set_controls": "(self, controls)",
        "capture_request": "(self, wait=None, signal_function=None, flush=None)",
        "capture_metadata": "(self, wait=None, signal_function=None)",
        "autofocus_cycle": "(self, wait=None, signal_function=None)",
        "cancel_all_and_flush": "(self)",
        "stop": "(self)",
        "close": "(self)",
    },
    "CompletedRequest": {
        "make_array": "(self, name)",
        "get_metadata": "(self)",
        "release": "(self)",
    },
}
"""From picamera2 0.3.36 to 0.3.38. A test compares them with the installed one, if there is one."""

ADVERTISED = (
    "AeEnable",
    "AfMode",
    "AfTrigger",
    "AnalogueGain",
    "AwbEnable",
    "ColourGains",
    "ExposureTime",
    "FrameDurationLimits",
    "LensPosition",
)


class AfModeEnum(IntEnum):
    """The focus modes of libcamera.controls."""

    Manual = 0
    Auto = 1
    Continuous = 2


@dataclass
class Rig:
    """The state of one fake camera, and what a test does to it.

    calls: names of the methods called, in order. settings: controls as last set. stalled: no more frames arrive.
    jobs: captures not yet cancelled. lag: frames until a control takes effect. released: ends a stop that hangs.
    """

    now: float = 100.0
    cameras: int = 1
    busy: bool = False
    stalled: bool = False
    focuses: bool = True
    timed: bool = True
    obeys: bool = True
    lag: int = 3
    advertised: tuple[str, ...] = ADVERTISED
    calls: list[str] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)
    pending: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    effective: dict[str, Any] = field(default_factory=dict)
    jobs: int = 0
    frames: int = 0
    held: int = 0
    owner: object = None
    released: Event | None = None

    def library(self) -> tuple[Any, Any]:
        """Return what ``load_picamera2`` returns."""
        if self.cameras < 0:
            raise ModuleNotFoundError("No module named 'libcamera'")
        bound = type("Picamera2", (FakePicamera2,), {"rig": self})
        return bound, SimpleNamespace(AfModeEnum=AfModeEnum)

    def expose(self) -> dict[str, Any]:
        """Expose one more frame and return its metadata."""
        self.now += FRAME_S
        self.frames += 1
        for due, values in [entry for entry in self.pending if entry[0] <= self.frames]:
            self.pending.remove((due, values))
            self.effective |= values
        finding = max(0, AUTO_FRAMES - self.frames) / AUTO_FRAMES
        seen: dict[str, Any] = {
            "ExposureTime": round(9_013 + 8_000 * finding),
            "AnalogueGain": 2.0 + finding,
            "ColourGains": (1.9 + finding, 1.4),
            "LensPosition": 2.9,
        }
        # Exposures are multiples of a sensor line.
        fixed = {name: value for name, value in self.effective.items() if name in seen and value}
        if "ExposureTime" in fixed:
            fixed["ExposureTime"] -= fixed["ExposureTime"] % 29
        seen |= fixed
        if fixed and not self.obeys:
            seen["ExposureTime"] += 3_000
        seen = {name: value for name, value in seen.items() if name in self.advertised}
        if self.timed:
            seen["SensorTimestamp"] = round(self.now * 1e9)
        else:
            seen.pop("ExposureTime", None)
        return seen

    def set(self, controls: dict[str, Any]) -> None:
        for name in controls:
            if name not in self.advertised:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.settings |= controls
        self.pending.append((self.frames + self.lag, dict(controls)))

    def job(self, wait: object) -> None:
        """Queue a capture and wait for it."""
        if wait is None or isinstance(wait, bool):
            raise AssertionError("a capture without a limit may wait for ever")
        assert isinstance(wait, float | int)
        if self.stalled:
            self.jobs += 1
            self.now += wait
            raise TimeoutError


class FakeRequest:
    """One completed request, to be released before the buffers run out."""

    def __init__(self, rig: Rig) -> None:
        self._rig, self._released = rig, False
        self._metadata = rig.expose()
        rig.held += 1
        assert rig.held < 4, "four buffers, all held"

    def make_array(self, name: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
        assert not self._released
        if name == "main":
            picture = np.empty((960, 1280, 3), np.uint8)
            picture[:] = (200, 120, 40)
            return picture
        if name == "lores":
            # Bluish, with darker padding.
            planes = np.zeros((720, 704), np.uint8)
            planes[:480, :640] = 90
            planes[480:600], planes[600:] = 200, 110
            return planes
        raise RuntimeError(f"Stream {name!r} is not defined")

    def get_metadata(self) -> dict[str, Any]:
        assert not self._released
        return self._metadata

    def release(self) -> None:
        assert not self._released
        self._released = True
        self._rig.held -= 1


class FakePicamera2:
    """The methods of Picamera2 that PiCamera calls."""

    rig: Rig

    def __init__(
        self, camera_num: int = 0, verbose_console: object = None, tuning: object = None, allocator: object = None
    ) -> None:
        self.rig.calls.append("open")
        assert verbose_console is tuning is allocator is None
        if self.rig.busy or self.rig.owner is not None:
            cause = RuntimeError("Failed to acquire camera: Device or resource busy")
            raise RuntimeError("Camera __init__ sequence did not complete.") from cause
        assert camera_num < self.rig.cameras
        self.rig.owner = self
        self.rig.pending.clear()
        self.rig.effective.clear()
        self.rig.frames = self.rig.jobs = 0
        self._config: dict[str, Any] | None = None
        self._started = False

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        raise NotImplementedError("bound below, where the rig is known")

    def __init_subclass__(cls) -> None:
        rig = cls.rig

        def info() -> list[dict[str, Any]]:
            return [{"Model": "imx708", "Num": number} for number in range(rig.cameras)]

        cls.global_camera_info = staticmethod(info)  # type: ignore[method-assign]  # the rig's own cameras

    @property
    def camera_controls(self) -> dict[str, tuple[object, object, object]]:
        return dict.fromkeys(self.rig.advertised, (None, None, None))

    def create_preview_configuration(
        self,
        main: dict[str, Any] = {},  # noqa: B006 - as the real one has it
        lores: dict[str, Any] | None = None,
        raw: dict[str, Any] = {},  # noqa: B006 - as the real one has it
        transform: object = None,
        colour_space: object = None,
        buffer_count: int = 4,
        controls: dict[str, Any] = {},  # noqa: B006 - as the real one has it
        display: str = "main",
        encode: str = "main",
        queue: bool = True,
        sensor: dict[str, Any] = {},  # noqa: B006 - as the real one has it
        use_case: str = "preview",
    ) -> dict[str, Any]:
        assert transform is colour_space is None
        assert not raw
        assert not sensor
        assert (display, encode, use_case, buffer_count) == ("main", "main", "preview", 4)
        assert lores is not None
        for stream in (main, lores):
            if stream.keys() - {"format", "size", "stride", "preserve_ar"}:
                raise ValueError("Bad key")
            if stream["size"][0] % 2 or stream["size"][1] % 2:
                raise RuntimeError("width and height should be even")
        return {"main": main, "lores": lores, "queue": queue, "controls": controls}

    def configure(self, camera_config: dict[str, Any] | None = None) -> None:
        self.rig.calls.append("configure")
        assert camera_config is not None
        if self._started:
            raise RuntimeError("Camera must be stopped before configuring")
        if camera_config["lores"]["format"] != "YUV420":
            raise RuntimeError("lores stream must be YUV")
        assert camera_config["main"]["format"] == "RGB888", "BGR888 is red first in memory"
        assert camera_config["queue"] is False
        self.rig.set(camera_config["controls"])
        self._config = camera_config

    def start(self, config: object = None, show_preview: object = False) -> None:
        self.rig.calls.append("start")
        assert config is None
        assert show_preview is False
        if self._config is None:
            raise RuntimeError("Camera has not been configured")
        self._started = True

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.rig.calls.append("set_controls")
        self.rig.set(controls)

    def capture_request(self, wait: object = None, signal_function: object = None, flush: object = None) -> FakeRequest:
        assert self._started
        assert signal_function is None
        assert flush in (None, True)
        if flush and not self.rig.timed:
            raise KeyError("SensorTimestamp")
        self.rig.job(wait)
        if flush:
            # The frame under way began before the call.
            self.rig.expose()
        return FakeRequest(self.rig)

    def capture_metadata(self, wait: object = None, signal_function: object = None) -> dict[str, Any]:
        assert self._started
        assert signal_function is None
        self.rig.job(wait)
        return self.rig.expose()

    def autofocus_cycle(self, wait: object = None, signal_function: object = None) -> bool:
        self.rig.calls.append("autofocus_cycle")
        assert signal_function is None
        self.rig.set({"AfMode": AfModeEnum.Auto, "AfTrigger": 0})
        self.rig.job(wait)
        return self.rig.focuses

    def cancel_all_and_flush(self) -> None:
        self.rig.calls.append("cancel_all_and_flush")
        self.rig.jobs = 0

    def stop(self) -> None:
        self.rig.calls.append("stop")
        if self.rig.released is not None:
            self.rig.released.wait(10)
        assert not self.rig.jobs, "the real stop() hangs behind a capture that timed out"
        self._started = False

    def close(self) -> None:
        self.rig.calls.append("close")
        assert not self._started
        self.rig.owner = None

"""The Raspberry Pi's own camera on its ribbon; the only place that knows picamera2."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import cv2
import numpy as np

from companion.errors import CameraLost
from companion.words import _, later, ngettext
from hardware.camera import Frame, Pixels
from hardware.locked_controls import LockedControls, shows

FULL_PX = (1280, 960)
WATCH_PX = (640, 480)
WAIT_S = 2.0
"""The longest any frame may take. A loose ribbon raises nothing by itself: without a limit the wait is for ever."""
CLOSE_S = 5.0
"""The longest stopping may take; a hung driver never comes back, and only a restart helps."""
SETTLE_FRAMES = (15, 75)
"""Fewest and most frames that exposure and white balance get to come to rest before they are locked."""
LOCK_FRAMES = 15
"""Frames until new controls must show; they lag by a few."""

_INSTALL = later(
    "install it with 'sudo apt install -y python3-picamera2' and make the virtual environment "
    "with 'python3 -m venv --system-site-packages'"
)
_log = logging.getLogger(__name__)


def load_picamera2() -> tuple[Any, Any]:
    """The class Picamera2 and the names of libcamera's control values. Raises ImportError, ValueError or OSError."""
    from libcamera import controls
    from picamera2 import Picamera2

    return Picamera2, controls


class PiCamera:
    """The ribbon camera in one steady mode: a small stream to watch, the full picture to read.

    After CameraLost this object is spent: it has let go of the camera, and a new one may be made. When to try again
    is the caller's choice.
    """

    def __init__(
        self,
        controls: LockedControls | None = None,
        *,
        number: int = 0,
        library: Callable[[], tuple[Any, Any]] = load_picamera2,
        clock: Callable[[], float] = time.monotonic,
        close_s: float = CLOSE_S,
    ) -> None:
        """controls: as ``lock`` gave them, applied from the first frame. number: which camera, where there are two.

        close_s: the longest that ``close`` waits.

        Raises CameraLost, saying what to do, when picamera2 or the camera is missing, or another program has it.
        """
        self._clock, self._close_s = clock, close_s
        self._device: Any = None
        self._locked = False
        try:
            device_class, self._values = library()
        except (ImportError, ValueError, OSError) as error:
            raise CameraLost(
                _(
                    "The Pi's camera needs picamera2, which cannot be loaded ({error}); {install}.",
                    error=str(error),
                    install=_(_INSTALL),
                )
            ) from error
        logging.getLogger("picamera2").setLevel(logging.WARNING)
        self._device = _open(device_class, number)
        try:
            config = self._device.create_preview_configuration(
                # Called RGB, it lies in memory as blue, green, red.
                main={"size": FULL_PX, "format": "RGB888"},
                lores={"size": WATCH_PX, "format": "YUV420"},
                buffer_count=4,
                # Else the first picture asked for may be one that has lain waiting.
                queue=False,
                controls=self._advertised({"FrameDurationLimits": (33_333, 83_333)} | self._fixed(controls)),
            )
            self._device.configure(config)
            self._device.start()
        except (RuntimeError, OSError) as error:
            self._lose(
                _(
                    "The Pi's camera cannot be started ({error}). Check its ribbon, then restart the Pi.",
                    error=str(error),
                ),
                error,
            )
        self._locked = controls is not None
        metadata = self._metadata()
        self._timed = {"SensorTimestamp", "ExposureTime"} <= metadata.keys()

    def watch(self) -> Frame:
        """The next small frame, 640 x 480."""
        planes, frame_at = self._capture("lores", flush=False)
        # The planes may be padded to a wider row than the picture's.
        pixels = cv2.cvtColor(planes, cv2.COLOR_YUV2BGR_I420)[: WATCH_PX[1], : WATCH_PX[0]]
        return _frame(np.ascontiguousarray(pixels), frame_at)

    def still(self) -> Frame:
        """A picture of 1280 x 960 whose exposure began after this call."""
        if not self._timed:
            # Such a camera cannot say when it exposed, so what may be under way is let pass.
            for _ in range(3):
                self._capture("main", flush=False)
        return _frame(*self._capture("main", flush=self._timed))

    def lock(self) -> LockedControls:
        """Let exposure, white balance and focus find their place in a few seconds, hold them there, and say where."""
        if self._locked:
            self._set({"AeEnable": True, "ExposureTime": 0, "AnalogueGain": 0.0, "AwbEnable": True})
        self._settle()
        self._focus()
        known = self._open_device().camera_controls
        seen = {name: value for name, value in self._metadata().items() if name in known}
        gains = seen.get("ColourGains")
        held = LockedControls.from_dict(
            {
                "exposure_us": seen.get("ExposureTime"),
                "analogue_gain": seen.get("AnalogueGain"),
                "colour_gains": None if gains is None else tuple(gains),
                "lens_position": seen.get("LensPosition"),
            }
        )
        wanted = self._set(self._fixed(held))
        self._locked = True
        # One frame that agrees may be the camera's own choice still; several are ours.
        agreeing = 0
        for _frame in range(LOCK_FRAMES):
            agreeing = agreeing + 1 if shows(self._metadata(), wanted) else 0
            if agreeing == 5:
                return held
        _log.warning("The camera does not show the settings it was given: %s", wanted)
        return held

    def close(self) -> None:
        """Let go of the camera; returns within a few seconds even if it hangs."""
        device, self._device = self._device, None
        if device is None:
            return
        # A capture left waiting would keep stop() waiting behind it.
        device.cancel_all_and_flush()
        ending = threading.Thread(target=_end, args=(device,), name="camera closing", daemon=True)
        ending.start()
        ending.join(self._close_s)
        if ending.is_alive():
            _log.error(
                "The Pi's camera did not let go within %g seconds; only a restart of the Pi may help.", self._close_s
            )

    def _fixed(self, held: LockedControls | None) -> dict[str, Any]:
        """The controls that hold the camera as it was locked; an empty answer lets it adjust itself."""
        if held is None:
            return {}
        fixed: dict[str, Any] = {}
        if held.exposure_us is not None or held.analogue_gain is not None:
            fixed |= {"AeEnable": False, "ExposureTime": held.exposure_us, "AnalogueGain": held.analogue_gain}
        if held.colour_gains is not None:
            fixed |= {"AwbEnable": False, "ColourGains": held.colour_gains}
        if held.lens_position is not None:
            fixed |= {"AfMode": self._values.AfModeEnum.Manual, "LensPosition": held.lens_position}
        return {name: value for name, value in fixed.items() if value is not None}

    def _advertised(self, wanted: dict[str, Any]) -> dict[str, Any]:
        """What of this the camera knows; setting another control would be an error, so it is reported and left."""
        known = self._device.camera_controls
        skipped = sorted(wanted.keys() - known.keys())
        if skipped:
            _log.warning("This camera has no %s; left as it is.", ", ".join(skipped))
        return {name: value for name, value in wanted.items() if name in known}

    def _set(self, wanted: dict[str, Any]) -> dict[str, Any]:
        known = self._advertised(wanted)
        if known:
            self._open_device().set_controls(known)
        return known

    def _settle(self) -> None:
        """Wait until exposure and white balance have kept still for five frames, or long enough."""
        fewest, most = SETTLE_FRAMES
        before: tuple[float, ...] = ()
        calm = 0
        for count in range(most):
            seen = self._metadata()
            light = float(seen.get("ExposureTime", 1)) * float(seen.get("AnalogueGain", 1))
            now = (light, *map(float, seen.get("ColourGains", ())))
            calm = calm + 1 if len(now) == len(before) and np.allclose(now, before, rtol=0.01) else 0
            before = now
            if count >= fewest and calm >= 5:
                return
        _log.warning("The light has not come to rest; the camera was locked all the same.")

    def _focus(self) -> None:
        device = self._open_device()
        if not {"AfMode", "LensPosition"} <= device.camera_controls.keys():
            return
        try:
            focused = device.autofocus_cycle(wait=CLOSE_S)
        except (TimeoutError, KeyError):
            # Only the search is given up here; whether frames still come shows at once.
            device.cancel_all_and_flush()
            focused = False
        if not focused:
            _log.warning("The camera found no focus; check that the tray is lit and not too near.")

    def _metadata(self) -> Mapping[str, Any]:
        device = self._open_device()
        try:
            seen: Mapping[str, Any] = device.capture_metadata(wait=WAIT_S)
        except TimeoutError as error:
            self._lose_picture(error)
        return seen

    def _capture(self, stream: str, *, flush: bool) -> tuple[Pixels, float]:
        """One stream's array, and when its exposure began. flush: only one that began after this call."""
        device = self._open_device()
        asked_at = self._clock()
        try:
            request = device.capture_request(wait=WAIT_S, flush=flush or None)
        except TimeoutError as error:
            self._lose_picture(error)
        # Held requests soon leave the camera without buffers.
        try:
            array, seen = request.make_array(stream), request.get_metadata()
        finally:
            request.release()
        if self._timed:
            return array, (seen["SensorTimestamp"] - 1000 * seen["ExposureTime"]) / 1e9
        return array, asked_at

    def _open_device(self) -> Any:
        if self._device is None:
            raise CameraLost(_("The Pi's camera was closed; open it again."))
        return self._device

    def _lose_picture(self, error: TimeoutError) -> NoReturn:
        self._lose(
            _(
                "The Pi's camera has sent no picture for {seconds} seconds. Check its ribbon, at both ends.",
                seconds=f"{WAIT_S:g}",
            ),
            error,
        )

    def _lose(self, sentence: str, error: Exception) -> NoReturn:
        self.close()
        raise CameraLost(sentence) from error


def _open(device_class: Any, number: int) -> Any:
    found = len(device_class.global_camera_info())
    if number >= found:
        raise CameraLost(
            ngettext(
                "The Pi sees {number} camera, and the one numbered {asked} was asked for. Switch it off, check the "
                "camera's ribbon at both ends, and see what 'rpicam-hello --list-cameras' says.",
                "The Pi sees {number} cameras, and the one numbered {asked} was asked for. Switch it off, check the "
                "camera's ribbon at both ends, and see what 'rpicam-hello --list-cameras' says.",
                found,
                asked=number,
            )
        )
    try:
        return device_class(number)
    except RuntimeError as error:
        reasons = []
        cause: BaseException | None = error
        while cause is not None:
            reasons.append(str(cause))
            cause = cause.__cause__
        if any("busy" in reason.lower() or "acquire" in reason.lower() for reason in reasons):
            raise CameraLost(
                _(
                    "Another program is using the Pi's camera; 'fuser -v /dev/video*' names it. "
                    "Close it, and this goes on."
                )
            ) from error
        raise CameraLost(
            _("The Pi's camera cannot be opened ({error}). Check its ribbon, then restart.", error=reasons[-1])
        ) from error


def _end(device: Any) -> None:
    try:
        device.stop()
        device.close()
    except RuntimeError:
        # It is being given up; a complaint on the way out changes nothing.
        _log.warning("The Pi's camera did not close cleanly.", exc_info=True)


def _frame(pixels: Pixels, taken_at: float) -> Frame:
    pixels.flags.writeable = False
    return Frame(pixels, taken_at)

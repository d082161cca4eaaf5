"""The Raspberry Pi camera module. The only file that imports picamera2."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import cv2
import numpy as np

from companion.errors import CameraLost
from companion.i18n import N_, _
from hardware.cameras.camera import Frame, Pixels
from hardware.cameras.locked_controls import LockedControls, matches

MAIN_SIZE = (1280, 960)
LORES_SIZE = (640, 480)
"""Columns and rows of the stills and of the small frames."""

CAPTURE_TIMEOUT_S = 2.0
"""The longest that a frame may take. Without a limit, a loose ribbon cable would block for ever."""

CLOSE_TIMEOUT_S = 5.0
"""The longest that stopping may take. A hung driver never returns; only a restart of the Pi helps."""

MIN_SETTLE_FRAMES, MAX_SETTLE_FRAMES = 15, 75
"""Frames that exposure and white balance get to converge before they are locked."""

MAX_LOCK_FRAMES = 15
"""Frames within which new controls have to take effect. They lag by a few."""

_INSTALL = N_(
    "install it with 'sudo apt install -y python3-picamera2' and make the virtual environment "
    "with 'python3 -m venv --system-site-packages'"
)
_log = logging.getLogger(__name__)


def load_picamera2() -> tuple[Any, Any]:
    """Return the class Picamera2 and the module libcamera.controls. Raises ImportError, ValueError or OSError."""
    from libcamera import controls
    from picamera2 import Picamera2

    return Picamera2, controls


class PiCamera:
    """The camera module in a fixed mode with two streams: small frames, and stills at full size.

    CameraLost closes the camera. To try again, make a new object.

    Parameters
    ----------
    controls : LockedControls, optional
        What ``lock`` returned, applied from the first frame.
    library : callable
        Returns what ``load_picamera2`` returns.
    clock : callable
        Returns monotonic seconds.
    close_s : float
        The longest that ``close`` waits.

    Raises
    ------
    CameraLost
        If picamera2 or the camera is missing, or another program uses the camera. The message says what to do.
    """

    def __init__(
        self,
        controls: LockedControls | None = None,
        *,
        library: Callable[[], tuple[Any, Any]] = load_picamera2,
        clock: Callable[[], float] = time.monotonic,
        close_s: float = CLOSE_TIMEOUT_S,
    ) -> None:
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
        self._device = _open(device_class)
        try:
            config = self._device.create_preview_configuration(
                # Despite its name, this format is blue-green-red in memory.
                main={"size": MAIN_SIZE, "format": "RGB888"},
                lores={"size": LORES_SIZE, "format": "YUV420"},
                buffer_count=4,
                # A queue would return a frame captured before the call.
                queue=False,
                controls=self._advertised({"FrameDurationLimits": (33_333, 83_333)} | self._as_controls(controls)),
            )
            self._device.configure(config)
            self._device.start()
        except (RuntimeError, OSError) as error:
            self._lose(
                _(
                    "The Pi's camera does not start ({error}). Check its ribbon cable, then restart the Pi.",
                    error=str(error),
                ),
                error,
            )
        self._locked = controls is not None
        metadata = self._metadata()
        self._timed = {"SensorTimestamp", "ExposureTime"} <= metadata.keys()

    def next_frame(self) -> Frame:
        """Wait for the next small frame, 640 x 480."""
        planes, taken_at = self._capture("lores", flush=False)
        # The planes' rows may be padded.
        pixels = cv2.cvtColor(planes, cv2.COLOR_YUV2BGR_I420)[: LORES_SIZE[1], : LORES_SIZE[0]]
        return _frame(np.ascontiguousarray(pixels), taken_at)

    def still(self) -> Frame:
        """Take a picture of 1280 x 960 whose exposure began after this call."""
        if not self._timed:
            # This camera does not report exposure times, so skip the frames that may have begun before.
            for _ in range(3):
                self._capture("main", flush=False)
        return _frame(*self._capture("main", flush=self._timed))

    @property
    def is_locked(self) -> bool:
        """Whether exposure, white balance and focus are held."""
        return self._locked

    def lock(self) -> LockedControls:
        """Let exposure, white balance and focus adjust for a few seconds, then hold and return their values."""
        if self._locked:
            self._set({"AeEnable": True, "ExposureTime": 0, "AnalogueGain": 0.0, "AwbEnable": True})
        self._wait_for_convergence()
        self._autofocus()
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
        wanted = self._set(self._as_controls(held))
        self._locked = True
        # A single frame may match by coincidence.
        matching = 0
        for _frame in range(MAX_LOCK_FRAMES):
            matching = matching + 1 if matches(self._metadata(), wanted) else 0
            if matching == 5:
                return held
        _log.warning("The camera ignores the settings it was given: %s", wanted)
        return held

    def close(self) -> None:
        """Release the camera. Returns within a few seconds even if the driver hangs."""
        device, self._device = self._device, None
        if device is None:
            return
        # stop() would wait for a pending capture.
        device.cancel_all_and_flush()
        closing = threading.Thread(target=_stop, args=(device,), name="camera closing", daemon=True)
        closing.start()
        closing.join(self._close_s)
        if closing.is_alive():
            _log.error("The Pi's camera did not close within %g seconds. Restart the Pi.", self._close_s)

    def _as_controls(self, held: LockedControls | None) -> dict[str, Any]:
        """Return the libcamera controls that hold these values; none of them for None."""
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
        """Drop the controls that the camera does not have, with a warning. Setting them would be an error."""
        known = self._device.camera_controls
        skipped = sorted(wanted.keys() - known.keys())
        if skipped:
            _log.warning("This camera has no control for %s.", ", ".join(skipped))
        return {name: value for name, value in wanted.items() if name in known}

    def _set(self, wanted: dict[str, Any]) -> dict[str, Any]:
        known = self._advertised(wanted)
        if known:
            self._open_device().set_controls(known)
        return known

    def _wait_for_convergence(self) -> None:
        """Wait until exposure and white balance have been stable for five frames, up to MAX_SETTLE_FRAMES."""
        before: tuple[float, ...] = ()
        stable = 0
        for count in range(MAX_SETTLE_FRAMES):
            seen = self._metadata()
            light = float(seen.get("ExposureTime", 1)) * float(seen.get("AnalogueGain", 1))
            now = (light, *map(float, seen.get("ColourGains", ())))
            stable = stable + 1 if len(now) == len(before) and np.allclose(now, before, rtol=0.01) else 0
            before = now
            if count >= MIN_SETTLE_FRAMES and stable >= 5:
                return
        _log.warning("The light keeps changing; the camera was locked all the same.")

    def _autofocus(self) -> None:
        device = self._open_device()
        if not {"AfMode", "LensPosition"} <= device.camera_controls.keys():
            return
        try:
            focused = device.autofocus_cycle(wait=CLOSE_TIMEOUT_S)
        except (TimeoutError, KeyError):
            # If frames have stopped, the next capture reports that.
            device.cancel_all_and_flush()
            focused = False
        if not focused:
            _log.warning("The camera found no focus. Check that the tray is lit and not too close.")

    def _metadata(self) -> Mapping[str, Any]:
        device = self._open_device()
        try:
            seen: Mapping[str, Any] = device.capture_metadata(wait=CAPTURE_TIMEOUT_S)
        except TimeoutError as error:
            self._lose_picture(error)
        return seen

    def _capture(self, stream: str, *, flush: bool) -> tuple[Pixels, float]:
        """Capture one stream's array and its time of exposure. flush: begin the exposure after this call."""
        device = self._open_device()
        asked_at = self._clock()
        try:
            request = device.capture_request(wait=CAPTURE_TIMEOUT_S, flush=flush or None)
        except TimeoutError as error:
            self._lose_picture(error)
        # The camera has few buffers.
        try:
            array, seen = request.make_array(stream), request.get_metadata()
        finally:
            request.release()
        if self._timed:
            return array, (seen["SensorTimestamp"] - 1000 * seen["ExposureTime"]) / 1e9
        return array, asked_at

    def _open_device(self) -> Any:
        if self._device is None:
            raise CameraLost(_("The Pi's camera is closed."))
        return self._device

    def _lose_picture(self, error: TimeoutError) -> NoReturn:
        self._lose(
            _(
                "The Pi's camera has sent no picture for {seconds} seconds. Check both ends of its ribbon cable.",
                seconds=f"{CAPTURE_TIMEOUT_S:g}",
            ),
            error,
        )

    def _lose(self, sentence: str, error: Exception) -> NoReturn:
        self.close()
        raise CameraLost(sentence) from error


def _open(device_class: Any) -> Any:
    if not device_class.global_camera_info():
        raise CameraLost(
            _(
                "The Pi sees no camera. Switch the Pi off, check both ends of the ribbon cable, and run "
                "'rpicam-hello --list-cameras'."
            )
        )
    try:
        return device_class()
    except RuntimeError as error:
        reasons = []
        cause: BaseException | None = error
        while cause is not None:
            reasons.append(str(cause))
            cause = cause.__cause__
        if any("busy" in reason.lower() or "acquire" in reason.lower() for reason in reasons):
            raise CameraLost(
                _(
                    "Another program is using the Pi's camera: 'fuser -v /dev/video*' shows which. "
                    "Close it, and I'll go on."
                )
            ) from error
        raise CameraLost(
            _("The Pi's camera does not open ({error}). Check its ribbon cable, then restart.", error=reasons[-1])
        ) from error


def _stop(device: Any) -> None:
    try:
        device.stop()
        device.close()
    except RuntimeError:
        _log.warning("The Pi's camera did not close cleanly.", exc_info=True)


def _frame(pixels: Pixels, taken_at: float) -> Frame:
    pixels.flags.writeable = False
    return Frame(pixels, taken_at)

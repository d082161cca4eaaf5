"""Which camera a few words on the command line mean."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from companion.errors import Unknown
from companion.words import _
from hardware.camera import Camera
from hardware.locked_controls import LockedControls

ACCEPTED = "simulated, pi, usb:N, an http://, https:// or rtsp:// address, folder:DIR, or none"


def open_camera(spec: str, *, seed: int | None = None, controls: LockedControls | None = None) -> Camera | None:
    """The camera that ``spec`` names, opened; None for ``none``, where throws are entered by hand.

    seed: makes the simulated camera throw the same throws again; the others do not care.
    controls: what the Pi's camera was locked to when the reader learnt the tray; the others have nothing to lock.

    Raises Unknown for words that name no camera, and CameraLost for one that is named rightly but does not answer.
    """
    # Each camera is imported where it is asked for: a laptop need not have picamera2, nor a Pi draw sticks.
    kind, _colon, rest = spec.strip().partition(":")
    match kind.lower():
        case "none" if not rest:
            return None
        case "simulated" if not rest:
            from hardware.simulated import SimulatedCamera

            return SimulatedCamera(seed)
        case "pi" if not rest:
            from hardware.camera_pi import PiCamera

            return PiCamera(controls)
        case "usb" if rest.isascii() and rest.isdecimal() and len(rest) < 3:
            from hardware.camera_stream import StreamCamera

            return StreamCamera(int(rest))
        case "http" | "https" | "rtsp" if _is_address(spec):
            from hardware.camera_stream import StreamCamera

            return StreamCamera(spec.strip())
        case "folder" if rest:
            from hardware.camera_folder import FolderCamera

            return FolderCamera(Path(rest).expanduser())
    raise Unknown(_("'{spec}' names no camera; accepted are {accepted}.", spec=spec, accepted=ACCEPTED))


def _is_address(spec: str) -> bool:
    try:
        return bool(urlsplit(spec).hostname)
    except ValueError:
        return False

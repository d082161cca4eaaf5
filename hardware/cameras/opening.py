"""Open the camera that a command-line option names."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from companion.camera_spec import CameraSpec
from companion.errors import Unknown
from companion.i18n import _
from hardware.cameras.camera import Camera
from hardware.cameras.locked_controls import LockedControls

ACCEPTED = (
    "simulated, simulated:board, pi, usb:N, an http://, https:// or rtsp:// address, phone (puluc play only), "
    "folder:DIR, or none"
)


def open_camera(spec: CameraSpec, *, seed: int | None = None, controls: LockedControls | None = None) -> Camera | None:
    """Open a camera.

    Parameters
    ----------
    spec : CameraSpec
        One of the forms in ACCEPTED, but not ``phone``, which needs the page that it sends from. ``none`` stands for a
        table whose throws are entered by hand.
    seed : int, optional
        Seed of the simulated camera's throws. Other cameras ignore it.
    controls : LockedControls, optional
        Values that the Pi's camera was locked to during the calibration. Other cameras ignore them.

    Returns
    -------
    camera : Camera or None
        None for ``none``.

    Raises
    ------
    Unknown
        If ``spec`` names no camera.
    CameraLost
        If the camera does not answer.
    """
    # Imported on demand: a laptop has no picamera2, and a Pi need not load the simulation.
    rest = spec.rest
    match spec.kind:
        case "none" if not rest:
            return None
        case "simulated" if not rest:
            from hardware.cameras.simulated_camera import SimulatedCamera

            return SimulatedCamera(seed)
        case "simulated" if spec.draws_board:
            from hardware.cameras.simulated_board import SimulatedBoard
            from hardware.cameras.simulated_camera import SimulatedCamera

            return SimulatedCamera(seed, board=SimulatedBoard(9))
        case "pi" if not rest:
            from hardware.cameras.pi_camera import PiCamera

            return PiCamera(controls)
        case "usb" if rest.isascii() and rest.isdecimal() and len(rest) < 3:
            from hardware.cameras.stream_camera import StreamCamera

            return StreamCamera(int(rest))
        case "http" | "https" | "rtsp" if _is_address(str(spec)):
            from hardware.cameras.stream_camera import StreamCamera

            return StreamCamera(str(spec))
        case "folder" if rest:
            from hardware.cameras.folder_camera import FolderCamera

            return FolderCamera(Path(rest).expanduser())
        case "phone" if not rest:
            raise Unknown(_("Only puluc play can use a phone as the camera."))
    raise Unknown(_("'{spec}' is not a camera. Use {accepted}.", spec=spec, accepted=ACCEPTED))


def _is_address(spec: str) -> bool:
    try:
        return bool(urlsplit(spec).hostname)
    except ValueError:
        return False

"""The worker of a camera that looks at nothing but the board."""

from __future__ import annotations

import logging
from collections.abc import Callable

from companion.errors import CompanionError
from companion.live_preview import Preview
from companion.referee.events import CameraChanged, CameraState
from hardware.cameras.camera import Camera
from hardware.tracking.camera_worker import IDLE_S, FrameObserver, update_preview

log = logging.getLogger(__name__)


class BoardCameraWorker:
    """Passes the camera's frames to the board, and opens it again when it was lost. One thread steps it.

    Parameters
    ----------
    open_camera : callable
        Raises CompanionError.
    camera : Camera or None
        The camera, if it is open already.
    board : FrameObserver
        The camera is open while the board needs it, or while somebody watches the preview.
    preview : Preview
    tell : callable
        Tells the table whether the camera is there.
    clock, pause : callable
        Return monotonic seconds, and wait for the given number of seconds.
    retry_s : float
        Seconds between two attempts to open the camera.
    """

    def __init__(
        self,
        *,
        open_camera: Callable[[], Camera],
        camera: Camera | None,
        board: FrameObserver,
        preview: Preview,
        tell: Callable[[CameraChanged], object],
        clock: Callable[[], float],
        pause: Callable[[float], None],
        retry_s: float,
    ) -> None:
        self._open, self._camera = open_camera, camera
        self._board, self._preview, self._tell = board, preview, tell
        self._clock, self._pause, self._retry_s = clock, pause, retry_s
        self._retry_at = clock()

    def step(self) -> None:
        """Take one frame. Returns within a few seconds."""
        if not (self._board.is_needed or self._preview.has_viewers):
            self.close()
            self._pause(IDLE_S)
        elif self._camera is None and self._clock() < self._retry_at:
            self._pause(IDLE_S)
        else:
            self._look()

    def close(self) -> None:
        """Close the camera."""
        if self._camera is not None:
            self._camera.close()
            self._camera = None

    def _look(self) -> None:
        try:
            self._camera = self._camera or self._open()
            frame = self._camera.next_frame()
            self._tell(CameraChanged(state=CameraState.WATCHING))
            update_preview(self._preview, frame.pixels)
            self._board.observe(self._camera, frame)
        except CompanionError as error:
            if self._preview.failure != str(error):
                log.info("%s", error)
            self._preview.report_failure(str(error))
            self._tell(CameraChanged(state=CameraState.LOST, message=str(error)))
            self.close()
            self._retry_at = self._clock() + self._retry_s

"""The worker that owns the camera: it watches the game, and carries out calibrations in between."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Protocol

from companion.errors import CameraLost, CompanionError
from companion.i18n import N_
from companion.live_preview import Preview
from companion.phone_camera.absence import PhoneAway
from companion.referee.events import CameraChanged, CameraState, Event
from hardware.cameras.camera import Camera, Frame, Pixels
from hardware.cameras.locked_controls import LockedControls
from hardware.cameras.picture_files import preview_jpeg
from hardware.reader.profile import Profile
from hardware.tracking.calibrator import CalibrationResult, Calibrator
from hardware.tracking.throw_watcher import ThrowWatcher

log = logging.getLogger(__name__)

RETRY_S = 2.0
"""Seconds between two attempts to open the camera. Lower gives a slow device no time to come up."""

IDLE_S = 0.2
"""Seconds to wait when there is nothing to do."""

CALIBRATING = CameraChanged(
    state=CameraState.UNCALIBRATED,
    message=N_("Somebody is teaching me the sticks on a phone. Meanwhile, tap the counts, or join in from the menu."),
)
NOT_FOUND = CameraChanged(state=CameraState.LOST)
UNCALIBRATED = CameraChanged(
    state=CameraState.UNCALIBRATED,
    message=N_("I don't know these sticks yet, so tap the counts. To teach me, open the menu."),
)


def update_preview(preview: Preview, pixels: Pixels) -> None:
    """Publish a frame if somebody is watching and the next picture is due."""
    if preview.is_due:
        preview.publish(preview_jpeg(pixels))


class FrameObserver(Protocol):
    """Receives the frames of the tray, and looks at more than throws."""

    @property
    def is_needed(self) -> bool:
        """Whether the camera has to be open although no throws are read."""
        ...

    def observe(self, camera: Camera, frame: Frame) -> None:
        """Take a frame. Raises CameraLost."""
        ...


class CameraWorker:
    """Owns the camera, and uses it on one thread only.

    Parameters
    ----------
    open_camera : callable
        Opens the camera with the given controls. Raises CompanionError.
    camera : Camera or None
        The camera, if it is open already.
    make_watcher : callable
        Makes a watcher for a profile. The watcher opens its camera with the callable it is given.
    calibrator : Calibrator
    save : callable
        Saves the result of a calibration. Raises CompanionError.
    submit : callable
        Tells the table about the camera.
    clock, pause : callable
        Return monotonic seconds, and wait for the given number of seconds.
    profile, controls : optional
        The saved calibration: the reader's profile and the camera's locked controls.
    is_missing : bool
        There was no camera to open, so that its absence, not unknown sticks, is what to tell the players.
    preview : Preview
        Shows the tray to phones. Without a profile, the camera is opened only while somebody watches.
    board : FrameObserver, optional
        Watches the board. It is passed the frames here only while no throws are watched for.
    """

    def __init__(
        self,
        *,
        open_camera: Callable[[LockedControls | None], Camera],
        camera: Camera | None,
        make_watcher: Callable[[Profile, Callable[[], Camera]], ThrowWatcher],
        calibrator: Calibrator,
        save: Callable[[CalibrationResult], None],
        submit: Callable[[Event], object],
        clock: Callable[[], float],
        pause: Callable[[float], None],
        profile: Profile | None,
        controls: LockedControls | None,
        preview: Preview,
        is_missing: bool = False,
        board: FrameObserver | None = None,
    ) -> None:
        self._open, self._camera, self._make_watcher, self._calibrator = open_camera, camera, make_watcher, calibrator
        self._save, self._submit, self._clock, self._pause = save, submit, clock, pause
        self._profile, self._controls, self._preview = profile, controls, preview
        self._watcher: ThrowWatcher | None = None
        # A watcher is due: at the start, and after a calibration.
        self._restart_watching, self._calibrating = True, False
        # When to open a lost camera again, and when to look whether an idle phone is there, which costs nothing.
        self._retry_at = self._look_at = clock()
        self._is_missing, self._is_phone, self._board = is_missing, False, board

    @property
    def profile(self) -> Profile | None:
        """The profile in use; None before the first calibration."""
        return self._profile

    @property
    def uncalibrated(self) -> CameraChanged | None:
        """What to tell the players if there is no profile yet, else None."""
        if self._profile is not None:
            return None
        return NOT_FOUND if self._is_missing else UNCALIBRATED

    def step(self) -> None:
        """Watch or calibrate for one frame. Returns within a few seconds."""
        if self._calibrator.is_active():
            self._calibrate()
            return
        if self._calibrating or self._restart_watching:
            self._start_watching()
        if self._watcher is not None:
            self._watcher.step()
        elif self._preview.has_viewers or self._watches_board:
            self._show_preview()
        elif (self._is_missing or self._is_phone) and self._clock() >= self._look_at:
            self._look_for_camera()
        else:
            self._close_camera()
            self._pause(IDLE_S)

    def close(self) -> None:
        """Close the camera."""
        if self._watcher is not None:
            self._watcher.close()
        self._close_camera()

    def _start_watching(self) -> None:
        # A cancelled calibration has changed the camera's controls, and perhaps the simulated sticks.
        if self._calibrating:
            self._close_camera()
        self._restart_watching = self._calibrating = False
        if self._profile is None:
            self._close_camera()
            if self._is_missing:
                self._look_for_camera()
            else:
                self._notify(UNCALIBRATED)
        else:
            self._watcher = self._make_watcher(self._profile, self._take_camera)

    def _look_for_camera(self) -> None:
        """Say that the camera is missing, or, once it is there, that the sticks are unknown."""
        self._look_at = self._clock() + RETRY_S
        try:
            self._open(self._controls).close()
        except CompanionError as error:
            log.info("%s", error)
            self._camera_missing(error)
        else:
            self._camera_found()

    def _camera_missing(self, error: CompanionError) -> None:
        away = isinstance(error, PhoneAway)
        self._is_missing, self._is_phone = True, self._is_phone or away
        self._notify(CameraChanged(state=CameraState.LOST, message=str(error)) if away else NOT_FOUND)
        self._retry_at = self._clock() + RETRY_S

    def _camera_found(self) -> None:
        if self._is_missing:
            self._is_missing = False
            self._notify(UNCALIBRATED)

    @property
    def _watches_board(self) -> bool:
        return self._board is not None and self._board.is_needed

    def _show_preview(self) -> None:
        """Watch the board, and show the tray, so that people can aim the camera before the first calibration."""
        if self._camera is None and self._clock() < self._retry_at:
            self._pause(IDLE_S)
            return
        try:
            self._camera = self._camera or self._open(self._controls)
            self._camera_found()
            frame = self._camera.next_frame()
            update_preview(self._preview, frame.pixels)
            if self._board is not None:
                self._board.observe(self._camera, frame)
        except CompanionError as error:
            log.info("%s", error)
            self._preview.report_failure(error.args[0])
            self._camera_missing(error)
            self._close_camera()

    def _take_camera(self) -> Camera:
        """Pass the camera to the watcher: the open one first, later a newly opened one."""
        camera, self._camera = self._camera, None
        return camera or self._open(self._controls)

    def _calibrate(self) -> None:
        if not self._calibrating:
            self._calibrating = True
            if self._watcher is not None:
                self._camera = self._watcher.release()
                self._watcher = None
            self._notify(CALIBRATING)
        try:
            if self._camera is None:
                if self._clock() < self._retry_at:
                    self._pause(IDLE_S)
                    return
                self._camera = self._open_for_calibration()
            result = self._calibrator.step(self._camera)
        except CameraLost as error:
            self._close_camera()
            self._retry_at = self._clock() + RETRY_S
            self._calibrator.camera_lost(str(error))
            return
        if result is not None:
            self._use(result)

    def _open_for_calibration(self) -> Camera:
        try:
            camera = self._open(self._calibrator.controls)
        except CameraLost:
            raise
        except CompanionError as error:
            raise CameraLost(str(error)) from error
        self._is_missing = False
        self._calibrator.camera_found()
        return camera

    def _use(self, result: CalibrationResult) -> None:
        """Save a calibration and watch with it from now on, without closing the camera."""
        try:
            self._save(result)
        except CompanionError as error:
            self._calibrator.mailbox.save_failed(str(error))
            return
        self._profile, self._controls = result.profile, result.controls
        self._restart_watching, self._calibrating = True, False
        self._calibrator.mailbox.saved()

    def _close_camera(self) -> None:
        if self._camera is not None:
            self._camera.close()
            self._camera = None

    def _notify(self, change: CameraChanged) -> None:
        try:
            self._submit(change)
        except CompanionError as error:
            log.warning("Could not tell the table about the camera: %s", error)

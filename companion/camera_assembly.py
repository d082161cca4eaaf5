"""Assembles cameras, reader, calibration and the cases that the reader learns from."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.calibration.mailbox import Mailbox
from companion.calibration.session import FOLDER_CAMERA, CalibrationService, NoCalibration
from companion.camera_spec import CameraSpec
from companion.cases.case_collector import CaseCollector
from companion.cases.case_folder import CaseFolder
from companion.cases.learning_process import LearningProcess, learning_command
from companion.cases.worker import CaseWorker
from companion.errors import CameraLost, ProfileUnusable
from companion.live_preview import Preview
from companion.phone_camera.mailbox import Mode, PhoneMailbox
from companion.referee.events import CameraChanged, CameraState, Event
from companion.referee.referee import Referee
from companion.referee.throw_tally import SIMULATED

if TYPE_CHECKING:
    from companion.board_assembly import WatchedBoard
    from hardware.cameras.camera import Camera, Frame, Pixels
    from hardware.cameras.locked_controls import LockedControls
    from hardware.cameras.simulated_board import SimulatedBoard
    from hardware.composing.forecaster import Forecaster
    from hardware.reader.profile import Profile
    from hardware.reader.throw_reader import ThrowReader
    from hardware.tracking.board.board_camera_worker import BoardCameraWorker
    from hardware.tracking.camera_worker import CameraWorker
    from hardware.tracking.swappable_reader import SwappableReader

log = logging.getLogger("puluc")

PHONE_RETRY_S = 0.5
"""Seconds between two looks whether the phone is back. Nothing has to be opened for it, so they cost nothing."""


def learning_reader(folder: Path, referee: Referee) -> tuple[SwappableReader, CaseWorker]:
    """The reader that learns during the game, and the worker that collects its cases."""
    from hardware.tracking.swappable_reader import SwappableReader

    kept = CaseFolder(folder)
    reader = SwappableReader(kept)
    learner = LearningProcess(
        kept,
        calibration=lambda: reader.calibration,
        calm=lambda: not reader.is_reading and referee.state().camera.state is not CameraState.MOVING,
        words=partial(learning_command, folder),
        adopt=reader.reload,
    )
    return reader, CaseWorker(referee, CaseCollector(referee, kept, source=reader.source), learner)


def camera_with_calibration(
    spec: CameraSpec,
    profile_folder: Path | None,
    folder: Path,
    referee: Referee,
    reader: SwappableReader,
    preview: Preview,
    *,
    board: WatchedBoard | None,
    phone: PhoneMailbox | None,
    drawn: SimulatedBoard | None,
) -> tuple[CameraWorker, CalibrationService, Forecaster]:
    """The camera's worker, the calibration for phones, and the worker that forecasts how often the camera will ask.

    Raises a CompanionError if the camera cannot be used.

    board: that this camera sees too. phone: where the page of a phone that is the camera leaves its pictures.
    """
    from hardware.cameras.locked_controls import LockedControls
    from hardware.cameras.simulated_camera import SimulatedCamera
    from hardware.composing.forecaster import Forecaster, rehearsed
    from hardware.reader.profile import Profile
    from hardware.reader.throw_reader import ThrowReader
    from hardware.registration.handheld_photos import PhotoCamera
    from hardware.tracking.calibrator import CalibrationResult, Calibrator
    from hardware.tracking.camera_worker import CameraWorker, update_preview
    from hardware.tracking.settling import SettlingDetector
    from hardware.tracking.throw_watcher import BACK_OFF_S, ThrowWatcher

    kept = profile_folder or folder / spec.sticks_folder

    def takes_photos() -> bool:
        return phone is not None and phone.mode is Mode.PHOTOS

    def rest_detector(
        empty: Pixels | None, view: Callable[[Pixels], Pixels] = lambda pixels: pixels
    ) -> SettlingDetector:
        # The light, and what lies beside the tray, differ in each photograph that is held by hand.
        return SettlingDetector(None if takes_photos() else empty, view=view)

    def opened_as(held: LockedControls | None) -> Camera:
        if phone is not None and takes_photos():
            return PhotoCamera(phone, taken=lambda: mailbox.photograph_taken())
        return _opened(spec, held, phone, drawn)

    def save(result: CalibrationResult) -> None:
        result.profile.save(kept)
        if result.controls is None:
            LockedControls.delete(kept)
        else:
            result.controls.save(kept)
        use(result.profile, result.reader)

    def use(profile: Profile, fitted: ThrowReader | None = None) -> None:
        reader.use_calibration(profile, _stick_set(spec, profile.sticks), reader=fitted)

    def on_frame(camera: Camera, frame: Frame) -> None:
        update_preview(preview, frame.pixels)
        if board is not None:
            board.observe(camera, frame)

    def make_watcher(profile: Profile, take_camera: Callable[[], Camera]) -> ThrowWatcher:
        def hide(pixels: Pixels) -> Pixels:
            return pixels if board is None else board.watcher.hide(pixels, profile.empty)

        return ThrowWatcher(
            open_camera=take_camera,
            reader=reader,
            detector=lambda: rest_detector(profile.empty, hide),
            table=referee.state,
            submit=referee.submit,
            clock=time.monotonic,
            pause=time.sleep,
            sticks=_stick_set(spec, profile.sticks),
            on_frame=on_frame,
            hide=hide,
            back_off_s=BACK_OFF_S if phone is None else (PHONE_RETRY_S,),
        )

    def submit(event: Event) -> None:
        if referee.state().camera != event:
            referee.submit(event)

    camera: Camera | None = None
    profile: Profile | None = None
    held: LockedControls | None = None
    try:
        held = LockedControls.load(kept)
        # Opened at once, so that a wrong name fails at the start.
        camera = _opened_now(partial(opened_as, held))
        if isinstance(camera, SimulatedCamera) and not profile_folder and not kept.exists():
            fitted = ThrowReader.calibrate(*camera.calibration())
            profile = fitted.profile
            use(profile, fitted)
        else:
            profile = Profile.load(kept)
            use(profile)
    except ProfileUnusable as error:
        if profile_folder:
            if camera:
                camera.close()
            raise
        log.warning("%s Teach the camera these sticks on the page, or with puluc calibrate --out %s.", error, kept)
        camera, profile = camera or _opened_now(partial(opened_as, None)), None
    mailbox = Mailbox(clock=time.monotonic, sticks=profile.name if profile else "")
    forecaster = Forecaster(mailbox, rehearse=rehearsed)
    worker = CameraWorker(
        open_camera=opened_as,
        camera=camera,
        make_watcher=make_watcher,
        calibrator=Calibrator(mailbox, detector=rest_detector, taught=forecaster.begin),
        save=save,
        submit=submit,
        clock=time.monotonic,
        pause=time.sleep,
        profile=profile,
        controls=held,
        preview=preview,
        is_missing=camera is None,
        board=board,
    )
    return worker, NoCalibration(FOLDER_CAMERA) if spec.kind == "folder" else mailbox, forecaster


def board_camera(
    spec: CameraSpec,
    referee: Referee,
    board: WatchedBoard,
    preview: Preview,
    *,
    phone: PhoneMailbox | None,
    drawn: SimulatedBoard | None,
) -> BoardCameraWorker:
    """The worker of a camera that looks at the board alone. Raises a CompanionError if it cannot be used.

    phone: where the page of a phone that is this camera leaves its pictures.
    """
    from hardware.tracking.board.board_camera_worker import BoardCameraWorker
    from hardware.tracking.camera_worker import RETRY_S

    open_camera = partial(_opened, spec, None, phone, drawn)
    # Opened at once, so that a wrong name fails at the start.
    camera = _opened_now(open_camera)
    referee.see_board_with(CameraChanged(state=CameraState.LOST if camera is None else CameraState.WATCHING))
    return BoardCameraWorker(
        open_camera=open_camera,
        camera=camera,
        board=board,
        preview=preview,
        tell=referee.see_board_with,
        clock=time.monotonic,
        pause=time.sleep,
        retry_s=RETRY_S if phone is None else PHONE_RETRY_S,
    )


def _opened(
    spec: CameraSpec, held: LockedControls | None, phone: PhoneMailbox | None, drawn: SimulatedBoard | None
) -> Camera:
    from hardware.cameras.opening import open_camera
    from hardware.cameras.phone_camera import PhoneCamera
    from hardware.cameras.simulated_camera import SimulatedCamera
    from hardware.tracking.picture_quality import quality_hints

    if phone is not None:
        return PhoneCamera(phone, quality_hints=quality_hints)
    camera = SimulatedCamera(board=drawn) if drawn is not None else open_camera(spec, controls=held)
    assert camera is not None
    return camera


def _opened_now(open_camera: Callable[[], Camera]) -> Camera | None:
    try:
        return open_camera()
    except CameraLost as error:
        log.warning("%s", error)
        return None


def _stick_set(camera: CameraSpec, taught: str) -> str:
    """The name of this camera's set of lots. taught: the name in the reader's profile."""
    # Pictures from a folder come round again and again: they are no new throws of the lots themselves.
    return SIMULATED if camera.is_simulated else f"{taught}, from pictures" if camera.kind == "folder" else taught

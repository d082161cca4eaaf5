"""The camera's side of a calibration that is guided from a phone, one frame at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from companion.calibration.mailbox import Mailbox, StepSuperseded
from companion.calibration.prompts import alike_text
from companion.calibration.session import Busy, CalibrationState, Stage
from companion.errors import FacesAlike, PictureUnusable, ProfileUnusable, TrayMoved
from companion.i18n import _
from companion.referee.events import Face, Lot, ThrowUnreadable, same_placement
from companion.referee.snapshots.prompts import unsure_text
from companion.rules.odds import LOTS
from hardware.cameras.camera import Camera, Frame, Pixels, SupportsLock, SupportsPlacement, SupportsThrow
from hardware.cameras.locked_controls import LockedControls
from hardware.cameras.picture_files import preview_jpeg
from hardware.composing.forecaster import jpegs
from hardware.composing.taught_faces import TaughtFaces
from hardware.reader.judge.shipped_judge import check_lots
from hardware.reader.profile import Profile
from hardware.reader.throw_reader import ThrowReader
from hardware.registration.sheet_registration import sheet_problem
from hardware.tracking.consensus import Consensus
from hardware.tracking.placement_outlines import find_outlines, touches_border
from hardware.tracking.rest_detector import RestDetector
from hardware.tracking.throw_watcher import OBSTRUCTED_S

PICTURE_S = 0.12
"""Seconds between two live pictures. Lower is smoother but costs a Pi more: about 3 ms for each picture."""

OUTLINE_S = 0.3
"""Seconds between two searches for lots in the tray. Lower follows the hands better but costs a Pi more."""

PATIENCE_S = 10.0
"""Seconds that the tray has to come to rest after a tap. Higher keeps people waiting, lower hurries them."""

FACES_SHOWN = {Stage.EMPTY: (), Stage.MARKED: (Face.MARKED,) * LOTS, Stage.PLAIN: (Face.PLAIN,) * LOTS}
"""The faces in the picture of each stage that takes one."""


@dataclass(frozen=True, slots=True, eq=False)
class CalibrationResult:
    """The result of a calibration.

    profile: to be saved. reader: fitted to it. controls: locked during the calibration, if the camera can.
    """

    profile: Profile
    reader: ThrowReader
    controls: LockedControls | None


class _Progress:
    """What the camera's thread has of a calibration so far."""

    def __init__(self, detector: RestDetector) -> None:
        self.detector = detector
        self.controls: LockedControls | None = None
        # The stills so far, and the empty tray in a small frame.
        self.empty: Pixels | None = None
        self.marked: Pixels | None = None
        self.empty_frame: Pixels | None = None
        self.reader: ThrowReader | None = None
        self.consensus: Consensus | None = None
        # The test throw that was read last, and whether the camera has made one that was asked for.
        self.last_lots: tuple[Lot, ...] = ()
        self.thrown = False
        # When a tap began to wait for rest, and whether something at the border has been reported.
        self.waiting_since: float | None = None
        self.warned = False
        # What to report about a throw that nobody asked about if it stays, and since when.
        self.doubt: tuple[float, dict[str, Any]] | None = None
        self.pictured_at = self.outlined_at = float("-inf")


class Calibrator:
    """Carries out the phones' requests from the mailbox. Only the camera's thread calls it.

    detector: makes a rest detector, given the empty tray once it is known.
    taught: called with the calibration's number and a reader that has just been taught.
    """

    def __init__(
        self,
        mailbox: Mailbox,
        *,
        detector: Callable[[Pixels | None], RestDetector],
        taught: Callable[[int, ThrowReader], object] = lambda _session, _reader: None,
    ) -> None:
        self.mailbox = mailbox
        self._new_detector, self._taught = detector, taught
        # The calibration and its step that are in progress, and the step that has been prepared.
        self._session, self._step, self._prepared = 0, 0, -1
        self._got = _Progress(detector(None))

    @property
    def controls(self) -> LockedControls | None:
        """The camera's controls for this calibration, once they are locked."""
        return self._got.controls

    def is_active(self) -> bool:
        """Return whether a calibration is in progress."""
        return self._pending().is_open

    def step(self, camera: Camera) -> CalibrationResult | None:
        """Take one frame and do what was requested. Returns the result once it is to be saved.

        Raises CameraLost. Then call ``camera_lost``, and ``camera_found`` once the camera is back.
        """
        now = self._pending()
        try:
            if now.is_open and now.busy is Busy.SAVING:
                reader = self._got.reader
                assert reader is not None
                return CalibrationResult(replace(reader.profile, name=now.sticks), reader, self._got.controls)
            if now.is_open and now.step != self._prepared:
                self._prepare(camera, now)
            elif now.is_open:
                self._watch(camera, now)
        except StepSuperseded:
            pass
        return None

    def camera_lost(self, why: str) -> None:
        """Note that the camera is gone. Pictures taken before stay valid."""
        self.mailbox.camera_lost(why)

    def camera_found(self) -> None:
        """Note that the camera has been opened, for the first time or again."""
        self._prepared = -1
        self.mailbox.camera_found()

    def _pending(self) -> CalibrationState:
        """Return what is to be done, and forget an earlier calibration."""
        session, now = self.mailbox.pending()
        if self._session != session:
            self._session, self._prepared = session, -1
            self._got = _Progress(self._new_detector(None))
        self._step = now.step
        return now

    def _update(self, **changes: Any) -> None:
        self.mailbox.update(self._step, **changes)

    def _go_on(self, stage: Stage, **changes: Any) -> None:
        cleared: dict[str, Any] = {"busy": None, "problem": "", "lots": (), "marked": None}
        self._update(stage=stage, step=self._step + 1, **(cleared | changes))

    def _refuse(self, problem: str, **changes: Any) -> None:
        """Say why the step has to be done again."""
        self._got.waiting_since = None
        self._update(busy=None, problem=problem, **changes)

    def _prepare(self, camera: Camera, now: CalibrationState) -> None:
        """Prepare a step that has just begun, or that goes on with a reopened camera."""
        got = self._got
        if isinstance(camera, SupportsPlacement) and now.stage in FACES_SHOWN:
            camera.place(FACES_SHOWN[now.stage])
        if now.busy is Busy.OPENING:
            if isinstance(camera, SupportsLock) and got.controls is None:
                got.controls = camera.lock()
            self._update(busy=None)
        if now.stage in FACES_SHOWN:
            got.detector = self._new_detector(None if now.stage is Stage.EMPTY else got.empty)
        if now.stage is Stage.THROW:
            self._update(busy=Busy.STILL if isinstance(camera, SupportsThrow) else None)
        got.thrown, got.waiting_since, got.warned, got.doubt = False, None, False, None
        self._prepared = now.step

    def _watch(self, camera: Camera, now: CalibrationState) -> None:
        got = self._got
        tapped = now.busy is Busy.STILL
        if tapped and now.stage is Stage.THROW and isinstance(camera, SupportsThrow) and not got.thrown:
            camera.throw()
            got.thrown, got.detector = True, self._new_detector(got.empty)
        frame = camera.next_frame()
        at_rest = got.detector.update(frame)
        self._show(frame, now)
        if got.consensus is not None and not at_rest:
            got.consensus.reset()
        if not tapped:
            if now.stage is Stage.THROW:
                self._await_throw(camera, frame, now, at_rest=at_rest)
            return
        if got.waiting_since is None:
            got.waiting_since = frame.taken_at
        waited = frame.taken_at - got.waiting_since
        if at_rest:
            self._take_picture(camera, now)
        elif got.detector.is_obstructed and got.warned:
            # The player tapped again, so it belongs there, or the reader has to judge.
            got.detector.accept_obstruction()
        elif got.detector.is_obstructed and waited > OBSTRUCTED_S:
            got.warned = True
            self._warn(camera, now)
        elif waited > PATIENCE_S:
            self._refuse(_("Something is still moving, or a hand is in the way. Clear the tray and tap again."))

    def _await_throw(self, camera: Camera, frame: Frame, now: CalibrationState, *, at_rest: bool) -> None:
        """Read a test throw without a tap. Report what may be a player at work only if it stays."""
        got = self._got
        obstructed = got.detector.is_obstructed
        if not (at_rest or obstructed):
            got.doubt = None
            if now.problem or now.lots:
                self._update(problem="", lots=())
        elif obstructed:
            got.doubt = got.doubt or (frame.taken_at, {"problem": unsure_text("covered", 0)})
        elif got.detector.has_changed and not self._is_being_cleared(frame):
            self._read(camera, tapped=False)
        if got.doubt is not None and frame.taken_at - got.doubt[0] > OBSTRUCTED_S:
            self._update(**got.doubt[1])

    def _show(self, frame: Frame, now: CalibrationState) -> None:
        """Show the tray and its lots to the phones, except while they show a test throw."""
        got = self._got
        if now.stage in (Stage.SHOWN, Stage.DOUBT):
            return
        rows, columns = frame.pixels.shape[:2]
        if frame.taken_at - got.pictured_at >= PICTURE_S:
            got.pictured_at = frame.taken_at
            self.mailbox.publish_picture(self._step, preview_jpeg(frame.pixels))
            if not now.width:
                self._update(width=columns, height=rows)
        if now.stage is Stage.EMPTY:
            got.empty_frame = frame.pixels
        elif now.stage in FACES_SHOWN and frame.taken_at - got.outlined_at >= OUTLINE_S:
            got.outlined_at = frame.taken_at
            self._update(lots=find_outlines(self._empty_like(frame), frame.pixels), width=columns, height=rows)

    def _take_picture(self, camera: Camera, now: CalibrationState) -> None:
        """Take the picture of this step, unless something moves meanwhile."""
        if now.stage is Stage.THROW:
            self._read(camera, tapped=True)
            return
        got = self._got
        still = camera.still().pixels
        if not got.detector.update(camera.next_frame()):
            return
        self._update(busy=Busy.LEARNING, problem="")
        try:
            if now.stage is Stage.EMPTY:
                got.empty = still
                self._go_on(Stage.MARKED, problem=sheet_problem(still))
                return
            assert got.empty is not None
            if now.stage is Stage.MARKED:
                check_lots(got.empty, still)
                got.marked = still
                self._go_on(Stage.PLAIN)
                return
            assert got.marked is not None
            got.reader = ThrowReader.calibrate(got.empty, got.marked, still)
            got.consensus, got.last_lots = Consensus(got.reader), ()
            self._taught(self._session, got.reader)
            # What lies there now is not a throw.
            got.detector.mark_read()
            self._go_on(Stage.THROW, busy=Busy.STILL, verdicts=())
        except FacesAlike:
            assert got.empty is not None
            assert got.marked is not None
            faces = TaughtFaces.found(got.empty, got.marked, still)
            self.mailbox.publish_faces(self._session, jpegs(faces))
            self._refuse(alike_text(faces.remedy()), faces=True)
        except ProfileUnusable as error:
            self._refuse(self._advice(still, error))

    def _warn(self, camera: Camera, now: CalibrationState) -> None:
        """Report something that reaches into the picture and stays, as precisely as possible."""
        if now.stage in (Stage.MARKED, Stage.PLAIN):
            still = camera.still().pixels
            assert self._got.empty is not None
            try:
                check_lots(self._got.empty, still)
            except ProfileUnusable as error:
                self._refuse(self._advice(still, error))
                return
        self._refuse(unsure_text("covered", 0))

    def _advice(self, still: Pixels, error: ProfileUnusable) -> str:
        """Say why a picture cannot be used, in the players' words."""
        empty = self._got.empty
        assert empty is not None
        if isinstance(error, TrayMoved):
            return _("The tray or the camera has moved. Put it back, or go back and take the empty tray again.")
        rows, columns = still.shape[:2]
        lots = find_outlines(empty, still) if still.shape == empty.shape else ()
        if touches_border(lots, columns, rows):
            return unsure_text("covered", len(lots))
        if len(lots) > LOTS:
            return _("{seen} Was the tray really empty before? If not, go back.", seen=unsure_text("count", len(lots)))
        if not lots:
            return _(
                "{seen} If they are there, the tray's colour is too close to theirs.", seen=unsure_text("count", 0)
            )
        return unsure_text("count", len(lots)) if len(lots) < LOTS else str(error)

    def _read(self, camera: Camera, *, tapped: bool) -> None:
        """Read a test throw. tapped: a player asked for it; else it has come to rest by itself."""
        got = self._got
        still = camera.still().pixels
        after = camera.next_frame()
        if not got.detector.update(after):
            return
        assert got.consensus is not None
        try:
            reading = got.consensus.add(still)
        except PictureUnusable as error:
            self._refuse(str(error))
            return
        if reading is None:
            return
        got.detector.mark_read()
        got.thrown = False
        rows, columns = still.shape[:2]
        shown: dict[str, Any] = {"lots": reading.lots, "width": columns, "height": rows}
        if isinstance(reading, ThrowUnreadable):
            problem = unsure_text(reading.reason, len(reading.lots))
            if tapped or not _may_be_cleared(reading):
                self._refuse(problem, **shown)
            elif reading.lots:
                got.doubt = (after.taken_at, {"problem": problem, **shown})
        elif tapped or not same_placement(reading.lots, got.last_lots):
            got.last_lots = reading.lots
            self.mailbox.publish_picture(self._step, preview_jpeg(still))
            self._go_on(Stage.SHOWN, marked=reading.marked, **shown)

    def _is_being_cleared(self, frame: Frame) -> bool:
        """Return whether somebody takes out the lots one by one: most have not moved, but some are gone."""
        if not self._got.detector.is_nudged:
            return False
        return len(find_outlines(self._empty_like(frame), frame.pixels)) < LOTS

    def _empty_like(self, frame: Frame) -> Pixels:
        """Return the empty tray at the frame's size."""
        assert self._got.empty_frame is not None
        rows, columns = frame.pixels.shape[:2]
        return cv2.resize(self._got.empty_frame, (columns, rows)).astype(np.uint8)


def _may_be_cleared(reading: ThrowUnreadable) -> bool:
    """Return whether the tray may look so while somebody takes out the lots."""
    return reading.reason == "count" and len(reading.lots) < LOTS

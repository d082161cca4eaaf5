"""The camera worker: watching a game, calibrations in between, and live pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from companion.calibration.mailbox import Mailbox
from companion.calibration.session import (
    Busy,
    CalibrationState,
    CancelCalibration,
    ConfirmStep,
    JudgeTestThrow,
    Stage,
    StartCalibration,
)
from companion.errors import CameraLost, ProfileUnusable
from companion.live_preview import VIEWER_TIMEOUT_S, Preview
from companion.phone_camera.absence import SENTENCES, Absence, PhoneAway, Subject
from companion.referee.events import CameraChanged, CameraState, GameStarted, ThrowEntered
from companion.referee.referee import Referee
from companion.storage.store import Store
from hardware.cameras.camera import Camera, Frame
from hardware.cameras.locked_controls import LockedControls
from hardware.reader.profile import Profile
from hardware.reader.throw_reader import ThrowReader
from hardware.tracking.calibrator import CalibrationResult, Calibrator
from hardware.tracking.camera_worker import RETRY_S, UNCALIBRATED, CameraWorker, update_preview
from hardware.tracking.settling import SettlingDetector
from hardware.tracking.throw_watcher import ThrowWatcher
from tests.hardware.reader.drawing import calibration, four, taught_reader, tray
from tests.hardware.tracking.tray_camera import LockableTrayCamera, TrayCamera

PICTURES = calibration()
CONTROLS = LockedControls(exposure_us=500)


@cache
def old() -> Profile:
    return replace(taught_reader().profile, name="Old")


@cache
def reader_of(profile: Profile) -> ThrowReader:
    return ThrowReader(profile)


class ObservedFrames:
    """A board that counts the frames it is passed."""

    is_needed, frames = False, 0

    def observe(self, _camera: Camera, _frame: Frame) -> None:
        self.frames += 1


class CameraWorkerBench:
    """A camera worker at a table where Ana is to throw.

    controls: with which the camera was opened, each time. results: saved so far. watchers: number made so far.
    """

    def __init__(self, folder: Path, camera: TrayCamera, profile: Profile | None) -> None:
        self.camera, self.opened, self.results, self.watchers = (
            camera,
            list[LockedControls | None](),
            list[CalibrationResult](),
            0,
        )
        self.disk_full, self.why_lost = False, CameraLost("The camera is unplugged.")
        self.referee = Referee(
            Store(folder), first=GameStarted(variant="puluc", jade=("Ana",), obsidian=("B",), seed=1)
        )
        for marked in (4, 1):
            self.referee.submit(ThrowEntered(marked))
        self.mailbox = Mailbox(clock=camera.clock, sticks="Old")
        self.preview = Preview(clock=camera.clock)
        self.board = ObservedFrames()
        self.worker = CameraWorker(
            open_camera=self._open,
            camera=None,
            make_watcher=self._make_watcher,
            calibrator=Calibrator(self.mailbox, detector=SettlingDetector),
            save=self._save,
            submit=self.referee.submit,
            clock=camera.clock,
            pause=self._pause,
            profile=profile,
            controls=CONTROLS,
            preview=self.preview,
            is_missing=camera.lost,
            board=self.board,
        )

    def _open(self, controls: LockedControls | None) -> Camera:
        if self.camera.lost:
            raise self.why_lost
        self.opened.append(controls)
        return self.camera

    def _make_watcher(self, profile: Profile, take_camera: Callable[[], Camera]) -> ThrowWatcher:
        self.watchers += 1
        return ThrowWatcher(
            open_camera=take_camera,
            reader=reader_of(profile),
            detector=lambda: SettlingDetector(profile.empty),
            table=self.referee.state,
            submit=self.referee.submit,
            clock=self.camera.clock,
            pause=self._pause,
            sticks=profile.sticks,
            on_frame=lambda _camera, frame: update_preview(self.preview, frame.pixels),
        )

    def _save(self, result: CalibrationResult) -> None:
        if self.disk_full:
            raise ProfileUnusable("The disk is full.")
        self.results.append(result)

    def _pause(self, seconds: float) -> None:
        self.camera.now += seconds

    def step(self, times: int = 1) -> None:
        for _ in range(times):
            self.worker.step()

    def until(self, condition: Callable[[CalibrationState], Any]) -> CalibrationState:
        for _ in range(150):
            if condition(self.mailbox.state()):
                return self.mailbox.state()
            self.step()
        raise AssertionError(self.mailbox.state())

    def calibrate(self) -> None:
        """Do all steps, with correct test throws."""
        self.mailbox.submit(StartCalibration("New"))
        self.until(lambda state: state.busy is None)
        for picture in PICTURES:
            self.camera.lay(picture)
            self.mailbox.submit(ConfirmStep())
            self.until(lambda state: state.busy is None)
        for marked in (3, 0, 2):
            self.camera.lay(tray(four(marked), noise=4 + marked))
            self.until(lambda state: state.stage is Stage.SHOWN)
            self.mailbox.submit(JudgeTestThrow(True))


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[[TrayCamera, Profile | None], CameraWorkerBench]]:
    benches: list[CameraWorkerBench] = []

    def build(camera: TrayCamera, profile: Profile | None) -> CameraWorkerBench:
        benches.append(CameraWorkerBench(tmp_path, camera, profile))
        return benches[-1]

    yield build
    for bench in benches:
        bench.worker.close()
        bench.referee.close()


Make = Callable[[TrayCamera, Profile | None], CameraWorkerBench]


@pytest.mark.slow
def test_new_calibration_reads_the_next_throw(make: Make) -> None:
    """The camera stays open with its locked controls, and the game goes on with the new sticks."""
    bench = make(LockableTrayCamera(), old())
    bench.step(3)
    before = bench.referee.state()
    bench.calibrate()
    during = bench.referee.state()
    bench.until(lambda state: state.stage is Stage.DONE)
    bench.step(3)
    bench.camera.lay(tray(four(1), noise=9))
    bench.step(15)
    table = bench.referee.state()

    assert during.camera.state == "uncalibrated"
    assert (during.position, during.step) == (before.position, before.step)
    assert [result.profile.name for result in bench.results] == ["New"]
    assert bench.results[0].controls == LockedControls(exposure_us=9000)
    assert table.throw is not None
    assert (table.throw.marked, table.throw.sticks) == (1, "New")
    # The watcher's camera served the calibration, and the calibration's the new watcher.
    assert bench.opened == [CONTROLS]


def test_cancelled_calibration_restores_the_old_one(make: Make) -> None:
    """The camera is reopened with the old controls, and the game is watched again."""
    bench = make(LockableTrayCamera(), old())
    bench.step(3)
    bench.mailbox.submit(StartCalibration())
    bench.until(lambda state: state.busy is None)
    bench.mailbox.submit(CancelCalibration())
    bench.step(3)
    bench.camera.lay(tray(four(2), noise=9))
    bench.step(15)
    table = bench.referee.state()

    assert bench.opened == [CONTROLS, CONTROLS]
    assert bench.results == []
    assert table.throw is not None
    assert (table.throw.marked, table.throw.sticks) == (2, "Old")


@pytest.mark.slow
def test_table_without_a_profile_waits_for_a_calibration(make: Make) -> None:
    """The camera stays closed until then, and reads afterwards."""
    bench = make(TrayCamera(), None)
    bench.step(3)
    camera = bench.referee.state().camera
    assert bench.opened == []
    bench.calibrate()
    bench.until(lambda state: state.stage is Stage.DONE)
    bench.step(10)

    assert camera.state == "uncalibrated"
    assert "menu" in camera.message
    assert bench.referee.state().camera.state == "watching"


def test_cancelled_first_calibration_closes_the_camera(make: Make) -> None:
    """The players go on tapping the counts."""
    bench = make(TrayCamera(), None)
    bench.mailbox.submit(StartCalibration())
    bench.until(lambda state: state.busy is None)
    bench.mailbox.submit(CancelCalibration())
    bench.step(2)

    assert bench.camera.calls == ["close"]
    assert "don't know these sticks" in bench.referee.state().camera.message


def test_camera_lost_during_a_calibration_is_reopened(make: Make) -> None:
    """The earlier pictures stay valid, and the controls are the ones locked before."""
    bench = make(LockableTrayCamera(), old())
    bench.mailbox.submit(StartCalibration())
    bench.until(lambda state: state.busy is None)
    bench.mailbox.submit(ConfirmStep())
    bench.until(lambda state: state.stage is Stage.MARKED)
    bench.camera.lost = True
    lost = bench.until(lambda state: state.busy is Busy.LOST)
    bench.step(3)
    bench.camera.lost = False
    bench.camera.now += RETRY_S
    back = bench.until(lambda state: state.busy is None)

    assert (lost.stage, back.stage) == (Stage.MARKED, Stage.MARKED)
    assert bench.opened[-1] == LockedControls(exposure_us=9000)
    bench.camera.lay(PICTURES[1])
    bench.mailbox.submit(ConfirmStep())
    assert bench.until(lambda state: state.stage is Stage.PLAIN).problem == ""


@pytest.mark.slow
def test_full_disk_is_reported_and_saving_can_be_repeated(make: Make) -> None:
    """A result that cannot be saved is not used; one more tap saves it later."""
    bench = make(TrayCamera(), old())
    bench.step(3)
    bench.disk_full = True
    bench.calibrate()
    refused = bench.until(lambda state: state.stage is Stage.DOUBT)
    watchers = bench.watchers
    bench.disk_full = False
    bench.mailbox.submit(ConfirmStep())
    bench.until(lambda state: state.stage is Stage.DONE)
    bench.step()

    assert refused.problem == "The disk is full."
    assert watchers == 1
    assert bench.watchers == 2
    assert len(bench.results) == 1


def test_preview_during_a_game(make: Make) -> None:
    """There are pictures only while somebody watches."""
    bench = make(TrayCamera(), old())
    bench.step(3)
    unasked = bench.preview.picture()
    bench.step()
    asked = bench.preview.picture()
    bench.camera.now += VIEWER_TIMEOUT_S + 1
    bench.step()
    late = bench.preview.picture()

    assert unasked is None
    assert asked is not None
    assert asked.startswith(b"\xff\xd8")
    assert late is None


def test_preview_before_the_first_calibration(make: Make) -> None:
    """The camera is open while somebody watches, and is reopened if it is lost."""
    bench = make(TrayCamera(), None)
    bench.step(2)
    bench.camera.lost = True
    bench.preview.picture()
    bench.step(2)
    lost = bench.preview.picture()
    bench.camera.lost = False
    bench.camera.now += RETRY_S
    bench.step()
    found = bench.preview.picture()
    bench.camera.now += VIEWER_TIMEOUT_S + 1
    bench.step()

    assert lost is None
    assert found is not None
    assert bench.opened == [CONTROLS]
    assert bench.camera.calls == ["close"]


def test_a_missing_camera_is_not_blamed_on_the_sticks(make: Make) -> None:
    """Without profile and camera it is the camera that is missed; once it is there, the sticks are unknown."""
    camera = TrayCamera()
    camera.lost = True
    bench = make(camera, None)
    bench.step(2)
    missing, initial = bench.referee.state().camera.state, bench.worker.uncalibrated
    camera.lost = False
    camera.now += RETRY_S
    bench.step()

    assert (missing, initial) == (CameraState.LOST, CameraChanged(state=CameraState.LOST))
    assert bench.referee.state().camera.state is CameraState.UNCALIBRATED


@pytest.mark.parametrize("is_watched", [False, True], ids=["idle", "with a preview"])
def test_a_phone_that_leaves_before_it_is_taught_is_missed(make: Make, *, is_watched: bool) -> None:
    """The table says why, although nothing is read, and whether somebody looks at the picture or not."""
    camera = TrayCamera()
    camera.lost = True
    bench = make(camera, None)
    told = []
    for absence in (Absence.NEVER, None, Absence.REMOVED, Absence.SILENT, None):
        camera.lost = absence is not None
        bench.why_lost = PhoneAway(Subject.TRAY, absence or Absence.NEVER)
        for _look in range(2):
            camera.now += RETRY_S
            if is_watched:
                bench.preview.picture()
            bench.step()
        told.append(bench.referee.state().camera)

    missed = [CameraChanged(state=CameraState.LOST, message=one) for one in SENTENCES[Subject.TRAY].values()]
    assert told == [missed[0], UNCALIBRATED, missed[1], missed[2], UNCALIBRATED]


def test_a_phone_that_was_just_found_is_taught_at_once(make: Make) -> None:
    """To have looked whether it is there delays nothing."""
    camera = TrayCamera()
    camera.lost = True
    bench = make(camera, None)
    bench.step()
    camera.lost = False
    camera.now += RETRY_S
    bench.step()
    found = len(bench.opened)
    bench.mailbox.submit(StartCalibration())
    bench.step()

    assert len(bench.opened) == found + 1


def test_another_camera_is_not_opened_to_see_whether_it_is_there(make: Make) -> None:
    """Only a phone costs nothing; what is plugged in stays closed while there is nothing to read."""
    bench = make(TrayCamera(), None)
    bench.step()
    bench.camera.now += RETRY_S
    bench.step(3)

    assert bench.opened == []


def test_a_board_is_watched_without_a_calibration(make: Make) -> None:
    """The camera stays open for a board although it reads no throws; unplugged, that is said, and it comes back."""
    bench = make(TrayCamera(), None)
    bench.step(3)
    unneeded = bench.board.frames
    bench.board.is_needed = True
    bench.step(3)
    watched = bench.board.frames
    bench.camera.lost = True
    bench.step(2)
    lost = bench.referee.state().camera.state
    bench.camera.lost = False
    bench.camera.now += RETRY_S
    bench.step(2)

    assert (unneeded, watched, lost) == (0, 3, "lost")
    assert bench.board.frames > watched
    assert bench.referee.state().camera.state == "uncalibrated"

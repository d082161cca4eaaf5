"""A whole calibration on drawn pictures, one frame at a time."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from companion.calibration.mailbox import ABANDONED_S, Mailbox
from companion.calibration.prompts import sentence
from companion.calibration.session import (
    Busy,
    CalibrationState,
    CancelCalibration,
    ConfirmStep,
    GoBack,
    JudgeTestThrow,
    Stage,
    StartCalibration,
)
from companion.errors import NotAllowed, Unknown
from companion.printing.tray_plan import PAPERS
from companion.referee.events import Face
from hardware.cameras.camera import Pixels
from hardware.cameras.locked_controls import LockedControls
from hardware.tracking.calibrator import PATIENCE_S, CalibrationResult, Calibrator
from hardware.tracking.settling import SettlingDetector
from tests.hardware.reader.drawing import Stick, calibration, four, tray
from tests.hardware.tracking.tray_camera import FRAME_S, HANDS, LockableTrayCamera, TrayCamera
from tests.printing.printed import overhead, printed, seen

EMPTY, MARKED, PLAIN = calibration()


class CalibratorBench:
    """A calibrator with a fake camera, and the phone's side of it."""

    def __init__(self, camera: TrayCamera | None = None) -> None:
        self.camera = camera or TrayCamera()
        self.mailbox = Mailbox(clock=self.camera.clock)
        self.calibrator = Calibrator(self.mailbox, detector=SettlingDetector)
        self.result: CalibrationResult | None = None

    def step(self, times: int = 1) -> CalibrationState:
        for _ in range(times):
            self.result = self.calibrator.step(self.camera) or self.result
        return self.mailbox.state()

    def until(self, condition: Callable[[CalibrationState], bool], max_steps: int = 200) -> CalibrationState:
        for _ in range(max_steps):
            if condition(self.mailbox.state()):
                return self.mailbox.state()
            self.step()
        raise AssertionError(self.mailbox.state())

    def start(self, sticks: str = "") -> CalibrationState:
        self.mailbox.submit(StartCalibration(sticks))
        return self.until(lambda state: state.busy is None)

    def tap(self, pixels: Pixels) -> CalibrationState:
        """Change the tray, confirm the step, and wait for the outcome."""
        self.camera.lay(pixels)
        self.mailbox.submit(ConfirmStep())
        return self.until(lambda state: state.busy is None)

    def take_pictures(self) -> CalibrationState:
        """Take all three pictures correctly."""
        self.start()
        for picture in (EMPTY, MARKED, PLAIN):
            state = self.tap(picture)
        return state

    def throw(self, marked: int, *, noise: int) -> CalibrationState:
        """Make a test throw, and wait until it has been read without a tap."""
        sticks = [Stick(one.x + 5 * noise, one.y, one.turn + 7 * noise, one.marked) for one in four(marked)]
        self.camera.lay(tray(sticks, noise=noise))
        return self.until(lambda state: state.stage is Stage.SHOWN)


@pytest.mark.slow
def test_whole_calibration() -> None:
    """Each picture leads to the next step; three test throws are read and judged; then there is a result."""
    bench = CalibratorBench()
    stages = [bench.start(sticks=" Beans ").stage]
    for picture in (EMPTY, MARKED, PLAIN):
        stages.append(bench.tap(picture).stage)
    counts: list[int | None] = []
    for marked in (3, 0, 2):
        shown = bench.throw(marked, noise=len(counts) + 4)
        counts.append(shown.marked)
        assert len(shown.lots) == 4
        bench.mailbox.submit(JudgeTestThrow(True), seen=shown.step)
    saving = bench.mailbox.state()
    bench.step()
    assert bench.result is not None
    bench.mailbox.saved()

    assert stages == [Stage.EMPTY, Stage.MARKED, Stage.PLAIN, Stage.THROW]
    assert counts == [3, 0, 2]
    assert (saving.stage, saving.busy, saving.verdicts) == (Stage.SHOWN, Busy.SAVING, (True,) * 3)
    assert bench.result.profile.name == "Beans"
    np.testing.assert_array_equal(bench.result.profile.empty, EMPTY)
    assert bench.mailbox.state().stage is Stage.DONE
    assert not bench.calibrator.is_active()


def test_controls_are_locked_once_at_the_start() -> None:
    """They are locked before the first picture."""
    bench = CalibratorBench(LockableTrayCamera())
    bench.take_pictures()

    assert bench.camera.calls == ["lock", "still", "still", "still"]
    assert bench.calibrator.controls == LockedControls(exposure_us=9000)


def test_the_size_tells_that_there_is_a_picture() -> None:
    """It is told with the first live picture of the empty tray, so that nobody asks for one before."""
    bench = CalibratorBench()
    opened = bench.start()
    shown = bench.until(lambda state: state.width > 0)

    assert (opened.width, opened.height) == (0, 0)
    assert (shown.stage, shown.width, shown.height) == (Stage.EMPTY, 640, 480)
    assert bench.mailbox.picture() is not None


def test_lots_are_outlined_while_they_are_laid_out() -> None:
    """There is an outline for each lot at its place in the live picture."""
    bench = CalibratorBench()
    bench.start()
    bench.tap(EMPTY)
    bench.camera.lay(tray(four(4)[:3], noise=2))
    three = bench.until(lambda state: len(state.lots) == 3)
    jpeg = bench.mailbox.picture()
    assert jpeg is not None
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)

    assert picture is not None
    assert (picture.shape[1], picture.shape[0]) == (three.width, three.height) == (640, 480)
    for lot, stick in zip(three.lots, sorted(four(4)[:3], key=lambda stick: stick.y), strict=True):
        assert (lot.x, lot.y) == pytest.approx((stick.x, stick.y), abs=6)
        assert len(lot.outline) == 4


@pytest.mark.parametrize(
    ("wrong", "sentence_part"),
    [
        (tray(four(4)[:3], noise=2), "I see three, not four. Please lay all four apart in the tray."),
        (tray(four(4), hand=(500, 60), noise=2), "Something covers the tray. Please take it away."),
        (EMPTY, "I see none, not four."),
        (np.roll(MARKED, (30, 60), axis=(0, 1)), "The tray or the camera has moved."),
        (tray([*four(4), Stick(310, 230, 20, True)], noise=2), "I see five, not four."),
    ],
    ids=["three", "hand", "none", "moved", "five"],
)
def test_wrong_picture_is_refused_and_taken_again(wrong: Pixels, sentence_part: str) -> None:
    """The sentence says what is wrong; the step is repeated until the picture is right."""
    bench = CalibratorBench()
    bench.start()
    bench.tap(EMPTY)
    refused = bench.tap(wrong)
    twice = bench.tap(wrong)
    again = bench.tap(MARKED)

    assert (refused.stage, twice.stage) == (Stage.MARKED, Stage.MARKED)
    assert sentence_part in sentence(refused)
    assert sentence_part in sentence(twice)
    assert (again.stage, again.problem) == (Stage.PLAIN, "")


def test_problem_with_the_printed_sheet_is_shown_at_once() -> None:
    """It is shown right after the empty picture; the calibration can continue regardless."""
    bench = CalibratorBench()
    bench.start()
    state = bench.tap(seen(printed(), overhead(PAPERS["a4"], aside=(30, 0))))

    assert state.stage is Stage.MARKED
    assert "only 2 of the sheet's four black squares" in sentence(state)


def test_faces_that_look_alike_are_refused() -> None:
    """The players are asked whether they turned them over, and shown both sides; the right picture goes on."""
    bench = CalibratorBench()
    bench.start()
    bench.tap(EMPTY)
    bench.tap(MARKED)
    refused = bench.tap(tray(four(4), noise=9))
    shown = bench.mailbox.picture(Face.MARKED), bench.mailbox.picture(Face.PLAIN)
    right = bench.tap(PLAIN)

    assert (refused.stage, refused.busy, refused.faces) == (Stage.PLAIN, None, True)
    assert "Did you turn over all four?" in sentence(refused)
    assert None not in shown
    assert (right.stage, right.faces) == (Stage.THROW, False)
    assert bench.mailbox.picture(Face.MARKED) is None


def test_movement_that_does_not_stop_is_reported() -> None:
    """No picture is taken during movement; after a while the players are told, and the next tap tries again."""
    bench = CalibratorBench()
    bench.start()
    bench.mailbox.submit(ConfirmStep())
    frames = round(PATIENCE_S / FRAME_S) + 5
    bench.camera.passing = [HANDS[step % 4] for step in range(frames + 8)]
    moving = bench.step(frames)

    assert (moving.stage, moving.busy) == (Stage.EMPTY, None)
    assert "still moving" in moving.problem
    assert bench.camera.calls == []
    bench.camera.passing = []
    assert bench.tap(EMPTY).stage is Stage.MARKED


@pytest.mark.slow
def test_lots_being_picked_up_are_not_a_throw() -> None:
    """Neither that nor a hand is read as a throw; a fifth lot is reported."""
    bench = CalibratorBench()
    bench.take_pictures()
    assert bench.step(12).stage is Stage.THROW
    for left in (3, 1, 0):
        bench.camera.lay(tray(four(0)[:left], noise=left))
        assert bench.step(12).problem == ""
    first = bench.throw(2, noise=5)
    bench.mailbox.submit(JudgeTestThrow(True))
    bench.camera.lay(bench.camera.picture)
    lying = bench.step(12)
    bench.camera.lay(tray([*four(2), Stick(310, 230, 20)], noise=6))
    five = bench.until(lambda state: state.problem != "")

    assert first.marked == 2
    assert (lying.stage, lying.problem) == (Stage.THROW, "")
    assert (five.stage, five.verdicts) == (Stage.THROW, (True,))
    assert "not four" in five.problem


@pytest.mark.slow
def test_incomplete_throw_is_reported_if_it_stays() -> None:
    """Missing sticks, or a hand that stays in the picture, are reported without a tap until that is corrected."""
    bench = CalibratorBench()
    bench.take_pictures()
    bench.camera.lay(tray(four(2)[:2], noise=5))
    short = bench.until(lambda state: state.problem != "")
    bench.camera.lay(tray(four(2), hand=(520, 60), noise=6))
    covered = bench.until(lambda state: "covers" in state.problem)
    bench.camera.lay(tray(four(2), noise=7))
    read = bench.until(lambda state: state.stage is Stage.SHOWN)

    assert "not four" in short.problem
    assert (covered.stage, covered.busy) == (Stage.THROW, None)
    assert (read.marked, read.problem) == (2, "")


@pytest.mark.slow
def test_result_with_wrong_test_throws_may_be_used() -> None:
    """The players choose; going back keeps the earlier pictures."""
    bench = CalibratorBench()
    bench.take_pictures()
    for marked, right in ((3, True), (0, False), (2, True)):
        bench.throw(marked, noise=marked + 4)
        bench.mailbox.submit(JudgeTestThrow(right))
    doubt = bench.mailbox.state()
    bench.mailbox.submit(ConfirmStep())
    bench.step()

    assert doubt.stage is Stage.DOUBT
    assert bench.result is not None
    bench.mailbox.save_failed("The disk is full.")
    assert (bench.mailbox.state().stage, bench.mailbox.state().problem) == (Stage.DOUBT, "The disk is full.")
    bench.mailbox.submit(GoBack())
    assert bench.until(lambda state: state.busy is None).stage is Stage.PLAIN
    assert bench.tap(PLAIN).stage is Stage.THROW
    bench.mailbox.submit(CancelCalibration())
    assert not bench.calibrator.is_active()


def test_two_phones_share_a_calibration() -> None:
    """A second start joins; a second tap for the same step changes nothing, or is refused."""
    bench = CalibratorBench()
    first = bench.start()
    joined = bench.mailbox.submit(StartCalibration("Other"))
    bench.mailbox.submit(ConfirmStep(), seen=first.step)
    twice = bench.mailbox.submit(ConfirmStep(), seen=first.step)
    bench.until(lambda state: state.stage is Stage.MARKED)

    assert joined == first
    assert twice.busy is Busy.STILL
    with pytest.raises(NotAllowed, match="already done"):
        bench.mailbox.submit(ConfirmStep(), seen=first.step)
    assert bench.camera.calls == ["still"]


def test_cancelled_calibration_leaves_nothing_behind() -> None:
    """Even in the middle of a step; the next calibration starts from the beginning."""
    bench = CalibratorBench()
    bench.start()
    bench.tap(EMPTY)
    bench.mailbox.submit(ConfirmStep())
    stopped = bench.mailbox.submit(CancelCalibration())
    bench.step(5)

    assert stopped.stage is Stage.CLOSED
    assert bench.mailbox.state() == stopped
    assert bench.mailbox.picture() is None
    assert bench.result is None
    assert bench.start().stage is Stage.EMPTY


def test_lost_camera_does_not_lose_the_pictures() -> None:
    """Taps are refused until it is back; then the step goes on."""
    bench = CalibratorBench(LockableTrayCamera())
    bench.start()
    bench.tap(EMPTY)
    bench.mailbox.submit(ConfirmStep())
    bench.calibrator.camera_lost("The camera is unplugged.")
    with pytest.raises(NotAllowed):
        bench.mailbox.submit(ConfirmStep())
    lost = bench.mailbox.state()
    bench.calibrator.camera_found()
    back = bench.until(lambda state: state.busy is None)

    assert (lost.stage, lost.busy) == (Stage.MARKED, Busy.LOST)
    assert sentence(lost).startswith("The camera is unplugged.")
    assert (back.stage, back.problem) == (Stage.MARKED, "")
    assert bench.tap(MARKED).stage is Stage.PLAIN
    assert bench.camera.calls.count("lock") == 1


def test_abandoned_calibration_is_cancelled() -> None:
    """It is cancelled a while after the last player watched, and the state says so."""
    bench = CalibratorBench()
    bench.start()
    bench.camera.now += ABANDONED_S - 1
    bench.mailbox.state(attended=True)
    bench.camera.now += ABANDONED_S - 1

    assert bench.calibrator.is_active()
    bench.mailbox.state()
    bench.camera.now += 2
    assert not bench.calibrator.is_active()
    assert "Nobody" in bench.mailbox.state().problem


@pytest.mark.parametrize("name", ["simulated", "#1", "x" * 41])
def test_invalid_name_is_refused(name: str) -> None:
    """The rules are those of ``puluc calibrate``."""
    bench = CalibratorBench()
    with pytest.raises(Unknown, match="name"):
        bench.mailbox.submit(StartCalibration(name))

    assert not bench.calibrator.is_active()


def test_requests_that_do_not_fit_are_refused() -> None:
    """There is nothing to confirm, nothing to judge, or nothing before the first step."""
    bench = CalibratorBench()
    with pytest.raises(NotAllowed, match="Tap Start"):
        bench.mailbox.submit(ConfirmStep())
    bench.start()
    for request in (GoBack(), JudgeTestThrow(True)):
        with pytest.raises(NotAllowed):
            bench.mailbox.submit(request)
    bench.take_pictures()
    bench.throw(1, noise=7)
    with pytest.raises(NotAllowed, match="whether the count is right"):
        bench.mailbox.submit(ConfirmStep())

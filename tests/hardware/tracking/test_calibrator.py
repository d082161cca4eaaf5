"""The calibration that a phone guides, with a person at the tray, a frame at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest

from companion.calibration import Begun, Busy, Judged, Stage, State, Stopped, WentBack, WentOn
from companion.calibration_desk import LEFT_S, Desk
from companion.calibration_words import sentence
from companion.errors import NotNow, Unknown
from companion.paper.layout import PAPERS
from hardware.calibrating import PATIENCE_S, Calibrating, Learned
from hardware.camera import Pixels
from hardware.locked_controls import LockedControls
from hardware.settling import Settling
from tests.hardware.drawing import Stick, calibration, four, tray
from tests.hardware.person import FRAME_S, HANDS, LockingPerson, Person
from tests.paper.printed import overhead, printed, seen

EMPTY, MARKED, PLAIN = calibration()


class Bench:
    """A calibration, and the person who does what it asks."""

    def __init__(self, person: Person | None = None) -> None:
        self.person = person or Person()
        self.desk = Desk(clock=self.person.clock)
        self.calibrating = Calibrating(self.desk, settling=Settling)
        self.learned: Learned | None = None

    def step(self, times: int = 1) -> State:
        for _ in range(times):
            self.learned = self.calibrating.step(self.person) or self.learned
        return self.desk.state()

    def until(self, wanted: Callable[[State], bool], most: int = 200) -> State:
        for _ in range(most):
            if wanted(self.desk.state()):
                return self.desk.state()
            self.step()
        raise AssertionError(self.desk.state())

    def begin(self, **how: Any) -> State:
        self.desk.submit(Begun(**how))
        return self.until(lambda state: state.busy is None)

    def tap(self, pixels: Pixels) -> State:
        """Lay that, say so, and wait for what becomes of it."""
        self.person.put(pixels)
        self.desk.submit(WentOn())
        return self.until(lambda state: state.busy is None)

    def teach(self) -> State:
        """All three pictures, as they should be."""
        self.begin()
        for picture in (EMPTY, MARKED, PLAIN):
            state = self.tap(picture)
        return state

    def throw(self, marked: int, *, noise: int) -> State:
        """A throw that is read without a tap."""
        sticks = [Stick(one.x + 5 * noise, one.y, one.turn + 7 * noise, one.marked) for one in four(marked)]
        self.person.put(tray(sticks, noise=noise))
        return self.until(lambda state: state.stage is Stage.SHOWN)


def test_a_tap_a_step_and_three_throws() -> None:
    """Each picture brings the next step; throws are read by themselves, shown, and judged; then all is learnt."""
    bench = Bench()
    stages = [bench.begin(sticks=" Beans ").stage]
    for picture in (EMPTY, MARKED, PLAIN):
        stages.append(bench.tap(picture).stage)
    counts: list[int | None] = []
    for marked in (3, 0, 2):
        shown = bench.throw(marked, noise=len(counts) + 4)
        counts.append(shown.marked)
        assert len(shown.lots) == 4
        bench.desk.submit(Judged(True), seen=shown.step)
    saving = bench.desk.state()
    bench.step()
    assert bench.learned is not None
    bench.desk.saved()

    assert stages == [Stage.EMPTY, Stage.MARKED, Stage.PLAIN, Stage.THROW]
    assert counts == [3, 0, 2]
    assert (saving.stage, saving.busy, saving.verdicts) == (Stage.SHOWN, Busy.SAVING, (True,) * 3)
    assert bench.learned.profile.name == "Beans"
    np.testing.assert_array_equal(bench.learned.profile.empty, EMPTY)
    assert bench.desk.state().stage is Stage.DONE
    assert not bench.calibrating.is_wanted()


def test_light_and_focus_are_held_when_it_starts() -> None:
    """Before the first picture, once, and they come with what is learnt."""
    bench = Bench(LockingPerson())
    bench.teach()

    assert bench.person.done == ["lock", "still", "still", "still"]
    assert bench.calibrating.held == LockedControls(exposure_us=9000)


def test_what_it_sees_is_outlined() -> None:
    """While the lots are laid out, each one is counted and outlined where it lies, over a live picture."""
    bench = Bench()
    bench.begin()
    bench.tap(EMPTY)
    bench.person.put(tray(four(4)[:3], noise=2))
    three = bench.until(lambda state: len(state.lots) == 3)
    jpeg = bench.desk.picture()
    assert jpeg is not None
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)

    assert picture is not None
    assert (picture.shape[1], picture.shape[0]) == (three.width, three.height) == (640, 480)
    for lot, stick in zip(three.lots, sorted(four(4)[:3], key=lambda stick: stick.y), strict=True):
        assert (lot.x, lot.y) == pytest.approx((stick.x, stick.y), abs=6)
        assert len(lot.outline) == 4


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (tray(four(4)[:3], noise=2), "I see three, not four. Please lay all four apart in the tray."),
        (tray(four(4), hand=(500, 60), noise=2), "Something covers the tray. Please take it away."),
        (EMPTY, "I see none, not four."),
        (np.roll(MARKED, (30, 60), axis=(0, 1)), "The tray or the camera has moved."),
        (tray([*four(4), Stick(310, 230, 20, True)], noise=2), "I see five, not four."),
    ],
    ids=["three", "hand", "none", "moved", "five"],
)
def test_a_wrong_picture_is_refused_and_only_it_is_taken_again(wrong: Pixels, said: str) -> None:
    """The sentence says what is wrong, the step stays, and the right picture goes on from there."""
    bench = Bench()
    bench.begin()
    bench.tap(EMPTY)
    refused = bench.tap(wrong)
    twice = bench.tap(wrong)
    again = bench.tap(MARKED)

    assert (refused.stage, twice.stage) == (Stage.MARKED, Stage.MARKED)
    assert said in sentence(refused)
    assert said in sentence(twice)
    assert (again.stage, again.problem) == (Stage.PLAIN, "")


def test_trouble_with_the_printed_sheet_is_told_at_once() -> None:
    """Right after the empty picture, while it is still easy to put right; it can be gone on with all the same."""
    bench = Bench()
    bench.begin()
    told = bench.tap(seen(printed(), overhead(PAPERS["a4"], aside=(30, 0))))

    assert told.stage is Stage.MARKED
    assert "only 2 of the sheet's four black squares" in sentence(told)


def test_faces_that_look_alike_are_refused_at_the_table() -> None:
    """Whoever forgot to turn them over is asked; with the right picture the calibration goes on."""
    bench = Bench()
    bench.begin()
    bench.tap(EMPTY)
    bench.tap(MARKED)
    refused = bench.tap(tray(four(4), noise=9))

    assert (refused.stage, refused.busy) == (Stage.PLAIN, None)
    assert "Did you turn all four over?" in sentence(refused)
    assert bench.tap(PLAIN).stage is Stage.THROW


def test_a_hand_that_stays_is_waited_for_and_told_of() -> None:
    """While anything moves no picture is taken; after a while that is said, and the next tap tries again."""
    bench = Bench()
    bench.begin()
    bench.desk.submit(WentOn())
    frames = round(PATIENCE_S / FRAME_S) + 5
    bench.person.passing = [HANDS[step % 4] for step in range(frames + 8)]
    moving = bench.step(frames)

    assert (moving.stage, moving.busy) == (Stage.EMPTY, None)
    assert "still moves" in moving.problem
    assert bench.person.done == []
    bench.person.passing = []
    assert bench.tap(EMPTY).stage is Stage.MARKED


def test_picked_up_sticks_are_no_throw() -> None:
    """Taking them up one by one, or a hand over them, is not read as a throw; a fifth one is asked about."""
    bench = Bench()
    bench.teach()
    assert bench.step(12).stage is Stage.THROW
    for left in (3, 1, 0):
        bench.person.put(tray(four(0)[:left], noise=left))
        assert bench.step(12).problem == ""
    first = bench.throw(2, noise=5)
    bench.desk.submit(Judged(True))
    bench.person.put(bench.person.lies)
    lying = bench.step(12)
    bench.person.put(tray([*four(2), Stick(310, 230, 20)], noise=6))
    five = bench.until(lambda state: state.problem != "")

    assert first.marked == 2
    assert (lying.stage, lying.problem) == (Stage.THROW, "")
    assert (five.stage, five.verdicts) == (Stage.THROW, (True,))
    assert "not four" in five.problem


def test_a_throw_that_fell_short_is_spoken_of_once_it_stays() -> None:
    """One stick beside the tray, or a hand that rests in the picture, is said without a tap, until it is put right."""
    bench = Bench()
    bench.teach()
    bench.person.put(tray(four(2)[:2], noise=5))
    short = bench.until(lambda state: state.problem != "")
    bench.person.put(tray(four(2), hand=(520, 60), noise=6))
    covered = bench.until(lambda state: "covers" in state.problem)
    bench.person.put(tray(four(2), noise=7))
    read = bench.until(lambda state: state.stage is Stage.SHOWN)

    assert "not four" in short.problem
    assert (covered.stage, covered.busy) == (Stage.THROW, None)
    assert (read.marked, read.problem) == (2, "")


def test_wrong_throws_leave_the_choice() -> None:
    """It says how many were right; it can be used all the same, and going back keeps the pictures before."""
    bench = Bench()
    bench.teach()
    for marked, right in ((3, True), (0, False), (2, True)):
        bench.throw(marked, noise=marked + 4)
        bench.desk.submit(Judged(right))
    doubt = bench.desk.state()
    bench.desk.submit(WentOn())
    bench.step()

    assert doubt.stage is Stage.DOUBT
    assert bench.learned is not None
    bench.desk.not_saved("The disk is full.")
    assert (bench.desk.state().stage, bench.desk.state().problem) == (Stage.DOUBT, "The disk is full.")
    bench.desk.submit(WentBack())
    assert bench.until(lambda state: state.busy is None).stage is Stage.PLAIN
    assert bench.tap(PLAIN).stage is Stage.THROW
    bench.desk.submit(Stopped())
    assert not bench.calibrating.is_wanted()


def test_two_phones_are_in_one_calibration() -> None:
    """A second start joins; of two taps for one step the later changes nothing, or is told so."""
    bench = Bench()
    first = bench.begin()
    joined = bench.desk.submit(Begun("Other"))
    bench.desk.submit(WentOn(), seen=first.step)
    twice = bench.desk.submit(WentOn(), seen=first.step)
    bench.until(lambda state: state.stage is Stage.MARKED)

    assert joined == first
    assert twice.busy is Busy.STILL
    with pytest.raises(NotNow, match="done already"):
        bench.desk.submit(WentOn(), seen=first.step)
    assert bench.person.done == ["still"]


def test_stopping_leaves_nothing_behind() -> None:
    """In the middle of a step, too; and the next one begins afresh."""
    bench = Bench()
    bench.begin()
    bench.tap(EMPTY)
    bench.desk.submit(WentOn())
    stopped = bench.desk.submit(Stopped())
    bench.step(5)

    assert stopped.stage is Stage.CLOSED
    assert bench.desk.state() == stopped
    assert bench.desk.picture() is None
    assert bench.learned is None
    assert bench.begin().stage is Stage.EMPTY


def test_a_lost_camera_keeps_the_place() -> None:
    """It is said, nothing can be tapped meanwhile, and the pictures taken before are still good."""
    bench = Bench(LockingPerson())
    bench.begin()
    bench.tap(EMPTY)
    bench.desk.submit(WentOn())
    bench.calibrating.lost("The camera is unplugged.")
    with pytest.raises(NotNow):
        bench.desk.submit(WentOn())
    lost = bench.desk.state()
    bench.calibrating.found()
    back = bench.until(lambda state: state.busy is None)

    assert (lost.stage, lost.busy) == (Stage.MARKED, Busy.LOST)
    assert sentence(lost).startswith("The camera is unplugged.")
    assert (back.stage, back.problem) == (Stage.MARKED, "")
    assert bench.tap(MARKED).stage is Stage.PLAIN
    assert bench.person.done.count("lock") == 1


def test_a_calibration_that_everybody_left_is_given_up() -> None:
    """As long as a player looks it goes on; afterwards the camera is free again, and it says so."""
    bench = Bench()
    bench.begin()
    bench.person.now += LEFT_S - 1
    bench.desk.state(attended=True)
    bench.person.now += LEFT_S - 1

    assert bench.calibrating.is_wanted()
    bench.desk.state()
    bench.person.now += 2
    assert not bench.calibrating.is_wanted()
    assert "Nobody" in bench.desk.state().problem


@pytest.mark.parametrize("name", ["simulated", "#1", "x" * 41])
def test_a_name_is_like_the_commands(name: str) -> None:
    """What the command refuses as a name for the sticks is refused here."""
    bench = Bench()
    with pytest.raises(Unknown, match="name"):
        bench.desk.submit(Begun(name))

    assert not bench.calibrating.is_wanted()


def test_what_does_not_fit_is_said() -> None:
    """Nothing to go on with, nothing to judge, nothing before the first step."""
    bench = Bench()
    with pytest.raises(NotNow, match="Tap Start"):
        bench.desk.submit(WentOn())
    bench.begin()
    for wish in (WentBack(), Judged(True)):
        with pytest.raises(NotNow):
            bench.desk.submit(wish)
    bench.teach()
    bench.throw(1, noise=7)
    with pytest.raises(NotNow, match="whether the count is right"):
        bench.desk.submit(WentOn())

"""The calibration that a phone guides: the camera's side of it, one frame at a time."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Protocol

import cv2
import numpy as np

from companion.calibration import Busy, Stage, State
from companion.calibration_desk import Desk, Overtaken
from companion.errors import FacesAlike, PictureUnusable, ProfileUnusable, TrayMoved
from companion.referee.events import Face, Lot, ThrowUnreadable
from companion.referee.lie import same_lie
from companion.referee.words import unsure
from companion.words import _
from hardware.agreeing import Agreeing, Reader
from hardware.camera import Arranger, Camera, Frame, Lockable, Pixels, Thrower
from hardware.locked_controls import LockedControls
from hardware.outlines import FOUR, outlined, reaches_in
from hardware.pictures import small_jpeg
from hardware.profile import Profile, calibrate
from hardware.sheet import trouble
from hardware.throw_reader import ThrowReader
from hardware.watcher import BLOCKED_S, Rest

PICTURE_S = 0.12
"""Seconds between two live pictures. Lower is smoother on the phones and costs a Pi more: each takes it about 3 ms."""

OUTLINE_S = 0.3
"""Seconds between two looks for what lies in the tray. Lower follows the hands better and costs a Pi more."""

PATIENCE_S = 10.0
"""Seconds that the tray has to come to rest after a tap. Longer leaves people waiting, shorter hurries them."""

LAID = {Stage.EMPTY: (), Stage.MARKED: (Face.MARKED,) * FOUR, Stage.PLAIN: (Face.PLAIN,) * FOUR}
"""What lies in the tray in those steps."""


class Learn(Protocol):
    """Makes a profile of the empty tray and both faces; raises ProfileUnusable with advice."""

    def __call__(self, empty: Pixels, marked: Pixels, plain: Pixels) -> Profile: ...


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """What a calibration has come to. held: how the camera was set meanwhile, if it can be set."""

    profile: Profile
    held: LockedControls | None


class _Pictures:
    """What the camera's thread has of a calibration so far."""

    def __init__(self, settling: Rest) -> None:
        self.settling = settling
        self.held: LockedControls | None = None
        # A still of each step, and the empty tray as live frames show it.
        self.empty: Pixels | None = None
        self.marked: Pixels | None = None
        self.bare: Pixels | None = None
        self.profile: Profile | None = None
        self.reader: Agreeing | None = None
        # The test throw read last, and whether one that was asked for is under way.
        self.lie: tuple[Lot, ...] = ()
        self.thrown = False
        # Since when a tap waits for rest, and whether something at the border was spoken of.
        self.waiting_since: float | None = None
        self.warned = False
        # What may have to be said of a throw that nobody asked about, and since when.
        self.doubt: tuple[float, dict[str, Any]] | None = None
        self.pictured_at = self.outlined_at = float("-inf")


class Calibrating:
    """Carries out what the phones wish for at the desk. Only the camera's thread calls it.

    settling: makes a memory of stillness; told the empty tray once that is known.
    """

    def __init__(
        self,
        desk: Desk,
        *,
        settling: Callable[[Pixels | None], Rest],
        learn: Learn = calibrate,
        reader: Callable[[Profile], Reader] = ThrowReader,
    ) -> None:
        self.desk = desk
        self._new_settling, self._learn, self._new_reader = settling, learn, reader
        # The calibration and the step that are worked on, and the step that all is ready for.
        self._round, self._at, self._entered = 0, 0, -1
        self._got = _Pictures(settling(None))

    @property
    def held(self) -> LockedControls | None:
        """How the camera is set for this calibration, as far as it is known."""
        return self._got.held

    def is_wanted(self) -> bool:
        """Whether the camera is to be taught now."""
        return self._order().is_open

    def step(self, camera: Camera) -> Learned | None:
        """Look at one frame and do what was wished; answers what was learnt once it is to be used.

        Raises CameraLost; then ``lost`` is to be called, and ``found`` once the camera is back.
        """
        now = self._order()
        try:
            if now.is_open and now.busy is Busy.SAVING:
                assert self._got.profile is not None
                return Learned(replace(self._got.profile, name=now.sticks), self._got.held)
            if now.is_open and now.step != self._entered:
                self._enter(camera, now)
            elif now.is_open:
                self._look(camera, now)
        except Overtaken:
            pass
        return None

    def lost(self, why: str) -> None:
        """The camera is gone, and sought again. What was learnt so far stays."""
        self.desk.lost(why)

    def found(self) -> None:
        """The camera is there, for the first time or again."""
        self._entered = -1
        self.desk.found()

    def _order(self) -> State:
        """What is to be done now; all that was kept of an earlier calibration is forgotten."""
        number, now = self.desk.order()
        if self._round != number:
            self._round, self._entered = number, -1
            self._got = _Pictures(self._new_settling(None))
        self._at = now.step
        return now

    def _change(self, **changes: Any) -> None:
        self.desk.change(self._at, **changes)

    def _go(self, stage: Stage, **changes: Any) -> None:
        cleared: dict[str, Any] = {"busy": None, "problem": "", "lots": (), "marked": None}
        self._change(stage=stage, step=self._at + 1, **(cleared | changes))

    def _say(self, problem: str, **changes: Any) -> None:
        """The step is to be done again, and this is why."""
        self._got.waiting_since = None
        self._change(busy=None, problem=problem, **changes)

    def _enter(self, camera: Camera, now: State) -> None:
        """Make all ready for a step that has just begun, or that goes on with a camera just found."""
        got = self._got
        if isinstance(camera, Arranger) and now.stage in LAID:
            camera.lay(LAID[now.stage])
        if now.busy is Busy.OPENING:
            if isinstance(camera, Lockable) and got.held is None:
                got.held = camera.lock()
            self._change(busy=None)
        if now.stage in LAID:
            got.settling = self._new_settling(None if now.stage is Stage.EMPTY else got.empty)
        if now.stage is Stage.THROW:
            self._change(busy=Busy.STILL if isinstance(camera, Thrower) else None)
        got.thrown, got.waiting_since, got.warned, got.doubt = False, None, False, None
        self._entered = now.step

    def _look(self, camera: Camera, now: State) -> None:
        got = self._got
        asked = now.busy is Busy.STILL
        if asked and now.stage is Stage.THROW and isinstance(camera, Thrower) and not got.thrown:
            camera.throw()
            got.thrown, got.settling = True, self._new_settling(got.empty)
        frame = camera.watch()
        at_rest = got.settling.see(frame)
        self._show(frame, now)
        if got.reader is not None and not at_rest:
            got.reader.forget()
        if not asked:
            if now.stage is Stage.THROW:
                self._await_throw(camera, frame, now, at_rest=at_rest)
            return
        if got.waiting_since is None:
            got.waiting_since = frame.taken_at
        waited = frame.taken_at - got.waiting_since
        if at_rest:
            self._take(camera, now)
        elif got.settling.blocked and got.warned:
            # Tapped again, so it belongs there, or is for the reader to judge.
            got.settling.accept()
        elif got.settling.blocked and waited > BLOCKED_S:
            got.warned = True
            self._warn(camera, now)
        elif waited > PATIENCE_S:
            self._say(_("Something still moves, or a hand is in the way. Take it away and tap again."))

    def _await_throw(self, camera: Camera, frame: Frame, now: State, *, at_rest: bool) -> None:
        """Read what comes to lie there without a tap. What may be somebody at work is spoken of only if it stays."""
        got = self._got
        blocked = got.settling.blocked
        if not (at_rest or blocked):
            got.doubt = None
            if now.problem or now.lots:
                self._change(problem="", lots=())
        elif blocked:
            got.doubt = got.doubt or (frame.taken_at, {"problem": unsure("covered", 0)})
        elif got.settling.stirred and not self._is_picked_up(frame):
            self._read(camera, asked=False)
        if got.doubt is not None and frame.taken_at - got.doubt[0] > BLOCKED_S:
            self._change(**got.doubt[1])

    def _show(self, frame: Frame, now: State) -> None:
        """Let the phones see the tray, and what is new in it. A test throw stays as it was read."""
        got = self._got
        if now.stage in (Stage.SHOWN, Stage.DOUBT):
            return
        if frame.taken_at - got.pictured_at >= PICTURE_S:
            got.pictured_at = frame.taken_at
            self.desk.show(self._at, small_jpeg(frame.pixels))
        if now.stage is Stage.EMPTY:
            got.bare = frame.pixels
        elif now.stage in LAID and frame.taken_at - got.outlined_at >= OUTLINE_S:
            got.outlined_at = frame.taken_at
            rows, columns = frame.pixels.shape[:2]
            self._change(lots=outlined(self._bare(frame), frame.pixels), width=columns, height=rows)

    def _take(self, camera: Camera, now: State) -> None:
        """Take the picture that this step is about, unless something moved while it was taken."""
        if now.stage is Stage.THROW:
            self._read(camera, asked=True)
            return
        got = self._got
        still = camera.still().pixels
        if not got.settling.see(camera.watch()):
            return
        self._change(busy=Busy.LEARNING, problem="")
        try:
            if now.stage is Stage.EMPTY:
                got.empty = still
                self._go(Stage.MARKED, problem=trouble(still))
            elif now.stage is Stage.MARKED:
                self._learn_one(still)
                got.marked = still
                self._go(Stage.PLAIN)
            else:
                assert got.empty is not None
                assert got.marked is not None
                got.profile = self._learn(got.empty, got.marked, still)
                got.reader, got.lie = Agreeing(self._new_reader(got.profile)), ()
                # What lies there is no throw.
                got.settling.read()
                self._go(Stage.THROW, busy=Busy.STILL, verdicts=())
        except ProfileUnusable as error:
            self._say(self._advice(still, error))

    def _warn(self, camera: Camera, now: State) -> None:
        """Something reaches into the picture and stays: say what is wrong, as far as it can be known."""
        if now.stage in (Stage.MARKED, Stage.PLAIN):
            still = camera.still().pixels
            try:
                self._learn_one(still)
            except ProfileUnusable as error:
                self._say(self._advice(still, error))
                return
        self._say(unsure("covered", 0))

    def _learn_one(self, still: Pixels) -> None:
        """Raise ProfileUnusable unless the picture shows all four in the tray."""
        assert self._got.empty is not None
        # It is one picture twice, so nothing else than that may be wrong.
        with suppress(FacesAlike):
            self._learn(self._got.empty, still, still)

    def _advice(self, still: Pixels, error: ProfileUnusable) -> str:
        """Why the picture will not do, as people who look at their tray would say it."""
        empty = self._got.empty
        assert empty is not None
        if isinstance(error, FacesAlike):
            return _(
                "Both sides look alike to me. Did you turn all four over? "
                "If so, make the marks bolder or the light better, and start again."
            )
        if isinstance(error, TrayMoved):
            return _("The tray or the camera has moved. Put it back, or go back and take the empty tray again.")
        rows, columns = still.shape[:2]
        lots = outlined(empty, still) if still.shape == empty.shape else ()
        if reaches_in(lots, columns, rows):
            return unsure("covered", len(lots))
        if len(lots) > FOUR:
            return _("{seen} Was the tray really empty before? If not, go back.", seen=unsure("count", len(lots)))
        if not lots:
            return _("{seen} If they lie there, the tray's colour is too near theirs.", seen=unsure("count", 0))
        return unsure("count", len(lots)) if len(lots) < FOUR else str(error)

    def _read(self, camera: Camera, *, asked: bool) -> None:
        """Read a test throw. asked: somebody waits for it; else something has come to lie there by itself."""
        got = self._got
        still = camera.still().pixels
        after = camera.watch()
        if not got.settling.see(after):
            return
        assert got.reader is not None
        try:
            answer = got.reader.look(still)
        except PictureUnusable as error:
            self._say(str(error))
            return
        if answer is None:
            return
        got.settling.read()
        got.thrown = False
        rows, columns = still.shape[:2]
        shown: dict[str, Any] = {"lots": answer.lots, "width": columns, "height": rows}
        if isinstance(answer, ThrowUnreadable):
            said = unsure(answer.reason, len(answer.lots))
            if asked or not _may_be_picked_up(answer):
                self._say(said, **shown)
            elif answer.lots:
                got.doubt = (after.taken_at, {"problem": said, **shown})
        elif asked or not same_lie(answer.lots, got.lie):
            got.lie = answer.lots
            self.desk.show(self._at, small_jpeg(still))
            self._go(Stage.SHOWN, marked=answer.marked, **shown)

    def _is_picked_up(self, frame: Frame) -> bool:
        """Whether somebody is taking the lots out one by one: most lies as it lay, and some is gone."""
        if not self._got.settling.nudged:
            return False
        return len(outlined(self._bare(frame), frame.pixels)) < FOUR

    def _bare(self, frame: Frame) -> Pixels:
        """The empty tray, of the frame's size."""
        assert self._got.bare is not None
        rows, columns = frame.pixels.shape[:2]
        return cv2.resize(self._got.bare, (columns, rows)).astype(np.uint8)


def _may_be_picked_up(answer: ThrowUnreadable) -> bool:
    """Whether that is what the tray shows while somebody takes the lots out."""
    return answer.reason == "count" and len(answer.lots) < FOUR

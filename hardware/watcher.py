"""Watches the tray through the game: has a throw begun, has it come to rest, and what does it show."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from companion.errors import CameraLost, CompanionError, NotNow, PictureUnusable
from companion.referee.events import CameraChanged, CameraState, Event, Lot, ThrowSeen, ThrowUnreadable
from companion.referee.lie import same_lie
from companion.referee.table import Phase, Table
from companion.words import later
from hardware.agreeing import Agreeing, Answer, Reader
from hardware.camera import Camera, Frame, Pixels, Thrower
from hardware.pictures import encode

log = logging.getLogger(__name__)

BACK_OFF_S = (1.0, 2.0, 5.0, 10.0)
"""Seconds between attempts to get a lost camera back; the last goes on for ever."""


TRIES = 3
"""Times that one rest is looked at when the pictures of it do not agree. More may yet read it, and keeps players
waiting for an answer."""

BLOCKED_S = 3.0
"""Seconds for which something may lie at the picture's border before players are asked to take it away. Shorter
nags while a hand still spreads the lots."""

NUDGED = 0.03
"""Share of the picture's width by which all four may lie off the places where they lay, and have been pushed rather
than thrown. Of 540 pairs of labelled throws of the same lots none comes so near, and one has a single lot that does."""

MOVED = later(
    "Something moved the four after I had read them. The count stays as I read it. "
    "Tap Look again to have them read as they lie now."
)
NOT_THROWN = later("The four look moved, not thrown. If that was a throw, tap Look again.")
BLOCKED = later("Something lies at the edge of my picture. Take it away, or if it belongs there, tap Look again.")


class Rest(Protocol):
    """Is told every frame; says whether all is at rest, and how that differs from the rest that was read last.

    stirred: something lies otherwise. nudged: but most still lies as it lay. blocked: nothing moves, but something
    reaches into the picture; ``accept`` says that it belongs there. moves: how often movement was seen so far.
    """

    @property
    def stirred(self) -> bool: ...

    @property
    def nudged(self) -> bool: ...

    @property
    def blocked(self) -> bool: ...

    @property
    def moves(self) -> int: ...

    def see(self, frame: Frame) -> bool: ...

    def read(self) -> None: ...

    def accept(self) -> None: ...


@dataclass(frozen=True, slots=True)
class _Looking:
    """A rest being looked at: for which step of the table, and how often had anything moved by then.

    answer: what is to be said of it, with its picture, if it still lies so in the next frame.
    """

    step: int
    moves: int
    answer: Answer | None = None
    pixels: Pixels | None = None


class Submit(Protocol):
    """The referee's door; refuses what was seen at another step than the table is at."""

    def __call__(self, event: Event, *, seen: int | None = None) -> object: ...


class Watcher:
    """Turns what lies in the tray into events while the table waits for a throw. One thread steps it.

    open_camera: opens the camera anew; raises CameraLost.
    settling: makes a fresh memory of stillness for a camera just opened.
    table, submit: the referee's.
    clock: monotonic seconds. pause: waits for that many.
    sticks: what the set of lots is called that the reader was taught.
    glance: is shown every frame, for people who want to see the tray.
    """

    def __init__(
        self,
        *,
        open_camera: Callable[[], Camera],
        reader: Reader,
        settling: Callable[[], Rest],
        table: Callable[[], Table],
        submit: Submit,
        clock: Callable[[], float],
        pause: Callable[[float], None],
        sticks: str = "",
        glance: Callable[[Pixels], object] | None = None,
    ) -> None:
        self._glance = glance
        self._open, self._agreeing, self._new_settling = open_camera, Agreeing(reader), settling
        self._table, self._submit, self._clock, self._pause = table, submit, clock, pause
        self._sticks = sticks
        self._camera: Camera | None = None
        self._settling: Rest = settling()
        self._lost_times, self._retry_at = 0, clock()
        self._thrown: int | None = None
        self._looked = table().look
        # The throw, by the step since which it is awaited, that is to be answered whatever lies there.
        self._due: int | None = None
        self._answered: int | None = None
        self._looking: _Looking | None = None
        self._tries = 0
        self._misfit, self._note = "", ""
        self._blocked_since: float | None = None
        self._shown: tuple[Lot, ...] = ()

    def step(self) -> None:
        """Look at one frame and say what it means; a lost camera is sought again. Returns within a few seconds."""
        try:
            if self._camera is None:
                self._find()
            else:
                self._look(self._camera)
        except CameraLost as error:
            self._lose(error)

    def close(self) -> None:
        if self._camera is not None:
            self._camera.close()
            self._camera = None

    def release(self) -> Camera | None:
        """Hand the open camera over, or None where there is none now; the watcher watches no more."""
        camera, self._camera = self._camera, None
        return camera

    def _find(self) -> None:
        if self._clock() < self._retry_at:
            self._pause(0.2)
            return
        try:
            self._camera = self._open()
        except CameraLost:
            raise
        except CompanionError as error:
            # What could be opened at the start may be gone altogether by now: a folder, a device.
            raise CameraLost(str(error)) from error
        self._settling = self._new_settling()
        self._lost_times = 0
        self._misfit = self._note = ""
        self._start_over()
        self._tell(CameraState.WATCHING)

    def _lose(self, error: CameraLost) -> None:
        self.close()
        self._retry_at = self._clock() + BACK_OFF_S[min(self._lost_times, len(BACK_OFF_S) - 1)]
        self._lost_times += 1
        self._tell(CameraState.LOST, str(error))

    def _look(self, camera: Camera) -> None:
        table = self._table()
        if table.look > self._looked:
            self._looked, self._due = table.look, table.awaited
            if self._note == BLOCKED:
                self._settling.accept()
            self._note = ""
            self._start_over()
        if isinstance(camera, Thrower) and table.awaited not in (None, self._thrown):
            camera.throw()
            self._thrown = self._due = table.awaited
            self._settling = self._new_settling()
            self._settling.see(camera.watch())
        frame = camera.watch()
        if self._glance is not None:
            self._glance(frame.pixels)
        at_rest = self._settling.see(frame)
        table = self._table()
        if self._looking and self._looking.step != table.step:
            # The game has gone on: what was being looked at is the throw before.
            self._start_over()
        if table.awaited is None and table.phase is not Phase.READING:
            if at_rest and self._answered is None:
                # Counted by hand before it was read: what lies there is that throw, not the next one.
                self._settling.read()
            self._say("")
            return
        if table.awaited is not None and table.awaited != self._answered:
            self._answered = None
        self._mind_the_border(frame.taken_at)
        self._tell(CameraState.WATCHING if at_rest else CameraState.MOVING)
        if at_rest:
            self._at_rest(camera, table)

    def _at_rest(self, camera: Camera, table: Table) -> None:
        looking, undisturbed = self._looking, False
        if looking:
            undisturbed = looking.moves == self._settling.moves and not self._settling.stirred
        elif not self._is_due(table):
            if not self._settling.stirred:
                return
            if self._is_read(table) and self._settling.nudged:
                self._settling.read()
                self._say(MOVED if table.phase is Phase.READING else NOT_THROWN)
                return
            self._tries = 0
        if not undisturbed:
            self._agreeing.forget()
            looking = None
        if looking and looking.answer:
            self._answer(looking, table)
        else:
            self._read(camera, table)

    def _is_due(self, table: Table) -> bool:
        return self._due is not None and self._due == table.awaited

    def _is_read(self, table: Table) -> bool:
        """Whether what lies there has been read or counted, so that only another throw is news."""
        return table.unsure is None and self._answered != table.awaited

    def _start_over(self) -> None:
        self._agreeing.forget()
        self._looking, self._tries = None, 0

    def _read(self, camera: Camera, table: Table) -> None:
        """Look at one more picture of this rest; what that says counts if the next frame shows the same rest."""
        self._looking = _Looking(table.step, self._settling.moves)
        self._settling.read()
        frame = camera.still()
        try:
            answer = self._agreeing.look(frame.pixels)
        except PictureUnusable as error:
            self._start_over()
            self._misfit = str(error)
            self._tell(CameraState.UNCALIBRATED)
            return
        self._misfit = ""
        self._looking = replace(self._looking, answer=answer, pixels=frame.pixels)

    def _answer(self, looking: _Looking, table: Table) -> None:
        answer, pixels = looking.answer, looking.pixels
        assert answer is not None
        assert pixels is not None
        self._looking = None
        if self._is_due(table) or not self._says_nothing_new(answer, table):
            if not self._is_due(table) and self._is_read(table) and _pushed(answer.lots, self._shown, pixels.shape[1]):
                self._say(MOVED if table.phase is Phase.READING else NOT_THROWN)
                return
            try:
                # Looking takes a while. Where the game has gone on meanwhile, this was the throw before.
                self._submit(_with_evidence(answer, pixels, self._sticks), seen=table.step)
            except NotNow:
                log.info("A throw was read, but the table no longer waited for it.")
            except CompanionError as error:
                log.warning("%s", error)
                self._looking = looking
                self._pause(1.0)
                return
            self._answered = table.awaited or self._answered
            self._due = None
            self._say("")
            if isinstance(answer, ThrowSeen):
                self._shown = answer.lots
        if isinstance(answer, ThrowUnreadable) and answer.reason == "differs":
            self._tries += 1
            if self._tries < TRIES:
                self._looking = _Looking(self._table().step, -1)

    def _says_nothing_new(self, answer: Answer, table: Table) -> bool:
        """Whether this is no throw: an empty tray, sticks picked up after a reading, or the throw shown before."""
        if isinstance(answer, ThrowUnreadable):
            picked_up = table.phase is Phase.READING and answer.reason == "count" and len(answer.lots) < 4
            return not answer.lots or picked_up
        return same_lie(answer.lots, self._shown)

    def _mind_the_border(self, now: float) -> None:
        """Ask for what lies at the border to be taken away, once it has lain there for a while."""
        if not self._settling.blocked:
            self._blocked_since = None
            if self._note == BLOCKED:
                self._note = ""
        elif self._blocked_since is None:
            self._blocked_since = now
        elif now - self._blocked_since >= BLOCKED_S and not self._note:
            self._note = BLOCKED

    def _say(self, note: str) -> None:
        """Show this sentence beside the camera from now on."""
        if note != self._note:
            self._note = note
            self._tell(CameraState.WATCHING)

    def _tell(self, state: CameraState, message: str = "") -> None:
        if self._misfit and state is not CameraState.LOST:
            state, message = CameraState.UNCALIBRATED, self._misfit
        told = CameraChanged(state=state, message=message or self._note)
        if self._table().camera != told:
            try:
                self._submit(told)
            except CompanionError as error:
                log.warning("The camera's state could not be told: %s", error)


def _with_evidence(answer: Answer, pixels: Pixels, sticks: str) -> Event:
    if isinstance(answer, ThrowSeen):
        return replace(answer, picture=encode(pixels), sticks=sticks)
    return replace(answer, picture=encode(pixels))


def _pushed(lots: tuple[Lot, ...], before: tuple[Lot, ...], width: int) -> bool:
    """Whether these are lots of the reading before, touched but not thrown, in a picture that many pixels wide.

    One that lies just where one lay is enough, because a throw moves all four; or all near where they were.
    """
    if not before:
        return False
    still = any(same_lie((lot,), (old,)) for lot in lots for old in before)
    reach = NUDGED * width
    near = [any(abs(lot.x - old.x) <= reach and abs(lot.y - old.y) <= reach for old in before) for lot in lots]
    return still or (len(near) == len(before) and all(near))

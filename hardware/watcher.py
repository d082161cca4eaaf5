"""Watches the tray through the game: has a throw begun, has it come to rest, and what does it show."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from companion.errors import CameraLost, CompanionError, NotNow, PictureUnusable
from companion.referee.events import CameraChanged, CameraState, Event, Lot, ThrowSeen, ThrowUnreadable
from companion.referee.lie import same_lie
from companion.referee.table import Phase, Table
from hardware.camera import Camera, Frame, Pixels, Thrower
from hardware.pictures import encode

log = logging.getLogger(__name__)

BACK_OFF_S = (1.0, 2.0, 5.0, 10.0)
"""Seconds between attempts to get a lost camera back; the last goes on for ever."""


class Reader(Protocol):
    """Says what a picture of a throw shows, or why it will not say."""

    def read(self, pixels: Pixels) -> ThrowSeen | ThrowUnreadable: ...


class Rest(Protocol):
    """Is told every frame; says whether all is at rest, and whether something has stirred since it was last read."""

    @property
    def stirred(self) -> bool: ...

    def see(self, frame: Frame) -> bool: ...

    def read(self) -> None: ...


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
    ) -> None:
        self._open, self._reader, self._new_settling = open_camera, reader, settling
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
        self._misfit = ""
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
        self._misfit = ""
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
        if isinstance(camera, Thrower) and table.awaited not in (None, self._thrown):
            camera.throw()
            self._thrown = self._due = table.awaited
            self._settling = self._new_settling()
            self._settling.see(camera.watch())
        at_rest = self._settling.see(camera.watch())
        table = self._table()
        if table.awaited is None and table.phase is not Phase.READING:
            if at_rest and self._answered is None:
                # Counted by hand before it was read: what lies there is that throw, not the next one.
                self._settling.read()
            return
        if table.awaited is not None and table.awaited != self._answered:
            self._answered = None
        self._tell(CameraState.WATCHING if at_rest else CameraState.MOVING)
        if at_rest and (self._is_due(table) or self._settling.stirred):
            self._read(camera, table)

    def _is_due(self, table: Table) -> bool:
        return self._due is not None and self._due == table.awaited

    def _read(self, camera: Camera, table: Table) -> None:
        frame = camera.still()
        try:
            answer = self._reader.read(frame.pixels)
        except PictureUnusable as error:
            self._settling.read()
            self._misfit = str(error)
            self._tell(CameraState.UNCALIBRATED)
            return
        self._misfit = ""
        if self._is_due(table) or not self._says_nothing_new(answer, table):
            try:
                # Looking takes a while. Where the game has gone on meanwhile, this was the throw before.
                self._submit(_with_evidence(answer, frame.pixels, self._sticks), seen=table.step)
            except NotNow:
                log.info("A throw was read, but the table no longer waited for it.")
            except CompanionError as error:
                log.warning("%s", error)
                self._pause(1.0)
                return
            self._answered = table.awaited or self._answered
            self._due = None
            if isinstance(answer, ThrowSeen):
                self._shown = answer.lots
        self._settling.read()

    def _says_nothing_new(self, answer: ThrowSeen | ThrowUnreadable, table: Table) -> bool:
        """Whether this is no throw: an empty tray, sticks picked up after a reading, or the throw shown before."""
        if isinstance(answer, ThrowUnreadable):
            picked_up = table.phase is Phase.READING and answer.reason == "count" and len(answer.lots) < 4
            return not answer.lots or picked_up
        return same_lie(answer.lots, self._shown)

    def _tell(self, state: CameraState, message: str = "") -> None:
        if self._misfit and state is not CameraState.LOST:
            state, message = CameraState.UNCALIBRATED, self._misfit
        told = CameraChanged(state=state, message=message)
        if self._table().camera != told:
            try:
                self._submit(told)
            except CompanionError as error:
                log.warning("The camera's state could not be told: %s", error)


def _with_evidence(answer: ThrowSeen | ThrowUnreadable, pixels: Pixels, sticks: str) -> Event:
    if isinstance(answer, ThrowSeen):
        return replace(answer, picture=encode(pixels), sticks=sticks)
    return replace(answer, picture=encode(pixels))

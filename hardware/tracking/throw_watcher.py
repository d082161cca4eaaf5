"""Watch the tray during a game: detect throws, read them at rest, and report them to the referee."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from companion.errors import CameraLost, CompanionError, NotAllowed, PictureUnusable
from companion.i18n import N_
from companion.referee.events import (
    CameraChanged,
    CameraState,
    Event,
    Lot,
    ThrowSeen,
    ThrowUnreadable,
    same_placement,
)
from companion.referee.game_state import GameState, Phase
from hardware.cameras.camera import Camera, Frame, Pixels, SupportsPrefetch, SupportsThrow
from hardware.cameras.picture_files import encode_picture
from hardware.registration.placement import is_pushed
from hardware.tracking.consensus import Consensus, PictureReader, Reading
from hardware.tracking.rest_detector import RestDetector

log = logging.getLogger(__name__)

BACK_OFF_S = (1.0, 2.0, 5.0, 10.0)
"""Seconds between attempts to reopen a lost camera. The last one repeats."""

MAX_TRIES = 3
"""Attempts to read one rest if its pictures differ. More may succeed in the end, but keep players waiting."""

OBSTRUCTED_S = 3.0
"""Seconds for which something may reach into the picture before players are asked to remove it. Lower nags while a hand
is still spreading the lots."""

EARLY_S = 1.0
"""Seconds that the last reading may have taken for the next one to begin before rest is confirmed. Higher has a slow
machine read what still moves; with more than the detector allows for a reading, it would wait for rest for ever."""

MOVED = N_("Something moved the sticks after I read them. I'll keep my count. To read them again, tap Look again.")
NOT_THROWN = N_("I think the sticks were moved, not thrown. If that was a throw, tap Look again.")
OUT_OF_PLACE = N_("The camera or the tray has moved. Put it back, or teach the camera again.")
OBSTRUCTED = N_(
    "There's something new at the edge of my picture. Take it away. If it belongs there, or you see nothing there, "
    "tap Look again."
)


@dataclass(frozen=True, slots=True)
class _Attempt:
    """An attempt to read the tray at rest.

    step: of the game when it began. motions: of the detector when it began. is_early: rest has not been confirmed yet.
    reading: to be reported, with its picture, if nothing has moved in the next frame.
    """

    step: int
    motions: int
    is_early: bool = False
    reading: Reading | None = None
    pixels: Pixels | None = None


class Submit(Protocol):
    """``Referee.submit``, which refuses what was seen at another step than the present one."""

    def __call__(self, event: Event, *, seen: int | None = None) -> object: ...


class ThrowWatcher:
    """Reports throws while the table waits for one. One thread steps it.

    Parameters
    ----------
    open_camera : callable
        Opens the camera. Raises CameraLost.
    reader : PictureReader
    detector : callable
        Makes a rest detector for a camera that has just been opened.
    table, submit : callable
        ``Referee.state`` and ``Referee.submit``.
    clock, pause : callable
        Return monotonic seconds, and wait for the given number of seconds.
    sticks : str
        Name of the set of lots that the reader knows.
    on_frame : callable, optional
        Receives the camera and every frame.
    hide : callable, optional
        Replaces, in a picture for the reader, what lies beside the tray, such as a board.
    back_off_s : sequence of float, optional
        Seconds between attempts to reopen a lost camera.
    """

    def __init__(
        self,
        *,
        open_camera: Callable[[], Camera],
        reader: PictureReader,
        detector: Callable[[], RestDetector],
        table: Callable[[], GameState],
        submit: Submit,
        clock: Callable[[], float],
        pause: Callable[[float], None],
        sticks: str = "",
        on_frame: Callable[[Camera, Frame], object] | None = None,
        hide: Callable[[Pixels], Pixels] = lambda pixels: pixels,
        back_off_s: Sequence[float] = BACK_OFF_S,
    ) -> None:
        self._back_off_s = back_off_s
        self._on_frame, self._hide = on_frame, hide
        self._open, self._consensus, self._new_detector = open_camera, Consensus(reader), detector
        self._table, self._submit, self._clock, self._pause = table, submit, clock, pause
        self._sticks = sticks
        self._camera: Camera | None = None
        self._detector: RestDetector = detector()
        self._losses, self._retry_at = 0, clock()
        self._thrown: int | None = None
        self._last_look = table().look_again
        # The throw, by the step since which it is awaited, that is to be reported whatever lies there.
        self._due: int | None = None
        self._reported: int | None = None
        self._attempt: _Attempt | None = None
        self._tries = 0
        self._reading_s = 0.0
        self._motions, self._is_moving = 0, False
        self._mismatch, self._note = "", ""
        # Since when something reaches in, and whether the note is about that.
        self._obstructed_since: float | None = None
        self._border_noted = False
        # What lay there before a restart is no new throw.
        known = table().last_reading
        self._last_lots: tuple[Lot, ...] = known.evidence.lots if known and known.evidence else ()

    def step(self) -> None:
        """Take one frame and report what it shows, or try to reopen a lost camera. Returns within a few seconds."""
        try:
            if self._camera is None:
                self._reopen()
            else:
                self._watch(self._camera)
        except CameraLost as error:
            self._lose(error)

    def close(self) -> None:
        if self._camera is not None:
            self._camera.close()
            self._camera = None

    def release(self) -> Camera | None:
        """Stop watching, and return the open camera, or None if it is not open."""
        camera, self._camera = self._camera, None
        return camera

    def _reopen(self) -> None:
        if self._clock() < self._retry_at:
            self._pause(0.2)
            return
        try:
            self._camera = self._open()
        except CameraLost:
            raise
        except CompanionError as error:
            # A folder or device that could be opened at the start may be gone by now.
            raise CameraLost(str(error)) from error
        self._detector = self._new_detector()
        self._losses = 0
        self._mismatch = self._note = ""
        self._border_noted = False
        self._start_over()
        self._submit_state(CameraState.WATCHING)

    def _lose(self, error: CameraLost) -> None:
        self.close()
        self._retry_at = self._clock() + self._back_off_s[min(self._losses, len(self._back_off_s) - 1)]
        self._losses += 1
        self._submit_state(CameraState.LOST, str(error))

    def _watch(self, camera: Camera) -> None:
        table = self._table()
        if table.look_again > self._last_look:
            self._last_look, self._due = table.look_again, table.awaited
            if self._border_noted:
                self._detector.accept_obstruction()
                # Where the camera makes the throws, too, it is this one that is to be read.
                self._thrown = table.awaited
            self._note, self._border_noted = "", False
            self._start_over()
        if isinstance(camera, SupportsThrow) and table.awaited not in (None, self._thrown):
            camera.throw()
            self._thrown = self._due = table.awaited
            self._detector = self._new_detector()
            self._detector.update(camera.next_frame())
        frame = camera.next_frame()
        if self._on_frame is not None:
            self._on_frame(camera, frame)
        at_rest = self._detector.update(frame)
        table = self._table()
        if self._attempt and self._attempt.step != table.step:
            # The game has gone on, so this was the previous throw.
            self._start_over()
        if table.awaited is None and table.phase is not Phase.READING:
            if at_rest and self._reported is None:
                # The throw was entered before it was read, so what lies there is not the next one.
                self._detector.mark_read()
            self._note, self._border_noted = "", False
            self._submit_state(CameraState.WATCHING)
            return
        if table.awaited is not None and table.awaited != self._reported:
            self._reported = None
        self._check_border(camera, table, frame.taken_at)
        reads = at_rest and (self._attempt is not None or self._is_new(table))
        state = CameraState.WATCHING if at_rest or self._border_noted else CameraState.MOVING
        self._submit_state(state, reading=reads)
        if at_rest:
            self._at_rest(camera, table)
        elif isinstance(camera, SupportsPrefetch):
            self._read_early(camera, table)

    def _read_early(self, camera: SupportsPrefetch, table: GameState) -> None:
        """Read a picture before rest is confirmed. It is dropped if any frame up to then shows motion.

        The picture is asked for once nothing has moved between two frames, and read if nothing has in the third.
        """
        detector, has_moved = self._detector, self._is_moving
        self._motions, self._is_moving = detector.motions, detector.motions != self._motions
        if self._attempt is not None:
            if self._attempt.is_early and not detector.is_settling:
                self._start_over()
        elif (
            ((has_moved and not self._is_moving) or detector.is_settling)
            and self._reading_s <= EARLY_S
            and self._is_new(table)
        ):
            if detector.is_settling:
                detector.expect_delay()
                self._read(camera, _Attempt(table.step, detector.motions, is_early=True))
            else:
                camera.prefetch_still()

    def _at_rest(self, camera: Camera, table: GameState) -> None:
        attempt, detector = self._attempt, self._detector
        if attempt and not attempt.is_early:
            if attempt.motions != detector.motions or detector.has_changed:
                attempt = None
        elif not self._is_due(table):
            if not detector.has_changed:
                self._start_over()
                return
            if self._is_nudged(table):
                self._start_over()
                detector.mark_read()
                self._show_note(MOVED if table.phase is Phase.READING else NOT_THROWN)
                return
            self._tries = 0
        if attempt is None:
            self._consensus.reset()
            self._attempt = None
        detector.mark_read()
        if attempt and attempt.reading:
            self._report(attempt, table)
        else:
            self._read(camera, _Attempt(table.step, detector.motions))

    def _is_due(self, table: GameState) -> bool:
        return self._due is not None and self._due == table.awaited

    def _is_new(self, table: GameState) -> bool:
        """Return whether what lies there has to be read."""
        return self._is_due(table) or (self._detector.has_changed and not self._is_nudged(table))

    def _is_read(self, table: GameState) -> bool:
        """Return whether what lies there has been read or entered, so that only another throw is new."""
        return table.unreadable is None and self._reported != table.awaited

    def _is_nudged(self, table: GameState) -> bool:
        """Return whether what has been read was touched, but not thrown."""
        return self._is_read(table) and self._detector.is_nudged

    def _start_over(self) -> None:
        self._consensus.reset()
        self._attempt, self._tries = None, 0

    def _read(self, camera: Camera, attempt: _Attempt) -> None:
        """Read another picture of this rest. The reading counts if the next frame shows no motion."""
        is_first, self._attempt = self._attempt is None, attempt
        frame = camera.still()
        if is_first and isinstance(camera, SupportsPrefetch):
            camera.prefetch()
        began = self._clock()
        try:
            reading = self._consensus.add(self._hide(frame.pixels))
        except PictureUnusable as error:
            self._start_over()
            self._mismatch = error.args[0]
            self._submit_state(CameraState.UNCALIBRATED)
            return
        self._mismatch, self._reading_s = "", self._clock() - began
        self._attempt = replace(attempt, reading=reading, pixels=frame.pixels)

    def _report(self, attempt: _Attempt, table: GameState) -> None:
        reading, pixels = attempt.reading, attempt.pixels
        assert reading is not None
        assert pixels is not None
        self._attempt = None
        is_old = not self._is_due(table) and self._is_old(reading, table)
        if is_old and isinstance(reading, ThrowUnreadable) and reading.reason == "moved":
            self._show_note(OUT_OF_PLACE)
        elif self._note == OUT_OF_PLACE:
            self._show_note("")
        if not is_old:
            if (
                not self._is_due(table)
                and self._is_read(table)
                and is_pushed(reading.lots, self._last_lots, pixels.shape[1])
            ):
                self._show_note(MOVED if table.phase is Phase.READING else NOT_THROWN)
                return
            try:
                # Reading takes a while. If the game has gone on meanwhile, this was the previous throw.
                self._submit(_with_evidence(reading, pixels, self._sticks), seen=table.step)
            except NotAllowed:
                log.info("A throw was read, but the table no longer waits for it.")
            except CompanionError as error:
                log.warning("%s", error)
                self._attempt = attempt
                self._pause(1.0)
                return
            self._reported = table.awaited or self._reported
            self._due = None
            self._show_note("")
            if isinstance(reading, ThrowSeen):
                self._last_lots = reading.lots
        if isinstance(reading, ThrowUnreadable) and reading.reason == "differs":
            self._tries += 1
            if self._tries < MAX_TRIES:
                self._attempt = _Attempt(self._table().step, -1)

    def _is_old(self, reading: Reading, table: GameState) -> bool:
        """Return whether this is no new throw: an empty tray, lots being picked up, or the throw reported before."""
        if isinstance(reading, ThrowUnreadable):
            picked_up = table.phase is Phase.READING and reading.reason == "count" and len(reading.lots) < 4
            return not reading.lots or picked_up
        return same_placement(reading.lots, self._last_lots)

    def _check_border(self, camera: Camera, table: GameState, now: float) -> None:
        """Tell the players about an obstruction that stays for a while."""
        if not self._detector.is_obstructed:
            self._obstructed_since = None
            if self._border_noted:
                self._note, self._border_noted = "", False
        elif self._obstructed_since is None:
            self._obstructed_since = now
        elif now - self._obstructed_since >= OBSTRUCTED_S and not (self._note or self._mismatch):
            self._judge_obstruction(camera, table)

    def _judge_obstruction(self, camera: Camera, table: GameState) -> None:
        """Look once whether it is the camera that has moved. What is read beside a hand is no throw."""
        self._detector.expect_delay()
        self._start_over()
        self._read(camera, _Attempt(table.step, self._detector.motions))
        attempt = self._attempt
        self._start_over()
        if attempt is None:
            return  # the picture is of another size, which has been said
        is_moved = isinstance(attempt.reading, ThrowUnreadable) and attempt.reading.reason == "moved"
        self._note, self._border_noted = OUT_OF_PLACE if is_moved else OBSTRUCTED, True

    def _show_note(self, note: str) -> None:
        """Show a sentence to the players from now on."""
        if note != self._note:
            self._note, self._border_noted = note, False
            self._submit_state(CameraState.WATCHING)

    def _submit_state(self, state: CameraState, message: str = "", *, reading: bool = False) -> None:
        if self._mismatch and state is not CameraState.LOST:
            state, message = CameraState.UNCALIBRATED, self._mismatch
        change = CameraChanged(state=state, message=message or self._note, reading=reading)
        if self._table().camera != change:
            try:
                self._submit(change)
            except CompanionError as error:
                log.warning("Could not tell the table about the camera: %s", error)


def _with_evidence(reading: Reading, pixels: Pixels, sticks: str) -> Event:
    if isinstance(reading, ThrowSeen):
        return replace(reading, picture=encode_picture(pixels), sticks=sticks)
    return replace(reading, picture=encode_picture(pixels))

"""Forecasts, beside a calibration, how often the camera will ask about throws of the sticks that were just taught."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from queue import Empty, SimpleQueue

from companion.calibration.forecast import Forecast, Trial
from companion.calibration.mailbox import Mailbox
from companion.referee.events import Face
from hardware.cameras.picture_files import preview_jpeg
from hardware.composing.taught_faces import TaughtFaces
from hardware.composing.trial_throws import TRIALS, tried
from hardware.reader.throw_reader import ThrowReader

Rehearse = Callable[[ThrowReader], tuple[Mapping[Face, bytes], Iterator[Trial], bool]]

WAIT_S = 1.0
"""Seconds to wait for a calibration in one step."""


class Forecaster:
    """Tries composed throws with the newest reader, one a step. ``begin`` may be called from another thread.

    rehearse: see ``rehearsed``.
    """

    def __init__(self, mailbox: Mailbox, *, rehearse: Rehearse) -> None:
        self._mailbox, self._rehearse = mailbox, rehearse
        self._taught: SimpleQueue[tuple[int, ThrowReader]] = SimpleQueue()
        self._session, self._of_sticks = 0, False
        self._trials: Iterator[Trial] | None = None
        self._done: list[Trial] = []

    def begin(self, session: int, reader: ThrowReader) -> None:
        """Forecast for a reader that was taught in this calibration. An earlier forecast is given up."""
        self._mailbox.publish_forecast(session, None)
        self._taught.put((session, reader))

    def step(self) -> None:
        """Try one throw, or wait briefly for a reader."""
        try:
            self._session, reader = self._taught.get(timeout=0 if self._trials else WAIT_S)
        except Empty:
            if self._trials is not None:
                self._try_one(self._trials)
            return
        self._trials, self._done = None, []
        pictures, self._trials, self._of_sticks = self._rehearse(reader)
        self._mailbox.publish_faces(self._session, pictures)

    def _try_one(self, trials: Iterator[Trial]) -> None:
        trial = next(trials, None)
        if trial is not None:
            self._done.append(trial)
            return
        self._trials = None
        if self._taught.empty():
            self._mailbox.publish_forecast(self._session, Forecast(tuple(self._done), self._of_sticks))


def rehearsed(reader: ThrowReader) -> tuple[dict[Face, bytes], Iterator[Trial], bool]:
    """Pictures of both sides that the reader was taught, trial throws read by it, and whether they are sticks."""
    faces = TaughtFaces.found(reader.profile.empty, reader.profile.marked, reader.profile.plain)
    return jpegs(faces), tried(reader.read, faces, TRIALS), faces.is_long


def jpegs(faces: TaughtFaces) -> dict[Face, bytes]:
    """Pictures of both sides of all four lots."""
    marked, plain = faces.upright()
    return {Face.MARKED: preview_jpeg(marked), Face.PLAIN: preview_jpeg(plain)}

"""Collects labelled readings as cases, without holding up the game."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from companion.cases.case import Case, Outcome, case_from, case_id, count, outcome
from companion.cases.case_folder import CaseFolder
from companion.cases.training_record import TrainingRecord
from companion.errors import CompanionError
from companion.referee.events import ThrowSeen
from companion.referee.labelled_reading import LabelledReading
from companion.referee.referee import Referee

log = logging.getLogger("puluc")

TRY_AGAIN_S = 60.0
"""Seconds before another try to write a case. Lower fills the log when the disk is full."""


RIGHT_APART_S = 600.0
"""Seconds between two cases that were read right. Lower keeps more throws in the same light and writes more to the
card; higher misses changes of the light."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingSource:
    """Where a reading comes from. png: the frame that was read; None if only its JPEG is left."""

    sticks: str
    calibration: str
    png: bytes | None = field(default=None, repr=False)


class CaseCollector:
    """Makes a case of each labelled reading. Only its own thread calls ``step``.

    A reading stays in the table's store until its case is on disk, so that a crash in between loses nothing.
    source: returns the origin of the reading with that id, or None before a calibration; it also stores the calibration
    in the folder. Raises a CompanionError or OSError if it cannot.
    clock: monotonic seconds.
    """

    def __init__(
        self,
        referee: Referee,
        folder: CaseFolder,
        *,
        source: Callable[[str], ReadingSource | None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._referee, self._folder, self._source, self._clock = referee, folder, source, clock
        self._not_before = float("-inf")

    def step(self) -> bool:
        """Collect the oldest labelled reading; returns whether there was one. A full disk raises nothing."""
        if self._clock() < self._not_before:
            return False
        labelled = self._referee.next_labelled_reading()
        if labelled is None:
            return False
        try:
            self._keep(labelled)
            self._referee.discard_labelled_reading(labelled)
        except (OSError, CompanionError) as error:
            log.warning("The labelled throw is not saved as a case yet: %s. The game goes on.", error)
            self._not_before = self._clock() + TRY_AGAIN_S
            return False
        return True

    def _keep(self, labelled: LabelledReading) -> None:
        name = case_id(labelled)
        kept = self._folder.all()
        is_new = all(case.id != name for case in kept)
        if is_new and _is_right(labelled) and _too_soon(labelled, kept):
            return
        source = self._source(labelled.reading.reading_id)
        if source is None:
            return
        if isinstance(labelled.reading, ThrowSeen) and labelled.reading.sticks not in (source.sticks, None):
            log.info("A throw of %s is not a case of %s.", labelled.reading.sticks, source.sticks)
            return
        case = case_from(labelled, sticks=source.sticks, calibration=source.calibration, exact=source.png is not None)
        self._folder.keep(case, source.png or labelled.jpeg)
        learnt = TrainingRecord.of(self._folder.calibration(source.calibration)).taught
        self._folder.forget(self._folder.superfluous(frozenset(learnt)))
        self._folder.sweep(source.calibration)


def _is_right(labelled: LabelledReading) -> bool:
    return outcome(count(labelled.reading), labelled.marked) is Outcome.RIGHT


def _too_soon(labelled: LabelledReading, kept: Sequence[Case]) -> bool:
    """Whether a right reading shortly before this one is kept already."""
    since = [
        datetime.fromisoformat(labelled.at) - datetime.fromisoformat(case.at)
        for case in kept
        if case.outcome is Outcome.RIGHT
    ]
    return any(0 <= one.total_seconds() < RIGHT_APART_S for one in since)

"""Makes cases of what the players say of readings, beside the game and never in its way."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from companion.cases.case import Case, Outcome, case_of, count, name_of, outcome
from companion.cases.folder import CaseFolder
from companion.cases.lore import Lore
from companion.errors import CompanionError
from companion.referee.events import ThrowSeen
from companion.referee.referee import Referee
from companion.referee.verdict import Verdict

log = logging.getLogger("puluc")

TRY_AGAIN_S = 60.0
"""Seconds before a case that could not be written is tried again. Less fills the log of a full disk."""


RIGHT_APART_S = 600.0
"""Seconds between two cases in which the reader was right. Less keeps more throws of the same minutes in the same
light, and writes more to the card; more forgets how the light was an hour ago."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a reading comes from. png: the very picture that was read, None where only its JPEG is left."""

    sticks: str
    calibration: str
    png: bytes | None = field(default=None, repr=False)


class Keeper:
    """Keeps a case for each verdict. Only its own thread calls ``step``.

    A verdict waits in the table's store until its case is on the disk, so that a kill between loses nothing.
    source: where the reading with that JPEG comes from, or None where nobody reads; it keeps the calibration in the
    folder, too. Raises a CompanionError or OSError where it cannot.
    clock: monotonic seconds.
    """

    def __init__(
        self,
        referee: Referee,
        folder: CaseFolder,
        *,
        source: Callable[[bytes], Source | None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._referee, self._folder, self._source, self._clock = referee, folder, source, clock
        self._not_before = float("-inf")

    def step(self) -> bool:
        """Deal with the oldest verdict there is; answers whether there was one. Never raises for a full disk."""
        if self._clock() < self._not_before:
            return False
        verdict = self._referee.verdict()
        if verdict is None:
            return False
        try:
            self._keep(verdict)
            self._referee.settle(verdict)
        except (OSError, CompanionError) as error:
            log.warning("What a throw truly showed is not kept as a case yet: %s. The game goes on.", error)
            self._not_before = self._clock() + TRY_AGAIN_S
            return False
        return True

    def _keep(self, verdict: Verdict) -> None:
        name = name_of(verdict)
        kept = self._folder.all()
        is_new = all(case.id != name for case in kept)
        if is_new and _is_right(verdict) and _too_soon(verdict, kept):
            return
        source = self._source(verdict.jpeg)
        if source is None:
            return
        if isinstance(verdict.reading, ThrowSeen) and verdict.reading.sticks not in (source.sticks, None):
            log.info("A throw of %s is no case of %s.", verdict.reading.sticks, source.sticks)
            return
        case = case_of(verdict, sticks=source.sticks, calibration=source.calibration, exact=source.png is not None)
        self._folder.keep(case, source.png or verdict.jpeg)
        learnt = Lore.of(self._folder.calibration(source.calibration)).taught
        self._folder.forget(self._folder.superfluous(frozenset(learnt)))
        self._folder.sweep(source.calibration)


def _is_right(verdict: Verdict) -> bool:
    return outcome(count(verdict.reading), verdict.marked) is Outcome.RIGHT


def _too_soon(verdict: Verdict, kept: Sequence[Case]) -> bool:
    """Whether the reader was right about a throw just before this one, and that is kept."""
    since = [
        datetime.fromisoformat(verdict.at) - datetime.fromisoformat(case.at)
        for case in kept
        if case.outcome is Outcome.RIGHT
    ]
    return any(0 <= one.total_seconds() < RIGHT_APART_S for one in since)

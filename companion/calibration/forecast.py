"""A forecast of how often the camera will ask about throws of these sticks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

MANY = 2 / 3
"""Share of trials asked about from which most real throws are too, of whatever lots."""


class Remedy(StrEnum):
    """What would help to tell the two sides apart: more light, a bolder mark, or a mark in another colour."""

    LIGHT = "light"
    MARK = "mark"
    COLOUR = "colour"


class TrialResult(StrEnum):
    """How a trial throw was read."""

    RIGHT = "right"
    ASKED = "asked"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Trial:
    """A composed throw: how it was read, and whether lots touch in it."""

    result: TrialResult
    touching: bool


@dataclass(frozen=True, slots=True)
class Forecast:
    """How composed throws were read.

    of_sticks: of sets of sticks, those of which more composed throws are asked about are asked about more in real ones
    too. Of sets of small lots this is not so (docs/reading.md).
    """

    trials: tuple[Trial, ...]
    of_sticks: bool = False

    def share_asked(self, *, touching: bool | None = None) -> float:
        """The share of trials that are asked about: of all, or of those that touch or do not. 0 if there are none."""
        chosen = [one for one in self.trials if touching in (None, one.touching)]
        return sum(one.result is TrialResult.ASKED for one in chosen) / max(len(chosen), 1)

    @property
    def right(self) -> int:
        """Number of trials that were read rightly."""
        return sum(one.result is TrialResult.RIGHT for one in self.trials)

    @property
    def wrong(self) -> int:
        """Number of trials that were read wrongly."""
        return sum(one.result is TrialResult.WRONG for one in self.trials)

    @property
    def asks_when_touching(self) -> bool:
        """Whether it is touching lots that are asked about."""
        return self.share_asked(touching=True) > 2 * self.share_asked(touching=False)

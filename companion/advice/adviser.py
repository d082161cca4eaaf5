"""What advice is: how likely a position is to be won, and which of the legal steps wins most."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from companion.rules.position import Position
from companion.rules.turns import Step, Turn


class Source(StrEnum):
    """Where a chance comes from: the solved table, or a search that ends in an estimate."""

    EXACT = "exact"
    SEARCH = "search"


@dataclass(frozen=True, slots=True)
class Estimate:
    """How likely a side is to win; a draw counts half.

    win: from 0 to 1. error_bound: what it is off by at most, proven; None where nothing is.
    """

    win: float
    source: Source
    error_bound: float | None = None


@dataclass(frozen=True, slots=True)
class Rated:
    """A legal step, and how likely its side is to win once it is made and played on as well as is known."""

    step: Step
    win: float


@dataclass(frozen=True, slots=True)
class TurnAdvice:
    """What to do with a throw.

    best: how likely the side that threw is to win, if it plays the best step or, where there is none, passes.
    steps: every legal step, best first; equals in the order of ``Turn.steps``.
    """

    best: Estimate
    steps: tuple[Rated, ...]


class Adviser(Protocol):
    """Anything that can tell chances for one game with given lots. Asked by several threads at once."""

    def before_throw(self, position: Position) -> Estimate:
        """How likely the side to throw is to win, before its throw. Of a finished game: 1, 0, or ½ for a draw."""
        ...

    def in_turn(self, turn: Turn) -> TurnAdvice:
        """What to do with what is left of a turn; of a turn of two throws, also after the first is used."""
        ...


def settled(position: Position) -> float | None:
    """1, 0 or ½ for the side to throw where the game is over: won, lost or drawn; None where it goes on."""
    if position.is_decided():
        winner = position.winner()
        return 0.5 if winner is None else float(winner is position.turn)
    return 0.5 if position.is_drawn() else None

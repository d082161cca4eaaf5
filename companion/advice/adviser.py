"""Win chances and rated moves, and the protocol of everything that computes them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from companion.rules.position import Position
from companion.rules.turns import Step, Turn


class EstimateSource(StrEnum):
    """Where a win chance comes from: a solved table, or a search that ends in an estimate."""

    EXACT = "exact"
    SEARCH = "search"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A side's chance to win; a draw counts half.

    win: from 0 to 1. error_bound: the proven maximum error, or None if there is none.
    """

    win: float
    source: EstimateSource
    error_bound: float | None = None


@dataclass(frozen=True, slots=True)
class RatedStep:
    """A legal step, and its side's win chance if the game is then played as well as the adviser can."""

    step: Step
    win: float


@dataclass(frozen=True, slots=True)
class TurnAdvice:
    """The steps that a throw allows, rated.

    best: the win chance of the side that threw with its best step, or after passing if there is no step.
    steps: every legal step, best first; equal ones in the order of ``Turn.steps``.
    """

    best: Estimate
    steps: tuple[RatedStep, ...]


class Adviser(Protocol):
    """Computes win chances for one game with given lots. Must be thread-safe."""

    def before_throw(self, position: Position) -> Estimate:
        """The win chance of the side to throw, before its throw. 1, 0 or ½ if the game is over."""
        ...

    def in_turn(self, turn: Turn) -> TurnAdvice:
        """The rest of the turn, rated; in a turn of two throws also after the first is used."""
        ...


def terminal_value(position: Position) -> float | None:
    """1, 0 or ½ for the side to throw if the game is won, lost or drawn; None if it is not over."""
    if position.is_decided():
        winner = position.winner()
        return 0.5 if winner is None else float(winner is position.turn)
    return 0.5 if position.is_drawn() else None

"""Bounds on the win chances of a small game in integer arithmetic, from the rules alone, without the solver.

Every position that a game can reach, for both sides to throw, is valued for Jade, who maximises while Obsidian
minimises. The bounds are checked in integer arithmetic, as fractions of SCALE, so there is no rounding: a lower bound
that no turn lowers, and that every turn raises where it promises Jade more than one half, holds even if the players
never end the game, which counts as one half.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from companion.rules.odds import FAIR, turn_odds
from companion.rules.position import Position
from companion.rules.turns import ends_of_throws
from companion.rules.unit import Side
from companion.rules.variant import Variant

SCALE = 1 << 44
HALF = SCALE // 2
MARGIN = 64
"""What a turn must gain on a bound beyond one half, as a fraction of SCALE."""

Whole = NDArray[np.int64]
_Number = TypeVar("_Number", np.int64, np.float64)


@dataclass(frozen=True)
class Exact:
    """Jade's chance in each position lies between ``below`` and ``above``, integers divided by SCALE."""

    number: dict[Position, int]
    below: Whole
    above: Whole

    @property
    def width(self) -> float:
        """The largest distance between the two bounds."""
        return float((self.above - self.below).max()) / SCALE

    def win(self, position: Position) -> float:
        """The win chance of the side to throw, to half of ``width``."""
        at = self.number[position]
        jade = float(self.below[at] + self.above[at]) / (2 * SCALE)
        return jade if position.turn is Side.JADE else 1 - jade


def exact(rules: Variant, marked: Fraction = FAIR) -> Exact:
    """Bound every position of a game with one player a side."""
    odds = turn_odds(rules, marked)
    game = _game(rules, tuple(odds))
    divisor = int(np.lcm.reduce([chance.denominator for chance in odds.values()]))
    weights = np.array([int(chance * divisor) for chance in odds.values()])
    return _bounded(game, weights, divisor)


@lru_cache(maxsize=1)
def _game(rules: Variant, rolls: tuple[tuple[int, ...], ...]) -> _Game:
    """The graph does not depend on the lots, and tests ask for those of one game in a row."""
    return _Game(rules, rolls)


class _Game:
    """The game graph. ends: the results of each roll of each position, concatenated; cuts: where each list begins."""

    def __init__(self, rules: Variant, rolls: tuple[tuple[int, ...], ...]) -> None:
        start = Position.start(rules)
        self.number = {start: 0, start.passed(): 1}
        self.over: dict[int, int] = {}
        positions, ends, cuts = list(self.number), list[int](), list[int]()
        for at, position in enumerate(positions):
            over = _over(position)
            if over is not None:
                self.over[at] = over
            rolled = ends_of_throws(position, rolls) if over is None else [(position,)] * len(rolls)
            for results in rolled:
                cuts.append(len(ends))
                for result in results or (position.passed(),):
                    ends.append(self.number.setdefault(result, len(positions)))
                    if ends[-1] == len(positions):
                        positions.append(result)
        self.ends, self.cuts = np.array(ends), np.array(cuts)
        self.is_jades = np.repeat([position.turn is Side.JADE for position in positions], len(rolls))

    def turn(self, values: NDArray[_Number]) -> NDArray[_Number]:
        """(positions, rolls): the best value that each roll can lead to."""
        there = values[self.ends]
        best = np.where(self.is_jades, np.maximum.reduceat(there, self.cuts), np.minimum.reduceat(there, self.cuts))
        return best.reshape(len(values), -1)


def _over(position: Position) -> int | None:
    if position.is_drawn():
        return HALF
    if not position.is_decided():
        return None
    return SCALE if position.winner() is Side.JADE else 0


def _bounded(game: _Game, weights: Whole, divisor: int) -> Exact:
    over, results = np.array([*game.over]), np.array([*game.over.values()])
    chances = weights / divisor
    values = np.full(len(game.number), 0.5)
    values[over] = results / SCALE
    change = 1.0
    while change > 1e-13:
        new = game.turn(values) @ chances
        new[over] = results / SCALE
        change = float(np.abs(new - values).max())
        values = new
    below = np.floor(values * SCALE).astype(np.int64)
    above = np.ceil(values * SCALE).astype(np.int64)
    going = np.ones(len(values), np.bool_)
    below[over], above[over], going[over] = results, results, False
    for _ in range(100_000):
        low, high = game.turn(below) @ weights, game.turn(above) @ weights
        falls = going & (low < divisor * (below + np.where(below > HALF, MARGIN, 0)))
        rises = going & (high > divisor * (above - np.where(above < HALF, MARGIN, 0)))
        if not falls.any() and not rises.any():
            return Exact(game.number, below, above)
        below[falls] = low[falls] // divisor - 2 * MARGIN
        above[rises] = -(-high[rises] // divisor) + 2 * MARGIN
    raise ArithmeticError("no bounds were found")

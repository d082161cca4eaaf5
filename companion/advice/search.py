"""Expectimax search over every throw and every move, down to an estimate, for games without a solved table."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.advice.adviser import Estimate, EstimateSource, RatedStep, TurnAdvice, terminal_value
from companion.advice.evaluation import Evaluation
from companion.rules.odds import FAIR, turn_odds
from companion.rules.position import Position
from companion.rules.turns import Turn, ends_of_throws
from companion.rules.unit import Side
from companion.rules.variant import Variant

Array = NDArray[np.float64]
Numbers = NDArray[np.intp]

MOST_POSITIONS = 60_000
"""Maximum number of positions in one search, at about 1 kB each. More would only help with seconds to spare."""
LIMIT_S = 0.4
"""Seconds for one call. See ``python -m tests.bench.search_loss``."""
_HALF = 0.02
"""The loss of win chance that halves the weight of a choice. Twice and four times as much did about as well."""
_WEIGHT_STEP = 2
"""By what the least weight of a leaf to expand falls from pass to pass. 4 estimates worse, by a fifth."""
_AT_ONCE = 256
"""Positions to evaluate at once, a hundredth of a second's work: so much later than the limit an answer may be."""


class Evaluator(Protocol):
    """Estimates the win chances of positions of one game, none of which is over, for the side to throw."""

    def wins(self, positions: Sequence[Position]) -> Array: ...


class SearchAdviser:
    """Searches turn by turn, all throws and all moves of each, as deep as time allows. The result is an estimate.

    Parameters
    ----------
    limit_s : float
        Seconds for one call. The results of the turn at hand are always evaluated, however long
        that takes.
    depth : int, optional
        Turns to look ahead instead of a time limit, so that the answer does not depend on the machine; 1 evaluates the
        results of the turn at hand.
    clock : callable
        Returns monotonic seconds.
    most : int
        Maximum number of positions in one search.
    """

    def __init__(
        self,
        rules: Variant,
        marked: Fraction = FAIR,
        *,
        limit_s: float = LIMIT_S,
        depth: int | None = None,
        clock: Callable[[], float] = time.monotonic,
        most: int = MOST_POSITIONS,
        judge: Evaluator | None = None,
    ) -> None:
        self._odds = [(values, float(chance)) for values, chance in turn_odds(rules, marked).items()]
        self._judge = judge or Evaluation(rules, marked)
        self._limit_s, self._depth, self._clock, self._most = limit_s, depth, clock, most

    def before_throw(self, position: Position) -> Estimate:
        """The win chance of the side to throw; exact if the game is over."""
        over = terminal_value(position)
        if over is not None:
            return Estimate(over, EstimateSource.EXACT, 0.0)
        return Estimate(float(self._searched([position], position.turn, 1)[0]), EstimateSource.SEARCH)

    def in_turn(self, turn: Turn) -> TurnAdvice:
        """The win chance after each step, with the best rest of the turn that the search finds."""
        steps = turn.steps()
        ends = [_results(turn.after(step)) for step in steps] or [(turn.handed_over(),)]
        positions = list(dict.fromkeys(end for results in ends for end in results))
        known = dict(zip(positions, self._searched(positions, turn.position.turn, 0).tolist(), strict=True))
        wins = [max(known[end] for end in results) for results in ends]
        rated = sorted(map(RatedStep, steps, wins), key=lambda one: -one.win)
        return TurnAdvice(Estimate(max(wins), EstimateSource.SEARCH), tuple(rated))

    def _searched(self, positions: Sequence[Position], side: Side, least: int) -> Array:
        """(positions,) win chances of ``side``, which chooses among them, from at least ``least`` turns ahead."""
        tree, until = _Tree(positions, side, self._odds, self._judge), self._clock() + self._limit_s
        for _ in range(least if self._depth is None else self._depth - 1 + least):
            tree.grow(0.0, lambda: False, None)
        if self._depth is None:
            weight = 1.0
            while (
                tree.is_open and self._clock() < until and tree.grow(weight, lambda: self._clock() >= until, self._most)
            ):
                weight /= _WEIGHT_STEP
        return tree.wins()


class _Tree:
    """A search tree by layers of turns; equal positions in a layer are one node.

    A node weighs what the throws on the way to it are likely, halved for each _HALF that a choice on the way seems to
    lose. So probable play is searched further ahead than the rest. side: who chooses among the roots.
    """

    def __init__(
        self, roots: Sequence[Position], side: Side, odds: Sequence[tuple[tuple[int, ...], float]], judge: Evaluator
    ) -> None:
        self._throws, self._judge = [values for values, _ in odds], judge
        self._chances = np.array([chance for _, chance in odds])
        self._same = np.array([root.turn is side for root in roots])
        self._layers = [_Layer()]
        for root in roots:
            self._layers[0].add(root)
        self._layers[0].evaluate(judge)

    @property
    def is_open(self) -> bool:
        """Whether a leaf is left in which the game goes on."""
        return any(layer.leaf.any() for layer in self._layers)

    def wins(self) -> Array:
        """(roots,) the chances of the side that chooses among them, from the whole tree."""
        return self._of_side(self._values()[0])

    def grow(self, weight: float, time_is_up: Callable[[], bool], most: int | None) -> bool:
        """Expand the leaves that weigh at least ``weight``, the nearest first. False if time or room for ``most``
        positions was up before."""
        chosen = [np.flatnonzero(layer.leaf & (weights >= weight)) for layer, weights in self._weighed()]
        if len(chosen[-1]):
            self._layers.append(_Layer())
        done = self._expanded(chosen, time_is_up, most)
        for layer in self._layers:
            layer.evaluate(self._judge)
        return done

    def _expanded(self, chosen: Sequence[Numbers], time_is_up: Callable[[], bool], most: int | None) -> bool:
        for layer, below, numbers in zip(self._layers, self._layers[1:], chosen, strict=False):
            for number in numbers:
                if time_is_up() or (most is not None and sum(len(one.positions) for one in self._layers) > most):
                    return False
                layer.expand(number, self._throws, below)
                if len(below.positions) - len(below.wins) >= _AT_ONCE:
                    below.evaluate(self._judge)
        return True

    def _weighed(self) -> Iterator[tuple[_Layer, Array]]:
        """Each layer with the weights of its positions."""
        values = self._values()
        weights = _likely(self._of_side(values[0]), np.zeros(1, np.intp))
        for layer, below in zip_longest(self._layers, values[1:]):
            yield layer, weights
            if below is not None:
                weights = layer.passed_down(weights, below, self._chances)

    def _of_side(self, values: Array) -> Array:
        return np.where(self._same, values, 1 - values)

    def _values(self) -> list[Array]:
        """The win chances of each layer's sides to throw, from the whole tree."""
        values = [self._layers[-1].wins]
        for layer in self._layers[-2::-1]:
            values.append(layer.backed_up(values[-1], self._chances))
        return values[::-1]


class _Layer:
    """The positions of one depth, and the edges to the next from those that are expanded.

    wins: (positions,) exact if the game is over, else estimated. leaf: (positions,) whether it goes on and is not
    expanded.
    """

    def __init__(self) -> None:
        self.positions: list[Position] = []
        self.wins, self.leaf = np.empty(0), np.empty(0, dtype=bool)
        self._numbers: dict[Position, int] = {}
        # What is expanded; its edges' numbers in the next layer, and whether the same side throws there; each throw's
        # first edge.
        self._parents, self._ends, self._same, self._groups = array("q"), array("q"), array("b"), array("q")

    def add(self, position: Position) -> int:
        """The number of a position, a new one if it is not there yet."""
        number = self._numbers.setdefault(position, len(self.positions))
        if number == len(self.positions):
            self.positions.append(position)
        return number

    def evaluate(self, judge: Evaluator) -> None:
        """Evaluate the positions that have been added."""
        new = self.positions[len(self.wins) :]
        if new:
            over = [terminal_value(position) for position in new]
            leaf = np.array([value is None for value in over])
            wins = np.array([0.0 if value is None else value for value in over])
            if leaf.any():
                wins[leaf] = judge.wins([position for position, value in zip(new, over, strict=True) if value is None])
            self.wins, self.leaf = np.concatenate([self.wins, wins]), np.concatenate([self.leaf, leaf])

    def expand(self, number: int, throws: Sequence[tuple[int, ...]], below: _Layer) -> None:
        """Add what every throw leads to."""
        position = self.positions[number]
        for results in ends_of_throws(position, throws):
            self._groups.append(len(self._ends))
            for result in results or (position.passed(),):
                self._ends.append(below.add(result))
                self._same.append(result.turn is position.turn)
        self._parents.append(number)
        self.leaf[number] = False

    def backed_up(self, below: Array, chances: Array) -> Array:
        """(positions,) win chances. below: those of the next layer."""
        best = np.maximum.reduceat(self._seen(below), np.array(self._groups))
        values = self.wins.copy()
        values[np.array(self._parents)] = best.reshape(-1, len(chances)) @ chances
        return values

    def passed_down(self, weights: Array, below: Array, chances: Array) -> Array:
        """(positions of the next layer,) their weights."""
        groups = np.array(self._groups)
        thrown = (weights[np.array(self._parents), None] * chances).ravel()
        edges = np.repeat(thrown, np.diff(groups, append=len(self._ends))) * _likely(self._seen(below), groups)
        return np.bincount(np.array(self._ends), edges, len(below)).astype(np.float64)

    def _seen(self, below: Array) -> Array:
        """(edges,) the chances of the side that throws in this layer."""
        reached = below[np.array(self._ends)]
        return np.asarray(np.where(np.array(self._same, dtype=bool), reached, 1 - reached))


def _likely(wins: Array, groups: Numbers) -> Array:
    """The weight of each choice: 1 for the best of its group, halved for each _HALF that it loses to it."""
    best = np.repeat(np.maximum.reduceat(wins, groups), np.diff(groups, append=len(wins)))
    return np.asarray(np.exp2((wins - best) / _HALF))


def _results(turn: Turn) -> tuple[Position, ...]:
    """Every position that the rest of the turn can lead to, or the position after passing.

    The order is the same in every run, because the last digit of an estimate depends on it.
    """
    return turn.ends() or (turn.handed_over(),)

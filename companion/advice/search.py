"""Expectimax search over every throw and every move, down to an estimate, for games without a solved table."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.advice.adviser import Estimate, EstimateSource, RatedStep, TurnAdvice, terminal_value
from companion.advice.evaluation import Evaluation
from companion.rules.odds import FAIR, turn_odds
from companion.rules.position import Position
from companion.rules.turns import Turn, ends_of_throws
from companion.rules.variant import Variant

Array = NDArray[np.float64]

MOST_POSITIONS = 60_000
"""Maximum number of positions in one search, at about 1 kB each. More would only help with seconds to spare."""
LIMIT_S = {1: 1.0, 2: 0.5}
"""Seconds for one call, by throws a turn. Two throws share most of their moves, so half the time looks as far: in
aj-sayil and a-kaakil 0.5 s lost 0.000 and 0.005 points a choice, as 1 s did before they were shared (120 choices)."""


class Evaluator(Protocol):
    """Estimates the win chances of positions of one game, none of which is over, for the side to throw."""

    def wins(self, positions: Sequence[Position]) -> Array: ...


class SearchAdviser:
    """Searches turn by turn, all throws and all moves of each, as deep as time allows. The result is an estimate.

    Parameters
    ----------
    limit_s : float, optional
        Seconds for one call; LIMIT_S by default. The results of the turn at hand are always evaluated, however long
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
        limit_s: float | None = None,
        depth: int | None = None,
        clock: Callable[[], float] = time.monotonic,
        most: int = MOST_POSITIONS,
        judge: Evaluator | None = None,
    ) -> None:
        self._odds = [(values, float(chance)) for values, chance in turn_odds(rules, marked).items()]
        self._judge = judge or Evaluation(rules, marked)
        self._limit_s = LIMIT_S[rules.throws] if limit_s is None else limit_s
        self._depth, self._clock, self._most = depth, clock, most

    def before_throw(self, position: Position) -> Estimate:
        """The win chance of the side to throw; exact if the game is over."""
        over = terminal_value(position)
        if over is not None:
            return Estimate(over, EstimateSource.EXACT, 0.0)
        return Estimate(float(self._searched([position], 1)[0]), EstimateSource.SEARCH)

    def in_turn(self, turn: Turn) -> TurnAdvice:
        """The win chance after each step, with the best rest of the turn that the search finds."""
        steps = turn.steps()
        ends = [_results(turn.after(step)) for step in steps] or [(turn.handed_over(),)]
        positions = list(dict.fromkeys(end for results in ends for end in results))
        known = dict(zip(positions, self._searched(positions, 0), strict=True))
        side = turn.position.turn
        wins = [max(float(known[end] if end.turn is side else 1 - known[end]) for end in results) for results in ends]
        rated = sorted(map(RatedStep, steps, wins), key=lambda one: -one.win)
        return TurnAdvice(Estimate(max(wins), EstimateSource.SEARCH), tuple(rated))

    def _searched(self, positions: Sequence[Position], least: int) -> Array:
        """(positions,) win chances of the side to throw in each, looking at least ``least`` turns ahead."""
        ahead = _Ahead(positions, self._odds, self._judge)
        if self._depth is not None:
            while ahead.depth < self._depth - 1 + least and ahead.deepen(lambda: False, None):
                pass
            return ahead.values()
        until, each = self._clock() + self._limit_s, 0.0
        while ahead.depth < least and ahead.deepen(lambda: False, None):
            pass
        # Start only what can be finished in time: the table has other work for the processor.
        while (now := self._clock()) + each * ahead.width < until:
            width = ahead.width
            if not ahead.deepen(lambda: self._clock() >= until, self._most):
                break
            each = (self._clock() - now) / width
        return ahead.values()


class _Ahead:
    """A search tree by layers of turns; equal positions in a layer are one node."""

    def __init__(
        self, positions: Sequence[Position], odds: Sequence[tuple[tuple[int, ...], float]], judge: Evaluator
    ) -> None:
        self._throws, self._judge = [values for values, _ in odds], judge
        self._chances = np.array([chance for _, chance in odds])
        self._layers = [_Layer(positions, judge)]
        self._links: list[_Links] = []

    @property
    def depth(self) -> int:
        """Turns searched so far."""
        return len(self._links)

    @property
    def width(self) -> int:
        """Positions to expand for the next turn."""
        return len(self._layers[-1].live)

    def deepen(self, time_is_up: Callable[[], bool], most: int | None) -> bool:
        """Search one turn further. False, with nothing changed, if time or room is up or every game is over."""
        layer = self._layers[-1]
        if not self.width:
            return False
        held = sum(len(layer.positions) for layer in self._layers)
        found: dict[Position, int] = {}
        ends: list[int] = []
        groups: list[int] = []
        same: list[bool] = []
        for number in layer.live:
            position = layer.positions[number]
            if time_is_up() or (most is not None and held + len(found) > most):
                return False
            for results in ends_of_throws(position, self._throws):
                groups.append(len(ends))
                for result in results or (position.passed(),):
                    ends.append(found.setdefault(result, len(found)))
                    same.append(result.turn is position.turn)
        self._layers.append(_Layer(list(found), self._judge))
        self._links.append(_Links(np.array(ends), np.array(groups), np.array(same)))
        return True

    def values(self) -> Array:
        """(positions,) win chances of the side to throw in the root positions, from the whole tree."""
        values = self._layers[-1].wins
        for layer, links in zip(self._layers[-2::-1], self._links[::-1], strict=True):
            best = links.best(values).reshape(len(layer.live), len(self._chances))
            values = layer.wins.copy()
            values[layer.live] = best @ self._chances
        return values


class _Layer:
    """Positions of one depth with their win chances: exact if the game is over, else estimated."""

    def __init__(self, positions: Sequence[Position], judge: Evaluator) -> None:
        self.positions = positions
        self.wins = np.empty(len(positions))
        live = []
        for number, position in enumerate(positions):
            over = terminal_value(position)
            if over is None:
                live.append(number)
            else:
                self.wins[number] = over
        self.live = np.array(live, dtype=np.intp)
        if live:
            self.wins[self.live] = judge.wins([positions[number] for number in live])


class _Links:
    """The edges from one layer to the next.

    ends: (edges,) indices of positions in the next layer. groups: (throws,) index of each throw's first edge. same:
    (edges,) whether the same side throws next.
    """

    def __init__(self, ends: NDArray[np.intp], groups: NDArray[np.intp], same: NDArray[np.bool_]) -> None:
        self._ends, self._groups, self._same = ends, groups, same

    def best(self, values: Array) -> Array:
        """(throws,) the best win chance after each throw, for its side. values: (positions,) of the next layer."""
        reached = values[self._ends]
        return np.asarray(np.maximum.reduceat(np.where(self._same, reached, 1 - reached), self._groups))


def _results(turn: Turn) -> tuple[Position, ...]:
    """Every position that the rest of the turn can lead to, or the position after passing.

    The order is the same in every run, because the last digit of an estimate depends on it.
    """
    return turn.ends() or (turn.handed_over(),)

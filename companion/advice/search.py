"""Advice where no table fits: looking ahead at every throw and every move, down to an estimate."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.advice.adviser import Estimate, Rated, Source, TurnAdvice, settled
from companion.advice.evaluation import Evaluation
from companion.advice.odds import FAIR, turn_odds
from companion.rules.position import Position
from companion.rules.ruleset import Variant
from companion.rules.turns import Turn

Array = NDArray[np.float64]

MOST_POSITIONS = 60_000
"""Positions that one search may hold, at about 1 kB each. More would reach deeper only with seconds to spare."""


class Judge(Protocol):
    """Estimates positions of one game from the side to throw; none of them is over."""

    def wins(self, positions: Sequence[Position]) -> Array: ...


class SearchAdviser:
    """Looks ahead turn by turn, all throws and all moves of each, as deep as the time allows. Always an estimate.

    limit_s: seconds for one question; at least the positions that a turn can lead to are judged, whatever it takes.
    depth: turns to look ahead instead, for answers that do not depend on the machine; 1 judges a turn's results.
    clock: monotonic seconds. most: positions that one search may hold.
    """

    def __init__(
        self,
        rules: Variant,
        marked: Fraction = FAIR,
        *,
        limit_s: float = 1.0,
        depth: int | None = None,
        clock: Callable[[], float] = time.monotonic,
        most: int = MOST_POSITIONS,
        judge: Judge | None = None,
    ) -> None:
        self._odds = [(values, float(chance)) for values, chance in turn_odds(rules, marked).items()]
        self._judge = judge or Evaluation(rules, marked)
        self._limit_s, self._depth, self._clock, self._most = limit_s, depth, clock, most

    def before_throw(self, position: Position) -> Estimate:
        """How likely the side to throw is to win. A finished game is no estimate."""
        over = settled(position)
        if over is not None:
            return Estimate(over, Source.EXACT, 0.0)
        return Estimate(float(self._searched([position], 1)[0]), Source.SEARCH)

    def in_turn(self, turn: Turn) -> TurnAdvice:
        """Each step's chance if the rest of the turn, too, is used as well as this search can see."""
        steps = turn.steps()
        ends = [_results(turn.after(step)) for step in steps] or [(turn.handed_over(),)]
        positions = list(dict.fromkeys(end for results in ends for end in results))
        known = dict(zip(positions, self._searched(positions, 0), strict=True))
        side = turn.position.turn
        wins = [max(float(known[end] if end.turn is side else 1 - known[end]) for end in results) for results in ends]
        rated = sorted(map(Rated, steps, wins), key=lambda one: -one.win)
        return TurnAdvice(Estimate(max(wins), Source.SEARCH), tuple(rated))

    def _searched(self, positions: Sequence[Position], least: int) -> Array:
        """The chance of the side to throw in each position, looking ahead at least so many turns more."""
        ahead = _Ahead(positions, self._odds, self._judge)
        if self._depth is not None:
            while ahead.depth < self._depth - 1 + least and ahead.deepen(lambda: False, None):
                pass
            return ahead.values()
        until, each = self._clock() + self._limit_s, 0.0
        while ahead.depth < least and ahead.deepen(lambda: False, None):
            pass
        # What would not be done in time is not begun: the processor has other work at a table.
        while (now := self._clock()) + each * ahead.width < until:
            width = ahead.width
            if not ahead.deepen(lambda: self._clock() >= until, self._most):
                break
            each = (self._clock() - now) / width
        return ahead.values()


class _Ahead:
    """The turns ahead of some positions, layer by layer; equal positions of a layer are looked at once."""

    def __init__(
        self, positions: Sequence[Position], odds: Sequence[tuple[tuple[int, ...], float]], judge: Judge
    ) -> None:
        self._odds, self._judge = odds, judge
        self._chances = np.array([chance for _, chance in odds])
        self._layers = [_Layer(positions, judge)]
        self._links: list[_Links] = []

    @property
    def depth(self) -> int:
        """Turns looked ahead of the positions asked about."""
        return len(self._links)

    @property
    def width(self) -> int:
        """Positions to go on from for the next turn."""
        return len(self._layers[-1].live)

    def deepen(self, time_is_up: Callable[[], bool], most: int | None) -> bool:
        """Look one turn further. False, with nothing changed, where it is too late or too much, or all is settled."""
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
            for values, _ in self._odds:
                groups.append(len(ends))
                for result in _results(Turn(position, values)):
                    ends.append(found.setdefault(result, len(found)))
                    same.append(result.turn is position.turn)
        self._layers.append(_Layer(list(found), self._judge))
        self._links.append(_Links(np.array(ends), np.array(groups), np.array(same)))
        return True

    def values(self) -> Array:
        """The chances of the side to throw in the positions asked about, from all that was looked at."""
        values = self._layers[-1].wins
        for layer, links in zip(self._layers[-2::-1], self._links[::-1], strict=True):
            best = links.best(values).reshape(len(layer.live), len(self._chances))
            values = layer.wins.copy()
            values[layer.live] = best @ self._chances
        return values


class _Layer:
    """Positions as many turns ahead, and their chances: what is over is known, the rest is judged."""

    def __init__(self, positions: Sequence[Position], judge: Judge) -> None:
        self.positions = positions
        self.wins = np.empty(len(positions))
        live = []
        for number, position in enumerate(positions):
            over = settled(position)
            if over is None:
                live.append(number)
            else:
                self.wins[number] = over
        self.live = np.array(live, dtype=np.intp)
        if live:
            self.wins[self.live] = judge.wins([positions[number] for number in live])


class _Links:
    """Which positions of the next layer each throw can lead to.

    ends: their numbers; groups: where each throw's begin; same: whether the side that threw also throws next.
    """

    def __init__(self, ends: NDArray[np.intp], groups: NDArray[np.intp], same: NDArray[np.bool_]) -> None:
        self._ends, self._groups, self._same = ends, groups, same

    def best(self, values: Array) -> Array:
        """The best that each throw can lead to, for the side that threw."""
        reached = values[self._ends]
        return np.asarray(np.maximum.reduceat(np.where(self._same, reached, 1 - reached), self._groups))


def _results(turn: Turn) -> tuple[Position, ...]:
    """Every position that the rest of the turn can lead to; passing, where there is nothing to use.

    In an order that is the same in every run, for the last digit of an estimate hangs on it.
    """
    return turn.ends() or (turn.handed_over(),)

"""An adviser for tiny boards by brute force: value iteration over every position and throw."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from types import MappingProxyType

from companion.advice.adviser import Estimate, EstimateSource, RatedStep, TurnAdvice, terminal_value
from companion.rules.odds import FAIR, turn_odds
from companion.rules.position import Position, Side
from companion.rules.turns import Turn
from companion.rules.variant import Variant

CLOSE = 1e-15
"""Sweeps stop when no chance changes by more than this."""


class BruteForceAdviser:
    """Computes every chance of a tiny game to float precision. Games must end with certainty."""

    def __init__(
        self, rules: Variant, marked: Fraction = FAIR, *, source: EstimateSource = EstimateSource.EXACT
    ) -> None:
        self.source = source
        self.asked = 0
        self._chances = solved(rules, marked)

    def before_throw(self, position: Position) -> Estimate:
        return self._estimate(self._win(position, position.turn))

    def in_turn(self, turn: Turn) -> TurnAdvice:
        self.asked += 1
        side = turn.position.turn
        rated = [RatedStep(step, self._after(turn.after(step), side)) for step in turn.steps()]
        rated.sort(key=lambda one: -one.win)
        best = rated[0].win if rated else self._win(turn.handed_over(), side)
        return TurnAdvice(self._estimate(best), tuple(rated))

    def _estimate(self, win: float) -> Estimate:
        return Estimate(win, self.source, 1e-12 if self.source is EstimateSource.EXACT else None)

    def _after(self, turn: Turn, side: Side) -> float:
        """The best chance that the rest of a turn can lead to."""
        return max((self._win(end, side) for end in turn.results()), default=self._win(turn.handed_over(), side))

    def _win(self, position: Position, side: Side) -> float:
        end = terminal_value(position)
        own = self._chances[position] if end is None else end
        return own if position.turn is side else 1 - own


@cache
def solved(rules: Variant, marked: Fraction) -> Mapping[Position, float]:
    """The chance of every position for the side to throw."""
    odds = {values: float(chance) for values, chance in turn_odds(rules, marked).items()}
    following: dict[Position, list[tuple[float, tuple[Position, ...]]]] = {}
    waiting = [Position.start(rules, side) for side in Side]
    while waiting:
        position = waiting.pop()
        if position in following:
            continue
        turns = [(chance, Turn(position, values)) for values, chance in odds.items()]
        over = terminal_value(position) is not None
        following[position] = [
            (chance, () if over else tuple(turn.results()) or (turn.handed_over(),)) for chance, turn in turns
        ]
        waiting += [end for _, ends in following[position] for end in ends]
    number = {position: at for at, position in enumerate(following)}
    # By number, because looking up positions would take most of the time.
    sweep = [
        [(chance, [(number[end], end.turn is position.turn) for end in ends]) for chance, ends in throws if ends]
        for position, throws in following.items()
    ]
    known = [terminal_value(position) for position in following]
    chances = [0.5 if end is None else end for end in known]
    changed = 1.0
    while changed > CLOSE:
        changed = 0.0
        for at, throws in enumerate(sweep):
            if throws:
                win = sum(c * max(chances[to] if own else 1 - chances[to] for to, own in ends) for c, ends in throws)
                changed = max(changed, abs(win - chances[at]))
                chances[at] = win
    return MappingProxyType(dict(zip(following, chances, strict=True)))

"""An adviser that only counts pieces. Like a search, its estimate changes from throw to throw."""

from __future__ import annotations

from companion.advice.adviser import Estimate, EstimateSource, RatedStep, TurnAdvice, terminal_value
from companion.rules.position import Position, Side
from companion.rules.turns import Turn


class MaterialAdviser:
    """Estimates a side's chance as its share of the pieces left, those on the highway counting a little more."""

    def before_throw(self, position: Position) -> Estimate:
        end = terminal_value(position)
        return Estimate(_share(position, position.turn) if end is None else end, EstimateSource.SEARCH)

    def in_turn(self, turn: Turn) -> TurnAdvice:
        side = turn.position.turn
        rated = [RatedStep(step, _looked(turn.after(step).handed_over(), side)) for step in turn.steps()]
        rated.sort(key=lambda one: -one.win)
        best = rated[0].win if rated else _looked(turn.handed_over(), side)
        return TurnAdvice(Estimate(best, EstimateSource.SEARCH), tuple(rated))


def _looked(position: Position, side: Side) -> float:
    end = terminal_value(position)
    if end is None:
        return _share(position, side)
    return end if position.turn is side else 1 - end


def _share(position: Position, side: Side) -> float:
    mine, theirs = (_strength(position, one) for one in (side, side.other))
    return (mine + 1) / (mine + theirs + 2)


def _strength(position: Position, side: Side) -> float:
    units = [unit for units in position.places for unit in units if unit.owner is side]
    return position.in_base(side) + sum(1.3 * unit.own + 0.9 * unit.captives for unit in units)

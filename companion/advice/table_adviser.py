"""Advice from a solved table."""

from __future__ import annotations

from companion.advice.adviser import Adviser, Estimate, Rated, Source, TurnAdvice, settled
from companion.advice.table import Table
from companion.rules.position import Position
from companion.rules.turns import Turn


class TableAdviser:
    """Tells what the table says. A position that no game can reach has no place there; ``otherwise`` is asked."""

    def __init__(self, table: Table, otherwise: Adviser) -> None:
        self._table, self._otherwise = table, otherwise

    def before_throw(self, position: Position) -> Estimate:
        """The chance as stored; a look of less than a millisecond."""
        win = settled(position)
        if win is not None:
            return Estimate(win, Source.EXACT, 0.0)
        win = self._table.win(position)
        return self._otherwise.before_throw(position) if win is None else self._exact(win)

    def in_turn(self, turn: Turn) -> TurnAdvice:
        """The chance after every legal step, the rest of the turn played best."""
        rated = [(step, self._after(turn.after(step))) for step in turn.steps()]
        if any(win is None for _, win in rated):
            return self._otherwise.in_turn(turn)
        steps = sorted((Rated(step, win) for step, win in rated if win is not None), key=lambda one: -one.win)
        if steps:
            return TurnAdvice(self._exact(steps[0].win), tuple(steps))
        passed = self.before_throw(turn.handed_over())
        return TurnAdvice(Estimate(1 - passed.win, passed.source, passed.error_bound), ())

    def _after(self, turn: Turn) -> float | None:
        """How likely the side that moves is to win; None where the table does not tell."""
        if turn.values and (steps := turn.steps()):
            rest = [self._after(turn.after(step)) for step in steps]
            return None if None in rest else max(win for win in rest if win is not None)
        position = turn.handed_over()
        win = settled(position)
        if win is None:
            win = self._table.win(position)
        return None if win is None else 1 - win

    def _exact(self, win: float) -> Estimate:
        return Estimate(win, Source.EXACT, self._table.stored_bound)

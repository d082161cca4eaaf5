"""Exact advice from a solved table, and the choice between a table and a search."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

from companion.advice.adviser import Adviser, Estimate, EstimateSource, RatedStep, TurnAdvice, terminal_value
from companion.advice.search import SearchAdviser
from companion.advice.solver.ranking import is_two_sided
from companion.advice.solver.solved_table import SolvedTable, table_name
from companion.errors import TableUnusable
from companion.rules.position import Position
from companion.rules.turns import Turn
from companion.rules.variant import Variant


class TableAdviser:
    """Looks win chances up in a solved table. ``otherwise`` answers for positions that no game can reach."""

    def __init__(self, table: SolvedTable, otherwise: Adviser) -> None:
        self._table, self._otherwise = table, otherwise

    def before_throw(self, position: Position) -> Estimate:
        """The stored chance, in less than a millisecond."""
        win = terminal_value(position)
        if win is not None:
            return Estimate(win, EstimateSource.EXACT, 0.0)
        win = self._table.win(position)
        return self._otherwise.before_throw(position) if win is None else self._exact(win)

    def in_turn(self, turn: Turn) -> TurnAdvice:
        """The win chance after every legal step, with the best rest of the turn."""
        rated = [(step, self._after(turn.after(step))) for step in turn.steps()]
        if any(win is None for _, win in rated):
            return self._otherwise.in_turn(turn)
        steps = sorted((RatedStep(step, win) for step, win in rated if win is not None), key=lambda one: -one.win)
        if steps:
            return TurnAdvice(self._exact(steps[0].win), tuple(steps))
        passed = self.before_throw(turn.handed_over())
        return TurnAdvice(Estimate(1 - passed.win, passed.source, passed.error_bound), ())

    def _after(self, turn: Turn) -> float | None:
        """The win chance of the side that moves, or None if the table does not have the position."""
        if turn.values and (steps := turn.steps()):
            rest = [self._after(turn.after(step)) for step in steps]
            return None if None in rest else max(win for win in rest if win is not None)
        position = turn.handed_over()
        win = terminal_value(position)
        if win is None:
            win = self._table.win(position)
        return None if win is None else 1 - win

    def _exact(self, win: float) -> Estimate:
        return Estimate(win, EstimateSource.EXACT, self._table.stored_bound)


class AdviserFactory:
    """Makes the best adviser of a game: its solved table if there is one, else a search.

    Parameters
    ----------
    *folders : Path
        Searched for tables in this order, on every call.
    search : callable
        Makes the adviser of games without a table.
    refused : callable, optional
        Called with the error of a damaged table, which is then ignored. Without it the error is raised.
    """

    def __init__(
        self,
        *folders: Path,
        search: Callable[[Variant, Fraction], Adviser] = SearchAdviser,
        refused: Callable[[TableUnusable], object] | None = None,
    ) -> None:
        self._folders, self._search, self._refused = folders, search, refused
        self._tables: dict[str, SolvedTable] = {}
        self._unusable: dict[Path, int] = {}

    def __call__(self, rules: Variant, marked: Fraction) -> Adviser:
        """Raises TableUnusable if the table is damaged and there is no ``refused``."""
        search, table = self._search(rules, marked), self.table(rules, marked)
        return search if table is None else TableAdviser(table, search)

    def table(self, rules: Variant, marked: Fraction) -> SolvedTable | None:
        """The solved table of that game, or None. Raises TableUnusable as a call does."""
        if not is_two_sided(rules):
            return None
        name = table_name(rules, marked)
        if name not in self._tables:
            path = next((folder / name for folder in self._folders if (folder / name).exists()), None)
            if path is None or self._unusable.get(path) == path.stat().st_mtime_ns:
                return None
            try:
                self._tables[name] = SolvedTable.open(path, rules, marked)
            except TableUnusable as error:
                if self._refused is None:
                    raise
                # Report it once; look again when the file has changed.
                self._unusable[path] = path.stat().st_mtime_ns
                self._refused(error)
                return None
        return self._tables[name]

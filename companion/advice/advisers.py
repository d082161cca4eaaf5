"""The best advice there is for a game: its solved table where there is one, searching ahead elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

from companion.advice.adviser import Adviser
from companion.advice.search import SearchAdviser
from companion.advice.solving.ranking import is_two_sided
from companion.advice.table import Table, table_name
from companion.advice.table_adviser import TableAdviser
from companion.errors import TableUnusable
from companion.rules.ruleset import Variant


class Advisers:
    """Finds the adviser of a game; a table that is made later is found the next time.

    folders: where tables may be, looked into in this order. search: makes the adviser of games without one.
    refused: told of a table that is not whole, which then counts as none; where not given, it is raised.
    """

    def __init__(
        self,
        *folders: Path,
        search: Callable[[Variant, Fraction], Adviser] = SearchAdviser,
        refused: Callable[[TableUnusable], object] | None = None,
    ) -> None:
        self._folders, self._search, self._refused = folders, search, refused
        self._tables: dict[str, Table] = {}
        self._unusable: dict[Path, int] = {}

    def __call__(self, rules: Variant, marked: Fraction) -> Adviser:
        """Raises TableUnusable where the table is not whole, unless that is told to ``refused``."""
        search, table = self._search(rules, marked), self.table(rules, marked)
        return search if table is None else TableAdviser(table, search)

    def table(self, rules: Variant, marked: Fraction) -> Table | None:
        """That game's table, if there is one. Raises TableUnusable like a call."""
        if not is_two_sided(rules):
            return None
        name = table_name(rules, marked)
        if name not in self._tables:
            path = next((folder / name for folder in self._folders if (folder / name).exists()), None)
            if path is None or self._unusable.get(path) == path.stat().st_mtime_ns:
                return None
            try:
                self._tables[name] = Table.open(path, rules, marked)
            except TableUnusable as error:
                if self._refused is None:
                    raise
                # Told once, not each time that somebody asks; one that was put in its place is looked at again.
                self._unusable[path] = path.stat().st_mtime_ns
                self._refused(error)
                return None
        return self._tables[name]

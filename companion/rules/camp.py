"""The pieces of one side that are off the highway."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.rules.variant import Variant

Counts = tuple[int, ...]
"""Number of pieces by player; a single number if the side owns them together."""


@dataclass(frozen=True, slots=True)
class Camp:
    """A side's pieces in base, slain, and spent: out for good by its own doing (retired, or burnt while free)."""

    base: Counts
    slain: Counts
    spent: Counts

    @classmethod
    def full(cls, rules: Variant) -> Camp:
        """All pieces in base, as at the start."""
        none = (0,) * rules.owners
        return cls((rules.pieces,) * rules.owners, none, none)

    def entered(self, player: int) -> Camp:
        """The camp after one piece of that player left the base."""
        base = list(self.base)
        base[player - 1] -= 1
        return Camp(tuple(base), self.slain, self.spent)

    def with_home(self, players: Iterable[int]) -> Camp:
        """The camp after pieces of these players came to base."""
        return Camp(_more(self.base, players), self.slain, self.spent)

    def with_slain(self, players: Iterable[int]) -> Camp:
        """The camp after pieces of these players were slain."""
        return Camp(self.base, _more(self.slain, players), self.spent)

    def with_spent(self, players: Iterable[int]) -> Camp:
        """The camp after pieces of these players went out for good by their own side's doing."""
        return Camp(self.base, self.slain, _more(self.spent, players))


def _more(counts: Counts, players: Iterable[int]) -> Counts:
    more = list(counts)
    for player in players:
        more[player - 1] += 1
    return tuple(more)

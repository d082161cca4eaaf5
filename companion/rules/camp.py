"""The pieces of one side that are off the highway."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.rules.ruleset import Variant

Counts = tuple[int, ...]
"""Pieces of each player of a side, the first player's first; one count where pieces are the side's."""


@dataclass(frozen=True, slots=True)
class Camp:
    """A side's pieces in base, slain, and spent: out for good by its own doing (retired, or burnt while free)."""

    base: Counts
    slain: Counts
    spent: Counts

    @classmethod
    def full(cls, rules: Variant) -> Camp:
        """Everything in base, as before the first throw."""
        none = (0,) * rules.owners
        return cls((rules.pieces,) * rules.owners, none, none)

    def entered(self, player: int) -> Camp:
        """One piece of that player has left the base."""
        base = list(self.base)
        base[player - 1] -= 1
        return Camp(tuple(base), self.slain, self.spent)

    def with_home(self, players: Iterable[int]) -> Camp:
        """Pieces of these players have come to base."""
        return Camp(_more(self.base, players), self.slain, self.spent)

    def with_slain(self, players: Iterable[int]) -> Camp:
        """Pieces of these players have been slain."""
        return Camp(self.base, _more(self.slain, players), self.spent)

    def with_spent(self, players: Iterable[int]) -> Camp:
        """Pieces of these players are out for good by their own side's doing."""
        return Camp(self.base, self.slain, _more(self.spent, players))


def _more(counts: Counts, players: Iterable[int]) -> Counts:
    more = list(counts)
    for player in players:
        more[player - 1] += 1
    return tuple(more)

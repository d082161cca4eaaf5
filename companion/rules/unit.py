"""The two sides, and the units that move on the highway."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple


class Side(Enum):
    """The two sides. Jade's base lies before space 1, Obsidian's after the last."""

    JADE = "jade"
    OBSIDIAN = "obsidian"

    # Enum's own is written in Python, and looking a position up hashes the sides of all its units.
    __hash__ = object.__hash__

    @property
    def other(self) -> Side:
        return Side.OBSIDIAN if self is Side.JADE else Side.JADE

    @property
    def letter(self) -> str:
        return "J" if self is Side.JADE else "O"

    @property
    def index(self) -> int:
        """The side's index in a pair (Jade's, Obsidian's)."""
        return 0 if self is Side.JADE else 1


class Unit(NamedTuple):
    """A stack, owned by the side of its top piece. The order under the top does not matter.

    A tuple and not a dataclass, because a search hashes millions of them.

    player: number of the owner of the top piece, who moves the unit; 1 if the side owns its pieces together.
    friends: the players of the own pieces under the top, in rising order.
    prey: the players of the captives, in rising order. A unit with prey is laden.
    home: whether an unladen unit heads home; False for laden ones, whose heading the variant decides.
    """

    owner: Side
    player: int = 1
    friends: tuple[int, ...] = ()
    prey: tuple[int, ...] = ()
    home: bool = False

    @property
    def own(self) -> int:
        """Pieces of its owner's side, the top one included."""
        return 1 + len(self.friends)

    @property
    def captives(self) -> int:
        """Pieces of the other side."""
        return len(self.prey)

    @property
    def pieces(self) -> int:
        return 1 + len(self.friends) + len(self.prey)

    @property
    def mine(self) -> tuple[int, ...]:
        """The players of all its own pieces, the top's first."""
        return (self.player, *self.friends)

    def capturing(self, taken: Iterable[Unit]) -> Unit:
        """The stack after capturing the enemy units ``taken``; their captives of its own side become its own pieces."""
        friends, prey = self.friends, self.prey
        for unit in taken:
            friends += unit.prey
            prey += unit.mine
        return Unit(self.owner, self.player, tuple(sorted(friends)), tuple(sorted(prey)))

    def robbed(self, heads_home: bool) -> Unit:
        """The unit without its captives. A single piece heads out again; several keep their heading."""
        return Unit(self.owner, self.player, self.friends, home=heads_home and bool(self.friends))

    def __str__(self) -> str:
        """The notation: ``J``, ``Jjo``, ``J'``; a player's number follows the letter unless it is 1: ``J:2oo:3``."""
        if self.owner is Side.JADE:
            top, own, other = "J", "j", "o"
        else:
            top, own, other = "O", "o", "j"
        prime = "'" if self.home else ""
        if self.player == 1 and (not self.friends or self.friends[-1] == 1) and (not self.prey or self.prey[-1] == 1):
            return top + own * len(self.friends) + other * len(self.prey) + prime
        return _numbered(top, (self.player,)) + _numbered(own, self.friends) + _numbered(other, self.prey) + prime


def _numbered(letter: str, players: tuple[int, ...]) -> str:
    return "".join(letter if player == 1 else f"{letter}:{player}" for player in players)

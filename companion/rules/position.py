"""Where every piece lies and who throws next; what a throw allows, and what becomes of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.errors import IllegalMove
from companion.rules.variant import Variant


class Side(Enum):
    """The two sides. Jade's base lies before space 1, Obsidian's after the last."""

    JADE = "jade"
    OBSIDIAN = "obsidian"

    @property
    def other(self) -> Side:
        return Side.OBSIDIAN if self is Side.JADE else Side.JADE

    @property
    def letter(self) -> str:
        return "J" if self is Side.JADE else "O"


@dataclass(frozen=True, slots=True)
class Unit:
    """What moves as one: a stack whose top piece names its owner. Order under the top never matters."""

    owner: Side
    own: int = 1
    captives: int = 0

    @property
    def pieces(self) -> int:
        return self.own + self.captives

    def taken_by(self, captor: Unit) -> Unit:
        """The stack after ``captor`` has landed here: its own pieces among these are with it again."""
        return Unit(captor.owner, captor.own + self.captives, captor.captives + self.own)


@dataclass(frozen=True, slots=True)
class Move:
    """One unit carried by a throw, or one piece entered.

    start: its space, or None for the base. to: the space it lands on, or None where it leaves the highway.
    captures: pieces taken on landing.
    """

    start: int | None
    to: int | None
    captures: int = 0

    def __str__(self) -> str:
        return f"{self.start or 'base'}-{self.to or 'home'}"


@dataclass(frozen=True, slots=True)
class Position:
    """A position between two turns. Never changes once made; equal positions hash equally.

    spaces: the unit on each space, or None, space 1 first. base, slain: pieces of (Jade, Obsidian).
    turn: the side about to throw.
    """

    spaces: tuple[Unit | None, ...]
    base: tuple[int, int]
    slain: tuple[int, int]
    turn: Side

    @classmethod
    def start(cls, variant: Variant, turn: Side = Side.JADE) -> Position:
        """The position before the first throw of a game."""
        return cls((None,) * variant.spaces, (variant.pieces, variant.pieces), (0, 0), turn)

    def in_base(self, side: Side) -> int:
        return self.base[_index(side)]

    def moves(self, value: int) -> tuple[Move, ...]:
        """All legal moves of the side to throw on a throw of that value, base first, then by own distance.

        Empty means that the turn is passed.
        """
        if value == 0 or self.winner() is not None:
            return ()
        found: list[Move] = []
        if self.in_base(self.turn):
            found += self._move_to(None, value)
        for distance in range(1, len(self.spaces) + 1):
            space = self._space(distance)
            unit = self.spaces[space - 1]
            if unit is not None and unit.owner is self.turn:
                found += self._move_to(space, distance + value)
        return tuple(found)

    def move(self, start: int | None, to: int | None, value: int) -> Move:
        """The legal move from ``start`` to ``to``. Raises IllegalMove, naming the reason and the legal ones."""
        legal = self.moves(value)
        for move in legal:
            if (move.start, move.to) == (start, to):
                return move
        raise IllegalMove(_why_illegal(self, Move(start, to), value, legal))

    def after(self, move: Move, value: int) -> Position:
        """The position once ``move`` is played and the other side is to throw.

        Raises IllegalMove, naming the legal ones.
        """
        move = self.move(move.start, move.to, value)
        spaces, base, slain = list(self.spaces), list(self.base), list(self.slain)
        me, you = _index(self.turn), _index(self.turn.other)
        if move.start is None:
            unit = Unit(self.turn)
            base[me] -= 1
        else:
            unit = self._unit(move.start)
            spaces[move.start - 1] = None
        if move.to is None:
            base[me] += unit.own
            slain[you] += unit.captives
        else:
            there = spaces[move.to - 1]
            spaces[move.to - 1] = unit if there is None else there.taken_by(unit)
        return Position(tuple(spaces), (base[0], base[1]), (slain[0], slain[1]), self.turn.other)

    def passed(self) -> Position:
        """The same position with the other side to throw."""
        return Position(self.spaces, self.base, self.slain, self.turn.other)

    def winner(self) -> Side | None:
        """The side that has won, because the other has no piece in base and no unit on the highway; else None."""
        for side in Side:
            if not self.in_base(side) and not any(unit and unit.owner is side for unit in self.spaces):
                return side.other
        return None

    def slain_by(self, move: Move) -> int:
        """Captives that ``move`` slays by bringing them off the highway."""
        return self._unit(move.start).captives if move.start is not None and move.to is None else 0

    def _unit(self, space: int) -> Unit:
        unit = self.spaces[space - 1]
        assert unit is not None, f"no unit on space {space}"
        return unit

    def _space(self, distance: int) -> int:
        return distance if self.turn is Side.JADE else len(self.spaces) + 1 - distance

    def _move_to(self, start: int | None, distance: int) -> tuple[Move, ...]:
        if distance > len(self.spaces):
            return (Move(start, None),)
        to = self._space(distance)
        there = self.spaces[to - 1]
        if there is None:
            return (Move(start, to),)
        return () if there.owner is self.turn else (Move(start, to, there.pieces),)


def _index(side: Side) -> int:
    return 0 if side is Side.JADE else 1


def _why_illegal(position: Position, move: Move, value: int, legal: tuple[Move, ...]) -> str:
    """One sentence for the players: what was tried, what is so, what can be done."""
    can = ", ".join(map(str, legal)) or "none, so the turn is passed"
    size = len(position.spaces)
    for space in (move.start, move.to):
        if space is not None and not 1 <= space <= size:
            return f"{move}: the highway has the spaces 1 to {size}. Legal on a throw worth {value}: {can}."
    unit = position.spaces[move.start - 1] if move.start else None
    there = position.spaces[move.to - 1] if move.to else None
    if move.start is None and not position.in_base(position.turn):
        why = "there is no piece left in the base"
    elif move.start is not None and (unit is None or unit.owner is not position.turn):
        why = f"{position.turn.value.capitalize()} has no unit on space {move.start}"
    elif there is not None and there.owner is position.turn:
        why = f"space {move.to} is held by an own unit"
    else:
        why = f"that is not {value} spaces ahead"
    return f"{move} is not legal: {why}. Legal on a throw worth {value}: {can}."

"""Positions, their legal moves, and the positions after them."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.errors import IllegalMove
from companion.i18n import _, ngettext
from companion.rules.camp import Camp, Counts
from companion.rules.effects import effects
from companion.rules.moves import Move, Place, ahead, comes_home, moves_of
from companion.rules.unit import Side, Unit
from companion.rules.variant import Variant
from companion.rules.variant_fields import Captor, Rescued, Teams, Winner

__all__ = ["Camp", "Counts", "Move", "Place", "Position", "Side", "Unit"]


@dataclass(frozen=True, slots=True)
class Position:
    """A position before a throw or between the two throws of a turn. Immutable and hashable.

    places: the units on each space, those that share one in the order of their spelling; spaces 1 to N stand at
    their numbers, 0 is Jade's field with Obsidian's units that rest there, N + 1 is Obsidian's.
    camps: the pieces of (Jade, Obsidian) off the highway.
    turn: the side whose throw it is; player: which of its players throws, by number.
    waiting: which player of the other side throws next; always 1 where players own their pieces.
    """

    rules: Variant = field(hash=False, repr=False)
    places: tuple[tuple[Unit, ...], ...]
    camps: tuple[Camp, Camp]
    turn: Side
    player: int = 1
    waiting: int = 1

    @classmethod
    def start(cls, variant: Variant, turn: Side = Side.JADE) -> Position:
        """The position before the first throw of a game."""
        camp = Camp.full(variant)
        return cls(variant, ((),) * (variant.spaces + 2), (camp, camp), turn)

    @property
    def spaces(self) -> tuple[tuple[Unit, ...], ...]:
        """The units on each space, space 1 first."""
        return self.places[1:-1]

    @property
    def base(self) -> tuple[int, int]:
        """Pieces of (Jade, Obsidian) in base."""
        return self.in_base(Side.JADE), self.in_base(Side.OBSIDIAN)

    @property
    def slain(self) -> tuple[int, int]:
        """Slain pieces of (Jade, Obsidian); those out by their own side's doing are not among them."""
        return sum(self.camps[0].slain), sum(self.camps[1].slain)

    def in_base(self, side: Side) -> int:
        return sum(self.camps[side.index].base)

    def resting(self, side: Side) -> tuple[Unit, ...]:
        """The units of that side that rest in the enemy's field."""
        return self.places[-1] if side is Side.JADE else self.places[0]

    @property
    def mover(self) -> int | None:
        """The player whose pieces may be moved; None if any of the side's may.

        A player who has nothing left to move or enter throws for the team-mates.
        """
        if self.rules.teams is not Teams.OWNED or self.rules.players == 1:
            return None
        if self.camps[self.turn.index].base[self.player - 1]:
            return self.player
        out = any(unit.owner is self.turn and unit.player == self.player for units in self.places for unit in units)
        return self.player if out else None

    def moves(self, value: int) -> tuple[Move, ...]:
        """All legal moves of whoever is to throw on one throw of that value, base first, then by own distance.

        Empty means that the throw cannot be used. Of a turn of two throws, see Turn: it may allow fewer.
        """
        return () if self.is_decided() else tuple(moves_of(self, self.turn, value, self.mover))

    def move(self, start: Place, to: Place, value: int, *, unit: Unit | None = None) -> Move:
        """The legal move from ``start`` to ``to``, of that unit if it is named.

        Raises IllegalMove, naming the reason and the legal ones, and where several different units could go so.
        """
        legal = self.moves(value)
        fitting = [move for move in legal if (move.start, move.to) == (start, to) and unit in (None, move.unit)]
        if not fitting:
            raise IllegalMove(_why_illegal(self, start, to, value, legal))
        if len(fitting) > 1:
            units = ", ".join(str(move.unit) for move in fitting)
            raise IllegalMove(_("Several units can play {move}. Name one of {units}.", move=fitting[0], units=units))
        return fitting[0]

    def played(self, move: Move) -> Position:
        """The position after ``move``, before the turn is handed over. ``move`` must be one of ``moves``."""
        places, camps = effects(self, move)
        return Position(self.rules, tuple(places), camps, self.turn, self.player, self.waiting)

    def after(self, move: Move, value: int) -> Position:
        """The position after ``move`` with the only throw of a turn, and with the turn handed over.

        Raises IllegalMove, which lists the legal moves.
        """
        legal = self.moves(value)
        if move not in legal:
            raise IllegalMove(_why_illegal(self, move.start, move.to, value, legal))
        return self.played(move).passed()

    def passed(self) -> Position:
        """The same position with the turn handed over to the next player."""
        rules = self.rules
        if rules.teams is Teams.OWNED and self.player < rules.players:
            return Position(rules, self.places, self.camps, self.turn, self.player + 1)
        waiting = self.player % rules.players + 1 if rules.teams is Teams.SHARED else 1
        return Position(rules, self.places, self.camps, self.turn.other, self.waiting, waiting)

    def stands(self, side: Side) -> bool:
        """Whether the side has a piece in base or a unit of its own on the highway."""
        return any(self.camps[side.index].base) or any(unit.owner is side for units in self.places for unit in units)

    def is_decided(self) -> bool:
        """Whether a side is out, so that nothing can be moved."""
        return not (self.stands(Side.JADE) and self.stands(Side.OBSIDIAN))

    def winner(self) -> Side | None:
        """The side that has won; None if the game goes on or is drawn."""
        standing = [side for side in Side if self.stands(side)]
        if len(standing) == 2:
            return None
        jade_slain, obsidian_slain = self.slain
        if self.rules.winner is Winner.MOST_CAPTURES and jade_slain != obsidian_slain:
            return Side.JADE if obsidian_slain > jade_slain else Side.OBSIDIAN
        return standing[0] if standing else None

    def is_drawn(self) -> bool:
        """Whether the game is drawn: neither side can ever move again, or both are out and neither has won."""
        if self.is_decided():
            return self.winner() is None
        values = set(self.rules.values)
        return not any(True for side in Side for value in values for _ in moves_of(self, side, value, None))

    def is_over(self) -> bool:
        """Whether the game is won or drawn."""
        return self.is_decided() or self.is_drawn()

    def slain_by(self, move: Move) -> int:
        """Number of enemy pieces that ``move`` slays: brought home, burnt, or taken off by a captor that leaves."""
        if move.to is None or move.to == self.rules.fire:
            return move.unit.captives
        return move.captures if self.rules.captor is Captor.LEAVES else 0

    def burnt_by(self, move: Move) -> int:
        """Number of its own pieces that ``move`` takes into the fire."""
        return move.unit.own if move.to is not None and move.to == self.rules.fire else 0

    def lost_by(self, move: Move) -> int:
        """Number of its own pieces that are slain when ``move`` brings them home."""
        slays = self.rules.rescued is Rescued.SLAIN and move.to is None and comes_home(self.rules, move.unit)
        return len(move.unit.friends) if slays else 0

    def freed_by(self, move: Move) -> int:
        """Captives of the enemy that ``move`` takes back for its own side.

        They count among its captures, but for those that liberation frees, which a move off the highway captures not.
        """
        taken: tuple[Unit, ...] = ()
        if move.captures and isinstance(move.to, int):
            taken = self.spaces[move.to - 1]
        elif move.to is None and self.rules.liberation and not comes_home(self.rules, move.unit):
            taken = tuple(unit for units in self.spaces for unit in units)
        return sum(unit.captives for unit in taken if unit.owner is not move.unit.owner)


def _why_illegal(position: Position, start: Place, to: Place, value: int, legal: tuple[Move, ...]) -> str:
    """A sentence for players: what was tried, why it is illegal, and what is legal."""
    can = ", ".join(map(str, legal)) or _("none, so the throw is lost")
    size = position.rules.spaces
    tried = f"{'base' if start is None else start}-{'home' if to is None else to}"
    for space in (start, to):
        if isinstance(space, int) and not 1 <= space <= size:
            return _(
                "{tried}: the highway has the spaces 1 to {last}. Legal on a throw worth {value}: {moves}.",
                tried=tried,
                last=size,
                value=value,
                moves=can,
            )
    return _(
        "{tried} is not legal: {why}. Legal on a throw worth {value}: {moves}.",
        tried=tried,
        why=_obstacle(position, start, to, value),
        value=value,
        moves=can,
    )


def _obstacle(position: Position, start: Place, to: Place, value: int) -> str:
    """Why the move is illegal, as part of a sentence."""
    size, side, mover = position.rules.spaces, position.turn, position.mover
    there = position.resting(side) if start == "field" else position.places[start] if start else ()
    movable = [unit for unit in there if unit.owner is side and mover in (None, unit.player)]
    landing = position.places[to] if isinstance(to, int) else ()
    if start is None and not position.in_base(side):
        return _("there is no piece left in the base")
    if start is not None and not movable:
        return _no_unit(start, side, owned=mover is not None)
    if landing and landing[0].owner is side and not position.rules.sharing:
        return _("your own unit is on space {space}", space=to)
    if start is None and to == (value if side is Side.JADE else size + 1 - value):
        return _("no more units may be on the highway")
    if to is None and isinstance(start, int):
        distance = start if side is Side.JADE else size + 1 - start
        if ahead(position.rules, movable[0], distance, value) is None:
            coming_in = movable[0].prey or movable[0].home
            return _("only the exact value brings it in") if coming_in else _("it may not enter the enemy base")
    return ngettext("that is not {number} space ahead", "that is not {number} spaces ahead", value)


def _no_unit(start: Place, side: Side, *, owned: bool) -> str:
    name = _(side.value.capitalize())
    if start == "field":
        if owned:
            return _("{side} has no unit in the field of the player who throws", side=name)
        return _("{side} has no unit in the field", side=name)
    if owned:
        return _("{side} has no unit on space {space} of the player who throws", side=name, space=start)
    return _("{side} has no unit on space {space}", side=name, space=start)

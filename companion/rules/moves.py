"""The moves that a throw allows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

from companion.rules.unit import Side, Unit
from companion.rules.variant_fields import Captor, FarEnd

if TYPE_CHECKING:
    from companion.rules.position import Position
    from companion.rules.variant import Variant

Place = int | Literal["field"] | None
"""A space number; "field" for the enemy's field; None for the base, or for leaving the highway."""

OFF, FIELD = -1, -2
"""Where ``ahead`` leads other than to a distance: off the highway, and to rest in the enemy field."""


class Move(NamedTuple):
    """One unit carried by a throw, or one piece entered.

    start: None for a piece in base. to: None if the unit leaves the highway.
    unit: before the move. captures: number of pieces captured.
    turns: whether it turns for home at the far end.
    """

    start: Place
    to: Place
    unit: Unit
    captures: int = 0
    turns: bool = False

    def __str__(self) -> str:
        return f"{'base' if self.start is None else self.start}-{'home' if self.to is None else self.to}"


def heads_home(rules: Variant, unit: Unit) -> bool:
    """Whether the unit heads for its own base. Laden units do, except in games with onward captors."""
    return rules.captor is not Captor.ONWARD if unit.prey else unit.home


def comes_home(rules: Variant, unit: Unit) -> bool:
    """Whether a unit that leaves the highway comes home; else it takes the return at the far end."""
    return bool(unit.prey) or unit.home or rules.far_end is not FarEnd.RETURN


def moves_of(position: Position, side: Side, value: int, player: int | None) -> Iterator[Move]:
    """The moves of a side with a throw of ``value``: from the base first, then by distance from it.

    player: owner of the pieces that may be moved; None for any.
    """
    places, size = position.places, position.rules.spaces
    if not 0 < value <= size:
        return
    for owner in _entering(position, side, player):
        yield from _ways(position, side, None, 0, Unit(side, owner), value)
    for distance in range(1, size + 2):
        index = distance if side is Side.JADE else size + 1 - distance
        last = None
        for unit in places[index]:
            # Units that are alike stand side by side, and moving either is the same move.
            if unit.owner is side and unit != last and (player is None or unit.player == player):
                yield from _ways(position, side, index if distance <= size else "field", distance, unit, value)
            last = unit


def _entering(position: Position, side: Side, player: int | None) -> Iterator[int]:
    """The players of that side who have a piece in base and may enter another unit."""
    limit = position.rules.advancing
    for owner, pieces in enumerate(position.camps[side.index].base, 1):
        if not pieces or player not in (None, owner):
            continue
        if limit is not None and limit < position.rules.pieces:
            out = sum(unit.owner is side and unit.player == owner for units in position.places for unit in units)
            if out >= limit:
                continue
        yield owner


def _ways(position: Position, side: Side, start: Place, distance: int, unit: Unit, value: int) -> Iterator[Move]:
    """The moves of a unit at a distance from its base; 0 is the base, N + 1 the enemy field."""
    rules = position.rules
    size = rules.spaces
    way = ahead(rules, unit, distance, value)
    if way is not None:
        reached, turns = way
        if reached == OFF:
            yield Move(start, None, unit)
        elif reached == FIELD:
            yield Move(start, "field", unit, 0, turns)
        else:
            index = reached if side is Side.JADE else size + 1 - reached
            captures = _landing(position, index, unit, start)
            if captures is not None:
                yield Move(start, index, unit, captures, turns)
    if rules.retreat_captures and not unit.prey and distance:
        behind = distance + value if unit.home else distance - value
        if 1 <= behind <= size:
            index = behind if side is Side.JADE else size + 1 - behind
            captures = _landing(position, index, unit, start)
            if captures:
                yield Move(start, index, unit, captures)


def ahead(rules: Variant, unit: Unit, distance: int, value: int) -> tuple[int, bool] | None:
    """The distance reached, and whether the unit turns on the way; None if it may not move."""
    size = rules.spaces
    if heads_home(rules, unit):
        to = distance - value
        return (to, False) if to > 0 else (OFF, False) if to == 0 or not rules.exact_home else None
    to = distance + value
    if to <= size:
        return to, to == size and rules.far_end is FarEnd.BOUNCE and not unit.prey
    if unit.prey:
        return (OFF, False) if to == size + 1 or not rules.exact_home else None
    match rules.far_end:
        case FarEnd.RETURN:
            return OFF, False
        case FarEnd.LOOP:
            return to - size, False
        case FarEnd.STOP:
            return None
        case FarEnd.BOUNCE:
            back = 2 * size - to
            return (back, True) if back > 0 else (OFF, True)
        case FarEnd.WALK_BACK:
            return FIELD, True


def _landing(position: Position, index: int, unit: Unit, start: Place) -> int | None:
    """Number of pieces captured by landing on that space; None if an own unit blocks it."""
    there = position.places[index]
    if not there or index == position.rules.fire:
        return 0
    if there[0].owner is not unit.owner:
        return sum(taken.pieces for taken in there)
    # A bounce or a whole round may end where it began: there the unit is not in its own way.
    return 0 if position.rules.sharing or (index == start and len(there) == 1) else None

"""The effects of a move: landing, capturing, burning, coming home."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.camp import Camp
from companion.rules.moves import Move, comes_home, heads_home
from companion.rules.unit import Side, Unit
from companion.rules.variant_fields import Captor, Rescued

if TYPE_CHECKING:
    from companion.rules.position import Position
    from companion.rules.variant import Variant

Places = list[tuple[Unit, ...]]
Camps = tuple[Camp, Camp]
"""The camps of the mover and of the enemy."""


def effects(position: Position, move: Move) -> tuple[Places, Camps]:
    """The places and (Jade's, Obsidian's) camps after a legal ``move``."""
    rules, side = position.rules, move.unit.owner
    places = list(position.places)
    mine, theirs = position.camps[side.index], position.camps[side.other.index]
    if move.start is None:
        mine = mine.entered(move.unit.player)
    else:
        index = _index(move.start, side, rules)
        there = list(places[index])
        there.remove(move.unit)
        places[index] = tuple(there)
    mine, theirs = _arrived(rules, places, move, (mine, theirs))
    return places, (mine, theirs) if side is Side.JADE else (theirs, mine)


def _index(place: int | str, side: Side, rules: Variant) -> int:
    if isinstance(place, int):
        return place
    return rules.spaces + 1 if side is Side.JADE else 0


def _arrived(rules: Variant, places: Places, move: Move, camps: Camps) -> Camps:
    unit, (mine, theirs) = move.unit, camps
    if move.to is None:
        if comes_home(rules, unit):
            return _home(rules, unit, camps)
        mine = mine.with_home(unit.mine)
        return (_liberate(rules, places, unit.owner, mine) if rules.liberation else mine), theirs
    if move.to == rules.fire:
        return mine.with_spent(unit.mine), theirs.with_slain(unit.prey)
    index = _index(move.to, unit.owner, rules)
    if move.captures:
        unit = unit.capturing(places[index])
        if rules.captor is Captor.LEAVES:
            places[index] = ()
            if rules.captor_retires:
                return mine.with_spent(unit.mine), theirs.with_slain(unit.prey)
            return _home(rules, unit, camps)
        places[index] = (unit,)
        return camps
    if move.turns:
        unit = Unit(unit.owner, unit.player, unit.friends, unit.prey, home=True)
    there = places[index]
    places[index] = tuple(sorted((*there, unit), key=str)) if there else (unit,)
    return camps


def _home(rules: Variant, unit: Unit, camps: Camps) -> Camps:
    """A unit comes home: its captives are slain; its own pieces return to base, or all but the captor are slain."""
    mine, theirs = camps
    if unit.prey:
        theirs = theirs.with_slain(unit.prey)
    if rules.rescued is Rescued.SLAIN:
        return mine.with_home((unit.player,)).with_slain(unit.friends), theirs
    return mine.with_home(unit.mine), theirs


def _liberate(rules: Variant, places: Places, side: Side, mine: Camp) -> Camp:
    """Send every captive piece of ``side`` on the highway to its base."""
    for index, units in enumerate(places):
        if any(unit.owner is not side and unit.prey for unit in units):
            for unit in units:
                mine = mine.with_home(unit.prey)
            freed = [unit.robbed(heads_home(rules, unit)) if unit.prey else unit for unit in units]
            places[index] = tuple(sorted(freed, key=str))
    return mine

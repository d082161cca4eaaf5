"""Screen layout of the board, seen with Jade's base at the bottom.

A short track is one straight column. A longer one winds: row upon row, each the other way.
"""

from __future__ import annotations

from typing import Literal

from companion.rules.moves import Move, heads_home
from companion.rules.unit import Side
from companion.rules.variant import Variant
from companion.rules.variant_fields import FarEnd

Direction = Literal["up", "down", "left", "right"]
LONGEST_STRAIGHT = 11
"""Spaces that fit on a phone one above the other."""


def columns(spaces: int) -> int:
    """The spaces in a row of a winding track; 0 for a straight one.

    >>> columns(9), columns(19), columns(30)
    (0, 5, 6)
    """
    if spaces <= LONGEST_STRAIGHT:
        return 0
    return 5 if spaces <= 20 else 6 if spaces <= 36 else 7


def cells(spaces: int, columns: int) -> list[int | None]:
    """The spaces in reading order, from the top left; None for a gap at the end of a row.

    >>> cells(3, 0)
    [3, 2, 1]
    >>> cells(8, 5)
    [None, None, 8, 7, 6, 1, 2, 3, 4, 5]
    """
    numbers = [*range(1, spaces + 1)]
    if not columns:
        return [*reversed(numbers)]
    laid: list[int | None] = []
    for row, start in enumerate(range(0, spaces, columns)):
        line: list[int | None] = [*numbers[start : start + columns]]
        line += [None] * (columns - len(line))
        laid = (line[::-1] if row % 2 else line) + laid
    return laid


def homeward(owner: Side, number: int | None, *, spaces: int, columns: int) -> Direction:
    """The direction in which a unit goes to its own base.

    number: the space it is on; None if it rests in the enemy's field.
    """
    toward_jade = owner is Side.JADE
    following = (number or 0) + (-1 if toward_jade else 1)
    if not columns or number is None or not 1 <= following <= spaces:
        return "down" if toward_jade else "up"
    row = (number - 1) // columns
    if (following - 1) // columns != row:
        return "down" if toward_jade else "up"
    return "left" if toward_jade == (row % 2 == 0) else "right"


def move_ends(move: Move, side: Side, rules: Variant) -> tuple[str, str]:
    """Where a move starts and ends: a space's number, or the side whose base or field it is."""
    homeward = heads_home(rules, move.unit) or (rules.far_end is FarEnd.BOUNCE and not move.unit.prey)
    own, enemy = side.value, side.other.value
    start = own if move.start is None else enemy if move.start == "field" else str(move.start)
    end = (own if homeward else enemy) if move.to is None else enemy if move.to == "field" else str(move.to)
    return start, end

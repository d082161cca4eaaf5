"""How the board lies on the page: in one row or winding, which base is at the bottom, and which way leads home."""

from __future__ import annotations

from companion.referee.snapshot import Snapshot

STRAIGHT = 11
"""Spaces that fit a phone one above the other; a longer road, or one for teams, winds."""
BACK = {"up": "down", "down": "up", "left": "right", "right": "left"}


def across(table: Snapshot) -> int:
    """Spaces in a row of a winding road, as in static/places.js; 0 for a straight one."""
    spaces = table.rules.spaces
    if spaces <= STRAIGHT and len(table.teams.jade) == 1:
        return 0
    return 5 if spaces <= 20 else 6 if spaces <= 36 else 7


def laid_out(table: Snapshot, turned: bool) -> list[int | None]:
    """The spaces by their number, from the top left on; None for a gap at the end of a row.

    turned: whether Obsidian's base is at the bottom.
    """
    spaces, wide = [*range(1, table.rules.spaces + 1)], across(table)
    road: list[int | None] = list(reversed(spaces))
    if wide:
        road = []
        for number, at in enumerate(range(0, len(spaces), wide)):
            row: list[int | None] = [*spaces[at : at + wide]]
            row += [None] * (wide - len(row))
            road = (row[::-1] if number % 2 else row) + road
    return road[::-1] if turned else road


def homeward(table: Snapshot, owner: str, number: int | None, turned: bool) -> str:
    """Which way on the screen a unit goes to its own base: up, down, left or right.

    number: the space it is on; None where it rests in the enemy's field.
    """
    step = -1 if owner == "jade" else 1
    way = _upright(table.rules.spaces, 0 if number is None else across(table), number or 0, step)
    return BACK[way] if turned else way


def _upright(spaces: int, wide: int, number: int, step: int) -> str:
    onward = number + step
    if not wide or not 1 <= onward <= spaces or (onward - 1) // wide != (number - 1) // wide:
        return "up" if step > 0 else "down"
    return "right" if (step > 0) == ((number - 1) // wide % 2 == 0) else "left"

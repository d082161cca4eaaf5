"""The drawings of how a game begins: the board laid out, the teams, who begins, and what a throw is worth."""

from __future__ import annotations

from itertools import pairwise

from companion.i18n import _, ngettext
from companion.referee.player_names import localized_side
from companion.rules.variant import Variant
from companion.rules.variant_fields import Teams
from web.diagrams.svg import JADE, OBSIDIAN, WIDTH, Drawing, traced
from web.diagrams.track_diagram import BASE

MOST_IN_ROW, MOST_SHOWN = 14, 21
"""Spaces in one row of the highway before it winds, and pieces in a base before they are a number."""


def setup(rules: Variant) -> Drawing:
    size, pieces = rules.spaces, rules.pieces * rules.owners
    rows = next(odd for odd in (1, 3, 5) if size <= odd * MOST_IN_ROW)
    lengths = [size // rows + (row < size % rows) for row in range(rows)]
    cell = min(30.0, (WIDTH - 2 * BASE - 8) / lengths[0])
    columns = 1 if pieces <= 3 else 2 if pieces <= 10 else 3
    deep = 1 if pieces > MOST_SHOWN else -(-pieces // columns)
    tall = max(44.0, deep * 12 + 8.0)
    total = (rows - 1) * 42 + tall
    picture = Drawing(_("{spaces} spaces; pieces in each base: {pieces}.", spaces=size, pieces=pieces), total + 18)
    left = (WIDTH - cell * lengths[0]) / 2
    x, number = left, 0
    for row, length in enumerate(lengths):
        top = 1 + (row * 42 if rows > 1 else (total - 34) / 2)
        for step in range(length):
            number += 1
            x += (cell if row % 2 == 0 else -cell) if step else 0
            picture.box("cell", x + 0.5, top, cell - 1, 34)
            if number == rules.fire:
                picture.flame(x + cell / 2, top + 21, min(0.8, cell / 24))
            picture.note(x + cell / 2, top + 31, str(number), 10 if cell >= 14 else 8, kind="number")
        if row + 1 < rows:
            picture.line("join", traced("M", x + cell / 2, top + 35, "v", 6), 3)
    last = 1 + (rows - 1) * 42.0
    for side, corner, top in ((JADE, left - BASE - 3, 1.0), (OBSIDIAN, x + cell + 3, last)):
        picture.box(f"base {side.value}-base", corner, top, BASE, tall, 8)
        middle = corner + BASE / 2
        outer, anchor = (corner, "start") if side is JADE else (corner + BASE, "end")
        picture.note(outer, top + tall + 12, localized_side(side), 10, anchor)
        if pieces > MOST_SHOWN:
            picture.piece(side, middle, top + 13)
            picture.note(middle, top + 37, str(pieces), 13)
        for at in range(pieces if pieces <= MOST_SHOWN else 0):
            row, column = divmod(at, columns)
            across, down = (column - (columns - 1) / 2) * 13, (row - (deep - 1) / 2) * 12
            picture.piece(side, middle + across, top + tall / 2 + down, 5.5)
    return picture


def _sticks(picture: Drawing, x: float, y: float, marked: int) -> None:
    """Four sticks side by side, the marked ones first, with their bands; x is their middle."""
    for at in range(4):
        left = x - 23 + at * 12
        shows = at < marked
        picture.box("stick marked" if shows else "stick", left, y, 9, 42, 4.5)
        for band in range(3) if shows else ():
            picture.line("band", traced("M", left + 1, y + 12.6 + band * 8.4, "h", 7), 3)


def throw(rules: Variant, came: int | None = None) -> Drawing:
    """What each throw is worth. came: the count to single out."""
    worth = ", ".join(
        ngettext("{number} marked: {value}", "{number} marked: {value}", marked, value=value)
        for marked, value in enumerate(rules.values)
    )
    picture = Drawing(_("What a throw is worth. {worth}.", worth=worth), 76)
    for marked, value in enumerate(rules.values):
        x = WIDTH / 5 * (marked + 0.5)
        if marked == came:
            picture.box("came", x - 30, 1, 60, 74, 8)
        _sticks(picture, x, 5, marked)
        picture.note(x, 70, str(value), 24, kind="came-value" if marked == came else "value")
    return picture


def begin(rules: Variant) -> Drawing:
    order = sorted(range(5), key=lambda marked: rules.values[marked])
    high, low = order[-1], order[0]
    picture = Drawing(_("Each side throws; the higher value begins."), 56)
    for side, x, marked in ((JADE, 76, high), (OBSIDIAN, 244, low)):
        picture.piece(side, x - 46, 23, 9)
        _sticks(picture, x, 2, marked)
        picture.note(x + 42, 32, str(rules.values[marked]), 24, kind="value")
    if rules.values[high] > rules.values[low]:
        picture.note(163, 31, ">", 22)
        picture.star(30, 46)
    else:
        picture.note(163, 31, "=", 22)
    return picture


def teams(rules: Variant) -> Drawing:
    players, owned = rules.players, rules.teams is Teams.OWNED
    caption = (
        _("{players} players a side: all of one team, then all of the other.", players=players)
        if owned
        else _("{players} players a side: the sides in turn, each team's players in rotation.", players=players)
    )
    picture = Drawing(caption, 116)
    gap = WIDTH / players
    radius = min(15.0, gap * 0.3)
    xs = [gap * (at + 0.5) for at in range(players)]
    above, below, edge = 24.0, 92.0, radius + 3
    for side, y in ((JADE, above), (OBSIDIAN, below)):
        for at, x in enumerate(xs, 1):
            picture.piece(side, x, y, radius)
            picture.note(x, y + 4, str(at), 12, kind=f"on-{side.value}")
    foot = below - radius * 1.15 - 6
    for x, onward in pairwise(xs):
        end = onward - edge - 4
        if owned:
            for y in (above, below):
                picture.arrow(traced("M", x + edge, y, "H", end), (end, y), "right")
        else:
            middle = (x + onward) / 2
            path = traced("M", x + edge, below, "H", middle - 6, "Q", middle, below, middle, below - 6, "V", above + 6)
            picture.arrow(f"{path} {traced('Q', middle, above, middle + 4, above, 'H', end)}", (end, above), "right")
    if owned:
        path = traced("M", xs[-1], above + edge, "V", 50, "Q", xs[-1], 56, xs[-1] - 6, 56)
        path += " " + traced("H", xs[0] + 6, "Q", xs[0], 56, xs[0], 62, "V", foot)
        picture.arrow(path, (xs[0], foot), "down")
    else:
        for x in xs:
            picture.arrow(traced("M", x, above + edge, "V", foot), (x, foot), "down")
    return picture

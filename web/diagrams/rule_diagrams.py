"""A small drawing for each rule of a game, as inline SVG made from the game's fields.

Jade's pieces are round and Obsidian's stand on a corner; captives are smaller and struck through, as on the board.
Every shape has a class for the page's colours, and is told apart without them. There are no styles and no ids inside,
so that a page may hold many drawings under a strict content policy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import assert_never

from companion.i18n import N_, _
from companion.rules.rules_text import all_may_advance, most_advancing, some_value
from companion.rules.variant import Variant
from companion.rules.variant_fields import Captor, FarEnd, Rescued, Winner
from web.diagrams.opening_diagrams import begin, setup, teams, throw
from web.diagrams.svg import JADE, OBSIDIAN, WIDTH, Drawing, traced
from web.diagrams.track_diagram import Road


def drawing(key: str, rules: Variant) -> str:
    """The SVG of the rule with that key, as ``tell`` names it, in that game. Raises KeyError for any other key."""
    return DRAWINGS[key](rules).text()


def _ends(rules: Variant, *wanted: int) -> list[int]:
    """The whole highway if it is short, else some spaces at either end and about those that are wanted."""
    size = rules.spaces
    if size <= 10:
        return [*range(1, size + 1)]
    near = [space for one in wanted for space in (one - 1, one, one + 1)]
    return [1, 2, 3, size - 2, size - 1, size, *near]


def _far(rules: Variant) -> tuple[int, int]:
    """A space before the far end and a value that carries past it: 3 from the last but one, if a throw can be 3."""
    able = sorted(value for value in rules.values if value)
    value = next((value for value in able if value >= 3), able[-1])
    return (rules.spaces - 1 if value >= 3 else rules.spaces), value


def _off_the_fire(rules: Variant, step: int, *starts: int) -> int:
    """The first of these spaces from which a move by ``step`` neither starts nor ends on the fire, if there is one."""
    return next((start for start in starts if rules.fire not in (start, start + step)), starts[0])


def _two_throws(rules: Variant) -> Drawing:
    able = sorted({value for value in rules.values if value})
    first, second = (able[0], able[1]) if len(able) > 1 else (able[0], able[0])
    if first == 1 and len(able) > 2:
        first, second = able[1], able[2]
    orders = [(first, second), (second, first)] if first != second else [(first, second)]
    caption = _(
        "Two throws, {first} and {second}, used one after the other in either order.", first=first, second=second
    )
    picture = Drawing(caption, 92 * len(orders))
    for row, (one, other) in enumerate(orders):
        road = Road(picture, row * 92 + 36, rules, range(1, first + second + 2))
        if one + other <= rules.spaces:
            road.hop(0, one, str(one))
            road.hop(one, one + other, str(other))
        else:
            road.hop(0, one, _("{one}, then {other}", one=one, other=other))
        road.piece(JADE, 0)
    return picture


def _move(rules: Variant) -> Drawing:
    value = some_value(rules)
    on = min(1, rules.spaces - value)
    shown = range(1, max(on + value, min(rules.spaces, 7)) + 1)
    caption = _("With {value}: enter a piece on space {value}, or move a unit by {value}.", value=value)
    picture = Drawing(caption, 184 if on else 92)
    road = Road(picture, 36, rules, shown)
    road.piece(JADE, 0)
    road.hop(0, value, _("{value}: enter", value=value))
    if on:
        road = Road(picture, 128, rules, shown)
        road.piece(JADE, on)
        road.hop(on, on + value, _("{value}: move", value=value))
    return picture


def _advancing(rules: Variant) -> Drawing:
    free = all_may_advance(rules)
    limit = _("all pieces") if free else most_advancing(rules)
    picture = Drawing(_("On the highway: {pieces}.", pieces=limit), 84)
    road = Road(picture, 34, rules, range(1, min(rules.spaces, 9) + 1))
    most = rules.pieces if free or rules.advancing is None else rules.advancing
    picture.note(WIDTH / 2, 14, limit)
    room = min(rules.spaces, 9)
    for at in range(min(most, room)):
        road.piece(JADE, (3 if most <= room - 3 else room - min(most, room) + 1) + at)
    if not free:
        road.piece(JADE, 0)
        road.hop(0, 2)
        picture.cross((road.x(0) + road.x(2)) / 2, 18)
    return picture


def _sharing(rules: Variant) -> Drawing:
    value = min(some_value(rules), rules.spaces - 1)
    caption = (
        _("Units of one side may share a space.")
        if rules.sharing
        else _("Units of one side may not land on each other.")
    )
    picture = Drawing(caption, 94)
    road = Road(picture, 36, rules, range(1, min(rules.spaces, max(7, value + 2)) + 1))
    road.piece(JADE, 1)
    road.hop(1, 1 + value)
    if rules.sharing:
        for left in (-0.22, 0.22):
            picture.piece(JADE, road.x(1 + value) + left * road.cell, road.middle, road.radius * 0.8)
    else:
        road.piece(JADE, 1 + value)
        picture.cross((road.x(1) + road.x(1 + value)) / 2, 18)
    return picture


def _capture(rules: Variant) -> Drawing:
    value = some_value(rules)
    start = _off_the_fire(rules, value, *range(min(2, rules.spaces - value), -1, -1))
    captions = {
        Captor.ONWARD: _("A unit lands on an enemy; the captor carries it on to the enemy base."),
        Captor.HOMEWARD: _("A unit lands on an enemy; the captor carries it home."),
        Captor.LEAVES: _("A unit lands on an enemy; the captor leaves the highway and its captive is slain."),
    }[rules.captor]
    shown = range(1, min(rules.spaces, max(7, start + value + 2)) + 1)
    picture = Drawing(captions, 176)
    road = Road(picture, 34, rules, shown)
    road.piece(JADE, start)
    road.piece(OBSIDIAN, start + value)
    road.hop(start, start + value, str(value))
    road = Road(picture, 124, rules, shown)
    here = start + value
    x, y = road.x(here), road.middle
    if rules.captor is Captor.LEAVES:
        road.stack(JADE, here, 1, 1)
        picture.arrow(traced("M", x, 121, "V", 107), (x, 106), "up")
        picture.piece(OBSIDIAN, x + 28, 108, 7, captive=True)
        picture.cross(x + 46, 108, 6)
        picture.piece(JADE, x - 28, 108, 7)
        if rules.captor_retires:
            picture.cross(x - 46, 108, 6)
        else:
            goal = road.x(0)
            picture.arrow(traced("M", x - 38, 108, "H", goal + 8, "Q", goal, 108, goal, 119), (goal, 119), "down")
    else:
        road.stack(JADE, here, 1, 1)
        ahead = rules.captor is Captor.ONWARD
        away = 12 if ahead else -12
        end = road.x(road.end) if ahead else road.x(0)
        path = traced("M", x + away, y, "H", end)
        picture.arrow(path, (end, y), "right" if ahead else "left")
    return picture


def _retreat(rules: Variant) -> Drawing:
    able = sorted(value for value in rules.values if 0 < value < rules.spaces)
    value = next((value for value in able if value >= 2), able[-1] if able else 0)
    start = _off_the_fire(rules, -value, *range(min(rules.spaces, value + 2), value, -1))
    picture = Drawing(_("A unit without captives may move backwards, if it captures."), 84)
    road = Road(picture, 34, rules, range(1, min(rules.spaces, max(7, start + 1)) + 1))
    road.piece(JADE, start)
    if value:
        road.piece(OBSIDIAN, start - value)
        road.hop(start, start - value, str(value))
    if start < rules.spaces:
        x = road.x(start) + road.radius + 3
        picture.arrow(traced("M", x, road.middle, "h", 12), (x + 14, road.middle), "right", dashed=True)
    return picture


def _home(rules: Variant) -> Drawing:
    value = some_value(rules)
    laden, ahead = rules.captor is not Captor.LEAVES, rules.captor is Captor.ONWARD
    exactly = _("exactly {value}", value=value) if rules.exact_home else _("{value} or more", value=value)
    caption = (
        _("With {value}, a unit comes home; its captives are slain.", value=exactly)
        if laden
        else _("With {value}, a unit comes home.", value=exactly)
    )
    rescued = rules.rescued is Rescued.FREED
    picture = Drawing(caption, 142 if laden else 84)
    size = rules.spaces
    here = size + 1 - value if ahead else value
    shown = range(max(1, min(here, size - 6)), size + 1) if ahead else range(1, min(size, max(7, value)) + 1)
    road = Road(picture, 34, rules, shown, 40 if laden else 30)
    goal = size + 1 if ahead else 0
    road.hop(here, goal, exactly)
    if not laden:
        road.piece(JADE, here)
        return picture
    road.stack(JADE, here, 2, 1)
    fates = ((OBSIDIAN, True, False), (JADE, False, True), (JADE, False, rescued))
    for (side, captive, free), x, words in zip(
        fates, (44, 150, 256), (_("captives"), _("captor"), _("rescued")), strict=True
    ):
        picture.piece(side, x - 20, 114, 8, captive=captive)
        picture.arrow(traced("M", x - 6, 114, "h", 14), (x + 9, 114), "right")
        if free:
            picture.box("base jade-base", x + 16, 104, 24, 20, 6)
            picture.piece(JADE, x + 28, 114, 6)
        else:
            picture.cross(x + 26, 114)
        picture.note(x, 138, words, 11)
    return picture


def _far_end(rules: Variant) -> Drawing:
    size = rules.spaces
    here, value = _far(rules)
    back = 2 * size - here - value
    picture = Drawing(_of_the_far_end(rules, here, value, back), 108)
    wanted = {FarEnd.LOOP: here + value - size, FarEnd.BOUNCE: max(back, 1)}.get(rules.far_end, 1)
    road = Road(picture, 36, rules, _ends(rules, here, wanted))
    road.piece(JADE, here)
    x, y = road.x(here), road.y - 2
    match rules.far_end:
        case FarEnd.RETURN:
            road.hop(here, size + 1, str(value))
            road.back(size + 1, 0)
        case FarEnd.LOOP:
            picture.hop(x, road.x(size) + road.cell / 2 + 4, y, str(value))
            road.back(size, here + value - size)
        case FarEnd.STOP:
            road.hop(here, size + 1, str(value))
            picture.cross(road.x(size + 1), road.middle)
        case FarEnd.BOUNCE:
            wall, last, end = road.x(size) + road.cell / 2, road.x(size), road.x(back)
            picture.line("wall", traced("M", wall, 4, "V", road.y + road.height + 3), 4)
            if here < size:
                picture.shape(
                    "path", "way", d=traced("M", x, y, "C", x, y - 16, last, y - 16, last, y), stroke_width=2.5
                )
            picture.hop(last, end, y, str(value))
            if back > 0:
                road.back(back, 0, dashed=True)
        case FarEnd.WALK_BACK:
            road.hop(here, size + 1, str(value))
            picture.piece(JADE, road.x(size + 1), road.middle)
            road.back(size + 1, 0, dashed=True)
    return picture


def _of_the_far_end(rules: Variant, here: int, value: int, back: int) -> str:
    """The caption for a unit that passes the far end with that value. back: the space it bounces to."""
    match rules.far_end:
        case FarEnd.RETURN:
            caption = N_("With {value} on space {here}, a unit without captives goes back to its base.")
        case FarEnd.LOOP:
            caption = N_("With {value} on space {here}, a unit without captives goes on to space {on}, as on a ring.")
        case FarEnd.STOP:
            caption = N_("With {value} on space {here}, a unit without captives may not move so far.")
        case FarEnd.BOUNCE if back > 0:
            caption = N_(
                "With {value} on space {here}, a unit without captives bounces back to space {back} and heads home."
            )
        case FarEnd.BOUNCE:
            caption = N_("With {value} on space {here}, a unit without captives bounces back to its base.")
        case FarEnd.WALK_BACK:
            caption = N_(
                "With {value} on space {here}, a unit without captives rests in the enemy's field, then walks home."
            )
        case _:
            assert_never(rules.far_end)
    return _(caption, value=value, here=here, on=here + value - rules.spaces, back=back)


def _liberation(rules: Variant) -> Drawing:
    size = rules.spaces
    here = size // 2 + 1
    picture = Drawing(_("A unit reaches the enemy base and goes back: its side's captives are free."), 112)
    road = Road(picture, 40, rules, _ends(rules, here, size))
    road.piece(JADE, size)
    road.hop(size, size + 1)
    road.stack(OBSIDIAN, here, 1, 1)
    x, home = road.x(here), road.x(0)
    picture.piece(JADE, x, 12, 7)
    picture.line("way", traced("M", x, 37, "V", 24), 2.5)
    picture.arrow(traced("M", x - 11, 12, "H", home + 14, "Q", home, 12, home, 36), (home, 36), "down")
    road.back(size + 1, 0)
    return picture


def _fire(rules: Variant) -> Drawing:
    fire = rules.fire
    assert fire is not None
    size = rules.spaces
    able = sorted({value for value in rules.values if value}, key=lambda value: (value < 2, value))
    moves = [(side, fire - step, value) for value in able for side, step in ((JADE, value), (OBSIDIAN, -value))]
    side, start, value = next(((s, at, v) for s, at, v in moves if 0 <= at <= size + 1), (JADE, fire, 0))
    picture = Drawing(_("Whatever lands on space {space} is burnt.", space=fire), 84)
    near = range(min(start, fire) - 1, max(start, fire) + 2)
    road = Road(picture, 34, rules, [*near, *(range(1, size + 1) if size <= 10 else (1, size))])
    picture.flame(road.x(fire), road.y + 27, min(1.0, road.cell / 22))
    if value:
        road.piece(side, start)
        road.hop(start, fire, str(value))
    return picture


def _win(rules: Variant) -> Drawing:
    pieces = rules.pieces * rules.owners
    if rules.winner is Winner.LAST_STANDING:
        picture = Drawing(_("Obsidian has no piece left in base and no unit of its own: Jade has won."), 78)
        road = Road(picture, 24, rules, _ends(rules))
        road.piece(JADE, 0)
        picture.star(road.x(0), 12)
        picture.cross(road.x(road.end), road.middle)
        shown = [space for space in road.spaces if space is not None]
        here = shown[len(shown) // 2]
        if rules.captor is Captor.LEAVES:
            road.piece(JADE, here)
        else:
            road.stack(JADE, here, 1, 1)
        return picture
    more = min(pieces, 5)
    fewer = max(0, more - 2)
    picture = Drawing(_("The side that has slain more wins: {more} beat {fewer}.", more=more, fewer=fewer), 66)
    for side, left, slain in ((JADE, 0, more), (OBSIDIAN, 178, fewer)):
        picture.piece(side, left + 16, 26, 9)
        for at in range(slain):
            picture.piece(side.other, left + 44 + at * 16, 26, 8, captive=True)
        picture.note(left + 70, 58, _("has slain {count}", count=slain), 12)
    picture.note(160, 32, ">", 20)
    picture.star(16, 52)
    return picture


DRAWINGS: Mapping[str, Callable[[Variant], Drawing]] = MappingProxyType(
    {
        "setup": setup,
        "begin": begin,
        "teams": teams,
        "throw": throw,
        "two_throws": _two_throws,
        "move": _move,
        "advancing": _advancing,
        "sharing": _sharing,
        "capture": _capture,
        "retreat": _retreat,
        "home": _home,
        "far_end": _far_end,
        "liberation": _liberation,
        "fire": _fire,
        "win": _win,
    }
)

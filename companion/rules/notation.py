"""The one line a position is written in: ``BASE_J/HIGHWAY/BASE_O SLAIN_J:SLAIN_O TURN``. See docs/notation.md."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NoReturn

from companion.errors import NotationError
from companion.rules.camp import Camp, Counts
from companion.rules.position import Position, Side, Unit
from companion.rules.variant import Variant
from companion.rules.variant_fields import FarEnd

_FORM = "expected BASE/HIGHWAY/BASE SLAIN:SLAIN TURN, as in '5/9/5 0:0 J'"
_COUNT = r"\d{1,3}"
_COUNTS = rf"{_COUNT}(?:,{_COUNT})*"
_OUT = rf"{_COUNT}(?:\+{_COUNT})?"
_OUTS = rf"{_OUT}(?:,{_OUT})*"
_PARTS = (
    rf"({_COUNTS})",
    r"(\([^()/ ]*\))?",
    "/",
    r"([^/ ]*)",
    "/",
    rf"({_COUNTS})",
    r"(\([^()/ ]*\))?",
    " ",
    rf"({_OUTS})",
    ":",
    rf"({_OUTS})",
    " ",
    r"([JO])((?::[1-9]){0,2})",
)
_WHOLE = re.compile("".join(_PARTS), re.ASCII)
_OF = r"(?::[1-8])?"
_UNIT = rf"(?:J{_OF}(?:j{_OF})*(?:o{_OF})*|O{_OF}(?:o{_OF})*(?:j{_OF})*)'?"
_STEP = re.compile(rf"(?P<run>{_COUNT})|(?P<unit>{_UNIT})|\((?P<units>{_UNIT}(?:,{_UNIT})+)\)", re.ASCII)
_FIELD = re.compile(rf"\((?P<units>{_UNIT}(?:,{_UNIT})*)\)", re.ASCII)
_PIECES = re.compile(r"([JOjo])(?::(\d))?")


def write(position: Position) -> str:
    """Write a position in its one canonical notation; ``parse`` is the inverse.

    >>> from companion.rules.variants import variant
    >>> write(Position.start(variant("puluc")))
    '5/9/5 0:0 J'
    """
    highway, empty = "", 0
    for units in position.places[1:-1]:
        if not units:
            empty += 1
            continue
        if empty:
            highway += str(empty)
            empty = 0
        highway += str(units[0]) if len(units) == 1 else f"({','.join(map(str, units))})"
    if empty:
        highway += str(empty)
    jade, obsidian = position.camps
    turn = position.turn.letter
    if position.player > 1 or position.waiting > 1:
        turn += f":{position.player}" + (f":{position.waiting}" if position.waiting > 1 else "")
    return (
        f"{_base(jade, position.places[0])}/{highway}/{_base(obsidian, position.places[-1])}"
        f" {_out(jade)}:{_out(obsidian)} {turn}"
    )


def parse(text: str, variant: Variant) -> Position:
    """Read a position of that variant; the inverse of ``write``.

    Raises NotationError, which names the faulty character or count.

    >>> from companion.rules.variants import variant
    >>> write(parse("4/3Joo2O2/2 0:0 O", variant("puluc")))
    '4/3Joo2O2/2 0:0 O'
    """
    whole = _WHOLE.fullmatch(text)
    if whole is None:
        _refuse(text, _whole_stops_at(text), _FORM)
    base_j, field_j, _, base_o, field_o, slain_j, slain_o, side, numbers = whole.groups()
    highway = _highway(text, *whole.span(3), variant)
    resting_j = _resting(text, whole.start(2), field_j, Side.OBSIDIAN)
    resting_o = _resting(text, whole.start(5), field_o, Side.JADE)
    player, waiting = ([int(number) for number in numbers[1:].split(":") if number] + [1, 1])[:2]
    position = Position(
        variant,
        (resting_j, *highway, resting_o),
        (_camp(base_j, slain_j), _camp(base_o, slain_o)),
        Side.JADE if side == "J" else Side.OBSIDIAN,
        player,
        waiting,
    )
    if "'" in text and not variant.walks_home:
        _refuse(text, text.index("'"), "no unit without captives heads home in this game")
    if (field_j or field_o) and variant.far_end is not FarEnd.WALK_BACK:
        _refuse(text, text.index("("), "no unit rests in the enemy field in this game")
    _check(text, position, (whole.start(1), whole.start(4)))
    spelling = write(position)
    if spelling != text:
        differ = (at for at, (one, other) in enumerate(zip(text, spelling, strict=False)) if one != other)
        _refuse(text, next(differ, min(len(spelling), len(text) - 1)), f"this position is spelled '{_short(spelling)}'")
    return position


def _base(camp: Camp, resting: tuple[Unit, ...]) -> str:
    base = ",".join(map(str, camp.base))
    return f"{base}({','.join(map(str, resting))})" if resting else base


def _out(camp: Camp) -> str:
    if not any(camp.spent):
        return ",".join(map(str, camp.slain))
    return ",".join(
        f"{slain}+{spent}" if spent else str(slain) for slain, spent in zip(camp.slain, camp.spent, strict=True)
    )


def _highway(text: str, at: int, end: int, variant: Variant) -> list[tuple[Unit, ...]]:
    start = at
    spaces: list[tuple[Unit, ...]] = []
    while at < end:
        step = _STEP.match(text, at, end)
        if step is None:
            at = _unit_stops_at(text, at, end)
            _refuse(text, at, "expected a run of empty spaces, or a unit such as J, Joo or Ooj")
        if run := step["run"]:
            if spaces and not spaces[-1]:
                _refuse(text, at, "two runs of empty spaces stand side by side")
            if int(run) == 0:
                _refuse(text, at, "a run of no empty spaces is left out")
            spaces += [()] * int(run)
        else:
            units = _units(step["unit"] or step["units"])
            if len(units) > 1 and not variant.sharing:
                _refuse(text, at, "units do not share a space in this game")
            if len({unit.owner for unit in units}) > 1:
                _refuse(text, at, "the two sides never share a space")
            if len(spaces) + 1 == variant.fire:
                _refuse(text, at, f"nothing stands on space {variant.fire}, where the fire burns")
            spaces.append(units)
        at = step.end()
    if len(spaces) != variant.spaces:
        _refuse(text, start, f"the highway has {len(spaces)} spaces here, {variant.spaces} in this game")
    return spaces


def _resting(text: str, at: int, field: str | None, side: Side) -> tuple[Unit, ...]:
    """The units of ``side`` in the enemy field."""
    if field is None:
        return ()
    whole = _FIELD.fullmatch(field)
    units = _units(whole["units"]) if whole else ()
    if not units or any(unit.owner is not side or not unit.home for unit in units):
        one = f"{side.letter}'"
        _refuse(text, at, f"expected units that rest in this field, as in ({one}) or ({one},{one})")
    return units


@lru_cache(maxsize=4096)  # a few hundred stacks make up nearly all positions
def _units(text: str) -> tuple[Unit, ...]:
    return tuple(sorted((_unit(unit) for unit in text.split(",")), key=str))


def _unit(text: str) -> Unit:
    (top, number), *under = _PIECES.findall(text)
    owner = Side.JADE if top == "J" else Side.OBSIDIAN
    friends = tuple(sorted(int(of or 1) for letter, of in under if letter == top.lower()))
    prey = tuple(sorted(int(of or 1) for letter, of in under if letter != top.lower()))
    return Unit(owner, int(number or 1), friends, prey, home=text.endswith("'") and not prey)


def _camp(base: str, out: str) -> Camp:
    counts = [(*count.split("+"), "0")[:2] for count in out.split(",")]
    return Camp(
        tuple(map(int, base.split(","))),
        tuple(int(slain) for slain, _ in counts),
        tuple(int(spent) for _, spent in counts),
    )


def _check(text: str, position: Position, bases: tuple[int, int]) -> None:
    """Check the number of pieces of each player, and the player numbers.

    bases: positions of the two bases in the text, for error messages.
    """
    rules = position.rules
    for side, camp, at in zip(Side, position.camps, bases, strict=True):
        name = side.value.capitalize()
        if not len(camp.base) == len(camp.slain) == rules.owners:
            each = f"one count a player, {rules.owners} in all," if rules.owners > 1 else "one count"
            _refuse(text, at, f"{name}'s base and slain pieces are {each} in this game")
        for player, there in enumerate(_pieces(position, side, camp), 1):
            if there != rules.pieces:
                if player > rules.owners:
                    _refuse(text, at, f"a piece of {name}'s player {player} is here, {rules.owners} play in this game")
                whose = f"{name}'s player {player}" if rules.owners > 1 else name
                many = "piece" if there == 1 else "pieces"
                _refuse(text, at, f"{whose} has {there} {many} in all here, {rules.pieces} in this game")
    for number in (position.player, position.waiting):
        if number > rules.players:
            _refuse(text, text.rindex(f":{number}") + 1, f"no player has this number, a side has {rules.players} here")
    if position.waiting > 1 and rules.owners > 1:
        _refuse(text, len(text) - 1, "where players own their pieces, the other side begins with its player 1")


def _pieces(position: Position, side: Side, camp: Camp) -> Counts:
    """The number of pieces of each player of that side; longer than the team if a player number is too high."""
    totals = [sum(counts) for counts in zip(camp.base, camp.slain, camp.spent, strict=True)]
    for units in position.places:
        for unit in units:
            for player in unit.mine if unit.owner is side else unit.prey:
                if player > len(totals):
                    totals += [0] * (player - len(totals))
                totals[player - 1] += 1
    return tuple(totals)


def _whole_stops_at(text: str) -> int:
    """Index of the first character that no position can have there."""
    at = 0
    for part in _PARTS:
        match = re.compile(part, re.ASCII).match(text, at)
        if match is None:
            return at
        at = match.end()
    return at


def _unit_stops_at(text: str, at: int, end: int) -> int:
    """Index, from ``at``, of the first character of the highway that cannot be read."""
    if text[at] != "(":
        return at
    at += 1
    while unit := re.compile(_UNIT, re.ASCII).match(text, at, end):
        at = unit.end()
        if text[at : at + 1] != ",":
            return at
        at += 1
    return at


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."


def _refuse(text: str, at: int, why: str) -> NoReturn:
    found = repr(text[at]) if at < len(text) else "the end"
    raise NotationError(f"{_short(text)!r} is not a position: at character {at + 1} ({found}): {why}.")

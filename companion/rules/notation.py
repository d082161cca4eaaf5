"""The one line a position is written in: ``BASE_J/HIGHWAY/BASE_O SLAIN_J:SLAIN_O TURN``."""

from __future__ import annotations

import re
from typing import NoReturn

from companion.errors import NotationError
from companion.rules.position import Position, Side, Unit
from companion.rules.variant import Variant

_WHOLE = re.compile(r"(\d{1,3})/([^/ ]*)/(\d{1,3}) (\d{1,3}):(\d{1,3}) ([JO])", re.ASCII)
_STEP = re.compile(
    r"(?P<empty>[1-9]\d{0,2})|(?P<unit>J(?P<jown>j*)(?P<jcaptives>o*)|O(?P<oown>o*)(?P<ocaptives>j*))", re.ASCII
)


def write(position: Position) -> str:
    """The position's one spelling; ``parse`` reads it back.

    >>> from companion.rules.variant import variant
    >>> write(Position.start(variant("puluc")))
    '5/9/5 0:0 J'
    """
    highway, empty = "", 0
    for unit in position.spaces:
        if unit is None:
            empty += 1
            continue
        highway += (str(empty) if empty else "") + _unit(unit)
        empty = 0
    highway += str(empty) if empty else ""
    (base_j, base_o), (slain_j, slain_o) = position.base, position.slain
    return f"{base_j}/{highway}/{base_o} {slain_j}:{slain_o} {position.turn.letter}"


def parse(text: str, variant: Variant) -> Position:
    """Read what ``write`` wrote, for that variant.

    Raises NotationError, pointing at the character where reading stopped or saying which count does not fit.

    >>> from companion.rules.variant import variant
    >>> write(parse("4/3Joo2O2/2 0:0 O", variant("puluc")))
    '4/3Joo2O2/2 0:0 O'
    """
    whole = _WHOLE.fullmatch(text)
    if whole is None:
        _refuse(text, _whole_stops_at(text), "expected BASE/HIGHWAY/BASE SLAIN:SLAIN TURN, as in '5/9/5 0:0 J'")
    base_j, base_o, slain_j, slain_o = (int(whole[group]) for group in (1, 3, 4, 5))
    spaces: list[Unit | None] = []
    at, end = whole.span(2)
    while at < end:
        step = _STEP.match(text, at, end)
        if step is None:
            _refuse(text, at, "expected a run of empty spaces, or a unit such as J, Joo or Ooj")
        if step["empty"]:
            if spaces and spaces[-1] is None:
                _refuse(text, at, "two runs of empty spaces stand side by side")
            spaces += [None] * int(step["empty"])
        elif step["unit"].startswith("J"):
            spaces.append(Unit(Side.JADE, 1 + len(step["jown"]), len(step["jcaptives"])))
        else:
            spaces.append(Unit(Side.OBSIDIAN, 1 + len(step["oown"]), len(step["ocaptives"])))
        at = step.end()
    if len(spaces) != variant.spaces:
        _refuse(text, whole.start(2), f"the highway has {len(spaces)} spaces here, {variant.spaces} in this game")
    position = Position(
        tuple(spaces), (base_j, base_o), (slain_j, slain_o), Side.JADE if whole[6] == "J" else Side.OBSIDIAN
    )
    for side, gone in zip(Side, position.slain, strict=True):
        there = gone + position.in_base(side)
        there += sum(unit.own if unit.owner is side else unit.captives for unit in spaces if unit)
        if there != variant.pieces:
            raise NotationError(
                f"'{text}': {side.value.capitalize()} has {there} pieces in all here, {variant.pieces} in this game."
            )
    return position


def _unit(unit: Unit) -> str:
    own, other = unit.owner.letter, unit.owner.other.letter.lower()
    return own + own.lower() * (unit.own - 1) + other * unit.captives


def _whole_stops_at(text: str) -> int:
    """The first character that no position could have there."""
    parts = (r"\d{1,3}", "/", r"[^/ ]*", "/", r"\d{1,3}", " ", r"\d{1,3}", ":", r"\d{1,3}", " ", "[JO]")
    at = 0
    for part in parts:
        match = re.compile(part, re.ASCII).match(text, at)
        if match is None:
            return at
        at = match.end()
    return at


def _refuse(text: str, at: int, why: str) -> NoReturn:
    shown = text if len(text) <= 80 else text[:77] + "..."
    found = repr(text[at]) if at < len(text) else "the end"
    raise NotationError(f"{shown!r} is no position: at character {at + 1} ({found}): {why}.")

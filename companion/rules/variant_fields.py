"""The fields of a variant: their values, and how to read them from text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from companion.i18n import N_


class Captor(StrEnum):
    """What a unit does after capturing: go on, head home, or leave the highway at once."""

    ONWARD = "onward"
    HOMEWARD = "homeward"
    LEAVES = "leaves"


class FarEnd(StrEnum):
    """What happens to an unladen unit that reaches the enemy base."""

    RETURN = "return"
    LOOP = "loop"
    STOP = "stop"
    BOUNCE = "bounce"
    WALK_BACK = "walk_back"


class Rescued(StrEnum):
    """What happens to own pieces under the captor when a unit comes home."""

    FREED = "freed"
    SLAIN = "slain"


class Teams(StrEnum):
    """Whether a side is a team, and whether the team or its players own the pieces."""

    NONE = "none"
    SHARED = "shared"
    OWNED = "owned"


class Winner(StrEnum):
    """Which side wins when one side is out."""

    LAST_STANDING = "last_standing"
    MOST_CAPTURES = "most_captures"


CULIN = (5, 1, 2, 3, 4)
BELL = (5, 0, 2, 3, 4)
_NAMED_VALUES = {"culin": CULIN, "bell": BELL}
_YES_NO = {"yes": True, "true": True, "no": False, "false": False}


@dataclass(frozen=True, slots=True)
class Field:
    """How to read a field. ``wanted`` completes "it takes ..."; ``read`` raises ValueError or KeyError.

    facts: for the placeholders of ``wanted``.
    """

    wanted: str
    read: Callable[[str], object]
    facts: Mapping[str, str] = field(default_factory=dict)


def _whole(text: str) -> int:
    if not re.fullmatch(r"\d{1,4}", text, re.ASCII):
        raise ValueError(text)
    return int(text)


def _values(text: str) -> tuple[int, ...]:
    return _NAMED_VALUES.get(text) or tuple(_whole(value.strip()) for value in text.split(","))


def _one_of(kind: type[StrEnum]) -> Field:
    *most, last = kind
    return Field(N_("{choices} or {last}"), kind, {"choices": ", ".join(most), "last": last})


_NUMBER = Field(N_("a whole number"), _whole)
_CHOICE = Field(N_("yes or no"), _YES_NO.__getitem__)

FIELDS: Mapping[str, Field] = {
    "spaces": _NUMBER,
    "pieces": _NUMBER,
    "values": Field(N_("culin, bell, or five numbers such as 5,1,2,3,4"), _values),
    "throws": _NUMBER,
    "advancing": Field(N_("a whole number, or all"), lambda text: None if text == "all" else _whole(text)),
    "captor": _one_of(Captor),
    "far_end": _one_of(FarEnd),
    "exact_home": _CHOICE,
    "sharing": _CHOICE,
    "rescued": _one_of(Rescued),
    "liberation": _CHOICE,
    "retreat_captures": _CHOICE,
    "fire": Field(N_("none, or the number of a space"), lambda text: None if text == "none" else _whole(text)),
    "captor_retires": _CHOICE,
    "teams": _one_of(Teams),
    "winner": _one_of(Winner),
    "players": Field(N_("a whole number of players a side"), _whole),
}
"""All rules, and ``players``, which is agreed at the table."""

"""The vocabulary of what the camera sees on the board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from companion.rules.position import Position
from companion.rules.unit import Unit

ILLEGAL = "illegal"
"""The reason of a board that is seen clearly and shows nothing that is legal."""


class Top(StrEnum):
    """The content of a space's top."""

    JADE = "jade"
    OBSIDIAN = "obsidian"
    EMPTY = "empty"
    UNCLEAR = "unclear"

    @classmethod
    def of(cls, units: Sequence[Unit]) -> Top:
        """What the units on a space show from above."""
        return cls(units[0].owner.value) if units else cls.EMPTY

    @classmethod
    def of_all(cls, position: Position) -> tuple[Top, ...]:
        """The same of all spaces."""
        return tuple(map(cls.of, position.spaces))


@dataclass(frozen=True, slots=True)
class SpaceDifference:
    """A space, from 1, that differs from the position that fits the board best."""

    space: int
    expected: Top
    found: Top


@dataclass(frozen=True, slots=True)
class MoveSeen:
    """The board shows exactly one of the results that are possible now. tops: of all spaces, space 1 first."""

    result: Position
    tops: tuple[Top, ...] = ()


@dataclass(frozen=True, slots=True)
class BoardUnchanged:
    """The board shows the game's present position."""

    tops: tuple[Top, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardUnclear:
    """The board shows no result that is certain.

    reason: ILLEGAL, or one word: hand, between, moved, unclear, alike, unfinished, picture, or another plain one.
    differences: for ILLEGAL, from ``nearest``, the possible position that fits the board best.
    """

    reason: str
    tops: tuple[Top, ...] = ()
    differences: tuple[SpaceDifference, ...] = ()
    nearest: Position | None = None


BoardSighting = MoveSeen | BoardUnchanged | BoardUnclear

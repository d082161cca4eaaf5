"""Every content that a place on the highway can have, numbered for compiled code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import NamedTuple

from companion.rules.unit import Side, Unit
from companion.rules.variant import Variant
from companion.rules.variant_fields import Captor, FarEnd


class Stack(NamedTuple):
    """A unit without its owner. home: whether it is unladen and heads home."""

    own: int
    captives: int
    home: bool

    @classmethod
    def of(cls, unit: Unit) -> Stack:
        return cls(unit.own, unit.captives, unit.home)


class Content(NamedTuple):
    """What is on one place: nothing, or units of one side. mine: whether that is the side to throw."""

    mine: bool
    stacks: tuple[Stack, ...]

    @property
    def own(self) -> int:
        """Pieces of the units' own side."""
        return sum(stack.own for stack in self.stacks)

    @property
    def captives(self) -> int:
        return sum(stack.captives for stack in self.stacks)


EMPTY = Content(True, ())


@dataclass(frozen=True, slots=True)
class SpaceContents:
    """All contents that one place can have during a game, numbered.

    stacks: the stacks that moves can build. contents: their combinations on one place; number 0 is the empty place.
    on_space, in_field: the contents that are possible on an ordinary space, and in the enemy field of the side to
    throw, where units rest; the own field has the mirrored ones.
    """

    stacks: tuple[Stack, ...]
    contents: tuple[Content, ...]
    on_space: frozenset[int]
    in_field: frozenset[int]

    @classmethod
    def of(cls, rules: Variant) -> SpaceContents:
        stacks = tuple(sorted(_stacks(rules)))
        most = rules.pieces if rules.advancing is None else min(rules.advancing, rules.pieces)
        space = list(_sets(stacks, most if rules.sharing else 1, rules.pieces))
        resting = [stack for stack in stacks if stack.home and rules.far_end is FarEnd.WALK_BACK]
        field = list(_sets(resting, most, rules.pieces))
        sets = sorted({*space, *field}, key=lambda held: (len(held), held))
        contents = (EMPTY, *(Content(mine, held) for mine in (True, False) for held in sets))
        numbers = {content: number for number, content in enumerate(contents)}
        return cls(
            stacks,
            contents,
            frozenset({0, *(numbers[Content(mine, held)] for held in space for mine in (True, False))}),
            frozenset({0, *(numbers[Content(True, held)] for held in field)}),
        )


def _sets(stacks: Iterable[Stack], most: int, pieces: int) -> Iterator[tuple[Stack, ...]]:
    """Combinations of up to ``most`` stacks of one side on one place, with at most ``pieces`` of either side."""
    stacks = tuple(stacks)
    for count in range(1, most + 1):
        fitting = False
        for held in combinations_with_replacement(stacks, count):
            if sum(s.own for s in held) <= pieces and sum(s.captives for s in held) <= pieces:
                fitting = True
                yield held
        if not fitting:
            return


def _stacks(rules: Variant) -> set[Stack]:
    """Every stack that a game can build from single pieces by turning round, capturing and losing its captives."""
    found: set[Stack] = set()
    new = {Stack(1, 0, False)}
    while new:
        found |= new
        new = {stack for stack in _built(rules, found) if max(stack.own, stack.captives) <= rules.pieces} - found
    return found


def _built(rules: Variant, found: set[Stack]) -> Iterator[Stack]:
    for stack in found:
        if not stack.captives and rules.far_end in (FarEnd.BOUNCE, FarEnd.WALK_BACK):
            yield Stack(stack.own, 0, True)
        if stack.captives and rules.liberation:
            robbed = Unit(Side.JADE, 1, (1,) * (stack.own - 1)).robbed(rules.captor is not Captor.ONWARD)
            yield Stack.of(robbed)
        if rules.captor is not Captor.LEAVES:
            for taken in found:
                yield Stack(stack.own + taken.captives, stack.captives + taken.own, False)

"""A bijection from the positions of a game to consecutive numbers: the addresses of their win chances.

A position is read place by place from the base of the side to throw, and its number is how many positions come before
it: the rank of a word in the language of a finite automaton. The automaton's state is what is left to place: the pieces
of each side, the units that may still advance, and whether each side has a unit. Positions in which a side has no piece
left have no number, nor do those that no game can reach because of the content of a place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.advice.solver.space_contents import EMPTY, Content, SpaceContents, Stack
from companion.rules.position import Position
from companion.rules.unit import Side, Unit
from companion.rules.variant import Variant
from companion.rules.variant_fields import Teams, Winner

LOST, DRAWN, WON, FIRST = 0, 1, 2, 3
"""The first addresses stand for finished games, from the view of the side to throw; then follow the positions."""


class Layer(NamedTuple):
    """Positions with the same pieces out of the game. A game never returns to a layer with fewer pieces out.

    slain, spent: pieces out, of (side to throw, other). Where both kinds count alike, all are slain. turned: whether
    the fire lies as Obsidian sees it; None if that is the same for both sides.
    """

    slain: tuple[int, int]
    spent: tuple[int, int]
    turned: bool | None

    @property
    def out(self) -> int:
        return sum(self.slain) + sum(self.spent)

    @property
    def handed_over(self) -> Layer:
        """The same layer seen from the other side."""
        return Layer(self.slain[::-1], self.spent[::-1], None if self.turned is None else not self.turned)


class _Left(NamedTuple):
    """A state of the automaton: what is left to place. Each pair is (side to throw, other)."""

    pieces: tuple[int, int]
    units: tuple[int, int]
    stands: tuple[bool, bool]


def is_two_sided(rules: Variant) -> bool:
    """Whether a side moves as one player, so that the game can be solved."""
    return rules.teams is not Teams.OWNED or rules.players == 1


@dataclass(frozen=True)
class Ranking:
    """The numbering of the positions of a game, for which ``is_two_sided`` holds.

    Attributes
    ----------
    next : (states, contents) int32 array
        The state after a place with that content, -1 if too little is left for it.
    before : (orientations, places, states, contents + 1) int64 array
        How many positions come before a content on that place.
    """

    rules: Variant

    @cached_property
    def contents(self) -> SpaceContents:
        return SpaceContents.of(self.rules)

    @cached_property
    def numbers(self) -> dict[Content, int]:
        return {content: number for number, content in enumerate(self.contents.contents)}

    @cached_property
    def places(self) -> range:
        """The places read, by distance from the own base: the spaces, and the fields 0 and N + 1 if units rest
        there."""
        spaces = self.rules.spaces
        return range(spaces + 2) if len(self.contents.in_field) > 1 else range(1, spaces + 1)

    @property
    def fire(self) -> tuple[int, int]:
        """The distance of the fire from the own base (for Jade, for Obsidian), -1 if there is none."""
        fire = self.rules.fire
        return (-1, -1) if fire is None else (fire, self.rules.spaces + 1 - fire)

    @property
    def orientations(self) -> tuple[bool | None, ...]:
        """Whether the highway is turned: (False, True), or (None,) if it is symmetric."""
        return (None,) if self.fire[0] == self.fire[1] else (False, True)

    @property
    def tells_spent_apart(self) -> bool:
        """Whether slain and spent pieces count differently."""
        return self.rules.winner is Winner.MOST_CAPTURES and (self.rules.fire is not None or self.rules.captor_retires)

    @cached_property
    def layers(self) -> tuple[Layer, ...]:
        """Layers with most pieces out first: each comes after all it leads to, except its mirror image."""
        most = self.rules.pieces
        counts = [
            (slain, spent)
            for slain in range(most)
            for spent in range(most if self.tells_spent_apart else 1)
            if slain + spent < most
        ]
        layers = [
            Layer((mine[0], theirs[0]), (mine[1], theirs[1]), turned)
            for mine in counts
            for theirs in counts
            for turned in self.orientations
        ]
        return tuple(sorted(layers, key=lambda layer: (-layer.out, sorted((layer, layer.handed_over)), layer)))

    @cached_property
    def _automaton(self) -> tuple[dict[_Left, int], NDArray[np.int32]]:
        pieces = self.rules.pieces
        limit = self.rules.advancing
        units = pieces if limit is None or limit >= pieces else limit
        counted = units < pieces
        states: dict[_Left, int] = {}
        for mine in range(1, pieces + 1):
            for theirs in range(1, pieces + 1):
                states[_Left((mine, theirs), (units, units), (False, False))] = len(states)
        rows: list[list[int]] = []
        queue = list(states)
        while len(rows) < len(queue):
            left = queue[len(rows)]
            row = []
            for content in self.contents.contents:
                after = _placed(left, content, counted)
                if after is None:
                    row.append(-1)
                    continue
                if after not in states:
                    states[after] = len(states)
                    queue.append(after)
                row.append(states[after])
            rows.append(row)
        return states, np.array(rows, np.int32)

    @property
    def next(self) -> NDArray[np.int32]:
        return self._automaton[1]

    def start(self, layer: Layer) -> int:
        """The automaton's initial state for a layer."""
        pieces, limit = self.rules.pieces, self.rules.advancing
        units = pieces if limit is None else min(limit, pieces)
        left = (pieces - layer.slain[0] - layer.spent[0], pieces - layer.slain[1] - layer.spent[1])
        return self._automaton[0][_Left(left, (units, units), (False, False))]

    def allowed(self, place: int, turned: bool | None) -> NDArray[np.bool_]:
        """(contents,) bool array: which contents can stand on a place."""
        contents = self.contents
        if place == self.fire[bool(turned)]:
            fitting: set[int] | frozenset[int] = {0}
        elif place == self.rules.spaces + 1:
            fitting = contents.in_field
        elif place == 0:
            fitting = {self.mirrored(number) for number in contents.in_field}
        else:
            fitting = contents.on_space
        return np.isin(np.arange(len(contents.contents)), list(fitting))

    def mirrored(self, number: int) -> int:
        """The same content seen from the other side."""
        content = self.contents.contents[number]
        return number if content == EMPTY else self.numbers[Content(not content.mine, content.stacks)]

    @cached_property
    def before(self) -> NDArray[np.int64]:
        """See the class."""
        return np.stack([self._before(turned) for turned in self.orientations])

    def _before(self, turned: bool | None) -> NDArray[np.int64]:
        states, after = self._automaton
        complete = np.array([_is_live(left) for left in states], np.int64)
        before = np.zeros((len(self.places), len(states), len(self.contents.contents) + 1), np.int64)
        for number, place in reversed(list(enumerate(self.places))):
            ways = np.where((after >= 0) & self.allowed(place, turned), complete[after], 0)
            np.cumsum(ways, axis=1, out=before[number, :, 1:])
            complete = before[number, :, -1]
        return before

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Positions of each layer."""
        return tuple(int(self.before[int(bool(layer.turned)), 0, self.start(layer), -1]) for layer in self.layers)

    @cached_property
    def bases(self) -> dict[Layer, int]:
        """The address of the first position of each layer."""
        bases, at = {}, FIRST
        for layer, size in zip(self.layers, self.sizes, strict=True):
            bases[layer] = at
            at += size
        return bases

    @property
    def positions(self) -> int:
        """The total number of positions."""
        return sum(self.sizes)

    def address(self, position: Position) -> int | None:
        """The address of a position that is not over; None if no game can reach it."""
        mine, theirs = position.turn, position.turn.other
        camps = (position.camps[mine.index], position.camps[theirs.index])
        slain = (sum(camps[0].slain), sum(camps[1].slain))
        spent = (sum(camps[0].spent), sum(camps[1].spent))
        if not self.tells_spent_apart:
            slain, spent = (slain[0] + spent[0], slain[1] + spent[1]), (0, 0)
        turned = None if self.orientations == (None,) else mine is Side.OBSIDIAN
        layer = Layer(slain, spent, turned)
        if layer not in self.bases:
            return None
        address, state = self.bases[layer], self.start(layer)
        units = position.places if mine is Side.JADE else position.places[::-1]
        after, before = self._steps[int(bool(turned))]
        for number, place in enumerate(self.places):
            content = self._number(units[place], mine)
            if content is None or before[number][state][content] == before[number][state][content + 1]:
                return None
            address += before[number][state][content]
            state = after[state][content]
        return address

    @cached_property
    def _steps(self) -> list[tuple[list[list[int]], list[list[list[int]]]]]:
        """``next`` and ``before`` of each orientation as lists, which Python indexes three times as fast."""
        return [(self.next.tolist(), before.tolist()) for before in self.before]

    def _number(self, units: tuple[Unit, ...], side: Side) -> int | None:
        if not units:
            return 0
        return self.numbers.get(Content(units[0].owner is side, tuple(sorted(map(Stack.of, units)))))


def _placed(left: _Left, content: Content, counted: bool) -> _Left | None:
    """The state after a place with that content, or None if too little is left."""
    if content == EMPTY:
        return left
    whose = 0 if content.mine else 1
    pieces, units, stands = list(left.pieces), list(left.units), list(left.stands)
    pieces[whose] -= content.own
    pieces[1 - whose] -= content.captives
    if counted:
        units[whose] -= len(content.stacks)
    stands[whose] = True
    if min(*pieces, *units) < 0:
        return None
    return _Left((pieces[0], pieces[1]), (units[0], units[1]), (stands[0], stands[1]))


def _is_live(left: _Left) -> bool:
    """Whether each side has a piece in base or a unit; pieces not placed are in base."""
    return all(pieces > 0 or stands for pieces, stands in zip(left.pieces, left.stands, strict=True))


def groups(layers: tuple[Layer, ...]) -> Iterator[tuple[Layer, ...]]:
    """Each layer together with its mirror image, in the order of ``layers``."""
    done: set[Layer] = set()
    for layer in layers:
        if layer not in done:
            group = (layer,) if layer == layer.handed_over else (layer, layer.handed_over)
            done |= {*group}
            yield group

"""A whole turn: one or two throws and the order in which two may be used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from companion.rules.moves import Move
from companion.rules.position import Position


@dataclass(frozen=True, slots=True)
class Step:
    """One throw used: its value, and the move made with it."""

    value: int
    move: Move

    def __str__(self) -> str:
        return f"{self.move} with {self.value}"


@dataclass(frozen=True, slots=True)
class Turn:
    """The rest of a turn: the current position and the values still to use, in the order thrown.

    A turn begins as ``Turn(position, values)``. Play one of ``steps`` with ``after`` until there are none; then
    ``handed_over`` is the position for the next thrower. Both throws are used if they can be: in either order, but
    where only one order or only some moves let both be used, those alone are steps. A throw of no use is lost.

    >>> from companion.rules.notation import parse, write
    >>> from companion.rules.variants import variant
    >>> turn = Turn(parse("3/6J5O6/3 1:1 O", variant("aj-sayil")), (2, 1))
    >>> [str(step) for step in turn.steps()]
    ['13-11 with 2', '13-12 with 1']
    >>> turn = turn.after(turn.steps()[0])
    >>> turn.values, write(turn.position)
    ((1,), '3/6J3O8/3 1:1 O')
    >>> write(turn.after(turn.steps()[0]).handed_over())
    '3/6J2O9/3 1:1 J'
    """

    position: Position
    values: tuple[int, ...]

    def steps(self) -> tuple[Step, ...]:
        """All legal steps; empty if the turn is over.

        Sorted by throw, then by move; two equal throws count as one.
        """
        steps = [Step(value, move) for value in dict.fromkeys(self.values) for move in self.position.moves(value)]
        if len(self.values) == 1:
            return tuple(steps)
        goes_on, ends = [], []
        for step in steps:
            after = self.after(step)
            goes_on.append(any(after.position.moves(value) for value in after.values))
            ends.append(after.position.is_decided())
        if any(goes_on):
            # A step that ends the game is allowed although the other throw cannot be used then.
            return tuple(step for step, on, end in zip(steps, goes_on, ends, strict=True) if on or end)
        return tuple(steps)

    def moves(self, value: int) -> tuple[Move, ...]:
        """The legal moves with the throw of that value."""
        return tuple(step.move for step in self.steps() if step.value == value)

    def after(self, step: Step) -> Turn:
        """The rest of the turn after ``step``, which must be one of ``steps``."""
        values = list(self.values)
        values.remove(step.value)
        return Turn(self.position.played(step.move), tuple(values))

    def handed_over(self) -> Position:
        """The position with the turn handed over. Unused throws are lost."""
        return self.position.passed()

    def results(self) -> frozenset[Position]:
        """All positions after the turn, handed over; empty if no throw can be used and the turn is passed."""
        return frozenset(self.ends())

    def ends(self) -> tuple[Position, ...]:
        """The positions of ``results`` in the order of the steps that lead there."""
        return next(ends_of_throws(self.position, [self.values]))


def ends_of_throws(position: Position, throws: Iterable[tuple[int, ...]]) -> Iterator[tuple[Position, ...]]:
    """The ``ends`` of the turn from ``position`` with each of these throws, without repeating what they share."""
    after = cache(_after)
    for values in throws:
        if len(values) < 2:
            ends = [end for value in values for end in _after(position, value)]
        else:
            orders = dict.fromkeys((values, values[::-1]))
            lines = [(one, after(one, then)) for first, then in orders for one in after(position, first)]
            # As in Turn.steps: both throws are used if they can be, unless the first ends the game.
            if any(goes_on for _, goes_on in lines):
                lines = [(one, goes_on) for one, goes_on in lines if goes_on or one.is_decided()]
            ends = [end for one, goes_on in lines for end in goes_on or (one,)]
        yield tuple(dict.fromkeys(end.passed() for end in ends))


def _after(at: Position, value: int) -> tuple[Position, ...]:
    return tuple(at.played(move) for move in at.moves(value))

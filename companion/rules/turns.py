"""A whole turn: one throw or two, and in which order two may be used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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
    """What is left of a turn: the position as it is now, and the values still to be used, as thrown.

    A turn begins as ``Turn(position, values)``. Play one of ``steps`` with ``after`` until there are none; then
    ``handed_over`` is the position for the next thrower. Both throws are used if they can be: in either order, but
    where only one order or only some moves let both be used, those alone are steps. A throw of no use is lost.

    >>> from companion.rules.notation import parse, write
    >>> from companion.rules.variant import variant
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
        """Every throw that may be used now, with every move it may be used for. Empty: the turn is over.

        In the order of the throws, then of the moves; of two throws alike, the first stands for both.
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
            # A step that ends the game leaves nothing to use the other throw for, so it stays allowed.
            return tuple(step for step, on, end in zip(steps, goes_on, ends, strict=True) if on or end)
        return tuple(steps)

    def moves(self, value: int) -> tuple[Move, ...]:
        """The moves that the throw of that value may be used for now."""
        return tuple(step.move for step in self.steps() if step.value == value)

    def after(self, step: Step) -> Turn:
        """The rest of the turn once ``step``, one of ``steps``, is made."""
        values = list(self.values)
        values.remove(step.value)
        return Turn(self.position.played(step.move), tuple(values))

    def handed_over(self) -> Position:
        """The position with the next thrower to throw. What was not used is lost."""
        return self.position.passed()

    def results(self) -> frozenset[Position]:
        """Every position that the turn can lead to, handed over. Empty: nothing can be used, and the turn is passed."""
        return frozenset(self._ends())

    def ends(self) -> tuple[Position, ...]:
        """The same positions as ``results``, each once, in the order of the steps that lead there."""
        return tuple(dict.fromkeys(self._ends()))

    def _ends(self) -> Iterator[Position]:
        for step in self.steps():
            after = self.after(step)
            if after.steps():
                yield from after._ends()
            else:
                yield after.handed_over()

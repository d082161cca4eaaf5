"""The companion's own players: how each level chooses a move, and the move suggested to people.

Easy, Fair and Hard play as chapter 4.1 of the manual of Puluk for the Psion Series 3 (Cyningstan) describes them.
Expert plays the best step that its adviser knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from random import Random

from companion.advice.adviser import Adviser
from companion.advice.danger import danger
from companion.rules.turns import Step, Turn

Level = Callable[[Turn, Random], Step]
"""Chooses one of a turn's steps, of which there is at least one, breaking ties with the given random source.

In a turn of two throws it is called once for each, and chooses which throw to use first, and how.
"""


def at_random(turn: Turn, chance: Random) -> Step:
    """Any legal step."""
    return chance.choice(turn.steps())


def easy(turn: Turn, chance: Random) -> Step:
    """Captures or slays if it can; otherwise makes any legal step."""
    return chance.choice(_violent(turn) or turn.steps())


def fair(turn: Turn, chance: Random) -> Step:
    """Captures or slays if it can; otherwise moves where the moved unit is least in danger.

    A unit that leaves the highway, or rests in the enemy's field, is in no danger; one that enters the fire is lost.
    """
    return chance.choice(_violent(turn) or _least(turn, lambda step: _danger_after(turn, step)))


def hard(turn: Turn, chance: Random) -> Step:
    """Captures or slays if it can; otherwise makes the step that reduces the moved unit's danger most.

    So it moves a unit out of danger even if other units have safe moves, and plays like Fair if nothing is in danger.
    """

    def worsening(step: Step) -> Fraction:
        return _danger_after(turn, step) - _danger_before(turn, step)

    return chance.choice(_violent(turn) or _least(turn, worsening))


def expert(adviser: Adviser) -> Level:
    """Makes the best step by its adviser, the first of equal ones."""

    def choose(turn: Turn, _chance: Random) -> Step:
        steps = turn.steps()
        return steps[0] if len(steps) == 1 else adviser.in_turn(turn).steps[0].step

    return choose


LEVELS: Mapping[str, Level] = {"easy": easy, "fair": fair, "hard": hard, "random": at_random}
"""The levels that need no adviser. Expert needs one; see ``expert``."""
EXPERT = "expert"
LEVEL_NAMES = ("easy", "fair", "hard", EXPERT, "random")
"""All levels, weakest first, and random last. No person may have such a name."""


def suggestion(turn: Turn) -> Step | None:
    """The step that slays and captures the most pieces, or None if no step does either."""
    steps = turn.steps()
    gains = [(turn.position.slain_by(step.move) + step.move.captures, number) for number, step in enumerate(steps)]
    best, number = max(gains, default=(0, 0))
    return steps[number] if best else None


def _violent(turn: Turn) -> tuple[Step, ...]:
    return tuple(step for step in turn.steps() if step.move.captures or turn.position.slain_by(step.move))


def _least(turn: Turn, badness: Callable[[Step], Fraction]) -> list[Step]:
    judged = [(badness(step), step) for step in turn.steps()]
    least = min(bad for bad, _ in judged)
    return [step for bad, step in judged if bad == least]


def _danger_before(turn: Turn, step: Step) -> Fraction:
    start = step.move.start
    return danger(turn.position, start) if isinstance(start, int) else Fraction(0)


def _danger_after(turn: Turn, step: Step) -> Fraction:
    to = step.move.to
    if to == turn.position.rules.fire and to is not None:
        return Fraction(1)
    return danger(turn.after(step).position, to) if isinstance(to, int) else Fraction(0)

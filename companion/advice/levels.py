"""How the companion's own players choose, and what it suggests to people.

Easy, Fair and Hard play as chapter 4.1 of the manual of Puluk for the Psion Series 3 (Cyningstan) describes them.
Expert plays as well as is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from random import Random

from companion.advice.adviser import Adviser
from companion.advice.danger import danger
from companion.rules.turns import Step, Turn

Level = Callable[[Turn, Random], Step]
"""Chooses one of the steps of a turn; there is at least one. Ties are broken by the chance passed in.

Where a turn has two throws, a level is asked once for each: it chooses which throw to use first, and for what.
"""


def at_random(turn: Turn, chance: Random) -> Step:
    """Any legal step."""
    return chance.choice(turn.steps())


def easy(turn: Turn, chance: Random) -> Step:
    """Captures or slays if it can; otherwise any legal step, whatever comes of it."""
    return chance.choice(_violent(turn) or turn.steps())


def fair(turn: Turn, chance: Random) -> Step:
    """Captures or slays if it can; otherwise moves to where what it moves is least in danger.

    A piece that goes off the highway, or rests in the enemy's field, is in no danger at all; one that goes into the
    fire is lost for certain.
    """
    return chance.choice(_violent(turn) or _least(turn, lambda step: _danger_after(turn, step)))


def hard(turn: Turn, chance: Random) -> Step:
    """Captures or slays if it can; otherwise makes the step after which what it moves is safer by most than before it.

    So it moves a piece out of danger even if tamer moves are available, and where nothing is in danger it holds back
    like Fair.
    """

    def worsening(step: Step) -> Fraction:
        return _danger_after(turn, step) - _danger_before(turn, step)

    return chance.choice(_violent(turn) or _least(turn, worsening))


def expert(adviser: Adviser) -> Level:
    """Makes the step that its adviser finds best, of equals the first. It leaves nothing to chance."""

    def choose(turn: Turn, _chance: Random) -> Step:
        steps = turn.steps()
        return steps[0] if len(steps) == 1 else adviser.in_turn(turn).steps[0].step

    return choose


LEVELS: Mapping[str, Level] = {"easy": easy, "fair": fair, "hard": hard, "random": at_random}
"""The levels that decide at once. Expert thinks, so it is made with ``expert``."""
EXPERT = "expert"
LEVEL_NAMES = ("easy", "fair", "hard", EXPERT, "random")
"""All levels, the weakest of those to play against first. No person may be called so."""


def suggestion(turn: Turn) -> Step | None:
    """The step that slays and captures the most pieces, or None where none does either."""
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

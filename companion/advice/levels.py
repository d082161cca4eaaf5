"""The companion's own players: how each level chooses a move, and the move suggested to people.

Easy, Fair and Hard play as chapter 4.1 of the manual of Puluk for the Psion Series 3 (Cyningstan) describes them.
Between random and perfect play stand six more, each with a style of its own. Expert plays the best step that its
adviser knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from random import Random

from companion.advice.adviser import Adviser
from companion.advice.styles import OPPONENTS, Style
from companion.rules.moves import moves_of
from companion.rules.odds import odds
from companion.rules.position import Position
from companion.rules.turns import Step, Turn
from companion.rules.unit import Side
from companion.rules.variant_fields import Teams

Level = Callable[[Turn, Random], Step]
"""Chooses one of a turn's steps, of which there is at least one, breaking ties with the given random source.

In a turn of two throws it is called once for each, and chooses which throw to use first, and how.
"""


@dataclass(frozen=True, slots=True)
class Policy:
    """A level that chooses at random among the steps that it likes best; with the chance ``slip``, among all.

    It can be called as a Level.
    """

    liked: Callable[[Turn], Sequence[Step]]
    slip: float | None = None

    def __call__(self, turn: Turn, chance: Random) -> Step:
        if self.slip is not None and chance.random() < self.slip:
            return chance.choice(turn.steps())
        return chance.choice(self.liked(turn))

    def mean_win(self, turn: Turn, wins: Mapping[Step, float]) -> float:
        """The mean win chance after its choice. wins: the chance after each step."""
        liked, slip = self.liked(turn), self.slip or 0.0
        return (1 - slip) * sum(map(wins.__getitem__, liked)) / len(liked) + slip * sum(wins.values()) / len(wins)


@Policy
def at_random(turn: Turn) -> Sequence[Step]:
    """Any legal step."""
    return turn.steps()


@Policy
def easy(turn: Turn) -> Sequence[Step]:
    """Captures or slays if it can; otherwise makes any legal step."""
    return _violent(turn) or turn.steps()


@Policy
def fair(turn: Turn) -> Sequence[Step]:
    """Captures or slays if it can; otherwise moves where the moved unit is least in danger.

    A unit that leaves the highway, or rests in the enemy's field, is in no danger; one that enters the fire is lost.
    """
    return _violent(turn) or _least(turn, lambda step: _danger_after(turn, step))


@Policy
def hard(turn: Turn) -> Sequence[Step]:
    """Captures or slays if it can; otherwise makes the step that reduces the moved unit's danger most.

    So it moves a unit out of danger even if other units have safe moves, and plays like Fair if nothing is in danger.
    """

    def worsening(step: Step) -> Fraction:
        return _danger_after(turn, step) - _danger_before(turn, step)

    return _violent(turn) or _least(turn, worsening)


def styled(style: Style, slip: float) -> Policy:
    """Makes the step of the highest sum by its style; with the chance ``slip``, any step."""
    return Policy(lambda turn: _least(turn, lambda step: -_score(turn, step, style)), slip)


def expert(adviser: Adviser) -> Level:
    """Makes the best step by its adviser, the first of equal ones."""

    def choose(turn: Turn, _chance: Random) -> Step:
        steps = turn.steps()
        return steps[0] if len(steps) == 1 else adviser.in_turn(turn).steps[0].step

    return choose


LEVELS: Mapping[str, Policy] = {
    "easy": easy,
    "fair": fair,
    "hard": hard,
    "random": at_random,
    **{name: styled(opponent.style, opponent.slip) for name, opponent in OPPONENTS.items()},
}
"""The levels that need no adviser. Expert needs one; see ``expert``."""
EXPERT = "expert"
LEVEL_NAMES = ("easy", "fair", "hard", EXPERT, "random", *OPPONENTS)
"""All levels: the manual's and Expert, random, then those with a style, weakest first. No person may have such a
name."""


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


def _score(turn: Turn, step: Step, style: Style) -> Fraction:
    """What a step is worth to a style: the weighted sum of its features, see ``Style``."""
    position, move, side = turn.position, step.move, turn.position.turn
    after = turn.after(step).position
    score = Fraction(style.captures * move.captures + style.slain * position.slain_by(move))
    if move.start is None:
        score += style.enters
    else:
        score += style.front * _from_base(position, side, move.start)
    if move.to is None and not move.unit.prey:
        score += style.leaves
    if style.hunt:
        score += style.hunt * _prospect(after, side)
    if style.risk:
        burnt = move.unit.own if move.to is not None and move.to == position.rules.fire else 0
        score -= style.risk * (burnt + _prospect(after, side.other))
    return score


def _from_base(position: Position, side: Side, start: int | str) -> int:
    beyond = position.rules.spaces + 1
    if not isinstance(start, int):
        return beyond
    return start if side is Side.JADE else beyond - start


def _prospect(position: Position, side: Side) -> Fraction:
    """The mean number of pieces that one throw of fair lots can capture for a side, each time the most."""
    return sum(
        (
            chance * max((move.captures for move in moves_of(position, side, value, None)), default=0)
            for value, chance in odds(position.rules).items()
        ),
        Fraction(0),
    )


@lru_cache(maxsize=1024)  # Hard asks it of a unit for each way to move it
def danger(position: Position, space: int) -> Fraction:
    """The chance that the enemy could capture what the side to throw has on ``space``, if it threw next.

    Every throw that allows the capture counts, whether or not the enemy would play it; with two throws a turn, every
    pair of which one throw, or both in a row, lead there. Where players own their pieces, all players of the enemy
    throw in succession, so this is the chance that at least one of them can capture, each from the present position.
    """
    safe = Fraction(1)
    for player in range(1, position.rules.owners + 1):
        safe *= 1 - _danger_from(_enemy_throws(position, player), space)
    return 1 - safe


def _enemy_throws(position: Position, player: int) -> Position:
    side, rules = position.turn.other, position.rules
    if rules.teams is Teams.SHARED:
        player = position.waiting
    return Position(rules, position.places, position.camps, side, player)


def _danger_from(position: Position, space: int) -> Fraction:
    """The chance that the side to throw can capture on ``space`` in this turn."""
    chances = odds(position.rules)
    if position.rules.throws == 1:
        return sum((chances[value] for value in chances if _captures(position, (value,), space)), Fraction(0))
    # The order of two throws makes no difference, so look at each pair once.
    return sum(
        (
            chances[one] * chances[two] * (1 if one == two else 2)
            for one, two in combinations_with_replacement(chances, 2)
            if _captures(position, (one, two), space)
        ),
        Fraction(0),
    )


def _captures(position: Position, values: tuple[int, ...], space: int) -> bool:
    turn = Turn(position, values)
    for step in turn.steps():
        if step.move.to == space and step.move.captures:
            return True
        if len(values) > 1:
            after = turn.after(step)
            if any(move.to == space and move.captures for value in after.values for move in after.moves(value)):
                return True
    return False

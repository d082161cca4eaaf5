"""How likely the enemy's next throws are to capture what stands on a space."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement

from companion.advice.odds import odds
from companion.rules.fields import Teams
from companion.rules.position import Position
from companion.rules.turns import Turn


def danger(position: Position, space: int) -> Fraction:
    """The chance that the enemy can capture what the side to throw has on ``space``, were the enemy to throw next.

    Counted is every throw that would let the enemy do it, not whether the enemy would: with two throws a turn, every
    pair of which one throw, or both in a row, lead there. Where players own their pieces all of the enemy's players
    follow one another, so it is the chance that at least one of them can, each from the position as it is now.
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
    """The chance that whoever is to throw can capture on ``space`` in this turn."""
    chances = odds(position.rules)
    if position.rules.throws == 1:
        return sum((chances[value] for value in chances if _captures(position, (value,), space)), Fraction(0))
    # Which of two throws came first makes no difference, so each pair is looked at once.
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

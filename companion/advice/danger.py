"""The chance that the enemy's next throws allow it to capture on a space."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement

from companion.rules.fields import Teams
from companion.rules.odds import odds
from companion.rules.position import Position
from companion.rules.turns import Turn


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

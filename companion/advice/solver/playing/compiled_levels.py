"""Compiled: the steps that a level chooses among, as in companion.advice.levels, from lookup tables."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.advice.solver.compiled_moves import (
    COUNTS,
    START,
    TO,
    TURNED,
    WHICH,
    list_moves,
    make_move,
    stands,
)
from companion.advice.solver.jit import compiled, inlined
from companion.advice.solver.rule_arrays import OFF_HIGHWAY, RuleArrays

RANDOM, EASY, FAIR, HARD, EXPERT = range(5)
"""The levels by number."""
NUMBERS = {"random": RANDOM, "easy": EASY, "fair": FAIR, "hard": HARD, "expert": EXPERT}
"""Expert takes the best answer in the table, the first of equal ones."""
VALUE, GOES_ON = 4, 5
"""Columns of a step after those of its move: the value used, and whether the other throw is then usable or needless."""
NOW, AFTER, ENEMY, ENEMY_AFTER = range(4)
"""Rows of the buffers: the position within the turn, the one after a step, and both as seen by the enemy."""
OWN, ENEMYS = range(2)
"""Whose steps: the first index of ``LevelBuffers.steps``."""

Ints = NDArray[np.int32]


class LevelBuffers(NamedTuple):
    """Buffers of one thread for choosing steps, all int32.

    held: (4, places) and counts: (4, COUNTS), by NOW. steps: (2, maximum steps, 6), by OWN; a move, its value, and
    GOES_ON. moves: (2, maximum moves, 4), of each throw.
    """

    held: Ints
    counts: Ints
    steps: Ints
    moves: Ints


def level_buffers(game: RuleArrays) -> LevelBuffers:
    """Allocate buffers for a game."""
    places, most = game.before.shape[1], 1 + 2 * game.before.shape[1] * game.units.shape[1]
    return LevelBuffers(
        held=np.zeros((4, places), np.int32),
        counts=np.zeros((4, COUNTS), np.int32),
        steps=np.zeros((2, 2 * most, 6), np.int32),
        moves=np.zeros((2, most, 4), np.int32),
    )


@compiled
def moves(game: RuleArrays, held: Ints, counts: Ints, value: int, found: Ints) -> int:
    """List the moves of a throw. Called, not inlined: inlining made this file take four times as long to compile."""
    return int(list_moves(game, held, counts, value, found))


@compiled
def make(game: RuleArrays, held: Ints, counts: Ints, move: Ints, after: Ints, sums: Ints) -> None:
    """Make a move. See ``compiled_moves.make_move``."""
    make_move(game, held, counts, move, after, sums)


@compiled
def choices(
    game: RuleArrays, buffers: LevelBuffers, level: int, one: int, two: int, rolls: Ints, chances: NDArray[np.float64]
) -> int:
    """Move the steps that the level chooses among, in position NOW, to the front of the OWN steps. Returns their
    number.

    one, two: the remaining values of the turn, -1 for no second one. rolls: (rolls, 2) and chances: (rolls,) of the
    enemy's next turn with fair lots, to compute danger; multiples of 1/16, so that sums of equal dangers are equal.
    """
    held, counts, steps = buffers.held[NOW], buffers.counts[NOW], buffers.steps[OWN]
    total = _list_steps(game, buffers, NOW, one, two, OWN)
    if level == RANDOM or total < 2:
        return total
    kept = 0
    for number in range(total):
        if _is_violent(game, held, counts, steps[number]):
            copy(steps[number], steps[kept])
            kept += 1
    if kept or level == EASY:
        return kept or total
    least = 2.0
    for number in range(total):
        danger = _danger_after(game, buffers, steps[number], rolls, chances)
        start = steps[number, START]
        if level == HARD and start >= 0 and start != game.rules.field:
            danger -= _danger(game, buffers, NOW, start, rolls, chances)
        if danger < least:
            least = danger
            kept = 0
        if danger == least:
            copy(steps[number], steps[kept])
            kept += 1
    return kept


@compiled
def take(game: RuleArrays, buffers: LevelBuffers, step: int) -> None:
    """Make one of the OWN steps; NOW becomes the position after it."""
    make(
        game,
        buffers.held[NOW],
        buffers.counts[NOW],
        buffers.steps[OWN, step],
        buffers.held[AFTER],
        buffers.counts[AFTER],
    )
    copy(buffers.held[AFTER], buffers.held[NOW])
    copy(buffers.counts[AFTER], buffers.counts[NOW])


@compiled
def _list_steps(game: RuleArrays, buffers: LevelBuffers, row: int, one: int, two: int, whose: int) -> int:
    """List the steps in the position of a row, as Turn.steps does. Returns their number; overwrites the next row."""
    held, counts, after, sums = buffers.held[row], buffers.counts[row], buffers.held[row + 1], buffers.counts[row + 1]
    steps = buffers.steps[whose]
    total = 0
    goes_on = False
    if not (stands(counts, 0) and stands(counts, 1)):
        return 0
    for order in range(1 if two < 0 or one == two else 2):
        value, left = (one, two) if order == 0 else (two, one)
        legal = moves(game, held, counts, value, buffers.moves[0])
        for number in range(legal):
            copy(buffers.moves[0, number], steps[total])
            steps[total, VALUE], steps[total, GOES_ON] = value, 0
            if two >= 0:
                make(game, held, counts, steps[total], after, sums)
                if not (stands(sums, 0) and stands(sums, 1)):
                    steps[total, GOES_ON] = 1
                elif moves(game, after, sums, left, buffers.moves[1]):
                    steps[total, GOES_ON] = 1
                    goes_on = True
            total += 1
    if not goes_on:
        return total
    kept = 0
    for number in range(total):
        if steps[number, GOES_ON]:
            copy(steps[number], steps[kept])
            kept += 1
    return kept


@inlined
def copy(values: Ints, to: Ints) -> None:
    """Copy ``values`` into ``to``."""
    for at in range(values.shape[0]):
        to[at] = values[at]


@inlined
def _is_violent(game: RuleArrays, held: Ints, counts: Ints, step: Ints) -> bool:
    """Whether the step captures or slays."""
    start, to = step[START], step[TO]
    if to == OFF_HIGHWAY or to == game.fire[counts[TURNED]]:
        return bool(start >= 0 and game.unit_captives[game.units[held[start], step[WHICH]]] > 0)
    return bool(held[to] and not game.is_mine[held[to]])


@inlined
def _danger_after(
    game: RuleArrays, buffers: LevelBuffers, step: Ints, rolls: Ints, chances: NDArray[np.float64]
) -> float:
    to = step[TO]
    if to == OFF_HIGHWAY or to == game.rules.field:
        return 0.0
    if to == game.fire[buffers.counts[NOW, TURNED]]:
        return 1.0
    make(game, buffers.held[NOW], buffers.counts[NOW], step, buffers.held[AFTER], buffers.counts[AFTER])
    return float(_danger(game, buffers, AFTER, to, rolls, chances))


@compiled
def _danger(
    game: RuleArrays, buffers: LevelBuffers, row: int, place: int, rolls: Ints, chances: NDArray[np.float64]
) -> float:
    """The chance that the enemy's next turn can capture what the side to throw has on ``place``."""
    held, counts, at = buffers.held[ENEMY], buffers.counts[ENEMY], buffers.held.shape[1] - 1 - place
    for other in range(held.shape[0]):
        held[other] = game.mirrored[buffers.held[row, held.shape[0] - 1 - other]]
    for count in range(0, 8, 2):
        counts[count], counts[count + 1] = buffers.counts[row, count + 1], buffers.counts[row, count]
    counts[TURNED] = 1 - buffers.counts[row, TURNED] if game.fire[0] != game.fire[1] else 0
    danger = 0.0
    for roll in range(rolls.shape[0]):
        one, two = rolls[roll, 0], rolls[roll, 1]
        total = _list_steps(game, buffers, ENEMY, one, two, ENEMYS)
        for number in range(total):
            step = buffers.steps[ENEMYS, number]
            if _captures(game, held, step, at) or (two >= 0 and _then_captures(game, buffers, step, one, two, at)):
                danger += chances[roll]
                break
    return danger


@inlined
def _captures(game: RuleArrays, held: Ints, move: Ints, at: int) -> bool:
    return bool(move[TO] == at and held[at] and not game.is_mine[held[at]])


@inlined
def _then_captures(game: RuleArrays, buffers: LevelBuffers, step: Ints, one: int, two: int, at: int) -> bool:
    """Whether the enemy can capture on the place with its other throw after that step."""
    held, counts = buffers.held[ENEMY_AFTER], buffers.counts[ENEMY_AFTER]
    make(game, buffers.held[ENEMY], buffers.counts[ENEMY], step, held, counts)
    captures = False
    if stands(counts, 0) and stands(counts, 1):
        legal = moves(game, held, counts, two if step[VALUE] == one else one, buffers.moves[0])
        for number in range(legal):
            if _captures(game, held, buffers.moves[0, number], at):
                captures = True
    return captures

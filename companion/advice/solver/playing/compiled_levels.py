"""Compiled: the steps that a level chooses among, as in companion.advice.levels, from lookup tables."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.advice.solver.compiled_moves import (
    COUNTS,
    OTHER_SLAIN,
    START,
    TO,
    TURNED,
    WHICH,
    list_moves,
    make_move,
    stands,
)
from companion.advice.solver.jit import argument, compiled, inlined
from companion.advice.solver.rule_arrays import OFF_HIGHWAY, RuleArrays
from companion.advice.styles import FEATURES, OPPONENTS
from companion.rules.odds import turn_odds
from companion.rules.variant import Variant

RANDOM, EASY, FAIR, HARD, EXPERT = range(5)
"""The levels by number."""
FIRST_STYLE = EXPERT + 1
NUMBERS = {
    "random": RANDOM,
    "easy": EASY,
    "fair": FAIR,
    "hard": HARD,
    "expert": EXPERT,
    **{name: number for number, name in enumerate(OPPONENTS, FIRST_STYLE)},
}
"""Expert takes the best answer in the table, the first of equal ones."""
CAPTURES, SLAIN, RISK, HUNT, ENTERS, FRONT, LEAVES = range(len(FEATURES))
"""Columns of the styles' weights."""
_SIXTEENTHS = (1, 4, 6, 4, 1)
"""How often fair lots show 0 to 4 marked faces in sixteen throws."""
VALUE, GOES_ON = 4, 5
"""Columns of a step after those of its move: the value used, and whether the other throw is then usable or needless."""
NO_VALUE = argument(-1)
"""In place of a second value of a turn."""
NOW, AFTER, ENEMY, ENEMY_AFTER = map(argument, range(4))
"""Rows of the buffers: the position within the turn, the one after a step, and both as seen by the enemy."""
OWN, ENEMYS = map(argument, range(2))
"""Whose steps: the first index of ``LevelBuffers.steps``."""

Ints = NDArray[np.int32]


class LevelArrays(NamedTuple):
    """What the levels know of a game and of themselves.

    rolls: (rolls, 2) and chances: (rolls,) of a turn with fair lots, -1 for no second value; the chances are multiples
    of 1/256, so that sums of equal dangers are equal. values: (5,) of a throw by its marked faces. styles: (opponents,
    FEATURES) their weights. slips: (opponents,).
    """

    rolls: Ints
    chances: NDArray[np.float64]
    values: Ints
    styles: NDArray[np.float64]
    slips: NDArray[np.float64]


def level_arrays(rules: Variant) -> LevelArrays:
    """The arrays of a game."""
    fair = turn_odds(rules)
    return LevelArrays(
        rolls=np.array([(*values, -1)[:2] for values in fair], np.int32),
        chances=np.array([float(chance) for chance in fair.values()]),
        values=np.array(rules.values, np.int32),
        styles=np.array([opponent.style.weights for opponent in OPPONENTS.values()], np.float64),
        slips=np.array([opponent.slip for opponent in OPPONENTS.values()]),
    )


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
def choices(game: RuleArrays, buffers: LevelBuffers, level: int, one: int, two: int, known: LevelArrays) -> int:
    """Move the steps that the level chooses among, in position NOW, to the front of the OWN steps. Returns their
    number. A style's slips are its caller's business.

    one, two: the remaining values of the turn, NO_VALUE for no second one.
    """
    return int(keep(game, buffers, level, list_steps(game, buffers, NOW, one, two, OWN), known))


@compiled
def keep(game: RuleArrays, buffers: LevelBuffers, level: int, total: int, known: LevelArrays) -> int:
    """The same for the first ``total`` OWN steps, which are listed already."""
    held, counts, steps = buffers.held[NOW], buffers.counts[NOW], buffers.steps[OWN]
    if level in (RANDOM, EXPERT) or total < 2:
        return total
    kept = 0
    if level < FIRST_STYLE:
        for number in range(total):
            if _is_violent(game, held, counts, steps[number]):
                copy(steps[number], steps[kept])
                kept += 1
        if kept or level == EASY:
            return kept or total
    least = np.inf
    for number in range(total):
        if level >= FIRST_STYLE:
            badness = -_score(game, buffers, steps[number], known, level - FIRST_STYLE)
        else:
            badness = _danger_after(game, buffers, steps[number], known.rolls, known.chances)
            start = steps[number, START]
            if level == HARD and start >= 0 and start != game.rules.field:
                badness -= _danger(game, buffers, NOW, start, known.rolls, known.chances)
        if badness < least:
            least = badness
            kept = 0
        if badness == least:
            copy(steps[number], steps[kept])
            kept += 1
    return kept


@compiled
def _score(game: RuleArrays, buffers: LevelBuffers, step: Ints, known: LevelArrays, style: int) -> float:
    """What a step is worth to a style: the weighted sum of its features, see ``Style``."""
    held, counts, weights = buffers.held[NOW], buffers.counts[NOW], known.styles[style]
    start, to = step[START], step[TO]
    unit = game.units[held[start], step[WHICH]] if start >= 0 else 0
    make_move(game, held, counts, step, buffers.held[AFTER], buffers.counts[AFTER])
    score = weights[SLAIN] * (buffers.counts[AFTER, OTHER_SLAIN] - counts[OTHER_SLAIN])
    if start < 0:
        score += weights[ENTERS]
    else:
        score += weights[FRONT] * (start + (1 if game.rules.field < 0 else 0))
    if to == OFF_HIGHWAY:
        if game.unit_captives[unit] == 0:
            score += weights[LEAVES]
    elif to == game.fire[counts[TURNED]]:
        score -= weights[RISK] * game.unit_own[unit]
    else:
        score += weights[CAPTURES] * _prize(game, held, to)
    if weights[HUNT] != 0.0:
        score += weights[HUNT] * _prospect(game, buffers, AFTER, known.values)
    if weights[RISK] != 0.0:
        see_as_enemy(game, buffers, AFTER)
        score -= weights[RISK] * _prospect(game, buffers, ENEMY, known.values)
    return float(score)


@compiled
def _prospect(game: RuleArrays, buffers: LevelBuffers, row: int, values: Ints) -> float:
    """The mean number of pieces that one throw of fair lots can capture, each time the most."""
    mean = 0.0
    for faces in range(len(_SIXTEENTHS)):
        most = 0
        legal = list_moves(game, buffers.held[row], buffers.counts[row], values[faces], buffers.moves[1])
        for number in range(legal):
            most = max(most, _prize(game, buffers.held[row], buffers.moves[1, number, TO]))
        mean += most * _SIXTEENTHS[faces] / 16.0
    return mean


@inlined
def _prize(game: RuleArrays, held: Ints, to: int) -> int:
    """The number of pieces captured by landing there."""
    if to < 0 or held[to] == 0 or game.is_mine[held[to]]:
        return 0
    return int(game.own[held[to]] + game.captives[held[to]])


@compiled
def see_as_enemy(game: RuleArrays, buffers: LevelBuffers, row: int) -> None:
    """Write the position of a row into ENEMY as the other side sees it."""
    held, counts, places = buffers.held[ENEMY], buffers.counts[ENEMY], buffers.held.shape[1]
    for at in range(places):
        held[at] = game.mirrored[buffers.held[row, places - 1 - at]]
    for at in range(0, 8, 2):
        counts[at], counts[at + 1] = buffers.counts[row, at + 1], buffers.counts[row, at]
    counts[TURNED] = 1 - buffers.counts[row, TURNED] if game.fire[0] != game.fire[1] else 0


@compiled
def take(game: RuleArrays, buffers: LevelBuffers, step: int) -> None:
    """Make one of the OWN steps; NOW becomes the position after it."""
    make_move(
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
def list_steps(game: RuleArrays, buffers: LevelBuffers, row: int, one: int, two: int, whose: int) -> int:
    """List the steps in the position of a row, as Turn.steps does. Returns their number; overwrites the next row."""
    held, counts, after, sums = buffers.held[row], buffers.counts[row], buffers.held[row + 1], buffers.counts[row + 1]
    steps = buffers.steps[whose]
    total = 0
    goes_on = False
    if not (stands(counts, 0) and stands(counts, 1)):
        return 0
    for order in range(1 if two < 0 or one == two else 2):
        value, left = (one, two) if order == 0 else (two, one)
        legal = list_moves(game, held, counts, value, buffers.moves[0])
        for number in range(legal):
            copy(buffers.moves[0, number], steps[total])
            steps[total, VALUE], steps[total, GOES_ON] = value, 0
            if two >= 0:
                make_move(game, held, counts, steps[total], after, sums)
                if not (stands(sums, 0) and stands(sums, 1)):
                    steps[total, GOES_ON] = 1
                elif list_moves(game, after, sums, left, buffers.moves[1]):
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
    make_move(game, buffers.held[NOW], buffers.counts[NOW], step, buffers.held[AFTER], buffers.counts[AFTER])
    return float(_danger(game, buffers, AFTER, to, rolls, chances))


@compiled
def _danger(
    game: RuleArrays, buffers: LevelBuffers, row: int, place: int, rolls: Ints, chances: NDArray[np.float64]
) -> float:
    """The chance that the enemy's next turn can capture what the side to throw has on ``place``."""
    see_as_enemy(game, buffers, row)
    held, at = buffers.held[ENEMY], buffers.held.shape[1] - 1 - place
    danger = 0.0
    for roll in range(rolls.shape[0]):
        one, two = rolls[roll, 0], rolls[roll, 1]
        total = list_steps(game, buffers, ENEMY, one, two, ENEMYS)
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
    make_move(game, buffers.held[ENEMY], buffers.counts[ENEMY], step, held, counts)
    captures = False
    if stands(counts, 0) and stands(counts, 1):
        legal = list_moves(game, held, counts, two if step[VALUE] == one else one, buffers.moves[0])
        for number in range(legal):
            if _captures(game, held, buffers.moves[0, number], at):
                captures = True
    return captures

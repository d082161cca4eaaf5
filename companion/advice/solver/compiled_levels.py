"""Compiled: which steps a level chooses among. The same choices as companion.advice.levels, by lookup."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.advice.solving.compiled import compiled, inlined
from companion.advice.solving.lookup import OFF_HIGHWAY, Lookup
from companion.advice.solving.moves import (
    COUNTS,
    START,
    TO,
    TURNED,
    WHICH,
    list_moves,
    make_move,
    stands,
)

RANDOM, EASY, FAIR, HARD, EXPERT = range(5)
"""The levels by number."""
VALUE, GOES_ON = 4, 5
"""Of a step, beside its move: the value it uses; whether the other throw can then be used, or is not needed."""
NOW, AFTER, ENEMY, ENEMY_AFTER = range(4)
"""The rows of a room: the position as it is in the turn, after a step, and both as the enemy would throw in them."""
OWN, ENEMYS = range(2)
"""Whose steps."""

Ints = NDArray[np.int32]


class Room(NamedTuple):
    """Room to choose in, for one thread.

    held (4, places), counts (4, COUNTS): see NOW. steps (2, most steps, 6): see OWN; each is a move, its value, and
    whether it goes on. moves (2, most moves, 4): those of either throw.
    """

    held: Ints
    counts: Ints
    steps: Ints
    moves: Ints


def room(game: Lookup) -> Room:
    """A fresh one for that game."""
    places, most = game.before.shape[1], 1 + 2 * game.before.shape[1] * game.units.shape[1]
    return Room(
        held=np.zeros((4, places), np.int32),
        counts=np.zeros((4, COUNTS), np.int32),
        steps=np.zeros((2, 2 * most, 6), np.int32),
        moves=np.zeros((2, most, 4), np.int32),
    )


@compiled
def _moves(game: Lookup, held: Ints, counts: Ints, value: int, moves: Ints) -> int:
    # Called and not copied in: copies made this file take four times as long to compile.
    return int(list_moves(game, held, counts, value, moves))


@compiled
def _make(game: Lookup, held: Ints, counts: Ints, move: Ints, after: Ints, sums: Ints) -> None:
    make_move(game, held, counts, move, after, sums)


@compiled
def choices(game: Lookup, room: Room, level: int, one: int, two: int, rolls: Ints, chances: NDArray[np.float64]) -> int:
    """Put the steps that the level chooses among, in the position NOW, in front of OWN steps; answers how many.

    one, two: the values that are left of the turn, -1 for no second one. rolls, chances: of the enemy's next turn with
    fair lots, by which danger is judged; sixteenths, so that equal dangers are equal as they are summed up.
    """
    held, counts, steps = room.held[NOW], room.counts[NOW], room.steps[OWN]
    total = _list_steps(game, room, NOW, one, two, OWN)
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
        danger = _danger_after(game, room, steps[number], rolls, chances)
        start = steps[number, START]
        if level == HARD and start >= 0 and start != game.rules.field:
            danger -= _danger(game, room, NOW, start, rolls, chances)
        if danger < least:
            least = danger
            kept = 0
        if danger == least:
            copy(steps[number], steps[kept])
            kept += 1
    return kept


@compiled
def take(game: Lookup, room: Room, step: int) -> None:
    """Make that one of the OWN steps: NOW is the position after it."""
    _make(game, room.held[NOW], room.counts[NOW], room.steps[OWN, step], room.held[AFTER], room.counts[AFTER])
    copy(room.held[AFTER], room.held[NOW])
    copy(room.counts[AFTER], room.counts[NOW])


@compiled
def _list_steps(game: Lookup, room: Room, row: int, one: int, two: int, whose: int) -> int:
    """Every throw that may be used in the position of that row with every move, as Turn.steps tells; answers how many.

    The row after it is written over.
    """
    held, counts, after, sums = room.held[row], room.counts[row], room.held[row + 1], room.counts[row + 1]
    steps = room.steps[whose]
    total = 0
    goes_on = False
    if not (stands(counts, 0) and stands(counts, 1)):
        return 0
    for order in range(1 if two < 0 or one == two else 2):
        value, left = (one, two) if order == 0 else (two, one)
        legal = _moves(game, held, counts, value, room.moves[0])
        for number in range(legal):
            copy(room.moves[0, number], steps[total])
            steps[total, VALUE], steps[total, GOES_ON] = value, 0
            if two >= 0:
                _make(game, held, counts, steps[total], after, sums)
                if not (stands(sums, 0) and stands(sums, 1)):
                    steps[total, GOES_ON] = 1
                elif _moves(game, after, sums, left, room.moves[1]):
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
    """Write the values over what is in ``to``."""
    for at in range(values.shape[0]):
        to[at] = values[at]


@inlined
def _is_violent(game: Lookup, held: Ints, counts: Ints, step: Ints) -> bool:
    """Whether the step captures or slays."""
    start, to = step[START], step[TO]
    if to == OFF_HIGHWAY or to == game.fire[counts[TURNED]]:
        return bool(start >= 0 and game.unit_captives[game.units[held[start], step[WHICH]]] > 0)
    return bool(held[to] and not game.is_mine[held[to]])


@inlined
def _danger_after(game: Lookup, room: Room, step: Ints, rolls: Ints, chances: NDArray[np.float64]) -> float:
    to = step[TO]
    if to == OFF_HIGHWAY or to == game.rules.field:
        return 0.0
    if to == game.fire[room.counts[NOW, TURNED]]:
        return 1.0
    _make(game, room.held[NOW], room.counts[NOW], step, room.held[AFTER], room.counts[AFTER])
    return float(_danger(game, room, AFTER, to, rolls, chances))


@compiled
def _danger(game: Lookup, room: Room, row: int, place: int, rolls: Ints, chances: NDArray[np.float64]) -> float:
    """The chance that the enemy's next turn can capture what the side to throw has on that place."""
    held, counts, at = room.held[ENEMY], room.counts[ENEMY], room.held.shape[1] - 1 - place
    for other in range(held.shape[0]):
        held[other] = game.mirrored[room.held[row, held.shape[0] - 1 - other]]
    for count in range(0, 8, 2):
        counts[count], counts[count + 1] = room.counts[row, count + 1], room.counts[row, count]
    counts[TURNED] = 1 - room.counts[row, TURNED] if game.fire[0] != game.fire[1] else 0
    danger = 0.0
    for roll in range(rolls.shape[0]):
        one, two = rolls[roll, 0], rolls[roll, 1]
        total = _list_steps(game, room, ENEMY, one, two, ENEMYS)
        for number in range(total):
            step = room.steps[ENEMYS, number]
            if _captures(game, held, step, at) or (two >= 0 and _then_captures(game, room, step, one, two, at)):
                danger += chances[roll]
                break
    return danger


@inlined
def _captures(game: Lookup, held: Ints, move: Ints, at: int) -> bool:
    return bool(move[TO] == at and held[at] and not game.is_mine[held[at]])


@inlined
def _then_captures(game: Lookup, room: Room, step: Ints, one: int, two: int, at: int) -> bool:
    """Whether the enemy, having made that step, can capture on the place with its other throw."""
    held, counts = room.held[ENEMY_AFTER], room.counts[ENEMY_AFTER]
    _make(game, room.held[ENEMY], room.counts[ENEMY], step, held, counts)
    captures = False
    if stands(counts, 0) and stands(counts, 1):
        legal = _moves(game, held, counts, two if step[VALUE] == one else one, room.moves[0])
        for number in range(legal):
            if _captures(game, held, room.moves[0, number], at):
                captures = True
    return captures

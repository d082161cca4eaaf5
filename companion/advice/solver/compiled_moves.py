"""Compiled rules: the legal moves of a throw and their effects, from lookup tables."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.advice.solver.jit import compiled, inlined
from companion.advice.solver.ranking import DRAWN, LOST, WON
from companion.advice.solver.rule_arrays import NO_WAY, OFF_HIGHWAY, RuleArrays

BASE, OTHER_BASE, UNITS, OTHER_UNITS, SLAIN, OTHER_SLAIN, SPENT, OTHER_SPENT, TURNED = range(9)
"""Counts of a position besides its places' contents, each for the side to throw and for the other."""
COUNTS = 9
START, WHICH, TO, TURNS = range(4)
"""Columns of a move: its start (-1: the base), the unit there, its end, and whether the unit turns round."""


@compiled
def list_moves(
    game: RuleArrays, held: NDArray[np.int32], counts: NDArray[np.int32], value: int, moves: NDArray[np.int32]
) -> int:
    """List the legal moves of the side to throw with that value. Returns their number."""
    return int(list_moves_inlined(game, held, counts, value, moves))


@inlined
def list_moves_inlined(
    game: RuleArrays, held: NDArray[np.int32], counts: NDArray[np.int32], value: int, moves: NDArray[np.int32]
) -> int:
    """The same for the one caller that must be fast: each that it is inlined into takes seconds longer to compile."""
    if value == 0:
        return 0
    legal = 0
    if counts[BASE] and counts[UNITS] < game.rules.advancing:
        to, turns = game.entry[value], game.entry_turns[value]
        if _may_land(game, held[to], to, counts[TURNED]):
            moves[0, START], moves[0, WHICH], moves[0, TO], moves[0, TURNS] = -1, 0, to, turns
            legal = 1
    for start in range(held.shape[0]):
        content = held[start]
        if not game.is_mine[content]:
            continue
        for which in range(game.units.shape[1]):
            unit = game.units[content, which]
            if unit < 0:
                break
            to = game.ahead[unit, start, value]
            if to != NO_WAY:
                turns = game.turns[unit, start, value]
                if to == OFF_HIGHWAY:
                    fits = True
                else:
                    there = game.without[content, which] if to == start else held[to]
                    fits = _may_land(game, there, to, counts[TURNED])
                if fits:
                    moves[legal, START], moves[legal, WHICH], moves[legal, TO] = start, which, to
                    moves[legal, TURNS] = turns
                    legal += 1
            to = game.behind[unit, start, value]
            if to != NO_WAY and held[to] and not game.is_mine[held[to]]:
                moves[legal, START], moves[legal, WHICH], moves[legal, TO], moves[legal, TURNS] = start, which, to, 0
                legal += 1
    return legal


@inlined
def _may_land(game: RuleArrays, there: int, to: int, turned: int) -> bool:
    """Whether a unit may end on place ``to``, which holds ``there`` without the unit itself."""
    if there == 0 or not game.is_mine[there] or game.rules.sharing:
        return True
    return to == game.rules.field or to == game.fire[turned]


@compiled
def make_move(
    game: RuleArrays,
    held: NDArray[np.int32],
    counts: NDArray[np.int32],
    move: NDArray[np.int32],
    after: NDArray[np.int32],
    sums: NDArray[np.int32],
) -> None:
    """Make a legal move; writes the new contents and counts."""
    make_move_inlined(game, held, counts, move, after, sums)


@inlined
def make_move_inlined(
    game: RuleArrays,
    held: NDArray[np.int32],
    counts: NDArray[np.int32],
    move: NDArray[np.int32],
    after: NDArray[np.int32],
    sums: NDArray[np.int32],
) -> tuple[int, int]:
    """The same, inlined. Returns the first and the last place that changed."""
    rules = game.rules
    start, to = move[START], move[TO]
    for at in range(held.shape[0]):
        after[at] = held[at]
    for at in range(COUNTS):
        sums[at] = counts[at]
    unit = 0
    if start < 0:
        sums[BASE] -= 1
        sums[UNITS] += 1
        start = to
    else:
        unit = game.units[held[start], move[WHICH]]
        after[start] = game.without[held[start], move[WHICH]]
    own, captives = game.unit_own[unit], game.unit_captives[unit]
    spent = SPENT if rules.apart else SLAIN
    if to == OFF_HIGHWAY:
        sums[UNITS] -= 1
        if captives or game.unit_home[unit] or not rules.returns:
            _come_home(rules.rescued_slain, sums, own, captives)
        else:
            sums[BASE] += own
            if rules.liberation:
                return _liberate(game, after, sums)
        return start, start
    if to == game.fire[sums[TURNED]]:
        sums[UNITS] -= 1
        sums[spent] += own
        sums[OTHER_SLAIN] += captives
        return min(start, to), max(start, to)
    there = after[to]
    if there and not game.is_mine[there]:
        own += game.captives[there]
        captives += game.own[there]
        sums[OTHER_UNITS] -= game.units_held[there]
        if rules.leaves:
            after[to] = 0
            sums[UNITS] -= 1
            if rules.retires:
                sums[spent] += own
                sums[OTHER_SLAIN] += captives
            else:
                _come_home(rules.rescued_slain, sums, own, captives)
        else:
            after[to] = game.with_unit[0, game.unit_at[own, captives]]
    else:
        after[to] = game.with_unit[there, game.turned[unit] if move[TURNS] else unit]
    return min(start, to), max(start, to)


@inlined
def _come_home(rescued_slain: bool, sums: NDArray[np.int32], own: int, captives: int) -> None:
    sums[OTHER_SLAIN] += captives
    if rescued_slain:
        sums[BASE] += 1
        sums[SLAIN] += own - 1
    else:
        sums[BASE] += own


@inlined
def _liberate(game: RuleArrays, after: NDArray[np.int32], sums: NDArray[np.int32]) -> tuple[int, int]:
    for at in range(after.shape[0]):
        if not game.is_mine[after[at]]:
            sums[BASE] += game.captives[after[at]]
            after[at] = game.robbed[after[at]]
    return 0, after.shape[0] - 1


@inlined
def stands(counts: NDArray[np.int32], other: int) -> bool:
    return bool(counts[BASE + other] > 0 or counts[UNITS + other] > 0)


@inlined
def outcome(game: RuleArrays, counts: NDArray[np.int32]) -> int:
    """LOST, DRAWN or WON for the other side, where at most one side still stands."""
    gained = counts[OTHER_SLAIN] - counts[SLAIN] if game.rules.most_captures else 0
    if gained == 0:
        gained = int(stands(counts, 0)) - int(stands(counts, 1))
    return LOST if gained > 0 else WON if gained < 0 else DRAWN

"""Compiled: games between two levels, the same as ``companion.advice.match.play_game`` plays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.advice.solver.compiled_moves import BASE, OTHER_BASE, TURNED, list_moves, make_move, outcome, stands
from companion.advice.solver.compiled_results import MoveBuffers, address_after, see_as_other
from companion.advice.solver.jit import compiled, inlined
from companion.advice.solver.playing.compiled_levels import (
    AFTER,
    ENEMY,
    EXPERT,
    FIRST_STYLE,
    NO_VALUE,
    NOW,
    OWN,
    RANDOM,
    VALUE,
    LevelArrays,
    LevelBuffers,
    copy,
    keep,
    list_steps,
    see_as_enemy,
    take,
)
from companion.advice.solver.playing.mersenne_twister import Words, below, seed_state, uniform
from companion.advice.solver.ranking import DRAWN, WON
from companion.advice.solver.rule_arrays import RuleArrays

Ints = NDArray[np.int32]


class MatchSetting(NamedTuple):
    """What all games of a match have in common.

    win: (addresses,) uint16, the solved table; empty if no level needs it. throws: a turn's. marked: the chance of a
    marked face. known: what the levels know. levels: (2,) of Jade and Obsidian. longest: turns after which a game
    counts as drawn. unseeded: see ``mersenne_twister``.
    """

    win: NDArray[np.uint16]
    throws: int
    marked: float
    known: LevelArrays
    levels: Ints
    longest: int
    unseeded: Words


@compiled
def play_seeded(
    game: RuleArrays,
    setting: MatchSetting,
    moving: MoveBuffers,
    choosing: LevelBuffers,
    state: Words,
    keys: Words,
    lengths: Words,
    results: Words,
) -> None:
    """Play one game for each seed.

    Parameters
    ----------
    keys, lengths : (games, words) and (games,) int64 arrays
        The words of each seed, and their number.
    state : (WORDS + 1,) int64 array
        Buffer of the random generator.
    results : (games, 2) int64 array
        Written: Jade's result (0 lost, 1 drawn, 2 won), and the number of turns.
    """
    held, counts = choosing.held[NOW], choosing.counts[NOW]
    for number in range(results.shape[0]):
        seed_state(state, setting.unseeded, keys[number, : lengths[number]])
        side = _begins(setting, state)
        held[:], counts[:] = 0, 0
        counts[BASE] = counts[OTHER_BASE] = game.rules.pieces
        counts[TURNED] = side if game.fire[0] != game.fire[1] else 0
        result, turns = DRAWN, 0
        while turns < setting.longest and _may_go_on(game, setting, choosing):
            one = _thrown(setting, state)
            two = _thrown(setting, state) if setting.throws == 2 else NO_VALUE
            _play_turn(game, setting, moving, choosing, setting.levels[side], one, two, state)
            turns += 1
            side = 1 - side
            if not (stands(counts, 0) and stands(counts, 1)):
                result = outcome(game, counts)
                break
            see_as_enemy(game, choosing, NOW)
            copy(choosing.held[ENEMY], held)
            copy(choosing.counts[ENEMY], counts)
        results[number, 0] = result if side == 0 else WON - result
        results[number, 1] = turns


@compiled
def _play_turn(
    game: RuleArrays,
    setting: MatchSetting,
    moving: MoveBuffers,
    choosing: LevelBuffers,
    level: int,
    one: int,
    two: int,
    state: Words,
) -> None:
    """Play all of a turn; NOW becomes the position after it, as the same side sees it."""
    if level == EXPERT:
        copy(choosing.held[NOW], moving.held[0])
        copy(choosing.counts[NOW], moving.counts[0])
        see_as_other(game, moving)
    while True:
        kept = list_steps(game, choosing, NOW, one, two, OWN)
        if kept == 0:
            return
        slips = level >= FIRST_STYLE and uniform(state) < setting.known.slips[level - FIRST_STYLE]
        kept = keep(game, choosing, RANDOM if slips else level, kept, setting.known)
        step = _best(game, setting, moving, choosing, kept, one, two) if level == EXPERT else below(state, kept)
        used = choosing.steps[OWN, step, VALUE]
        take(game, choosing, step)
        if two < 0:
            return
        one, two = two if used == one else one, NO_VALUE


@compiled
def _best(
    game: RuleArrays, setting: MatchSetting, moving: MoveBuffers, choosing: LevelBuffers, kept: int, one: int, two: int
) -> int:
    """The first step that leaves the other side the least chance, after the best rest of the turn."""
    best, least = 0, 1 << 20
    held, counts = choosing.held[AFTER], choosing.counts[AFTER]
    for step in range(kept if kept > 1 else 0):
        make_move(game, choosing.held[NOW], choosing.counts[NOW], choosing.steps[OWN, step], held, counts)
        more = 0
        if two >= 0 and stands(counts, 0) and stands(counts, 1):
            left = two if choosing.steps[OWN, step, VALUE] == one else one
            more = list_moves(game, held, counts, left, choosing.moves[1])
        for second in range(max(1, more)):
            if more:
                make_move(game, held, counts, choosing.moves[1, second], moving.held[2], moving.counts[2])
            else:
                copy(held, moving.held[2])
                copy(counts, moving.counts[2])
            chance = int(setting.win[address_after(game, moving)])
            if chance < least:
                best, least = step, chance
    return best


@compiled
def _may_go_on(game: RuleArrays, setting: MatchSetting, choosing: LevelBuffers) -> bool:
    """Whether either side can move with any throw."""
    for value in setting.known.values:
        if list_moves(game, choosing.held[NOW], choosing.counts[NOW], value, choosing.moves[0]):
            return True
    see_as_enemy(game, choosing, NOW)
    for value in setting.known.values:
        if list_moves(game, choosing.held[ENEMY], choosing.counts[ENEMY], value, choosing.moves[0]):
            return True
    return False


@inlined
def _thrown(setting: MatchSetting, state: Words) -> int:
    faces = 0
    for _ in range(setting.known.values.shape[0] - 1):
        if uniform(state) < setting.marked:
            faces += 1
    value: int = setting.known.values[faces]
    return value


@compiled
def _begins(setting: MatchSetting, state: Words) -> int:
    """0 if Jade begins, 1 if Obsidian does: the side with the higher throw; at random if all are worth the same."""
    differ = False
    for value in setting.known.values:
        differ |= value != setting.known.values[0]
    if not differ:
        return below(state, 2)
    while True:
        jade = _thrown(setting, state)
        obsidian = _thrown(setting, state)
        if jade != obsidian:
            return 0 if jade > obsidian else 1

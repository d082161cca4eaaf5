"""Compiled: play whole games between two levels over a solved table, and measure them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.advice.solver.compiled_results import MoveBuffers, address_after, expand
from companion.advice.solver.jit import compiled, inlined
from companion.advice.solver.playing.compiled_habits import note_choice, note_position
from companion.advice.solver.playing.compiled_levels import (
    EXPERT,
    FIRST_STYLE,
    NO_VALUE,
    NOW,
    OWN,
    RANDOM,
    VALUE,
    LevelArrays,
    LevelBuffers,
    choices,
    copy,
    list_steps,
    take,
)
from companion.advice.solver.ranking import DRAWN, FIRST, LOST
from companion.advice.solver.rule_arrays import RuleArrays
from companion.advice.solver.solved_table import SCALE
from companion.advice.solver.sweeps import best_answer

POINTS, TURNS, LUCK, SWING, CHOICES, LOSS, SMALL, LARGE = 0, 1, 2, 3, 4, 6, 8, 10
"""Columns of a game's results: points of the first level (1 for a win, ½ for a draw), number of turns, sum of the
absolute changes of the chance by throws, and sum of their squares; then, each in two adjacent columns for (first,
second) level: turns with a choice, win chance lost in them, and choices in which the best and the second-best answer
differ by more than the small and the large gap."""
COLUMNS = 12
LONGEST = 10_000
"""Turns after which a game counts as drawn."""


@compiled
def play_games(
    game: RuleArrays,
    moving: MoveBuffers,
    choosing: LevelBuffers,
    win: NDArray[np.uint16],
    rolls: NDArray[np.int32],
    chances: NDArray[np.float64],
    known: LevelArrays,
    levels: NDArray[np.int32],
    starts: NDArray[np.int64],
    gaps: NDArray[np.int64],
    seed: int,
    first: int,
    random: NDArray[np.uint64],
    ends: NDArray[np.int64],
    found: NDArray[np.uint32],
    results: NDArray[np.float64],
    habits: NDArray[np.float64],
) -> None:
    """Play games between two levels and write their results.

    The throws of a game depend only on the seed and its number. Start positions alternate every two games, and the
    levels alternate in beginning.

    Parameters
    ----------
    win : (addresses,) uint16 array
        Win chance of the side to throw times SCALE.
    rolls : (rolls, 2) int32 array
        Values of a turn, -1 for no second one.
    chances : (rolls,) float64 array
        Probability of each roll with the given lots.
    known : LevelArrays
        What the levels know.
    levels : (2,) int32 array
        The levels by number.
    starts : (starts,) int64 array
        Addresses of the start positions.
    gaps : (2,) int64 array
        The small and the large gap, times SCALE.
    seed, first : int
        Seed of the match, and number of the first game.
    random : (1,) uint64 array, ends : (rolls + 1,) int64 array, found : uint32 array
        Buffers.
    results : (games, COLUMNS) float64 array
        Written; one row a game, for the columns see POINTS.
    habits : (games, HABITS) float64 array
        Written, unless it has no rows; for the columns see compiled_habits. Only for games of one throw a turn.
    """
    for number in range(results.shape[0]):
        random[0] = seed
        random[0] = _next(random) + np.uint64(first + number)
        random[0] = _next(random)
        player = (first + number) % 2
        address = starts[(first + number) // 2 % starts.shape[0]]
        row = results[number]
        for column in range(row.shape[0]):
            row[column] = 0.0
        while address >= FIRST and row[TURNS] < LONGEST:
            layer = _layer(game, address)
            rank = address - game.base[layer]
            roll = _roll(chances, random)
            expand(game, moving, layer, rank, ends[:2], rolls[roll : roll + 1], found)
            begin, end = 0, ends[1]
            if found[0] == DRAWN and _is_pass(game, moving, choosing, rolls[roll]):
                # This throw allows no move; only all throws together show whether any does.
                expand(game, moving, layer, rank, ends, rolls, found)
                begin, end = ends[roll], ends[roll + 1]
                if found[begin] == DRAWN:
                    address = DRAWN
                    break
            best, gap = _best(win, found, begin, end)
            now, before, after = address, int(win[address]), SCALE - int(win[best])
            address = best
            if habits.shape[0]:
                note_position(game, moving, win, now, habits[number])
            if gap >= 0:
                if levels[player] != EXPERT:
                    address = _chosen(game, moving, choosing, levels[player], rolls[roll], known, random)
                if habits.shape[0]:
                    first_plays = player == 0
                    note_choice(game, moving, win, found, begin, end, best, address, first_plays, habits[number])
                row[CHOICES + player] += 1
                row[LOSS + player] += (int(win[address]) - int(win[best])) / SCALE
                row[SMALL + player] += gap > gaps[0]
                row[LARGE + player] += gap > gaps[1]
            row[LUCK] += abs(after - before) / SCALE
            row[SWING] += ((after - before) / SCALE) ** 2
            row[TURNS] += 1
            player = 1 - player
        if address >= FIRST or address == DRAWN:
            row[POINTS] = 0.5
        else:
            row[POINTS] = player if address == LOST else 1 - player


@compiled
def _best(win: NDArray[np.uint16], found: NDArray[np.uint32], begin: int, end: int) -> tuple[int, int]:
    """The address that leaves the other side the least chance, and the gap to the second best; -1 if there is none."""
    best = best_answer(found, win, begin, end)
    gap = -1
    for at in range(begin, end):
        if found[at] != best:
            more = int(win[found[at]]) - int(win[best])
            if gap < 0 or more < gap:
                gap = more
    return int(best), gap


@compiled
def _chosen(
    game: RuleArrays,
    moving: MoveBuffers,
    choosing: LevelBuffers,
    level: int,
    roll: NDArray[np.int32],
    known: LevelArrays,
    random: NDArray[np.uint64],
) -> int:
    """The address after the level has played the turn. It has at least one step."""
    one, two = roll[0], roll[1]
    held, counts = choosing.held[NOW], choosing.counts[NOW]
    copy(moving.held[0], held)
    copy(moving.counts[0], counts)
    kept = choices(game, choosing, _slipping(level, known, random), one, two, known)
    step = int(_uniform(random) * kept)
    left = two if choosing.steps[OWN, step, VALUE] == one else one
    take(game, choosing, step)
    if two >= 0:
        kept = choices(game, choosing, _slipping(level, known, random), left, NO_VALUE, known)
        if kept:
            take(game, choosing, int(_uniform(random) * kept))
    copy(held, moving.held[2])
    copy(counts, moving.counts[2])
    return int(address_after(game, moving))


@inlined
def _slipping(level: int, known: LevelArrays, random: NDArray[np.uint64]) -> int:
    """The level, or RANDOM if it is a style that slips this time."""
    if level >= FIRST_STYLE and _uniform(random) < known.slips[level - FIRST_STYLE]:
        return RANDOM
    return level


@compiled
def _is_pass(
    game: RuleArrays,
    moving: MoveBuffers,
    choosing: LevelBuffers,
    roll: NDArray[np.int32],
) -> bool:
    copy(moving.held[0], choosing.held[NOW])
    copy(moving.counts[0], choosing.counts[NOW])
    return bool(list_steps(game, choosing, NOW, roll[0], roll[1], OWN) == 0)


@inlined
def _layer(game: RuleArrays, address: int) -> int:
    low, high = 0, game.base.shape[0]
    while high - low > 1:
        half = (low + high) // 2
        if game.base[half] <= address:
            low = half
        else:
            high = half
    return low


@inlined
def _roll(chances: NDArray[np.float64], random: NDArray[np.uint64]) -> int:
    drawn = _uniform(random)
    roll = 0
    while roll < chances.shape[0] - 1 and drawn >= chances[roll]:
        drawn -= chances[roll]
        roll += 1
    return roll


@inlined
def _uniform(random: NDArray[np.uint64]) -> float:
    """A random number in [0, 1)."""
    return float((_next(random) >> np.uint64(11)) * 2.0**-53)


@inlined
def _next(random: NDArray[np.uint64]) -> np.uint64:
    """SplitMix64 (Steele, Lea and Flood 2014); the same numbers on every machine."""
    random[0] += np.uint64(0x9E3779B97F4A7C15)
    mixed = random[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.uint64(mixed ^ (mixed >> np.uint64(31)))

"""Compiled: whole games between two levels over a solved table, and what is measured in them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.advice.solving.choosing import EXPERT, NOW, OWN, RANDOM, VALUE, Room, choices, copy, take
from companion.advice.solving.compiled import compiled, inlined
from companion.advice.solving.lookup import Lookup
from companion.advice.solving.moves import Desk, address_after, expand
from companion.advice.solving.ranking import DRAWN, FIRST, LOST
from companion.advice.table import SCALE

POINTS, TURNS, LUCK, SWING, CHOICES, LOSS, SMALL, LARGE = 0, 1, 2, 3, 4, 6, 8, 10
"""What is told of a game: points of the first level (1 a win, ½ a draw), turns taken, how much the throws changed the
chance in all, the squares of that, and for (the first, the second) level, in columns side by side: turns with a choice,
chance lost by them, and those in which the best and the second-best answer differ by more than the smaller and the
larger gap."""
COLUMNS = 12
LONGEST = 10_000
"""Turns after which a game counts as drawn."""


@compiled
def play_games(
    game: Lookup,
    desk: Desk,
    room: Room,
    win: NDArray[np.uint16],
    rolls: NDArray[np.int32],
    chances: NDArray[np.float64],
    fair: NDArray[np.float64],
    levels: NDArray[np.int32],
    starts: NDArray[np.int64],
    gaps: NDArray[np.int64],
    seed: int,
    first: int,
    random: NDArray[np.uint64],
    ends: NDArray[np.int64],
    found: NDArray[np.uint32],
    told: NDArray[np.float64],
) -> None:
    """Play the games numbered from ``first`` on between two levels, one for each row of ``told``; see POINTS.

    win: by address, for the side to throw, times SCALE. rolls, chances: of a turn; fair: the chances with fair lots.
    starts: the addresses in which games begin, taken in turn; the levels begin in turn. gaps: (smaller, larger), times
    SCALE. A game's throws follow from the seed and its number alone. random (1), ends (rolls + 1), found: room to
    work in.
    """
    for number in range(told.shape[0]):
        random[0] = seed
        random[0] = _next(random) + np.uint64(first + number)
        random[0] = _next(random)
        player = (first + number) % 2
        address = starts[(first + number) // 2 % starts.shape[0]]
        row = told[number]
        for column in range(row.shape[0]):
            row[column] = 0.0
        while address >= FIRST and row[TURNS] < LONGEST:
            layer = _layer(game, address)
            rank = address - game.base[layer]
            roll = _roll(chances, random)
            expand(game, desk, layer, rank, ends[:2], rolls[roll : roll + 1], found)
            begin, end = 0, ends[1]
            if found[0] == DRAWN and _is_pass(game, desk, room, rolls[roll], rolls, fair):
                # Nothing can be moved with this throw; whether anything ever can, only all throws tell.
                expand(game, desk, layer, rank, ends, rolls, found)
                begin, end = ends[roll], ends[roll + 1]
                if found[begin] == DRAWN:
                    address = DRAWN
                    break
            best, gap = _best(win, found, begin, end)
            before, after = int(win[address]), SCALE - int(win[best])
            address = best
            if gap >= 0:
                if levels[player] != EXPERT:
                    address = _chosen(game, desk, room, levels[player], rolls[roll], rolls, fair, random)
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
    """The answer that leaves the other side least, and how much more the next best leaves it; -1: there is none."""
    best = found[begin]
    for at in range(begin + 1, end):
        if win[found[at]] < win[best]:
            best = found[at]
    gap = -1
    for at in range(begin, end):
        if found[at] != best:
            more = int(win[found[at]]) - int(win[best])
            if gap < 0 or more < gap:
                gap = more
    return int(best), gap


@compiled
def _chosen(
    game: Lookup,
    desk: Desk,
    room: Room,
    level: int,
    roll: NDArray[np.int32],
    rolls: NDArray[np.int32],
    fair: NDArray[np.float64],
    random: NDArray[np.uint64],
) -> int:
    """Where the level takes a turn that it can use."""
    one, two = roll[0], roll[1]
    held, counts = room.held[NOW], room.counts[NOW]
    copy(desk.held[0], held)
    copy(desk.counts[0], counts)
    kept = choices(game, room, level, one, two, rolls, fair)
    step = int(_uniform(random) * kept)
    left = two if room.steps[OWN, step, VALUE] == one else one
    take(game, room, step)
    if two >= 0:
        kept = choices(game, room, level, left, -1, rolls, fair)
        if kept:
            take(game, room, int(_uniform(random) * kept))
    copy(held, desk.held[2])
    copy(counts, desk.counts[2])
    return int(address_after(game, desk, 0, held.shape[0] - 1))


@compiled
def _is_pass(
    game: Lookup,
    desk: Desk,
    room: Room,
    roll: NDArray[np.int32],
    rolls: NDArray[np.int32],
    fair: NDArray[np.float64],
) -> bool:
    copy(desk.held[0], room.held[NOW])
    copy(desk.counts[0], room.counts[NOW])
    return bool(choices(game, room, RANDOM, roll[0], roll[1], rolls, fair) == 0)


@inlined
def _layer(game: Lookup, address: int) -> int:
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
    """From 0 to 1, without 1."""
    return float((_next(random) >> np.uint64(11)) * 2.0**-53)


@inlined
def _next(random: NDArray[np.uint64]) -> np.uint64:
    """SplitMix64 by Steele, Lea and Flood (2014): the same numbers on every machine."""
    random[0] += np.uint64(0x9E3779B97F4A7C15)
    mixed = random[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.uint64(mixed ^ (mixed >> np.uint64(31)))

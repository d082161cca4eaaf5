"""Compiled move generator: the results of every throw as addresses. The moves of companion.rules, from lookup
tables."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.advice.solver.compiled_moves import (
    BASE,
    COUNTS,
    OTHER_BASE,
    OTHER_SLAIN,
    OTHER_SPENT,
    OTHER_UNITS,
    SLAIN,
    SPENT,
    TURNED,
    UNITS,
    list_moves,
    list_moves_inlined,
    make_move,
    make_move_inlined,
    outcome,
    stands,
)
from companion.advice.solver.jit import compiled, inlined
from companion.advice.solver.ranking import DRAWN
from companion.advice.solver.rule_arrays import RuleArrays


class MoveBuffers(NamedTuple):
    """Buffers of one thread for generating moves.

    Attributes
    ----------
    held : (3, places) int32 array
        Contents of the places: of the position, after the first throw, and after the move.
    counts : (3, COUNTS) int32 array
        The same for the counts.
    moves : (2, maximum moves, 4) int32 array
        Moves of each throw.
    states : (places + 1,) int32 array, sums : (places + 1,) int64 array
        States and partial sums of the position's address as the other side sees it.
    path : (places + 1,) int32 array, low : (places + 1,) int64 array
        The same as the side to throw sees it, to continue to the next address.
    """

    held: NDArray[np.int32]
    counts: NDArray[np.int32]
    moves: NDArray[np.int32]
    states: NDArray[np.int32]
    sums: NDArray[np.int64]
    path: NDArray[np.int32]
    low: NDArray[np.int64]


def move_buffers(game: RuleArrays) -> MoveBuffers:
    """Allocate buffers for a game."""
    places, most = game.before.shape[1], game.units.shape[1]
    return MoveBuffers(
        held=np.zeros((3, places), np.int32),
        counts=np.zeros((3, COUNTS), np.int32),
        moves=np.zeros((2, 1 + 2 * places * most, 4), np.int32),
        states=np.zeros(places + 1, np.int32),
        sums=np.zeros(places + 1, np.int64),
        path=np.zeros(places + 1, np.int32),
        low=np.zeros(places + 1, np.int64),
    )


@compiled
def expand(
    game: RuleArrays,
    buffers: MoveBuffers,
    layer: int,
    first: int,
    ends: NDArray[np.int64],
    rolls: NDArray[np.int32],
    found: NDArray[np.uint32],
) -> int:
    """Generate the results of every roll in consecutive positions of a layer.

    Parameters
    ----------
    layer, first : int
        Number of the layer, and rank of the first position in it.
    ends : (positions * rolls + 1,) int64 array
        Written: where in ``found`` the addresses of each roll of each position begin and end.
    rolls : (rolls, 2) int32 array
        Values of a turn, -1 for no second one.
    found : uint32 array
        Written: addresses as the side to throw next sees them.

    Returns
    -------
    int
        Number of positions done: fewer than ``ends`` has room for if ``found`` is full.
    """
    places = buffers.held.shape[1]
    most = found.shape[0] - buffers.moves.shape[1] * (buffers.moves.shape[1] * 2 if rolls[0, 1] >= 0 else 1)
    at = 0
    ends[0] = 0
    todo = int((ends.shape[0] - 1) // rolls.shape[0])
    for number in range(todo):
        place(game, buffers, layer, first + number, number == 0)
        see_as_other(game, buffers)
        before = at
        for roll in range(rolls.shape[0]):
            if at > most:
                return number
            begin = at
            if rolls[roll, 1] < 0:
                at = one_throw(game, buffers, rolls[roll, 0], found, at)
            else:
                at = two_throws(game, buffers, rolls[roll, 0], rolls[roll, 1], found, at)
            if at == begin:
                found[at] = buffers.sums[places]
                at += 1
            else:
                before = -1
            ends[number * rolls.shape[0] + roll + 1] = at
        if before >= 0 and other_is_stuck(game, buffers, rolls):
            for over in range(before, at):
                found[over] = DRAWN
    return todo


@inlined
def place(game: RuleArrays, buffers: MoveBuffers, layer: int, rank: int, afresh: bool) -> None:
    """Decode the position of a rank in the layer; unless ``afresh``, continue from an earlier rank of the same
    layer."""
    held, counts, path, low = buffers.held[0], buffers.counts[0], buffers.path, buffers.low
    places, last = held.shape[0], game.before.shape[3] - 1
    rules, layers = game.rules, game.layers[layer]
    turned = layers[4]
    at = 0
    if afresh:
        path[0] = game.starts[rules.pieces - layers[0] - layers[2], rules.pieces - layers[1] - layers[3]]
        low[0] = 0
    else:
        at = places - 1
        while at > 0 and rank >= low[at] + game.before[turned, at, path[at], last]:
            at -= 1
    while at < places:
        row = game.before[turned, at, path[at]]
        content, left = 0, rank - low[at]
        step = last
        while step > 1:
            # Binary search for the first content that ends beyond the rank.
            half = step // 2
            if row[content + half] <= left:
                content += half
                step -= half
            else:
                step = half
        held[at] = content
        low[at + 1] = low[at] + row[content]
        path[at + 1] = game.next[path[at], content]
        at += 1
    counts[BASE] = rules.pieces - layers[0] - layers[2]
    counts[OTHER_BASE] = rules.pieces - layers[1] - layers[3]
    counts[UNITS] = counts[OTHER_UNITS] = 0
    for at in range(places):
        content = held[at]
        if content:
            mine = 0 if game.is_mine[content] else 1
            counts[BASE + mine] -= game.own[content]
            counts[OTHER_BASE - mine] -= game.captives[content]
            counts[UNITS + mine] += game.units_held[content]
    counts[SLAIN], counts[OTHER_SLAIN], counts[SPENT], counts[OTHER_SPENT] = layers[0], layers[1], layers[2], layers[3]
    counts[TURNED] = turned


@inlined
def see_as_other(game: RuleArrays, buffers: MoveBuffers) -> None:
    """Compute the partial sums of the position's address as the other side sees it."""
    held, counts, states, sums = buffers.held[0], buffers.counts[0], buffers.states, buffers.sums
    places = held.shape[0]
    other = _layer_of_other(game, counts)
    turned = game.layers[other, 4]
    left = game.rules.pieces - counts[OTHER_SLAIN] - counts[OTHER_SPENT]
    states[0] = game.starts[left, game.rules.pieces - counts[SLAIN] - counts[SPENT]]
    sums[0] = game.base[other]
    for at in range(places):
        content = game.mirrored[held[places - 1 - at]]
        sums[at + 1] = sums[at] + game.before[turned, at, states[at], content]
        states[at + 1] = game.next[states[at], content]


@inlined
def _layer_of_other(game: RuleArrays, counts: NDArray[np.int32]) -> int:
    turned = 1 - counts[TURNED] if game.fire[0] != game.fire[1] else 0
    return int(game.layer_at[counts[OTHER_SLAIN], counts[SLAIN], counts[OTHER_SPENT], counts[SPENT], turned])


@inlined
def one_throw(game: RuleArrays, buffers: MoveBuffers, value: int, found: NDArray[np.uint32], at: int) -> int:
    """Append the results of one throw to ``found`` from index ``at``. Returns the index after them."""
    legal = list_moves_inlined(game, buffers.held[0], buffers.counts[0], value, buffers.moves[0])
    for number in range(legal):
        first, last = make_move_inlined(
            game, buffers.held[0], buffers.counts[0], buffers.moves[0, number], buffers.held[2], buffers.counts[2]
        )
        found[at] = address_after_inlined(game, buffers, first, last)
        at += 1
    return at


@compiled
def two_throws(game: RuleArrays, buffers: MoveBuffers, one: int, two: int, found: NDArray[np.uint32], at: int) -> int:
    """The same for two throws, both used if possible; a move that ends the game needs no second one."""
    goes_on = False
    places = buffers.held.shape[1]
    for take in range(2):
        for order in range(1 if one == two else 2):
            now, then = (one, two) if order == 0 else (two, one)
            legal = list_moves(game, buffers.held[0], buffers.counts[0], now, buffers.moves[0])
            for number in range(legal):
                make_move(
                    game,
                    buffers.held[0],
                    buffers.counts[0],
                    buffers.moves[0, number],
                    buffers.held[1],
                    buffers.counts[1],
                )
                over = not (stands(buffers.counts[1], 0) and stands(buffers.counts[1], 1))
                more = 0 if over else list_moves(game, buffers.held[1], buffers.counts[1], then, buffers.moves[1])
                if take == 0:
                    goes_on |= more > 0
                elif more or over or not goes_on:
                    for second in range(max(more, 1)):
                        if more:
                            make_move(
                                game,
                                buffers.held[1],
                                buffers.counts[1],
                                buffers.moves[1, second],
                                buffers.held[2],
                                buffers.counts[2],
                            )
                        else:
                            for place in range(places):
                                buffers.held[2, place] = buffers.held[1, place]
                            for count in range(COUNTS):
                                buffers.counts[2, count] = buffers.counts[1, count]
                        found[at] = address_after(game, buffers)
                        at += 1
    return at


@compiled
def address_after(game: RuleArrays, buffers: MoveBuffers) -> int:
    """The address of the position after a move, as the other side sees it, which throws next."""
    return int(address_after_inlined(game, buffers, 0, buffers.held.shape[1] - 1))


@inlined
def address_after_inlined(game: RuleArrays, buffers: MoveBuffers, first: int, last: int) -> int:
    """The same where only the places from ``first`` to ``last`` may differ from the position before the turn."""
    after, sums = buffers.held[2], buffers.counts[2]
    if not (stands(sums, 0) and stands(sums, 1)):
        return outcome(game, sums)
    places = after.shape[0]
    layer = _layer_of_other(game, sums)
    turned = game.layers[layer, 4]
    same = sums[SLAIN] == buffers.counts[0, SLAIN] and sums[OTHER_SLAIN] == buffers.counts[0, OTHER_SLAIN]
    same = same and sums[SPENT] == buffers.counts[0, SPENT] and sums[OTHER_SPENT] == buffers.counts[0, OTHER_SPENT]
    if same:
        at = places - 1 - last
        state, address = int(buffers.states[at]), int(buffers.sums[at])
    else:
        at = 0
        left = game.rules.pieces - sums[OTHER_SLAIN] - sums[OTHER_SPENT]
        state = int(game.starts[left, game.rules.pieces - sums[SLAIN] - sums[SPENT]])
        address = int(game.base[layer])
    while at < places:
        content = game.mirrored[after[places - 1 - at]]
        address += game.before[turned, at, state, content]
        state = game.next[state, content]
        at += 1
        if same and at >= places - first and state == buffers.states[at]:
            return int(address + buffers.sums[places] - buffers.sums[at])
    return address


@compiled
def other_is_stuck(game: RuleArrays, buffers: MoveBuffers, rolls: NDArray[np.int32]) -> bool:
    """Whether the other side has no move with any throw."""
    places = buffers.held.shape[1]
    for at in range(places):
        buffers.held[1, at] = game.mirrored[buffers.held[0, places - 1 - at]]
    for at in range(0, 8, 2):
        buffers.counts[1, at], buffers.counts[1, at + 1] = buffers.counts[0, at + 1], buffers.counts[0, at]
    buffers.counts[1, TURNED] = 1 - buffers.counts[0, TURNED] if game.fire[0] != game.fire[1] else 0
    for roll in range(rolls.shape[0]):
        for throw in range(2):
            value = rolls[roll, throw]
            if value > 0 and list_moves(game, buffers.held[1], buffers.counts[1], value, buffers.moves[1]):
                return False
    return True

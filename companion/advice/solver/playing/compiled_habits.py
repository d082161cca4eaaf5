"""Compiled: what kinds of move the table prefers, what the levels prefer to them, and what pieces are worth."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.advice.solver.compiled_moves import OTHER_SLAIN, SLAIN, START, TO, WHICH
from companion.advice.solver.compiled_results import MoveBuffers
from companion.advice.solver.jit import compiled
from companion.advice.solver.rule_arrays import OFF_HIGHWAY, RuleArrays
from companion.advice.solver.solved_table import SCALE

CAPTURE, HOME, ENTER, ADVANCE, LADEN, LEAVE = range(6)
"""Kinds of move: it captures; it brings captives home; a piece enters; a unit without captives advances; one with
captives does; a unit leaves the highway without captives. The first that fits."""
KINDS = 6
OFFERED, TAKEN, GAIN = range(3)
"""For each kind: choices that offer it and another kind; in how many it is best; the sum of its lead, which may be
negative."""
LOST = 3 * KINDS
"""First column of (best kind, kind played): the win chance that the first level lost so."""
LEAD = LOST + KINDS * KINDS
"""First column of (pieces ahead + MOST, number of positions and sum of chances)."""
MOST = 5
HELD = LEAD + 2 * (2 * MOST + 1)
"""The same for (captives held, while the other side holds none and both have lost as many pieces)."""
HABITS = HELD + 2 * (MOST + 1)


@compiled
def note_position(
    game: RuleArrays, moving: MoveBuffers, win: NDArray[np.uint16], address: int, row: NDArray[np.float64]
) -> None:
    """Add a position to the worth of pieces."""
    held, counts = moving.held[0], moving.counts[0]
    lead = counts[OTHER_SLAIN] - counts[SLAIN]
    at = LEAD + 2 * (min(MOST, max(-MOST, lead)) + MOST)
    row[at] += 1
    row[at + 1] += int(win[address]) / SCALE
    mine, theirs = 0, 0
    for place in range(held.shape[0]):
        content = held[place]
        if content and game.is_mine[content]:
            mine += game.captives[content]
        elif content:
            theirs += game.captives[content]
    if lead == 0 and theirs == 0:
        at = HELD + 2 * min(MOST, mine)
        row[at] += 1
        row[at + 1] += int(win[address]) / SCALE


@compiled
def note_choice(
    game: RuleArrays,
    moving: MoveBuffers,
    win: NDArray[np.uint16],
    found: NDArray[np.uint32],
    begin: int,
    end: int,
    best: int,
    played: int,
    counts_loss: bool,
    row: NDArray[np.float64],
) -> None:
    """Add a choice of one throw, whose moves are still in ``moving``, to the kinds of move."""
    good, made = -1, -1
    for at in range(begin, end):
        kind = _kind(game, moving, at - begin)
        if good < 0 and found[at] == best:
            good = kind
        if made < 0 and found[at] == played:
            made = kind
    if counts_loss:
        row[LOST + KINDS * good + made] += (int(win[played]) - int(win[best])) / SCALE
    for kind in range(KINDS):
        own, other = 1 << 20, 1 << 20
        for at in range(begin, end):
            chance = int(win[found[at]])
            if _kind(game, moving, at - begin) == kind:
                own = min(own, chance)
            else:
                other = min(other, chance)
        if own < 1 << 20 and other < 1 << 20:
            row[3 * kind + OFFERED] += 1
            row[3 * kind + TAKEN] += own < other
            row[3 * kind + GAIN] += (other - own) / SCALE


@compiled
def _kind(game: RuleArrays, moving: MoveBuffers, number: int) -> int:
    held, move = moving.held[0], moving.moves[0, number]
    start, to = move[START], move[TO]
    captives = game.unit_captives[game.units[held[start], move[WHICH]]] if start >= 0 else 0
    if to == OFF_HIGHWAY:
        return HOME if captives else LEAVE
    if held[to] and not game.is_mine[held[to]]:
        return CAPTURE
    if start < 0:
        return ENTER
    return LADEN if captives else ADVANCE

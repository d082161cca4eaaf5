"""Compiled: one pass over some positions, from where their throws lead to how likely they are to be won."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.advice.solving.compiled import compiled
from companion.advice.solving.ranking import FIRST

Floats = NDArray[np.float64]


@compiled
def improve(
    ends: NDArray[np.int64],
    found: NDArray[np.uint32],
    chances: Floats,
    win: Floats,
    policy: NDArray[np.uint32],
    new: Floats,
) -> None:
    """Choose the best answer to every roll, by the chances as they are, and tell the chances that follow.

    ends, found: see expand. chances (rolls): how likely each roll is. win: by address, for the side to throw.
    policy (positions, rolls): the address chosen. new (positions): the chances that follow.
    """
    rolls = chances.shape[0]
    for position in range(new.shape[0]):
        sum_ = 0.0
        for roll in range(rolls):
            begin, end = ends[position * rolls + roll], ends[position * rolls + roll + 1]
            best = found[begin]
            for at in range(begin + 1, end):
                if win[found[at]] < win[best]:
                    best = found[at]
            policy[position, roll] = best
            sum_ += chances[roll] * win[best]
        new[position] = 1.0 - sum_


@compiled
def evaluate(chances: Floats, win: Floats, policy: NDArray[np.uint32], new: Floats) -> None:
    """The chances of positions after one more turn, if everyone keeps to the policy."""
    for position in range(new.shape[0]):
        sum_ = 0.0
        for roll in range(chances.shape[0]):
            sum_ += chances[roll] * win[policy[position, roll]]
        new[position] = 1.0 - sum_


@compiled
def lasting(chances: Floats, length: Floats, policy: NDArray[np.uint32], start: int, new: Floats) -> None:
    """The turns that positions last on within a group, if everyone keeps to the policy.

    length: of the group's positions, which are those from the address ``start`` on.
    """
    for position in range(new.shape[0]):
        sum_ = 1.0
        for roll in range(chances.shape[0]):
            to = policy[position, roll]
            if start <= to < start + length.shape[0]:
                sum_ += chances[roll] * length[to - start]
        new[position] = sum_


@compiled
def settle(values: Floats, new: Floats) -> float:
    """Put the new values in the place of the old, and answer the largest change."""
    most = 0.0
    for at in range(new.shape[0]):
        change = abs(new[at] - values[at])
        if change > most:
            most = change
        values[at] = new[at]
    return most


@compiled
def prove(
    ends: NDArray[np.int64],
    found: NDArray[np.uint32],
    chances: Floats,
    win: Floats,
    below: Floats,
    above: Floats,
    outside: float,
    start: int,
    first: int,
    margin: float,
    new_below: Floats,
    new_above: Floats,
) -> int:
    """Look whether one more turn keeps every chance between its bounds, widen those that it does not, and count them.

    below, above: how much less and more the chances of a group's positions can be, which begin at the address
    ``start``; ``outside`` bounds all others but those of finished games. first: the address of the first position.
    margin: what a turn has to gain on a bound that claims a win, or a loss, to be likelier than not; see solver.prove.
    """
    rolls = chances.shape[0]
    inside = start + below.shape[0]
    widened = 0
    for position in range(new_below.shape[0]):
        low = high = 1.0
        for roll in range(rolls):
            least, most = 2.0, 2.0
            for at in range(ends[position * rolls + roll], ends[position * rolls + roll + 1]):
                to = found[at]
                if to < FIRST:
                    less = more = 0.0
                elif start <= to < inside:
                    less, more = below[to - start], above[to - start]
                else:
                    less = more = outside
                if win[to] + more < least:
                    least = win[to] + more
                if win[to] - less < most:
                    most = win[to] - less
            low -= chances[roll] * least
            high -= chances[roll] * most
        now, at = win[first + position], first + position - start
        less, more = below[at], above[at]
        need = now - low + (margin if now - less > 0.5 else 0.0)
        if need > less:
            less = need + margin
            widened += 1
        need = high - now + (margin if now + more < 0.5 else 0.0)
        if need > more:
            more = need + margin
            widened += 1
        new_below[position], new_above[position] = less, more
    return widened

"""Compiled: one sweep over some positions, from the results of their throws to their win chances."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.advice.solver.jit import compiled, inlined
from companion.advice.solver.ranking import FIRST

Floats = NDArray[np.float64]


@inlined
def best_answer(found: NDArray[np.uint32], win: Floats | NDArray[np.uint16], begin: int, end: int) -> np.uint32:
    """The address in ``found[begin:end]`` that leaves the other side the least chance; the first of equals."""
    best: np.uint32 = found[begin]
    for at in range(begin + 1, end):
        if win[found[at]] < win[best]:
            best = found[at]
    return best


@compiled
def improve(
    ends: NDArray[np.int64],
    found: NDArray[np.uint32],
    chances: Floats,
    win: Floats,
    policy: NDArray[np.uint32],
    new: Floats,
) -> None:
    """Choose the best answer to every roll by the current win chances.

    Parameters
    ----------
    ends, found : int64 and uint32 arrays
        See compiled_results.expand.
    chances : (rolls,) float64 array
        Probability of each roll.
    win : (addresses,) float64 array
        Win chances of the side to throw.
    policy : (positions, rolls) uint32 array
        Written: the address chosen.
    new : (positions,) float64 array
        Written: the resulting win chances.
    """
    rolls = chances.shape[0]
    for position in range(new.shape[0]):
        sum_ = 0.0
        for roll in range(rolls):
            begin, end = ends[position * rolls + roll], ends[position * rolls + roll + 1]
            best = best_answer(found, win, begin, end)
            policy[position, roll] = best
            sum_ += chances[roll] * win[best]
        new[position] = 1.0 - sum_


@compiled
def evaluate(chances: Floats, win: Floats, policy: NDArray[np.uint32], new: Floats) -> None:
    """Compute the win chances after one more turn by the policy. Arrays as in ``improve``; writes ``new``."""
    for position in range(new.shape[0]):
        sum_ = 0.0
        for roll in range(chances.shape[0]):
            sum_ += chances[roll] * win[policy[position, roll]]
        new[position] = 1.0 - sum_


@compiled
def lasting(chances: Floats, length: Floats, policy: NDArray[np.uint32], start: int, new: Floats) -> None:
    """Compute the expected number of turns that a game by the policy stays in a group, after one more turn.

    length: (positions of the group,) the current values; ``start`` is the group's first address. new: written.
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
    """Copy the new values over the old ones. Returns the largest change."""
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
    """Check whether one more turn keeps every chance within its bounds, and widen the bounds that it breaks.

    Parameters
    ----------
    ends, found : int64 and uint32 arrays
        See compiled_results.expand.
    chances : (rolls,) float64 array
        Probability of each roll.
    win : (addresses,) float64 array
        Win chances of the side to throw.
    below, above : (positions of the group,) float64 array
        How far the true chance may be below and above ``win``.
    outside : float
        The same for all positions of other groups; finished games are exact.
    start, first : int
        The first address of the group, and of the positions to check.
    margin : float
        What a turn must gain on a bound beyond one half; see companion.advice.solver.policy_iteration.
    new_below, new_above : (positions,) float64 array
        Written: the new bounds.

    Returns
    -------
    int
        Number of bounds widened.
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

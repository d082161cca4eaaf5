"""Compiled: one sweep over some positions, from the results of their throws to their win chances."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.advice.solver.jit import compiled, inlined
from companion.advice.solver.ranking import FIRST
from companion.advice.solver.workspace import Errors, Values

Floats = NDArray[np.float64]


@inlined
def best_answer(found: NDArray[np.uint32], win: Values | NDArray[np.uint16], begin: int, end: int) -> np.uint32:
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
    win: Values,
    whole: float,
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
    win : (addresses,) float64 or uint32 array
        Win chances of the side to throw.
    whole : float
        The number in ``win`` that stands for chance 1.
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
        new[position] = whole - sum_


@compiled
def evaluate(chances: Floats, win: Values, whole: float, policy: NDArray[np.uint32], new: Floats) -> None:
    """Compute the win chances after one more turn by the policy. Arrays as in ``improve``; writes ``new``."""
    for position in range(new.shape[0]):
        sum_ = 0.0
        for roll in range(chances.shape[0]):
            sum_ += chances[roll] * win[policy[position, roll]]
        new[position] = whole - sum_


@compiled
def accumulate(
    chances: Floats,
    error: Errors,
    turn: float,
    outside: float,
    policy: NDArray[np.uint32],
    start: int,
    new: Floats,
) -> None:
    """Compute the expected error of a game by the policy, after one more turn.

    error: (positions of the group,) the current values; ``start`` is the group's first address. turn: the error of one
    turn in the group. outside: that of leaving it. new: written, at most the largest integer that ``error`` holds.
    """
    for position in range(new.shape[0]):
        sum_ = turn
        for roll in range(chances.shape[0]):
            to = policy[position, roll]
            sum_ += chances[roll] * (error[to - start] if start <= to < start + error.shape[0] else outside)
        new[position] = min(sum_, np.iinfo(error.dtype).max)


@compiled
def settle(values: Values | Errors, new: Floats, rounds: bool) -> float:
    """Copy the new values over the old ones. Returns the largest change.

    rounds: whether values are integers. They change by whole numbers, rounded towards no change: rounded to the nearest
    they would change for ever.
    """
    most = 0.0
    for at in range(new.shape[0]):
        value = values[at] + np.trunc(new[at] - values[at]) if rounds else new[at]
        change = abs(value - values[at])
        if change > most:
            most = change
        values[at] = value
    return most


@compiled
def prove(
    ends: NDArray[np.int64],
    found: NDArray[np.uint32],
    chances: Floats,
    win: Values,
    whole: float,
    error: Errors,
    unit: float,
    outside: float,
    start: int,
    first: int,
    margin: float,
    new: Floats,
) -> None:
    """Check whether one more turn keeps every chance within its bounds, and widen the bounds that it breaks.

    Parameters
    ----------
    ends, found, chances, win, whole
        See ``improve``.
    error : (positions of the group,) uint16 or uint32 array
        How far the true chance may be from ``win``, in units.
    unit : float
        A unit in the numbers of ``win``, as are ``outside`` and ``margin``.
    outside : float
        The error of all positions of other groups; finished games are exact.
    start, first : int
        The first address of the group, and of the positions to check.
    margin : float
        What a turn must gain on a bound beyond one half; see companion.advice.solver.policy_iteration.
    new : (positions,) float64 array
        Written: the new errors, whole numbers of at most the largest that ``error`` holds.
    """
    rolls = chances.shape[0]
    inside = start + error.shape[0]
    for position in range(new.shape[0]):
        low = high = whole
        for roll in range(rolls):
            least, most = 2 * whole, 2 * whole
            for at in range(ends[position * rolls + roll], ends[position * rolls + roll + 1]):
                to = found[at]
                if to < FIRST:
                    wide = 0.0
                elif start <= to < inside:
                    wide = error[to - start] * unit
                else:
                    wide = outside
                if win[to] + wide < least:
                    least = win[to] + wide
                if win[to] - wide < most:
                    most = win[to] - wide
            low -= chances[roll] * least
            high -= chances[roll] * most
        now, units = win[first + position], error[first + position - start]
        wide = units * unit
        need = max(
            now - low + (margin if now - wide > 0.5 * whole else 0.0),
            high - now + (margin if now + wide < 0.5 * whole else 0.0),
        )
        new[position] = units if need <= wide else min(np.ceil((need + margin) / unit), np.iinfo(error.dtype).max)

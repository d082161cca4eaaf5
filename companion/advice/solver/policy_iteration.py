"""Policy iteration for positions that lead to each other: their win chances, and a proof of the error.

The method is policy iteration with in-place sweeps: choose the best answer to every roll by the current chances
(``improve``), iterate the chances for these choices (``evaluate``), and repeat until choosing changes no chance by more
than RESIDUAL. A group is swept in blocks. Each block is computed as a whole from the chances before it, so the result
is the same to the last bit for any number of threads.

A small residual does not mean a small error, so the chances are then bounded (``prove``). Let L and U be the chance of
the side to throw less and plus its error, and B the best that one turn makes of them: for L, the mean over the rolls of
the best 1 - U(s'); for U, that of the best 1 - L(s'). If L <= B everywhere, and L + margin <= B wherever L is above one
half, then L is proven: let the side play the best answers by L. Its bound never falls on average, and it
rises by the margin in every turn that begins above one half, which cannot continue for ever because no chance exceeds
1. So the game ends with a chance that is no smaller on average, or never ends where L is at most one half, which is the
value of a game without end. The same holds for U with the sides exchanged. See Everett (1957), Recursive games, where a
game without end pays nothing, and, for bounds from both sides, Haddad and Monmege (2018), Interval iteration algorithm
for MDPs and IMDPs. The rounding error of a turn's sums is below 1e-15; the margin is more than 10,000 times as large.

The chances of a large game are integers of 32 bits, and its errors of 16. Rounding them leaves no gap in the proof,
which is about the numbers as they are stored; it only makes the errors larger.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from companion.advice.solver.compiled_results import expand, move_buffers
from companion.advice.solver.ranking import WON
from companion.advice.solver.rule_arrays import RuleArrays
from companion.advice.solver.sweeps import accumulate, evaluate, improve, prove, settle
from companion.advice.solver.workspace import Errors, Values, Workspace

WORST_BOUND = 1e-6
"""The largest error accepted in a table, before rounding, and the largest that the errors' integers stand for."""
RESIDUAL = 1e-11
"""Iterating stops when no turn changes a chance by more, or by more than an integer of 1 where chances are integers. A
smaller value takes more sweeps and gives tighter bounds."""
MARGIN = 2e-11
"""See above. It is larger than RESIDUAL, so that few bounds must be widened."""
SETTLED = 0.02
"""Sweeps between two choices stop when they change this fraction of what the first did. Measured on puluc: a smaller
value sweeps longer for choices that are soon dropped, a larger one chooses more often, which costs ten sweeps."""
NEARLY_CHOSEN = 1e-3
"""Choices that change no chance by more are nearly the last, so the sweeps after them go on to the end. That saves two
or three of eleven choices on puluc and ritual-warfare."""
BLOCKS = 32
"""Blocks of a group that leads to itself. More blocks converge in fewer sweeps, and synchronise more often."""
TASK = 8192
"""Positions in a task that generates moves; their addresses fit into the processor's cache."""
LARGE = 1 << 22
"""Fewest positions in a block of a layer that leads to another. Fewer take less memory and synchronise more often."""
LONG_TASK = 65536
"""Positions in a task whose moves are known."""
MOST_SWEEPS = 2000
"""Maximum sweeps over the errors of a group. The documented games need one or two."""


@dataclass(frozen=True, slots=True)
class Span:
    """Consecutive positions of one layer. address, rank: of the first position; the rank counts within the layer."""

    layer: int
    address: int
    rank: int
    size: int


_Moves = tuple[int, NDArray[np.int32], NDArray[np.uint32]]
"""Kept moves of some positions of a block: the first of them, and ends and found as from compiled_results.expand."""


class LayerGroup:
    """Positions of one or two layers that lead to each other and to groups solved before.

    Parameters
    ----------
    rolls : (rolls, 2) int32 array
        Values of a turn, -1 for no second one.
    chances : (rolls,) float64 array
        Probability of each roll.
    win : (addresses,) float64 or uint32 array
        Win chances of all positions by address, multiplied by ``win[WON]``; those of this group are written.
    spans : tuple of Span
        The layers of the group, in order of address and without gaps.
    """

    def __init__(
        self,
        game: RuleArrays,
        rolls: NDArray[np.int32],
        chances: NDArray[np.float64],
        win: Values,
        spans: tuple[Span, ...],
        threads: ThreadPoolExecutor,
        workspace: Workspace,
    ) -> None:
        self._game, self._rolls, self._chances, self._win, self._threads = game, rolls, chances, win, threads
        self._whole = float(win[WON])
        self._step = 0.0 if win.dtype == np.float64 else 1 / self._whole
        self._residual = max(RESIDUAL, self._step)
        self._start = spans[0].address
        self._size = sum(span.size for span in spans)
        # The positions of one of two layers do not lead to each other, so its blocks only need less memory.
        least = TASK if len(spans) == 1 else LARGE
        self._blocks = tuple(block for span in spans for block in _split(span, max(least, span.size // BLOCKS)))
        self._new = np.empty(max(block.size for block in self._blocks))
        self._local = threading.local()
        self._kept: dict[int, list[_Moves]] = {}
        self._room, self._keeping = workspace.spare, threading.Lock()
        self._policy = workspace.policy((self._size, len(chances)))

    @property
    def win(self) -> Values:
        """(positions,) view of the win chances of this group."""
        return self._win[self._start : self._start + self._size]

    def solve(self) -> Iterator[float]:
        """Iterate from the current chances; yields the largest change of each round."""
        change = 1.0
        while change > self._residual:
            change = settled = self._choose()
            enough = change * SETTLED if change > NEARLY_CHOSEN else 0
            while settled > max(enough, RESIDUAL / 2, self._step):
                settled = self._evaluate()
            yield change

    def bound(self, outside: float) -> float:
        """The maximum error of the solved chances, given that of the groups before. Drops the choices.

        Raises ArithmeticError if it is not proven to be below WORST_BOUND.
        """
        integers = np.iinfo(np.uint16 if self._step else np.uint32)
        unit = WORST_BOUND / integers.max
        error: Errors = np.full(self._size, int(outside / unit), integers.dtype)
        self._accumulate(error, 2 * (MARGIN + self._step) / unit, outside / unit)
        del self._policy
        for _ in range(MOST_SWEEPS):
            widened = self._prove(error, unit * self._whole, outside * self._whole)
            if error.max() == integers.max:
                break
            if not widened:
                return float(error.max()) * unit
        raise ArithmeticError(f"no bound below {WORST_BOUND} for the positions from {self._start} on")

    def _choose(self) -> float:
        def task(block: Span, first: int, size: int) -> None:
            for begin, ends, found in self._expanded(block, first, size):
                count = (len(ends) - 1) // len(self._chances)
                at = block.address + begin - self._start
                policy, new = self._policy[at : at + count], self._new[begin : begin + count]
                improve(ends, found, self._chances, self._win, self._whole, policy, new)

        return self._swept(task, self.win, TASK) / self._whole

    def _evaluate(self) -> float:
        def task(block: Span, first: int, size: int) -> None:
            at = block.address + first - self._start
            policy, new = self._policy[at : at + size], self._new[first : first + size]
            evaluate(self._chances, self._win, self._whole, policy, new)

        return self._swept(task, self.win, LONG_TASK) / self._whole

    def _accumulate(self, error: Errors, turn: float, outside: float) -> None:
        """Raise the errors to what a game by the policy adds up, if each turn in the group adds ``turn``.

        That is only a start for ``_prove``, so it goes to about a tenth of a turn.
        """

        def task(block: Span, first: int, size: int) -> None:
            at = block.address + first - self._start
            policy, new = self._policy[at : at + size], self._new[first : first + size]
            accumulate(self._chances, error, turn, outside, policy, self._start, new)

        for _ in range(1000):
            if self._swept(task, error, LONG_TASK) < 0.1 * turn:
                break

    def _prove(self, error: Errors, unit: float, outside: float) -> bool:
        """Sweep the errors once, in units. Returns whether any had to be widened."""

        def task(block: Span, first: int, size: int) -> None:
            for begin, ends, found in self._expanded(block, first, size):
                new = self._new[begin : begin + (len(ends) - 1) // len(self._chances)]
                errors = (error, unit, outside, self._start, block.address + begin, MARGIN * self._whole)
                prove(ends, found, self._chances, self._win, self._whole, *errors, new)

        return self._swept(task, error, TASK) > 0

    def _swept(self, task: Callable[[Span, int, int], None], values: Values | Errors, size: int) -> float:
        """Run the task on every block and store its results as values. Returns the largest change."""
        most = 0.0
        for block in self._blocks:
            self._run(task, block, size)
            at = block.address - self._start
            now = values[at : at + block.size]
            most = max(most, settle(now, self._new[: block.size], values.dtype != np.float64))
        return most

    def _run(self, task: Callable[[Span, int, int], None], block: Span, size: int) -> None:
        cuts = [*range(0, block.size, size), block.size]
        parts: Iterable[tuple[int, int]] = ((first, end - first) for first, end in pairwise(cuts))
        if len(cuts) <= 2:
            for first, count in parts:
                task(block, first, count)
        else:
            list(self._threads.map(lambda part: task(block, *part), parts))

    def _expanded(
        self, block: Span, first: int, size: int
    ) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.uint32]]]:
        """Generate the moves of some positions of a block, in pieces: (first position of the piece, ends, found).

        They are the same in every round, so they are kept while there is room.
        """
        local, rolls, task = self._local, len(self._chances), block.address + first
        if task in self._kept:
            for at, ends, found in self._kept[task]:
                yield at, ends.astype(np.int64), found
            return
        keeps, kept = self._room > 0, list[_Moves]()
        if not hasattr(local, "buffers"):
            local.buffers = move_buffers(self._game)
            moves = local.buffers.moves.shape[1]
            local.found = np.empty(2 * moves * moves + TASK * 32, np.uint32)
            local.ends = np.empty(TASK * rolls + 1, np.int64)
        end = first + size
        while first < end:
            ends = local.ends[: (end - first) * rolls + 1]
            at = block.rank + first
            done = expand(self._game, local.buffers, block.layer, at, ends, self._rolls, local.found)
            ends = ends[: done * rolls + 1]
            yield first, ends, local.found
            if keeps:
                kept.append((first, ends.astype(np.int32), local.found[: ends[-1]].copy()))
            first += done
        if keeps:
            with self._keeping:
                self._kept[task] = kept
                self._room -= sum(ends.nbytes + found.nbytes for _, ends, found in kept)


def _split(span: Span, size: int) -> Iterator[Span]:
    for at in range(0, span.size, size):
        yield Span(span.layer, span.address + at, span.rank + at, min(size, span.size - at))

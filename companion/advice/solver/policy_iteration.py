"""Policy iteration for positions that lead to each other: their win chances, and a proof of the error.

The method is policy iteration with in-place sweeps: choose the best answer to every roll by the current chances
(``improve``), iterate the chances for these choices (``evaluate``), and repeat until choosing changes no chance by more
than RESIDUAL. A group is swept in blocks. Each block is computed as a whole from the chances before it, so the result
is the same to the last bit for any number of threads.

A small residual does not mean a small error, so the chances are then bounded (``prove``). Let L and U be lower and
upper bounds of the chance of the side to throw, and B the best that one turn makes of them: for L, the mean over the
rolls of the best 1 - U(s'); for U, that of the best 1 - L(s'). If L <= B everywhere, and L + margin <= B wherever L is
above one half, then L is proven: let the side play the best answers by L. Its bound never falls on average, and it
rises by the margin in every turn that begins above one half, which cannot continue for ever because no chance exceeds
1. So the game ends with a chance that is no smaller on average, or never ends where L is at most one half, which is the
value of a game without end. The same holds for U with the sides exchanged. See Everett (1957), Recursive games, where a
game without end pays nothing, and, for bounds from both sides, Haddad and Monmege (2018), Interval iteration algorithm
for MDPs and IMDPs. The rounding error of a turn's sums is below 1e-15; the margin is more than 10,000 times as large.
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
from companion.advice.solver.rule_arrays import RuleArrays
from companion.advice.solver.sweeps import evaluate, improve, lasting, prove, settle
from companion.advice.solver.workspace import Workspace

RESIDUAL = 1e-11
"""Iterating stops when no turn changes a chance by more. A smaller value takes more sweeps and gives tighter bounds."""
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
LONG_TASK = 65536
"""Positions in a task whose moves are known."""
MOST_SWEEPS = 2000
"""Maximum sweeps over the bounds of a group. The documented games need one or two."""


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
    win : (addresses,) float64 array
        Win chances of all positions by address; those of this group are written.
    spans : tuple of Span
        The layers of the group, in order of address and without gaps.
    """

    def __init__(
        self,
        game: RuleArrays,
        rolls: NDArray[np.int32],
        chances: NDArray[np.float64],
        win: NDArray[np.float64],
        spans: tuple[Span, ...],
        threads: ThreadPoolExecutor,
        workspace: Workspace,
    ) -> None:
        self._game, self._rolls, self._chances, self._win, self._threads = game, rolls, chances, win, threads
        self._one_throw: tuple[None, ...] = () if (rolls[:, 1] >= 0).any() else (None,)
        self._workspace = workspace
        self._start = spans[0].address
        self._size = sum(span.size for span in spans)
        self._blocks = tuple(spans) if len(spans) > 1 else tuple(_split(spans[0], max(TASK, spans[0].size // BLOCKS)))
        self._new = np.empty(max(block.size for block in self._blocks))
        self._local = threading.local()
        self._kept: dict[int, list[_Moves]] = {}
        self._room, self._keeping = workspace.spare, threading.Lock()
        self._policy = workspace.zeros((self._size, len(chances)), np.uint32)

    @property
    def win(self) -> NDArray[np.float64]:
        """(positions,) float64 view of the win chances of this group."""
        return self._win[self._start : self._start + self._size]

    def solve(self) -> Iterator[float]:
        """Iterate from the current chances; yields the largest change of each round."""
        change = 1.0
        while change > RESIDUAL:
            change = settled = self._choose()
            enough = change * SETTLED if change > NEARLY_CHOSEN else 0
            while settled > max(enough, RESIDUAL / 2):
                settled = self._evaluate()
            yield change

    def bound(self, outside: float) -> float:
        """The maximum error of the solved chances, given that of the groups before. Drops the choices.

        Raises ArithmeticError if no bound is found.
        """
        below = self._lasting()
        del self._policy
        below *= 2 * MARGIN
        below += outside
        above = self._workspace.zeros(self._size)
        above[:] = below
        for _ in range(MOST_SWEEPS):
            if not self._prove(below, above, outside):
                return float(max(below.max(), above.max()))
        raise ArithmeticError(f"no bound for the positions from {self._start} on after {MOST_SWEEPS} sweeps")

    def _choose(self) -> float:
        def task(block: Span, first: int, size: int) -> None:
            for begin, ends, found in self._expanded(block, first, size):
                count = (len(ends) - 1) // len(self._chances)
                at = block.address + begin - self._start
                new = self._new[begin : begin + count]
                improve(ends, found, self._chances, self._win, self._policy[at : at + count], new)

        return max(self._swept(task, self.win, self._new, TASK))

    def _evaluate(self) -> float:
        def task(block: Span, first: int, size: int) -> None:
            at = block.address + first - self._start
            evaluate(self._chances, self._win, self._policy[at : at + size], self._new[first : first + size])

        return max(self._swept(task, self.win, self._new, LONG_TASK))

    def _lasting(self) -> NDArray[np.float64]:
        """(positions,) expected turns that a game stays in the group, to about 0.1; only a start for the bounds."""
        length = self._workspace.zeros(self._size)
        length[:] = 1

        def task(block: Span, first: int, size: int) -> None:
            at = block.address + first - self._start
            lasting(self._chances, length, self._policy[at : at + size], self._start, self._new[first : first + size])

        for _ in range(1000):
            if max(self._swept(task, length, self._new, LONG_TASK)) < 0.1:
                break
        return length

    def _prove(self, below: NDArray[np.float64], above: NDArray[np.float64], outside: float) -> int:
        """Sweep the bounds once. Returns how many had to be widened."""
        widened = []
        more = np.empty_like(self._new)

        def task(block: Span, first: int, size: int) -> None:
            for begin, ends, found in self._expanded(block, first, size):
                count = (len(ends) - 1) // len(self._chances)
                new_below, new_above = self._new[begin : begin + count], more[begin : begin + count]
                at = block.address + begin
                bounds = (below, above, outside, self._start, at, MARGIN, new_below, new_above)
                widened.append(prove(ends, found, self._chances, self._win, *bounds))

        for block in self._blocks:
            self._run(task, block, TASK)
            at = block.address - self._start
            below[at : at + block.size] = self._new[: block.size]
            above[at : at + block.size] = more[: block.size]
        return sum(widened)

    def _swept(
        self,
        task: Callable[[Span, int, int], None],
        values: NDArray[np.float64],
        new: NDArray[np.float64],
        size: int,
    ) -> Iterator[float]:
        """Run the task on every block and store its results; yields the largest change of each block."""
        for block in self._blocks:
            self._run(task, block, size)
            at = block.address - self._start
            yield settle(values[at : at + block.size], new[: block.size])

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
            done = expand(self._game, local.buffers, block.layer, at, ends, self._rolls, local.found, *self._one_throw)
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

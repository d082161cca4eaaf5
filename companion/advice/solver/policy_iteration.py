"""Solves the positions that lead to each other: how likely each is to be won, and a proof of how exactly that is known.

The method is policy iteration with sweeps in place: choose the best answer to every roll by the chances as they are
(``improve``), let the chances settle for these choices (``evaluate``), and again, until choosing changes nothing by
more than RESIDUAL. A group is swept in blocks; a block is computed as a whole from the chances before it, whatever
the number of threads, so that the result is the same to the last bit on every run.

A small residual is no small error, so the chances are then bounded (``prove``). Call L and U bounds below and above
the chance of the side to throw, and B the best that a turn makes of them: L(s) becomes the mean over the rolls of the
best 1 - U(s'), U(s) that of the best 1 - L(s'). If L <= B everywhere, and L + margin <= B wherever L claims more than
one half, then L is proven: let the side play the best answers by L. Its bound never falls on average, and rises by
the margin on every turn that begins above one half, which cannot go on for ever, as no chance exceeds 1. So the game
ends, at a chance no smaller on average, or goes on for ever where L claims one half or less; and that is what a game
without end counts. The same holds for U with the sides exchanged. See Everett (1957), Recursive games, where a game
without end pays nothing; and for bounding from both sides Haddad and Monmege (2018), Interval iteration algorithm for
MDPs and IMDPs. The sums of a turn are off by less than 1e-15 as computed; the margin is 10,000 times as much, where
there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from threading import local

import numpy as np
from numpy.typing import NDArray

from companion.advice.solving.lookup import Lookup
from companion.advice.solving.moves import desk, expand
from companion.advice.solving.sweeps import evaluate, improve, lasting, prove, settle

RESIDUAL = 1e-11
"""What a turn may still change of a chance when iterating stops. Smaller takes a few more sweeps and bounds tighter."""
MARGIN = 2e-11
"""See above; larger than RESIDUAL, so that few bounds have to be widened."""
SETTLED = 0.02
"""Sweeps between two choices go on until they change this part of what the first did. Measured on puluc: smaller ones
sweep longer for choices that are soon dropped, larger ones choose more often, which costs ten sweeps."""
BLOCKS = 32
"""Blocks of a group that leads to itself: more of them settle in fewer sweeps, and wait for each other more often."""
TASK = 8192
"""Positions that a thread takes at a time to find the moves of; their addresses fit into the processor's cache."""
LONG_TASK = 65536
"""The same where the moves are known."""
MOST_SWEEPS = 2000
"""Over the bounds of a group. The games of the sources take one or two."""

Task = Callable[[int, int], object]


@dataclass(frozen=True, slots=True)
class Span:
    """Consecutive positions of one layer. address: of the first. rank: of the first within the layer."""

    layer: int
    address: int
    rank: int
    size: int


class Group:
    """Positions of one or two layers that lead to each other, and to groups solved before.

    game: the rules as arrays. rolls: (rolls, 2) the values of a turn, -1 for no second one; chances: of each (rolls).
    win: the chances of all positions by address; those of this group are written.
    spans: the layers of the group, in order of address and without gaps.
    """

    def __init__(
        self,
        game: Lookup,
        rolls: NDArray[np.int32],
        chances: NDArray[np.float64],
        win: NDArray[np.float64],
        spans: tuple[Span, ...],
        threads: ThreadPoolExecutor,
    ) -> None:
        self._game, self._rolls, self._chances, self._win, self._threads = game, rolls, chances, win, threads
        self._start = spans[0].address
        self._size = sum(span.size for span in spans)
        self._blocks = tuple(spans) if len(spans) > 1 else tuple(_split(spans[0], max(TASK, spans[0].size // BLOCKS)))
        self._new = np.empty(max(block.size for block in self._blocks))
        self._room = local()

    @property
    def win(self) -> NDArray[np.float64]:
        """The chances of this group's positions."""
        return self._win[self._start : self._start + self._size]

    def solve(self) -> Iterator[float]:
        """Go on from the chances as they are, round by round; tells what each round still changed."""
        policy = np.zeros((self._size, len(self._chances)), np.uint32)
        change = 1.0
        while change > RESIDUAL:
            change = self._choose(policy)
            settled = change
            while settled > max(change * SETTLED, RESIDUAL / 2):
                settled = self._evaluate(policy)
            yield change

    def bound(self, outside: float) -> float:
        """What the chances are off by at most, if those of the groups before are by at most ``outside``.

        Raises ArithmeticError where no bound is found.
        """
        below = self._lasting()
        below *= 2 * MARGIN
        below += outside
        above = below.copy()
        for _ in range(MOST_SWEEPS):
            if not self._prove(below, above, outside):
                return float(max(below.max(), above.max()))
        raise ArithmeticError(f"no bound for the positions from {self._start} on after {MOST_SWEEPS} sweeps")

    def _choose(self, policy: NDArray[np.uint32]) -> float:
        def task(block: Span, first: int, size: int) -> None:
            for begin, ends, found in self._expanded(block, first, size):
                count = (len(ends) - 1) // len(self._chances)
                at = block.address + begin - self._start
                new = self._new[begin : begin + count]
                improve(ends, found, self._chances, self._win, policy[at : at + count], new)

        return max(self._swept(task, self.win, self._new, TASK))

    def _evaluate(self, policy: NDArray[np.uint32]) -> float:
        def task(block: Span, first: int, size: int) -> None:
            at = block.address + first - self._start
            evaluate(self._chances, self._win, policy[at : at + size], self._new[first : first + size])

        return max(self._swept(task, self.win, self._new, LONG_TASK))

    def _lasting(self) -> NDArray[np.float64]:
        """How many turns the positions last within the group, to about a tenth; bounds only start from it."""
        policy, length = np.zeros((self._size, len(self._chances)), np.uint32), np.ones(self._size)
        self._choose(policy)

        def task(block: Span, first: int, size: int) -> None:
            at = block.address + first - self._start
            lasting(self._chances, length, policy[at : at + size], self._start, self._new[first : first + size])

        for _ in range(1000):
            if max(self._swept(task, length, self._new, LONG_TASK)) < 0.1:
                break
        return length

    def _prove(self, below: NDArray[np.float64], above: NDArray[np.float64], outside: float) -> int:
        """One sweep over the bounds; answers how many had to be widened."""
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
        """Run the task over every block, and put what it found in its place; tells what each block changed."""
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
        """Where the throws lead from positions of the block, in pieces: (the first of the piece, ends, found)."""
        room, rolls = self._room, len(self._chances)
        if not hasattr(room, "desk"):
            room.desk = desk(self._game)
            moves = room.desk.moves.shape[1]
            room.found = np.empty(2 * moves * moves + TASK * 32, np.uint32)
            room.ends = np.empty(TASK * rolls + 1, np.int64)
        end = first + size
        while first < end:
            ends = room.ends[: (end - first) * rolls + 1]
            done = expand(self._game, room.desk, block.layer, block.rank + first, ends, self._rolls, room.found)
            yield first, ends[: done * rolls + 1], room.found
            first += done


def _split(span: Span, size: int) -> Iterator[Span]:
    for at in range(0, span.size, size):
        yield Span(span.layer, span.address + at, span.rank + at, min(size, span.size - at))

"""Many games between levels over a solved table, in compiled code: tens of thousands a second."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import local

import numpy as np
from numpy.typing import NDArray

from companion.advice.solver.compiled_results import MoveBuffers, expand, move_buffers
from companion.advice.solver.playing.compiled_games import (
    CHOICES,
    COLUMNS,
    LARGE,
    LONGEST,
    LOSS,
    LUCK,
    POINTS,
    SMALL,
    SWING,
    TURNS,
    play_games,
)
from companion.advice.solver.playing.compiled_habits import HABITS
from companion.advice.solver.playing.compiled_levels import (
    FIRST_STYLE,
    NUMBERS,
    LevelBuffers,
    level_arrays,
    level_buffers,
)
from companion.advice.solver.playing.match_player import win_chances
from companion.advice.solver.rule_arrays import rule_arrays
from companion.advice.solver.solved_table import SCALE, SolvedTable
from companion.rules.odds import turn_odds
from companion.rules.position import Position
from companion.rules.unit import Side

SMALL_GAP, LARGE_GAP = 0.01, 0.08
"""The lead in win chance of the best answer over the second best when a choice matters, and matters much."""
_AT_A_TIME = 250

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over games, and its standard error."""

    value: float
    error: float

    @classmethod
    def of(cls, values: Floats) -> Mean:
        return cls(float(values.mean()), float(values.std(ddof=1) / len(values) ** 0.5))

    @classmethod
    def ratio(cls, parts: Floats, wholes: Floats) -> Mean | None:
        """The ratio of the sums of two (games,) arrays, or None if the wholes sum to 0.

        Events of one game are correlated, so the error is that of a ratio of sums over games (Cochran 1977, 6.4).
        """
        total = float(wholes.sum())
        if not total:
            return None
        ratio, games = float(parts.sum()) / total, len(parts)
        spread = float(np.square(parts - ratio * wholes).sum()) * games / (games - 1)
        return cls(ratio, spread**0.5 / total)


@dataclass(frozen=True, slots=True)
class MatchSamples:
    """The results of games of one level against another, each beginning half of them.

    results: (games, COLUMNS) float64 array, see compiled_games.POINTS. chances: (games,) that of the first level
    before the first throw. habits: (games, HABITS) float64 array, see compiled_habits; all 0 if they were not wanted.
    """

    results: Floats
    chances: Floats
    habits: Floats

    @property
    def points(self) -> Mean:
        """The share of games won by the first level, a draw counting half."""
        return Mean.of(self.results[:, POINTS])

    @property
    def expected(self) -> Mean:
        """The share of games that the first level wins against perfect play, without the luck of the throws.

        Against perfect play luck evens out, so a level wins what its starts are worth less all that its choices lose,
        which the table tells exactly.
        """
        return Mean.of(self.chances - self.results[:, LOSS])

    @property
    def choices_each(self) -> Floats:
        """(games,) the turns with a choice."""
        return self._both(CHOICES)

    @property
    def begun(self) -> Mean:
        """The share of games won by the side that began, a draw counting half. For a level against itself."""
        wins = self.results[:, POINTS].copy()
        wins[1::2] = 1 - wins[1::2]
        return Mean.of(wins)

    @property
    def draws(self) -> Mean:
        return Mean.of((self.results[:, POINTS] == 0.5).astype(np.float64))

    @property
    def turns(self) -> Mean:
        """Turns of a game, both sides' and passes included."""
        return Mean.of(self.results[:, TURNS])

    @property
    def lengths(self) -> Floats:
        """The turns of each game."""
        return self.results[:, TURNS]

    @property
    def unended(self) -> int:
        """Games that were stopped at the limit and counted as drawn."""
        return int((self.results[:, TURNS] >= LONGEST).sum())

    @property
    def luck(self) -> Mean | None:
        """The mean absolute change of the win chance by a throw."""
        return Mean.ratio(self.results[:, LUCK], self.results[:, TURNS])

    @property
    def swing(self) -> Mean | None:
        """The root mean square change of the win chance by a throw."""
        mean = Mean.ratio(self.results[:, SWING], self.results[:, TURNS])
        if not mean or not mean.value:
            return mean
        root = mean.value**0.5
        return Mean(root, mean.error / (2 * root))

    @property
    def choices(self) -> Mean | None:
        """The share of the turns that could end in more than one position."""
        return Mean.ratio(self._both(CHOICES), self.results[:, TURNS])

    @property
    def small(self) -> Mean | None:
        """The share of choices in which the best answer leads the next by more than SMALL_GAP."""
        return Mean.ratio(self._both(SMALL), self._both(CHOICES))

    @property
    def large(self) -> Mean | None:
        """The same with LARGE_GAP."""
        return Mean.ratio(self._both(LARGE), self._both(CHOICES))

    @property
    def loss(self) -> Mean | None:
        """The mean loss of a choice of the first level against the best one."""
        return Mean.ratio(self.results[:, LOSS], self.results[:, CHOICES])

    def _both(self, column: int) -> Floats:
        return self.results[:, column] + self.results[:, column + 1]


class CompiledMatches:
    """Plays matches over one solved table. Loads the compiled code and the whole table into memory."""

    def __init__(self, table: SolvedTable, threads: int | None = None) -> None:
        self._table, self._threads = table, threads or os.cpu_count() or 1
        self._game = rule_arrays(table.ranking)
        odds = turn_odds(table.rules, table.marked)
        self._values = tuple(odds)
        self._rolls = np.array([(*values, -1)[:2] for values in odds], np.int32)
        self._chances = np.array([float(chance) for chance in odds.values()])
        self._known = level_arrays(table.rules)
        self._win = win_chances(table)
        self._local = local()

    def start(self, side: Side = Side.JADE) -> float:
        """The chance of that side when it begins."""
        return int(self._win[self._start(side)]) / SCALE

    def first_throws(self, side: Side = Side.JADE) -> dict[tuple[int, ...], float]:
        """The chance of that side when it begins, by the values of its first turn."""
        bases = list(self._table.ranking.bases.values())
        address = self._start(side)
        layer = bisect_right(bases, address) - 1
        work, _, _, ends, found = self._buffers()
        expand(self._game, work, layer, address - bases[layer], ends, self._rolls, found)
        return {
            values: 1 - int(self._win[found[ends[roll] : ends[roll + 1]]].min()) / SCALE
            for roll, values in enumerate(self._values)
        }

    def _start(self, side: Side) -> int:
        address = self._table.ranking.address(Position.start(self._table.rules, side))
        assert address is not None
        return address

    def play(
        self,
        one: str,
        two: str,
        *,
        games: int,
        seed: int,
        habits: bool = False,
        progress: Callable[[int], object] | None = None,
    ) -> MatchSamples:
        """Play a match between two levels. The seed determines the games, whatever the number of threads.

        habits: whether to note them too; only for games of one throw a turn. progress: called after each batch with its
        number of games.
        """
        starts = np.array([self._start(side) for side in Side], np.int64)
        levels = np.array([NUMBERS[one], NUMBERS[two]], np.int32)
        gaps = np.array([round(SMALL_GAP * SCALE), round(LARGE_GAP * SCALE)], np.int64)
        results = np.zeros((games, COLUMNS))
        noted = np.zeros((games, HABITS))
        wanted = habits and self._table.rules.throws == 1
        begin = np.array([self.start(side) for side in Side])[np.arange(games) // 2 % len(Side)]
        begin[1::2] = 1 - begin[1::2]
        given = seed * FIRST_STYLE**2 + NUMBERS[one] * FIRST_STYLE + NUMBERS[two]

        def batch(first: int) -> int:
            part = results[first : first + _AT_A_TIME]
            moving, choosing, random, ends, found = self._buffers()
            play_games(
                self._game, moving, choosing, self._win, self._rolls, self._chances, self._known,
                levels, starts, gaps, given, first, random, ends, found, part,
                noted[first : first + len(part) if wanted else first],
            )  # fmt: skip
            return len(part)

        with ThreadPoolExecutor(self._threads) as pool:
            for done in pool.map(batch, range(0, games, _AT_A_TIME)):
                if progress:
                    progress(done)
        return MatchSamples(results, begin, noted)

    def _buffers(self) -> tuple[MoveBuffers, LevelBuffers, NDArray[np.uint64], NDArray[np.int64], NDArray[np.uint32]]:
        """The buffers of the calling thread."""
        if not hasattr(self._local, "work"):
            work, rolls = move_buffers(self._game), len(self._values)
            ends = np.zeros(rolls + 1, np.int64)
            found = np.zeros(2 * work.moves.shape[1] ** 2 * (rolls + 1), np.uint32)
            self._local.work = work, level_buffers(self._game), np.zeros(1, np.uint64), ends, found
        room_: tuple[MoveBuffers, LevelBuffers, NDArray[np.uint64], NDArray[np.int64], NDArray[np.uint32]] = (
            self._local.work
        )
        return room_

"""Many games between the levels over a solved table, by compiled code: tens of thousands a second."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import local

import numpy as np
from numpy.typing import NDArray

from companion.advice.odds import turn_odds
from companion.advice.solving.choosing import EASY, EXPERT, FAIR, HARD, RANDOM, Room, room
from companion.advice.solving.lookup import lookup
from companion.advice.solving.moves import Desk, desk, expand
from companion.advice.solving.playing import (
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
from companion.advice.solving.ranking import DRAWN, FIRST, LOST, WON
from companion.advice.table import SCALE, Table
from companion.rules.position import Position
from companion.rules.unit import Side

NUMBERS = {"random": RANDOM, "easy": EASY, "fair": FAIR, "hard": HARD, "expert": EXPERT}
"""The levels as compiled code knows them. Expert takes the best answer in the table, of equals the first."""
SMALL_GAP, LARGE_GAP = 0.01, 0.08
"""By how much the best answer wins more often than the second-best where a choice matters, and matters much."""
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
        """The sum of parts by the sum of wholes, where games are what was drawn; None of nothing.

        What happens in one game hangs together, so the error is that of the games' sums (Cochran 1977, 6.4).
        """
        total = float(wholes.sum())
        if not total:
            return None
        ratio, games = float(parts.sum()) / total, len(parts)
        spread = float(np.square(parts - ratio * wholes).sum()) * games / (games - 1)
        return cls(ratio, spread**0.5 / total)


@dataclass(frozen=True, slots=True)
class Playout:
    """What was measured in some games of a level against another; each began half of them.

    told: (games, COLUMNS) float64, see playing.POINTS.
    """

    told: Floats

    @property
    def points(self) -> Mean:
        """How often the first level won, a draw counting half."""
        return Mean.of(self.told[:, POINTS])

    @property
    def begun(self) -> Mean:
        """How often whoever began won, a draw counting half. For a level against itself."""
        wins = self.told[:, POINTS].copy()
        wins[1::2] = 1 - wins[1::2]
        return Mean.of(wins)

    @property
    def draws(self) -> Mean:
        return Mean.of((self.told[:, POINTS] == 0.5).astype(np.float64))

    @property
    def turns(self) -> Mean:
        """Turns of a game, both sides' and passes included."""
        return Mean.of(self.told[:, TURNS])

    @property
    def lengths(self) -> Floats:
        """The turns of each game."""
        return self.told[:, TURNS]

    @property
    def unended(self) -> int:
        """Games that were broken off, and counted as drawn."""
        return int((self.told[:, TURNS] >= LONGEST).sum())

    @property
    def luck(self) -> Mean | None:
        """What a throw changed of the chance, up or down."""
        return Mean.ratio(self.told[:, LUCK], self.told[:, TURNS])

    @property
    def swing(self) -> Mean | None:
        """The same as a root mean square, which large changes weigh more in."""
        mean = Mean.ratio(self.told[:, SWING], self.told[:, TURNS])
        if not mean or not mean.value:
            return mean
        root = mean.value**0.5
        return Mean(root, mean.error / (2 * root))

    @property
    def choices(self) -> Mean | None:
        """The share of the turns that could end in more than one position."""
        return Mean.ratio(self._both(CHOICES), self.told[:, TURNS])

    @property
    def small(self) -> Mean | None:
        """The share of those in which the best answer is better than the next by more than SMALL_GAP."""
        return Mean.ratio(self._both(SMALL), self._both(CHOICES))

    @property
    def large(self) -> Mean | None:
        """The same with LARGE_GAP."""
        return Mean.ratio(self._both(LARGE), self._both(CHOICES))

    @property
    def loss(self) -> Mean | None:
        """What a choice of the first level lost against the best one."""
        return Mean.ratio(self.told[:, LOSS], self.told[:, CHOICES])

    def _both(self, column: int) -> Floats:
        return self.told[:, column] + self.told[:, column + 1]


class Players:
    """The levels at one solved game. Loads compiled code when it is made, and the table into memory."""

    def __init__(self, table: Table, threads: int | None = None) -> None:
        self._table, self._threads = table, threads or os.cpu_count() or 1
        self._game = lookup(table.ranking)
        odds, fair = turn_odds(table.rules, table.marked), turn_odds(table.rules)
        self._values = tuple(odds)
        self._rolls = np.array([(*values, -1)[:2] for values in odds], np.int32)
        self._chances = np.array([float(chance) for chance in odds.values()])
        self._fair = np.array([float(fair[values]) for values in odds])
        self._win = np.empty(FIRST + table.positions, np.uint16)
        self._win[[LOST, DRAWN, WON]] = 0, SCALE // 2, SCALE
        self._win[FIRST:] = table.stored
        self._room = local()

    def start(self, side: Side = Side.JADE) -> float:
        """How likely that side wins where it begins."""
        return int(self._win[self._start(side)]) / SCALE

    def first_throws(self, side: Side = Side.JADE) -> dict[tuple[int, ...], float]:
        """How likely that side wins where it begins, by the values of its first turn."""
        bases = list(self._table.ranking.bases.values())
        address = self._start(side)
        layer = bisect_right(bases, address) - 1
        work, _, _, ends, found = self._desk()
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
        self, one: str, two: str, *, games: int, seed: int, progress: Callable[[int], object] | None = None
    ) -> Playout:
        """So many games between two levels; the same come of the same seed, however many threads share them.

        progress: told after each batch how many games it had.
        """
        starts = np.array([self._start(side) for side in Side], np.int64)
        levels = np.array([NUMBERS[one], NUMBERS[two]], np.int32)
        gaps = np.array([round(SMALL_GAP * SCALE), round(LARGE_GAP * SCALE)], np.int64)
        told = np.zeros((games, COLUMNS))
        given = seed * len(NUMBERS) ** 2 + NUMBERS[one] * len(NUMBERS) + NUMBERS[two]

        def batch(first: int) -> int:
            part = told[first : first + _AT_A_TIME]
            work, space, random, ends, found = self._desk()
            play_games(
                self._game, work, space, self._win, self._rolls, self._chances, self._fair,
                levels, starts, gaps, given, first, random, ends, found, part,
            )  # fmt: skip
            return len(part)

        with ThreadPoolExecutor(self._threads) as crew:
            for done in crew.map(batch, range(0, games, _AT_A_TIME)):
                if progress:
                    progress(done)
        return Playout(told)

    def _desk(self) -> tuple[Desk, Room, NDArray[np.uint64], NDArray[np.int64], NDArray[np.uint32]]:
        """Room to work in, for the thread that asks."""
        if not hasattr(self._room, "work"):
            work, rolls = desk(self._game), len(self._values)
            ends = np.zeros(rolls + 1, np.int64)
            found = np.zeros(2 * work.moves.shape[1] ** 2 * (rolls + 1), np.uint32)
            self._room.work = work, room(self._game), np.zeros(1, np.uint64), ends, found
        room_: tuple[Desk, Room, NDArray[np.uint64], NDArray[np.int64], NDArray[np.uint32]] = self._room.work
        return room_

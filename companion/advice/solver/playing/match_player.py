"""Games between two levels in compiled code, the same as the rules' own and many times faster."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from companion.advice.solver.compiled_results import move_buffers
from companion.advice.solver.playing.compiled_levels import NUMBERS, level_arrays, level_buffers
from companion.advice.solver.playing.compiled_match import MatchSetting, play_seeded
from companion.advice.solver.playing.mersenne_twister import WORDS, key, unseeded
from companion.advice.solver.ranking import DRAWN, FIRST, LOST, WON, Ranking
from companion.advice.solver.rule_arrays import rule_arrays
from companion.advice.solver.solved_table import SCALE, SolvedTable
from companion.rules.variant import Variant


def win_chances(table: SolvedTable) -> NDArray[np.uint16]:
    """(addresses,) the win chances of the side to throw times SCALE, with those of finished games."""
    win = np.empty(FIRST + table.positions, np.uint16)
    win[[LOST, DRAWN, WON]] = 0, SCALE // 2, SCALE
    win[FIRST:] = table.stored
    return win


class MatchPlayer:
    """Plays the games of a match from their seeds. Thread-safe.

    Parameters
    ----------
    jade, obsidian : str
        The levels. Expert plays by ``table``, which it needs.
    longest : int
        Turns after which a game counts as drawn.
    """

    def __init__(
        self, rules: Variant, marked: Fraction, jade: str, obsidian: str, *, longest: int, table: SolvedTable | None
    ) -> None:
        self._game = rule_arrays(table.ranking if table else Ranking(rules))
        self._setting = MatchSetting(
            win=win_chances(table) if table else np.empty(0, np.uint16),
            throws=rules.throws,
            marked=float(marked),
            known=level_arrays(rules),
            levels=np.array([NUMBERS[jade], NUMBERS[obsidian]], np.int32),
            longest=longest,
            unseeded=unseeded(),
        )

    def play(self, seeds: Sequence[str]) -> NDArray[np.int64]:
        """(games, 2): Jade's result (0 lost, 1 drawn, 2 won) and the turns of the game of each seed."""
        words = [key(seed) for seed in seeds]
        lengths = np.array([len(one) for one in words])
        keys = np.zeros((len(words), lengths.max()), np.int64)
        for row, one in zip(keys, words, strict=True):
            row[: len(one)] = one
        results = np.zeros((len(words), 2), np.int64)
        state = np.zeros(WORDS + 1, np.int64)
        moving, choosing = move_buffers(self._game), level_buffers(self._game)
        play_seeded(self._game, self._setting, moving, choosing, state, keys, lengths, results)
        return results

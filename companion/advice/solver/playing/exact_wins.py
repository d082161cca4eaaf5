"""How often a level wins against perfect play: computed for every position, instead of counted in games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.advice.solver.compiled_results import MoveBuffers, address_after, expand, move_buffers
from companion.advice.solver.jit import compiled
from companion.advice.solver.playing.compiled_levels import (
    FIRST_STYLE,
    NO_VALUE,
    NOW,
    NUMBERS,
    OWN,
    RANDOM,
    VALUE,
    LevelArrays,
    LevelBuffers,
    choices,
    copy,
    level_arrays,
    level_buffers,
    take,
)
from companion.advice.solver.playing.match_player import win_chances
from companion.advice.solver.ranking import groups
from companion.advice.solver.rule_arrays import RuleArrays, rule_arrays
from companion.advice.solver.solved_table import SCALE, SolvedTable
from companion.advice.solver.sweeps import best_answer
from companion.rules.odds import turn_odds
from companion.rules.position import Position
from companion.rules.unit import Side

CHANGE = 1e-8
"""A group's sweeps end when no chance changes by more. 1e-10 changes no figure's fifth digit."""
_AT_A_TIME = 8192
_MOST_ANSWERS = 1 << 20
"""Answers that a piece of a layer has room for; the rest of it becomes another piece."""

Floats = NDArray[np.float64]


class Answers(NamedTuple):
    """The answers of a level and of Expert in consecutive positions, by the addresses to which they lead.

    ends: (positions + 1,) where each position's answers of the level begin and end in ``to`` and ``likely``, of all
    its throws together. best: (positions, rolls) Expert's.
    """

    ends: NDArray[np.int64]
    to: NDArray[np.uint32]
    likely: Floats
    best: NDArray[np.uint32]


def exact_wins(table: SolvedTable, level: str) -> float:
    """The share of games that a level other than Expert wins against it, to seven digits; each begins half of them.

    Expert plays by the table. Both choose with known chances, so the chance in a position is the mean of those after
    its turn: linear equations, which are solved layer by layer, by iteration.
    """
    ranking, game = table.ranking, rule_arrays(table.ranking)
    chances = np.array([float(chance) for chance in turn_odds(table.rules, table.marked).values()])
    stored = win_chances(table)
    # The chance of the side to throw, where the level throws and where Expert does.
    levels, experts = stored / SCALE, stored / SCALE
    listed = _Listed(table, game, chances, stored, level)
    for group in groups(ranking.layers):
        pieces = [piece for layer in group for piece in listed.pieces(ranking.layers.index(layer))]
        change = 1.0
        while pieces and change > CHANGE:
            change = max(level_turn(levels, experts, first, answers) for first, answers in pieces)
            change = max(change, *(expert_turn(experts, levels, chances, first, answers) for first, answers in pieces))
    starts = [address for side in Side if (address := ranking.address(Position.start(table.rules, side))) is not None]
    return float(np.mean([levels[starts], 1 - experts[starts]]))


class _Listed:
    """Lists the answers of a level in a game."""

    def __init__(
        self, table: SolvedTable, game: RuleArrays, chances: Floats, stored: NDArray[np.uint16], level: str
    ) -> None:
        self._game, self._chances, self._stored, self._level = game, chances, stored, NUMBERS[level]
        self._rolls = np.array([(*values, -1)[:2] for values in turn_odds(table.rules, table.marked)], np.int32)
        self._sizes, self._known = table.ranking.sizes, level_arrays(table.rules)
        self._moving, self._choosing = move_buffers(game), level_buffers(game)
        self._results = np.zeros(len(chances) + 1, np.int64)
        self._found = np.zeros(2 * self._moving.moves.shape[1] ** 2 * (len(chances) + 1), np.uint32)
        self._to, self._likely = np.zeros(_MOST_ANSWERS, np.uint32), np.zeros(_MOST_ANSWERS)

    def pieces(self, layer: int) -> Iterator[tuple[int, Answers]]:
        """The answers in a layer piece by piece, each with the address of its first position."""
        rank = 0
        while rank < self._sizes[layer]:
            positions = min(_AT_A_TIME, self._sizes[layer] - rank)
            ends, best = np.zeros(positions + 1, np.int64), np.zeros((positions, len(self._chances)), np.uint32)
            done = list_answers(
                self._game, self._moving, self._choosing, self._stored, self._rolls, self._chances, self._known,
                self._level, layer, rank, self._results, self._found, Answers(ends, self._to, self._likely, best),
            )  # fmt: skip
            ends, many = ends[: done + 1], ends[done]
            yield (
                int(self._game.base[layer]) + rank,
                Answers(ends, self._to[:many].copy(), self._likely[:many].copy(), best[:done]),
            )
            rank += done


@compiled
def list_answers(
    game: RuleArrays,
    moving: MoveBuffers,
    choosing: LevelBuffers,
    win: NDArray[np.uint16],
    rolls: NDArray[np.int32],
    chances: Floats,
    known: LevelArrays,
    level: int,
    layer: int,
    first: int,
    results: NDArray[np.int64],
    found: NDArray[np.uint32],
    answers: Answers,
) -> int:
    """Write the answers in the positions of a layer from rank ``first`` on. Returns for how many there was room.

    win: (addresses,) chance of the side to throw times SCALE. rolls, chances: of a turn. results, found: buffers for
    what one position's throws lead to.
    """
    slip = known.slips[level - FIRST_STYLE] if level >= FIRST_STYLE else 0.0
    answers.ends[0] = 0
    at = int(answers.ends[0])  # not a plain 0, for which the functions that are passed it would be compiled twice
    for number in range(answers.best.shape[0]):
        if at + 2 * found.shape[0] > answers.to.shape[0]:
            return number
        expand(game, moving, layer, first + number, results, rolls, found)
        for roll in range(rolls.shape[0]):
            begin, answer = at, best_answer(found, win, results[roll], results[roll + 1])
            answers.best[number, roll] = answer
            for slips in range(2 if slip else 1):
                share = chances[roll] * (slip if slips else 1 - slip)
                plays = RANDOM if slips else level
                copy(moving.held[0], choosing.held[NOW])
                copy(moving.counts[0], choosing.counts[NOW])
                if rolls[roll, 1] < 0:
                    at = _list_throw(game, moving, choosing, known, plays, rolls[roll, 0], share, answers, at)
                else:
                    at = _list_throws(
                        game, moving, choosing, known, level, plays, slip, rolls[roll], share, answers, at
                    )
            if at == begin:
                answers.to[at], answers.likely[at] = answer, chances[roll]
                at += 1
        answers.ends[number + 1] = at
    return int(answers.best.shape[0])


@compiled
def _list_throw(
    game: RuleArrays,
    moving: MoveBuffers,
    choosing: LevelBuffers,
    known: LevelArrays,
    plays: int,
    value: int,
    share: float,
    answers: Answers,
    at: int,
) -> int:
    """Append the answers to one throw in position NOW, which is kept. Returns the index after them."""
    copy(choosing.held[NOW], moving.held[1])
    copy(choosing.counts[NOW], moving.counts[1])
    kept = choices(game, choosing, plays, value, NO_VALUE, known)
    for step in range(kept):
        take(game, choosing, step)
        at = _list_end(game, moving, choosing, share / kept, answers, at)
        copy(moving.held[1], choosing.held[NOW])
        copy(moving.counts[1], choosing.counts[NOW])
    return at


@compiled
def _list_throws(
    game: RuleArrays,
    moving: MoveBuffers,
    choosing: LevelBuffers,
    known: LevelArrays,
    level: int,
    plays: int,
    slip: float,
    roll: NDArray[np.int32],
    share: float,
    answers: Answers,
    at: int,
) -> int:
    """The same for two throws. plays: the level, or RANDOM if it slips at the first; at the second it may slip too."""
    kept = choices(game, choosing, plays, roll[0], roll[1], known)
    for step in range(kept):
        if step:
            copy(moving.held[0], choosing.held[NOW])
            copy(moving.counts[0], choosing.counts[NOW])
            choices(game, choosing, plays, roll[0], roll[1], known)
        left = roll[1] if choosing.steps[OWN, step, VALUE] == roll[0] else roll[0]
        take(game, choosing, step)
        begin = at
        for slips in range(2 if slip else 1):
            part = share / kept * (slip if slips else 1 - slip)
            at = _list_throw(game, moving, choosing, known, RANDOM if slips else level, left, part, answers, at)
        if at == begin:
            at = _list_end(game, moving, choosing, share / kept, answers, at)
    return at


@compiled
def _list_end(
    game: RuleArrays, moving: MoveBuffers, choosing: LevelBuffers, share: float, answers: Answers, at: int
) -> int:
    """Append position NOW. Returns the index after it."""
    copy(choosing.held[NOW], moving.held[2])
    copy(choosing.counts[NOW], moving.counts[2])
    answers.to[at] = address_after(game, moving)
    answers.likely[at] = share
    return at + 1


@compiled
def level_turn(levels: Floats, experts: Floats, first: int, answers: Answers) -> float:
    """Compute the chances where the level throws from those a turn later. Returns the largest change."""
    most = 0.0
    for number in range(answers.best.shape[0]):
        new = 1.0
        for at in range(answers.ends[number], answers.ends[number + 1]):
            new -= answers.likely[at] * experts[answers.to[at]]
        most = max(most, abs(new - levels[first + number]))
        levels[first + number] = new
    return most


@compiled
def expert_turn(experts: Floats, levels: Floats, chances: Floats, first: int, answers: Answers) -> float:
    """The same where Expert throws."""
    most = 0.0
    for number in range(answers.best.shape[0]):
        new = 1.0
        for roll in range(chances.shape[0]):
            new -= chances[roll] * levels[answers.best[number, roll]]
        most = max(most, abs(new - experts[first + number]))
        experts[first + number] = new
    return most

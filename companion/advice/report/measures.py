"""Measures of a solved game: its value, length, luck and choices, and how well the levels play it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from companion.advice.levels import EXPERT
from companion.advice.report.habits import KindOfMove, kinds_of_moves, mistakes, worth_of_captives, worth_of_lead
from companion.advice.solver.playing.exact_wins import exact_wins
from companion.advice.solver.playing.playout import CompiledMatches, Floats, Mean
from companion.advice.solver.solved_table import SolvedTable
from companion.advice.styles import OPPONENTS
from companion.rules.notation import parse
from companion.rules.odds import turn_odds
from companion.rules.turns import Turn
from companion.rules.unit import Side
from companion.rules.variant import Variant

LEVELS = ("random", "easy", "fair", "hard", EXPERT)
"""In the order of the report's tables, usually weakest first."""
EXAMPLES: Mapping[str, tuple[str, int]] = {
    "capture": ("3/2JJ3O1/4 0:0 J", 5),
    "captor": ("4/4Jo4/4 0:0 J", 3),
    "entry": ("4/3J5/5 0:0 J", 3),
}
"""Jade's choices with a throw that show a rule of thumb, on nine spaces with five pieces."""
PERFECT_GAMES = 5
"""Expert plays this many times the games of a pairing against itself, because rare events need more games."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelFigures:
    """How a level does against perfect play.

    wins: the share of games it wins, a draw counting half; each side begins half of them. loss: the win chance that one
    of its choices loses; None if it never had a choice.
    """

    wins: Mean
    loss: Mean | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The measures of one game. Chances are those of the side that throws first, or of the first level of a pairing.

    positions, error_bound, stored_bound: of the solved table. starts: the chances of (Jade, Obsidian) when that side
    begins; they differ only if a fire lies nearer to one side. first_throws: by the values of the first turn, their
    probability and the chance after them, when Jade begins. begun, draws, turns, luck, swing, choices, small, large,
    lengths, unended: from ``games`` games of Expert against itself, see MatchSamples. levels: against perfect play.
    pairings: how often the first level beats the second, over ``games_each`` games. ladder: how often each opponent
    with a style wins against perfect play, see MatchSamples.expected and exact_wins. kinds, lead, captives: of perfect
    games, see habits. mistakes: those of each level against perfect play. examples: see ``examples``.
    """

    rules: Variant
    marked: Fraction
    positions: int
    error_bound: float
    stored_bound: float
    starts: tuple[float, float]
    first_throws: Mapping[tuple[int, ...], tuple[float, float]]
    games: int
    begun: Mean
    draws: Mean
    turns: Mean
    luck: Mean
    swing: Mean
    choices: Mean
    small: Mean | None
    large: Mean | None
    lengths: Floats
    unended: int
    games_each: int
    levels: Mapping[str, LevelFigures]
    pairings: Mapping[tuple[str, str], Mean]
    ladder: Mapping[str, Mean]
    kinds: Mapping[str, KindOfMove]
    lead: Mapping[int, Mean]
    captives: Mapping[int, Mean]
    mistakes: Mapping[str, Mapping[tuple[str, str], float]]
    examples: Mapping[str, Mapping[str, float]]

    @property
    def start(self) -> float:
        """The chance of the side that begins, averaged over both sides."""
        return sum(self.starts) / 2

    def as_json(self) -> dict[str, Any]:
        """The measures ready for JSON; a mean is [value, standard error]."""
        return {
            "variant": self.rules.id,
            "rules": self.rules.rules(),
            "marked": str(self.marked),
            "positions": self.positions,
            "error_bound": self.error_bound,
            "stored_error_bound": self.stored_bound,
            "start": self.start,
            "starts": self.starts,
            "first_throws": [
                {"values": values, "chance": chance, "win": win} for values, (chance, win) in self.first_throws.items()
            ],
            "games": self.games,
            "begun": _pair(self.begun),
            "draws": _pair(self.draws),
            "turns": _pair(self.turns),
            "luck": _pair(self.luck),
            "swing": _pair(self.swing),
            "choices": _pair(self.choices),
            "choices_over_1_point": _pair(self.small),
            "choices_over_8_points": _pair(self.large),
            "unended": self.unended,
            "games_each": self.games_each,
            "levels": {
                name: {"wins": _pair(level.wins), "loss": _pair(level.loss)} for name, level in self.levels.items()
            },
            "ladder": {name: _pair(wins) for name, wins in self.ladder.items()},
            "kinds": {
                name: {"offered": _pair(kind.offered), "best": _pair(kind.best), "gain": _pair(kind.gain)}
                for name, kind in self.kinds.items()
            },
            "lead": {str(pieces): _pair(win) for pieces, win in self.lead.items()},
            "captives": {str(pieces): _pair(win) for pieces, win in self.captives.items()},
            "mistakes": {
                level: [{"best": best, "made": made, "share": share} for (best, made), share in found.items()]
                for level, found in self.mistakes.items()
            },
            "examples": {name: dict(wins) for name, wins in self.examples.items()},
            "pairings": [{"level": one, "against": two, "wins": _pair(m)} for (one, two), m in self.pairings.items()],
        }


def _pair(mean: Mean | None) -> tuple[float, float] | None:
    return None if mean is None else (mean.value, mean.error)


def games_needed(games: int) -> int:
    """The number of games to play for one variant."""
    return games * (PERFECT_GAMES + len(OPPONENTS) + sum(1 for _ in combinations(LEVELS, 2)))


def measure(
    table: SolvedTable,
    *,
    games: int,
    seed: int,
    exact: bool = False,
    progress: Callable[[int], object] | None = None,
    threads: int | None = None,
) -> Figures:
    """Measure a game by playing ``games`` games of every pairing of levels, and more of perfect play.

    The seed determines the figures, whatever the number of threads. exact: compute the ladder instead.
    progress: called with numbers of games as they are played; they sum to ``games_needed(games)``.
    """
    players = CompiledMatches(table, threads)
    perfect = players.play(EXPERT, EXPERT, games=PERFECT_GAMES * games, seed=seed, habits=True, progress=progress)
    wrong: dict[str, Mapping[tuple[str, str], float]] = {}
    levels: dict[str, LevelFigures] = {}
    pairings: dict[tuple[str, str], Mean] = {}
    for one, two in combinations(LEVELS, 2):
        played = players.play(one, two, games=games, seed=seed, habits=two == EXPERT, progress=progress)
        pairings[one, two] = played.points
        if two == EXPERT:
            levels[one] = LevelFigures(wins=played.points, loss=played.loss)
            wrong[one] = mistakes(played)
    ladder = {
        name: Mean(exact_wins(table, name), 0.0)
        if exact
        else players.play(name, EXPERT, games=games, seed=seed, progress=progress).expected
        for name in OPPONENTS
    }
    levels[EXPERT] = LevelFigures(wins=perfect.points, loss=perfect.loss)
    odds, throws = turn_odds(table.rules, table.marked), players.first_throws()
    luck, swing, choices = perfect.luck, perfect.swing, perfect.choices
    assert luck is not None
    assert swing is not None
    assert choices is not None
    return Figures(
        rules=table.rules,
        marked=table.marked,
        positions=table.positions,
        error_bound=table.error_bound,
        stored_bound=table.stored_bound,
        starts=(table.start, players.start(Side.OBSIDIAN) if len(table.ranking.orientations) > 1 else table.start),
        first_throws={values: (float(odds[values]), throws[values]) for values in sorted(throws)},
        games=PERFECT_GAMES * games,
        begun=perfect.begun,
        draws=perfect.draws,
        turns=perfect.turns,
        luck=luck,
        swing=swing,
        choices=choices,
        small=perfect.small,
        large=perfect.large,
        lengths=perfect.lengths,
        unended=perfect.unended,
        games_each=games,
        levels=levels,
        pairings=pairings,
        ladder=ladder,
        kinds=kinds_of_moves(perfect),
        lead=worth_of_lead(perfect),
        captives=worth_of_captives(perfect),
        mistakes=wrong,
        examples=examples(table),
    )


def examples(table: SolvedTable) -> Mapping[str, Mapping[str, float]]:
    """Jade's chance after each move in EXAMPLES, where the game has such a position and leads there."""
    found: dict[str, Mapping[str, float]] = {}
    rules = table.rules
    if (rules.spaces, rules.pieces, rules.throws) == (9, 5, 1):
        for name, (position, value) in EXAMPLES.items():
            turn = Turn(parse(position, rules), (value,))
            chances = {str(step.move): table.win(turn.after(step).handed_over()) for step in turn.steps()}
            found[name] = {move: 1 - win for move, win in chances.items() if win is not None}
    return found

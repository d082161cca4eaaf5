"""What is worth knowing of a solved game: its worth, length, luck and choices, and how well the levels play it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from companion.advice.levels import EXPERT
from companion.advice.odds import turn_odds
from companion.advice.playout import Floats, Mean, Players
from companion.advice.table import Table
from companion.rules.ruleset import Variant
from companion.rules.unit import Side

LEVELS = ("random", "easy", "fair", "hard", EXPERT)
"""In the order of the tables, the weakest first as a rule."""
PERFECT_GAMES = 5
"""So many times the games of a pairing are played by Expert against itself; what is rare needs more of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """How one level does against perfect play.

    wins: how often it wins, a draw counting half; begun by either side as often. loss: what a choice of it loses of
    the chance, where it has one; None if it never had.
    """

    wins: Mean
    loss: Mean | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Of one game. All chances are those of the side that throws first, or of the level named first.

    positions, error_bound, stored_bound: of its table. starts: the chance of (Jade, Obsidian) where that side begins;
    they differ only where the fire lies nearer to one. first_throws: how likely the values of the first turn are, and
    the chance after them, where Jade begins. begun, draws, turns, luck, swing, choices, small, large, lengths, unended:
    of ``games`` games that Expert played against itself, see Playout. levels: against perfect play. pairings: (level,
    stronger level) to how often the first wins, of ``games_each`` games.
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
    levels: Mapping[str, Level]
    pairings: Mapping[tuple[str, str], Mean]

    @property
    def start(self) -> float:
        """The chance of the side that begins, whichever it is."""
        return sum(self.starts) / 2

    def as_json(self) -> dict[str, Any]:
        """Ready for JSON; a mean is told as [value, standard error]."""
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
            "pairings": [{"level": one, "against": two, "wins": _pair(m)} for (one, two), m in self.pairings.items()],
        }


def _pair(mean: Mean | None) -> tuple[float, float] | None:
    return None if mean is None else (mean.value, mean.error)


def games_needed(games: int) -> int:
    """Games that are played to measure one variant."""
    return games * (PERFECT_GAMES + sum(1 for _ in combinations(LEVELS, 2)))


def measure(
    table: Table, *, games: int, seed: int, progress: Callable[[int], object] | None = None, threads: int | None = None
) -> Figures:
    """Play so many games of every pairing of levels, and more of perfect play, over that table.

    The same figures come of the same seed, however many threads share the games. progress: told of games as they are
    played, games_needed in all.
    """
    players = Players(table, threads)
    perfect = players.play(EXPERT, EXPERT, games=PERFECT_GAMES * games, seed=seed, progress=progress)
    levels: dict[str, Level] = {}
    pairings: dict[tuple[str, str], Mean] = {}
    for one, two in combinations(LEVELS, 2):
        played = players.play(one, two, games=games, seed=seed, progress=progress)
        pairings[one, two] = played.points
        if two == EXPERT:
            levels[one] = Level(wins=played.points, loss=played.loss)
    levels[EXPERT] = Level(wins=perfect.points, loss=perfect.loss)
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
    )

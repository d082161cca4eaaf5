"""Statistics of simulated games agree with exact computations."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from random import Random

import numpy as np
import pytest

from companion.advice.adviser import Adviser, terminal_value
from companion.advice.levels import EXPERT, LEVELS, expert
from companion.advice.search import SearchAdviser
from companion.advice.solver.playing.exact_wins import exact_wins
from companion.advice.solver.playing.playout import LARGE_GAP, SMALL_GAP, CompiledMatches, Mean
from companion.advice.solver.solved_table import SolvedTable
from companion.advice.solver.solver import solve
from companion.advice.styles import OPPONENTS
from companion.advice.table_adviser import TableAdviser
from companion.rules.odds import FAIR, turn_odds
from companion.rules.position import Position
from companion.rules.turns import Step, Turn
from companion.rules.unit import Side
from tests.advice.solver.recording_random import RecordingRandom
from tests.rules.games import game

pytestmark = pytest.mark.slow

GAMES = {
    "small": "puluc spaces=5 pieces=2 values=2,1,2,1,3",
    "drawn": "buluc spaces=5 pieces=2 exact_home=yes",
    "two throws": "aj-sayil spaces=5 pieces=1",
    "a fire off the middle": "puluc spaces=5 pieces=2 values=2,1,2,1,3 fire=2",
}
UNFAIR = Fraction(2, 3)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, SolvedTable]:
    folder = tmp_path_factory.mktemp("tables")
    solved = {name: solve(game(words), FAIR, folder) for name, words in GAMES.items()}
    return solved | {"unfair": solve(game(GAMES["small"]), UNFAIR, folder)}


@dataclass(frozen=True)
class Throw:
    """A turn of a game with its probability, and the chance of the side to throw after each result, best first."""

    turn: Turn
    chance: float
    worth: list[float]


class Answers:
    """What a table says of each turn, and what each level does in it; remembered for all pairings of levels."""

    def __init__(self, table: SolvedTable) -> None:
        self.rules = table.rules
        self.adviser: Adviser = TableAdviser(table, SearchAdviser(table.rules, table.marked, depth=1))
        self._odds = turn_odds(table.rules, table.marked)
        self.win = cache(lambda position: self.adviser.before_throw(position).win)
        self.throws = cache(self._throws)
        self.chosen = cache(lambda turn, level: list(self._chosen(turn, level)))

    def _throws(self, position: Position) -> list[Throw]:
        return [
            Throw(Turn(position, values), float(chance), self._worths(Turn(position, values)))
            for values, chance in self._odds.items()
        ]

    def _worths(self, turn: Turn) -> list[float]:
        """All ways to end the game with one result are one answer."""
        ends = turn.results() or {turn.handed_over()}
        over = {self.worth(end) for end in ends if end.is_decided()}
        return sorted([*(self.worth(end) for end in ends if not end.is_decided()), *over], reverse=True)

    def worth(self, end: Position) -> float:
        """The chance of the side that has just played."""
        over = terminal_value(end)
        return 1 - (self.win(end) if over is None else over)

    def _chosen(self, turn: Turn, level: str) -> Iterator[tuple[Position, float]]:
        if not turn.values or not turn.steps():
            yield turn.handed_over(), 1.0
            return
        slip = OPPONENTS[level].slip if level in OPPONENTS else 0.0
        for steps, share in ((self._options(turn, level), 1 - slip), (turn.steps(), slip)):
            for step in steps if share else ():
                for end, likely in self.chosen(turn.after(step), level):
                    yield end, likely * share / len(steps)

    def _options(self, turn: Turn, level: str) -> tuple[Step, ...]:
        """The steps that the level chooses among when it does not slip."""
        if level == EXPERT:
            return (expert(self.adviser)(turn, Random()),)
        chance = RecordingRandom()
        LEVELS[level](turn, chance)
        return chance.options


@dataclass
class Exact:
    """Exact means over all games of one level against another, by solving a linear system."""

    answers: Answers
    levels: tuple[str, str]

    def __post_init__(self) -> None:
        starts = [(Position.start(self.answers.rules, side), player) for side in Side for player in (0, 1)]
        rows: dict[tuple[Position, int], tuple[dict[tuple[Position, int], float], list[float]]] = {}
        new = set(starts)
        while new:
            for one in new:
                rows[one] = self._turn(*one)
            new = {after for one in new for after in rows[one][0]} - rows.keys()
        at = {one: number for number, one in enumerate(rows)}
        matrix, totals = np.eye(len(rows)), np.zeros((len(rows), 8))
        for one, (ways, sums) in rows.items():
            totals[at[one]] = sums
            for after, chance in ways.items():
                matrix[at[one], at[after]] -= chance
        means = np.linalg.solve(matrix, totals)
        self.points, self.turns, self.luck, self.choices, self.small, self.large, self.loss, self.squares = means[
            [at[one] for one in starts]
        ].mean(axis=0)

    def _turn(self, position: Position, player: int) -> tuple[dict[tuple[Position, int], float], list[float]]:
        """The results of a turn, and mean points, turns, luck, choices, those over each gap, loss, luck squared."""
        if (win := terminal_value(position)) is not None:
            return {}, [win if player == 0 else 1 - win, 0, 0, 0, 0, 0, 0, 0]
        ways: dict[tuple[Position, int], float] = {}
        sums = np.array([0.0, 1, 0, 0, 0, 0, 0, 0])
        before = self.answers.win(position)
        for throw in self.answers.throws(position):
            chance, worth = throw.chance, throw.worth
            sums[2] += chance * abs(worth[0] - before)
            sums[7] += chance * (worth[0] - before) ** 2
            if len(worth) > 1:
                counted = 1 if EXPERT == self.levels[0] == self.levels[1] or player == 0 else 0
                gap = worth[0] - worth[1]
                sums[3:6] += [chance * counted * it for it in (1, gap > SMALL_GAP, gap > LARGE_GAP)]
            for end, likely in self.answers.chosen(throw.turn, self.levels[player]):
                ways[end, 1 - player] = ways.get((end, 1 - player), 0.0) + chance * likely
                if player == 0:
                    sums[6] += chance * likely * (worth[0] - self.answers.worth(end))
        return ways, sums.tolist()


@pytest.fixture(scope="module")
def answers(tables: dict[str, SolvedTable]) -> dict[str, Answers]:
    return {name: Answers(table) for name, table in tables.items()}


def near(mean: Mean | None, exact: float) -> bool:
    """Check equality within four standard errors and the rounding of the table."""
    return mean is not None and abs(mean.value - exact) < 4 * mean.error + 1e-4


@pytest.mark.parametrize("name", [*GAMES, "unfair"])
def test_perfect_play_wins_as_often_as_the_table_says(tables: dict[str, SolvedTable], name: str) -> None:
    """In 100,000 games of Expert against itself with an uneven start, within four standard errors."""
    players = CompiledMatches(tables[name])
    played = players.play(EXPERT, EXPERT, games=100_000, seed=1)

    assert near(played.begun, (tables[name].start + players.start(Side.OBSIDIAN)) / 2)
    assert near(played.points, 0.5)
    assert played.unended == 0


@pytest.mark.parametrize("name", [*GAMES, "unfair"])
def test_perfect_play_statistics_are_exact(
    tables: dict[str, SolvedTable], answers: dict[str, Answers], name: str
) -> None:
    """Turns, luck, choices and their weight agree."""
    exact = Exact(answers[name], (EXPERT, EXPERT))
    played = CompiledMatches(tables[name]).play(EXPERT, EXPERT, games=40_000, seed=2)

    assert near(played.turns, exact.turns)
    assert near(played.luck, exact.luck / exact.turns)
    assert near(played.swing, (exact.squares / exact.turns) ** 0.5)
    assert near(played.choices, exact.choices / exact.turns)
    assert near(played.small, exact.small / exact.choices)
    assert near(played.large, exact.large / exact.choices)
    assert played.loss == Mean(0.0, 0.0)


@pytest.mark.parametrize(
    ("name", "pairing"),
    [("small", (level, EXPERT)) for level in LEVELS]
    + [("small", ("fair", "easy"))]
    + [(name, ("easy", EXPERT)) for name in (*GAMES, "unfair") if name != "small"],
)
def test_level_statistics_are_exact(
    tables: dict[str, SolvedTable], answers: dict[str, Answers], name: str, pairing: tuple[str, str]
) -> None:
    """Wins and losses of choices agree, against perfect play and against another level."""
    exact = Exact(answers[name], pairing)
    played = CompiledMatches(tables[name]).play(*pairing, games=20_000, seed=3)

    assert near(played.points, exact.points)
    assert near(played.turns, exact.turns)
    assert near(played.loss, exact.loss / exact.choices)


@pytest.mark.parametrize(("name", "level"), [("small", "hasty"), ("two throws", "bold"), ("drawn", "fair")])
def test_wins_against_perfect_play_are_exact(
    tables: dict[str, SolvedTable], answers: dict[str, Answers], name: str, level: str
) -> None:
    """With slips at either of two throws, with ties and with draws, computed without playing."""
    exact = Exact(answers[name], (level, EXPERT))

    assert exact_wins(tables[name], level) == pytest.approx(exact.points, abs=1e-7)


def test_draws_are_counted(tables: dict[str, SolvedTable]) -> None:
    """Draws occur in a game where units can get stuck, and only there."""
    drawn, never = (
        CompiledMatches(tables[name]).play("random", "random", games=2000, seed=1) for name in ("drawn", "small")
    )

    assert drawn.draws.value > 0.01
    assert never.draws == Mean(0.0, 0.0)


def test_the_same_seed_plays_the_same_games(tables: dict[str, SolvedTable]) -> None:
    """The games depend on the seed, not on the threads or the number of games."""
    table = tables["small"]
    one = CompiledMatches(table, threads=1).play("fair", "hard", games=1200, seed=5)
    two = CompiledMatches(table, threads=2).play("fair", "hard", games=700, seed=5)
    three = CompiledMatches(table, threads=2).play("fair", "hard", games=700, seed=6)

    np.testing.assert_array_equal(one.results[:700], two.results)
    assert (two.results != three.results).any()


def test_progress_counts_every_game(tables: dict[str, SolvedTable]) -> None:
    """The reported batches add up to the number of games."""
    reported: list[int] = []
    CompiledMatches(tables["small"]).play("easy", "random", games=1300, seed=1, progress=reported.append)

    assert sum(reported) == 1300
    assert len(reported) > 3


def test_the_first_throws_make_up_the_start(tables: dict[str, SolvedTable]) -> None:
    """Weighted by probability they give the chance of the start, for both sides and with unfair lots."""
    for table in tables.values():
        players, odds = CompiledMatches(table), turn_odds(table.rules, table.marked)
        for side in Side:
            mean = sum(float(odds[values]) * win for values, win in players.first_throws(side).items())

            assert mean == pytest.approx(players.start(side), abs=3 * table.stored_bound)
    burning = CompiledMatches(tables["a fire off the middle"])
    assert abs(burning.start(Side.JADE) - burning.start(Side.OBSIDIAN)) > 1e-3


def test_means_and_their_errors() -> None:
    """As computed by hand for two games with 1 of 2 and 3 of 4; an empty sum has no share."""
    mean = Mean.ratio(np.array([1.0, 3.0]), np.array([2.0, 4.0]))

    assert mean is not None
    assert mean.value == pytest.approx(4 / 6)
    assert mean.error == pytest.approx((2 * ((1 - 4 / 3) ** 2 + (3 - 8 / 3) ** 2)) ** 0.5 / 6)
    assert Mean.ratio(np.zeros(2), np.zeros(2)) is None
    assert Mean.of(np.array([0.0, 1.0])) == Mean(0.5, 0.5)

"""The search agrees with a plain recursion and keeps its limits in every game."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.advice.adviser import Estimate, EstimateSource, terminal_value
from companion.advice.search import SearchAdviser
from companion.rules.notation import parse, write
from companion.rules.odds import turn_odds
from companion.rules.position import Position
from companion.rules.turns import Turn
from companion.rules.variants import VARIANTS, variant
from tests.rules.games import game, random_game

GAMES = [
    "puluc spaces=5 pieces=2",
    "bul spaces=6 pieces=2 far_end=bounce values=bell",
    "aj-sakalil spaces=6 pieces=1 players=2",
    "bul-teams spaces=5 players=3 pieces=2",
    "aj-sayil spaces=7 pieces=2",
]


class BySpelling:
    """An arbitrary but fixed evaluation, on which any two searches must agree."""

    def __init__(self) -> None:
        self.asked = 0

    def wins(self, positions: Sequence[Position]) -> NDArray[np.float64]:
        self.asked += len(positions)
        return np.array([Random(write(position)).random() for position in positions])


def plain(position: Position, depth: int) -> float:
    """The win chance of the side to throw, by recursion."""
    over = terminal_value(position)
    if over is not None:
        return over
    if depth == 0:
        return float(BySpelling().wins([position])[0])
    total = 0.0
    for values, chance in turn_odds(position.rules).items():
        results = Turn(position, values).results() or {position.passed()}
        total += float(chance) * max(seen_by(position, result, depth - 1) for result in results)
    return total


def seen_by(position: Position, result: Position, depth: int) -> float:
    """The chance of the side to throw in ``position``, after the turn with this result."""
    win = plain(result, depth)
    return win if result.turn is position.turn else 1 - win


def positions(words: str, seed: int) -> list[Position]:
    return [position for position, _ in random_game(game(words), Random(seed), turns=12)][2::4]


@pytest.mark.parametrize("words", GAMES)
def test_agrees_with_a_plain_recursion(words: str) -> None:
    """Layers and merged positions do not change the result, even when players of one side throw in succession."""
    for depth in (1, 2) if game(words).throws == 2 else (1, 2, 3):
        adviser = SearchAdviser(game(words), depth=depth, judge=BySpelling())
        for position in positions(words, depth):
            assert adviser.before_throw(position).win == pytest.approx(plain(position, depth), abs=1e-12)


@pytest.mark.parametrize("words", GAMES)
def test_rates_each_step_by_the_best_that_follows(words: str) -> None:
    """All legal steps are rated, best first; the first of two throws by the best second one."""
    adviser = SearchAdviser(game(words), depth=2, judge=BySpelling())
    for position in positions(words, 7):
        for values in turn_odds(position.rules):
            turn = Turn(position, values)
            advice = adviser.in_turn(turn)
            wins = [rated.win for rated in advice.steps]

            assert {rated.step for rated in advice.steps} == set(turn.steps())
            assert wins == sorted(wins, reverse=True)
            for rated in advice.steps:
                after = turn.after(rated.step)
                ends = after.results() or {after.handed_over()}
                assert rated.win == pytest.approx(max(seen_by(position, end, 1) for end in ends), abs=1e-12)
            if not wins:
                assert advice.best.win == pytest.approx(seen_by(position, position.passed(), 1), abs=1e-12)


def test_finds_a_win_in_one() -> None:
    """Capturing the last enemy piece wins for certain, and is best."""
    turn = Turn(parse("4/1J1O5/0 0:4 J", variant("puluc")), (2,))
    advice = SearchAdviser(variant("puluc"), depth=1).in_turn(turn)

    assert (str(advice.steps[0].step.move), advice.steps[0].win) == ("2-4", 1.0)
    assert advice.best == Estimate(1.0, EstimateSource.SEARCH)


def test_a_finished_game_is_no_estimate() -> None:
    """Its value is exact."""
    won = parse("4/1J7/0 0:5 J", variant("puluc"))

    assert SearchAdviser(variant("puluc")).before_throw(won) == Estimate(1.0, EstimateSource.EXACT, 0.0)


def asked_by(limit_s: float, most: int = 60_000) -> int:
    """Number of positions evaluated in that time, on a clock that advances by a second at each reading."""
    judge, ticks = BySpelling(), count()
    rules = variant("puluc").changed({"spaces": "5", "pieces": "2"})
    adviser = SearchAdviser(rules, limit_s=limit_s, clock=lambda: float(next(ticks)), most=most, judge=judge)
    adviser.in_turn(Turn(parse("1/1J3/2 0:0 J", rules), (1,)))
    return judge.asked


def test_a_team_has_its_advice_in_half_a_second() -> None:
    """By a clock on which each position takes 5 ms."""
    ticks = count(step=0.005)
    rules = variant("bul").changed({"teams": "owned", "players": "3"})
    adviser = SearchAdviser(rules, clock=lambda: next(ticks), judge=BySpelling())
    adviser.in_turn(Turn(Position.start(rules), (3,)))

    assert 0.2 < next(ticks) < 0.5


def test_answers_even_without_any_time() -> None:
    """Without any time it evaluates only the results of the turn; with more time, more positions."""
    assert asked_by(0) == 2
    assert asked_by(0) < asked_by(30) < asked_by(3000)


def test_holds_no_more_positions_than_allowed() -> None:
    """It stops before a layer that would exceed the limit, even with time left."""
    assert asked_by(10_000, most=100) < 200 < asked_by(10_000, most=400)


@pytest.mark.parametrize("id", VARIANTS)
def test_answers_in_every_game(id: str) -> None:  # noqa: A002 - the field's own name
    """In every game, also with several players a side, it gives chances from 0 to 1, without a proven bound."""
    for words in {id, f"{id} players=2"} if variant(id).teams != "none" else {id}:
        adviser = SearchAdviser(game(words), depth=1)
        for position, values in list(random_game(game(words), Random(5), turns=30))[:-1:6]:
            advice = adviser.in_turn(Turn(position, values))

            assert all(0 <= rated.win <= 1 for rated in advice.steps)
            assert (advice.best.source, advice.best.error_bound) == (EstimateSource.SEARCH, None)

"""The chances of the two sides are consistent: in mirrored positions, through throws, and at the end."""

from pathlib import Path
from random import Random

import pytest

from companion.advice.adviser import Adviser
from companion.advice.solver.solver import solve
from companion.advice.table_adviser import AdviserFactory
from companion.rules.odds import FAIR, turn_odds
from companion.rules.position import Position
from companion.rules.turns import Turn
from companion.rules.variant import Variant
from tests.advice.solver.games import mirrored, mirrored_rules, some_positions
from tests.rules.games import game

pytestmark = pytest.mark.slow

GAMES = (
    "puluc spaces=6 pieces=2",
    "buluc spaces=6 pieces=3 exact_home=yes",
    "buul spaces=5 pieces=2",
    "aj-sayil spaces=7 pieces=2",
    "a-kaakil spaces=7 pieces=2 fire=4 advancing=2",
    "a-kaakil spaces=6 pieces=2 fire=2",
)
STRETCH = 200
"""Number of positions of random games to check."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


def solved(rules: Variant, folder: Path) -> Adviser:
    solve(rules, FAIR, folder)
    return AdviserFactory(folder)(rules, FAIR)


@pytest.mark.parametrize("words", GAMES)
def test_a_mirrored_position_is_as_likely_to_be_won(words: str, folder: Path) -> None:
    """Jade's chance here is Obsidian's chance there: before the throw, after it, and for each step."""
    rules = game(words)
    adviser, turned = solved(rules, folder), solved(mirrored_rules(rules), folder)
    choices = 0
    for position in some_positions(rules, STRETCH, Random(1)):
        assert turned.before_throw(mirrored(position)).win == adviser.before_throw(position).win
        for values in turn_odds(rules):
            here, there = adviser.in_turn(Turn(position, values)), turned.in_turn(Turn(mirrored(position), values))

            assert there.best.win == here.best.win
            assert sorted(one.win for one in there.steps) == sorted(one.win for one in here.steps)
            choices += len(here.steps) > 1
    assert choices


@pytest.mark.parametrize("words", GAMES)
def test_a_throw_adds_up_for_both_sides(words: str, folder: Path) -> None:
    """The mean over the throws is the chance before them; the chances of both sides add up to 1."""
    rules = game(words)
    adviser = solved(rules, folder)
    finished = 0
    for position in some_positions(rules, STRETCH, Random(2)):
        before = adviser.before_throw(position)
        mean = 0.0
        for values, chance in turn_odds(rules).items():
            turn = Turn(position, values)
            best = adviser.in_turn(turn).best.win
            left = [adviser.before_throw(end) for end in turn.results() or {turn.handed_over()}]
            finished += sum(one.error_bound == 0 for one in left)
            mean += float(chance) * best

            assert best + min(one.win for one in left) == pytest.approx(1, abs=1e-12)
        assert before.error_bound is not None
        if not position.is_drawn():
            assert mean == pytest.approx(before.win, abs=2 * before.error_bound)
    assert finished


def test_an_off_centre_fire_makes_the_sides_differ(folder: Path) -> None:
    """With an off-centre fire the chance of winning depends on who starts, so the tests above are not trivial."""
    rules = game("a-kaakil spaces=6 pieces=2 fire=2")
    adviser = solved(rules, folder)
    jade = Position.start(rules)

    assert abs(adviser.before_throw(jade).win - adviser.before_throw(jade.passed()).win) > 1e-3


@pytest.mark.parametrize("words", GAMES)
def test_the_end_adds_up(words: str, folder: Path) -> None:
    """After the end, the chances of both sides add up to 1."""
    rules = game(words)
    adviser = solved(rules, folder)
    over = 0
    for position in some_positions(rules, STRETCH, Random(3)):
        for values in turn_odds(rules):
            for end in Turn(position, values).results():
                if end.is_over():
                    over += 1

                    assert adviser.before_throw(end).win + adviser.before_throw(end.passed()).win == 1
    assert over

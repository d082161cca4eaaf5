"""Both sides are told the same: by mirrored positions, through throws, and at the end."""

from pathlib import Path
from random import Random

import pytest

from companion.advice.adviser import Adviser
from companion.advice.advisers import Advisers
from companion.advice.odds import FAIR, turn_odds
from companion.advice.solving.solver import solve
from companion.rules.position import Position
from companion.rules.ruleset import Variant
from companion.rules.turns import Turn
from companion.rules.unit import Unit
from tests.advice.solving.games import some_positions
from tests.rules.games import game

GAMES = (
    "puluc spaces=6 pieces=2",
    "buluc spaces=6 pieces=3 exact_home=yes",
    "buul spaces=5 pieces=2",
    "aj-sayil spaces=7 pieces=2",
    "a-kaakil spaces=7 pieces=2 fire=4 advancing=2",
    "a-kaakil spaces=6 pieces=2 fire=2",
)
STRETCH = 400
"""Positions of random games that are looked at."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


def solved(rules: Variant, folder: Path) -> Adviser:
    solve(rules, FAIR, folder)
    return Advisers(folder)(rules, FAIR)


def mirrored_rules(rules: Variant) -> Variant:
    """The same game with the highway turned round."""
    return rules if rules.fire is None else rules.changed({"fire": str(rules.spaces + 1 - rules.fire)})


def mirrored(position: Position) -> Position:
    """The sides exchanged, and the highway turned round."""

    def other(unit: Unit) -> Unit:
        return Unit(unit.owner.other, unit.player, unit.friends, unit.prey, unit.home)

    places = tuple(tuple(sorted(map(other, units), key=str)) for units in reversed(position.places))
    jade, obsidian = position.camps
    return Position(mirrored_rules(position.rules), places, (obsidian, jade), position.turn.other)


@pytest.mark.parametrize("words", GAMES)
def test_a_mirrored_position_is_as_likely_to_be_won(words: str, folder: Path) -> None:
    """Jade to throw here is Obsidian to throw there; before the throw, after it, and by every step."""
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
    """The mean over the throws is the chance before them; what a side is not told, the other is, up to 1."""
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


def test_a_fire_off_the_middle_tells_the_sides_apart(folder: Path) -> None:
    """So the mirror above is no matter of course: where Jade begins, it does not win as often as Obsidian would."""
    rules = game("a-kaakil spaces=6 pieces=2 fire=2")
    adviser = solved(rules, folder)
    jade = Position.start(rules)

    assert abs(adviser.before_throw(jade).win - adviser.before_throw(jade.passed()).win) > 1e-3


@pytest.mark.parametrize("words", GAMES)
def test_the_end_adds_up(words: str, folder: Path) -> None:
    """Of a game that is over, both sides together have one whole game."""
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

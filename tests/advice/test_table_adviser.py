"""Advice read from a table is the table's, and asks elsewhere only for what no game can reach."""

from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from companion.advice.adviser import Estimate, Source, TurnAdvice, settled
from companion.advice.advisers import Advisers
from companion.advice.odds import FAIR, turn_odds
from companion.advice.solving.solver import solve
from companion.advice.table import ROUNDING
from companion.advice.table_adviser import TableAdviser
from companion.errors import TableUnusable
from companion.rules.notation import parse
from companion.rules.position import Position
from companion.rules.ruleset import Variant
from companion.rules.turns import Turn
from companion.rules.variant import variant
from tests.advice.solving.games import some_positions

GAMES = [
    variant("puluc").changed({"spaces": "5", "pieces": "2"}),
    variant("aj-sayil").changed({"spaces": "6", "pieces": "2"}),
]


class Guess:
    """Answers one half to everything, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def before_throw(self, position: Position) -> Estimate:  # noqa: ARG002 - it guesses
        self.asked += 1
        return Estimate(0.5, Source.SEARCH)

    def in_turn(self, turn: Turn) -> TurnAdvice:  # noqa: ARG002 - it guesses
        self.asked += 1
        return TurnAdvice(Estimate(0.5, Source.SEARCH), ())


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.id)
def test_a_position_is_worth_the_mean_of_its_turns(rules: Variant, tmp_path: Path) -> None:
    """Before the throw as after it on average, within the stated error: the table contradicts itself nowhere."""
    guess = Guess()
    adviser = TableAdviser(solve(rules, FAIR, tmp_path), guess)
    for position in some_positions(rules, 60, Random(3)):
        before = adviser.before_throw(position)
        turns = [(chance, adviser.in_turn(Turn(position, values))) for values, chance in turn_odds(rules).items()]
        after = sum(float(chance) * advice.best.win for chance, advice in turns)

        assert before.source is Source.EXACT
        assert before.error_bound == pytest.approx(ROUNDING, rel=0.01)
        assert abs(before.win - after) <= 2 * ROUNDING + 1e-8
        for _, advice in turns:
            wins = [rated.win for rated in advice.steps]
            assert wins == sorted(wins, reverse=True)
    assert guess.asked == 0


def test_both_sides_see_the_same_board(tmp_path: Path) -> None:
    """The mirrored position has the same chance for the other side."""
    rules = GAMES[0]
    adviser = TableAdviser(solve(rules, FAIR, tmp_path), Guess())

    for jade, obsidian in (("1/1J2O/1 0:0 J", "1/J2O1/1 0:0 O"), ("0/2Jo2/1 1:0 J", "1/2Oj2/0 0:1 O")):
        one, other = (adviser.before_throw(parse(text, rules)) for text in (jade, obsidian))
        assert one == other
        assert settled(parse(jade, rules)) is None


def test_what_no_game_reaches_is_asked_elsewhere(tmp_path: Path) -> None:
    """Two friends without a captive: the search answers, and its answer is no more than an estimate."""
    rules, guess = GAMES[0], Guess()
    adviser = TableAdviser(solve(rules, FAIR, tmp_path), guess)
    odd = parse("0/2Jj2/2 0:0 J", rules)

    assert adviser.before_throw(odd).source is Source.SEARCH
    assert adviser.in_turn(Turn(odd, (1,))).best.source is Source.SEARCH
    assert guess.asked == 2


def test_a_table_made_later_is_found_then(tmp_path: Path) -> None:
    """Search until there is one, the table from then on; for other lots, search."""
    rules, guess = GAMES[0], Guess()
    advisers = Advisers(tmp_path / "none", tmp_path, search=lambda _rules, _marked: guess)
    start = Position.start(rules)
    assert advisers(rules, FAIR).before_throw(start).source is Source.SEARCH
    solve(rules, FAIR, tmp_path)

    assert advisers(rules, FAIR).before_throw(start).source is Source.EXACT
    assert advisers(rules, Fraction(1, 3)).before_throw(start).source is Source.SEARCH
    assert advisers(variant("aj-sayil").changed({"players": "2"}), FAIR) is guess


def test_a_damaged_table_is_raised_or_told(tmp_path: Path) -> None:
    """Raised where a command asked; where a game is going on told once, and searched until a whole one is there."""
    rules, told = GAMES[0], list[TableUnusable]()
    path = solve(rules, FAIR, tmp_path).path
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])

    with pytest.raises(TableUnusable, match=path.name):
        Advisers(tmp_path)(rules, FAIR)
    advisers = Advisers(tmp_path, search=lambda _rules, _marked: Guess(), refused=told.append)
    sources = [advisers(rules, FAIR).before_throw(Position.start(rules)).source for _ in range(3)]
    path.write_bytes(whole)

    assert sources == [Source.SEARCH] * 3
    assert len(told) == 1
    assert advisers(rules, FAIR).before_throw(Position.start(rules)).source is Source.EXACT

"""The table adviser answers from the table, and falls back only for positions that no game can reach."""

from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from companion.advice.adviser import Estimate, EstimateSource, TurnAdvice
from companion.advice.solver.solved_table import ROUNDING
from companion.advice.solver.solver import solve
from companion.advice.table_adviser import AdviserFactory, TableAdviser
from companion.errors import TableUnusable
from companion.rules.notation import parse
from companion.rules.odds import FAIR, turn_odds
from companion.rules.position import Position
from companion.rules.turns import Turn
from companion.rules.variant import Variant
from companion.rules.variants import variant
from tests.advice.solver.games import some_positions

GAMES = [
    variant("puluc").changed({"spaces": "5", "pieces": "2"}),
    variant("aj-sayil").changed({"spaces": "6", "pieces": "2"}),
]


class Guess:
    """Answers one half to everything, and counts the calls."""

    def __init__(self) -> None:
        self.asked = 0

    def before_throw(self, position: Position) -> Estimate:  # noqa: ARG002 - constant answer
        self.asked += 1
        return Estimate(0.5, EstimateSource.SEARCH)

    def in_turn(self, turn: Turn) -> TurnAdvice:  # noqa: ARG002 - constant answer
        self.asked += 1
        return TurnAdvice(Estimate(0.5, EstimateSource.SEARCH), ())


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.id)
def test_a_position_is_worth_the_mean_of_its_turns(rules: Variant, tmp_path: Path) -> None:
    """The chance before a throw is the mean of those after it, within the stated error."""
    guess = Guess()
    adviser = TableAdviser(solve(rules, FAIR, tmp_path), guess)
    for position in some_positions(rules, 60, Random(3)):
        before = adviser.before_throw(position)
        turns = [(chance, adviser.in_turn(Turn(position, values))) for values, chance in turn_odds(rules).items()]
        after = sum(float(chance) * advice.best.win for chance, advice in turns)

        assert before.source is EstimateSource.EXACT
        assert before.error_bound == pytest.approx(ROUNDING, rel=0.01)
        assert abs(before.win - after) <= 2 * ROUNDING + 1e-8
        for _, advice in turns:
            wins = [rated.win for rated in advice.steps]
            assert wins == sorted(wins, reverse=True)
    assert guess.asked == 0


def test_an_unreachable_position_is_passed_to_the_search(tmp_path: Path) -> None:
    """Two stacked own pieces without a captive: the search returns an estimate."""
    rules, guess = GAMES[0], Guess()
    adviser = TableAdviser(solve(rules, FAIR, tmp_path), guess)
    odd = parse("0/2Jj2/2 0:0 J", rules)

    assert adviser.before_throw(odd).source is EstimateSource.SEARCH
    assert adviser.in_turn(Turn(odd, (1,))).best.source is EstimateSource.SEARCH
    assert guess.asked == 2


def test_a_table_made_later_is_used(tmp_path: Path) -> None:
    """The factory searches until a table exists, and still searches for other lots."""
    rules, guess = GAMES[0], Guess()
    advisers = AdviserFactory(tmp_path / "none", tmp_path, search=lambda _rules, _marked: guess)
    start = Position.start(rules)
    assert advisers(rules, FAIR).before_throw(start).source is EstimateSource.SEARCH
    solve(rules, FAIR, tmp_path)

    assert advisers(rules, FAIR).before_throw(start).source is EstimateSource.EXACT
    assert advisers(rules, Fraction(1, 3)).before_throw(start).source is EstimateSource.SEARCH
    assert advisers(variant("aj-sayil").changed({"players": "2"}), FAIR) is guess


def test_a_damaged_table_is_raised_or_reported(tmp_path: Path) -> None:
    """A command gets the error. During a game it is reported once, and search answers until the table is sound."""
    rules, reported = GAMES[0], list[TableUnusable]()
    path = solve(rules, FAIR, tmp_path).path
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])

    with pytest.raises(TableUnusable, match=path.name):
        AdviserFactory(tmp_path)(rules, FAIR)
    advisers = AdviserFactory(tmp_path, search=lambda _rules, _marked: Guess(), refused=reported.append)
    sources = [advisers(rules, FAIR).before_throw(Position.start(rules)).source for _ in range(3)]
    path.write_bytes(whole)

    assert sources == [EstimateSource.SEARCH] * 3
    assert len(reported) == 1
    assert advisers(rules, FAIR).before_throw(Position.start(rules)).source is EstimateSource.EXACT

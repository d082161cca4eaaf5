"""The computer levels and their suggestions."""

from random import Random

import pytest

from companion.advice.adviser import Estimate, EstimateSource, RatedStep, TurnAdvice
from companion.advice.levels import (
    EXPERT,
    LEVEL_NAMES,
    LEVELS,
    Level,
    at_random,
    easy,
    expert,
    fair,
    hard,
    styled,
    suggestion,
)
from companion.advice.styles import OPPONENTS
from companion.rules.notation import parse
from companion.rules.position import Position
from companion.rules.turns import Step, Turn
from companion.rules.variants import VARIANTS, variant
from tests.rules.games import random_game

QUIET = parse("4/1J7/5 0:0 J", variant("puluc"))
CAPTURE = parse("4/1J1O5/4 0:0 J", variant("puluc"))
SLAY = parse("3/1J5Joo1/3 0:0 J", variant("puluc"))


def choices(level: Level, text: str, *values: int, id: str = "puluc") -> set[str]:  # noqa: A002 - the field's name
    """All moves that the level chooses in that position, over many seeds."""
    turn = Turn(parse(text, variant(id)), values)
    return {str(level(turn, Random(seed)).move) for seed in range(30)}


@pytest.mark.parametrize("level", [easy, fair, hard])
def test_captures_and_slays_when_it_can(level: Level) -> None:
    """Captures and slayings come first, and each of them can be chosen."""
    assert choices(level, "4/1J1O5/4 0:0 J", 2) == {"2-4"}
    assert choices(level, "3/1J5Joo1/3 0:0 J", 2) == {"8-home"}
    assert choices(level, "3/1J1OJ1O2/3 0:0 J", 2) == {"2-4", "5-7"}


def test_easy_is_random_without_a_capture() -> None:
    """Without a capture every legal move can be chosen; the same seed repeats the choice."""
    turn = Turn(QUIET, (3,))

    assert {easy(turn, Random(seed)) for seed in range(50)} == set(turn.steps())
    assert easy(turn, Random(7)) == easy(turn, Random(7))


def test_random_does_not_even_prefer_captures() -> None:
    """It chooses among all legal moves."""
    assert choices(at_random, "4/1J2O4/4 0:0 J", 3) == {"base-3", "2-5"}


def test_fair_and_hard_stay_out_of_reach() -> None:
    """They stay out of reach: on 8 a two from the enemy base would capture, on 1 and 3 nothing can."""
    for level in (fair, hard):
        assert choices(level, "3/1J4J2/5 0:0 J", 1) == {"base-1", "2-3"}


def test_hard_moves_the_unit_in_danger() -> None:
    """On 8 a two would capture. Hard leaves the board from there, though entering is as safe; Fair does either."""
    assert choices(hard, "4/7J1/5 0:0 J", 3) == {"8-home"}
    assert choices(fair, "4/7J1/5 0:0 J", 3) == {"base-3", "8-home"}


def plays(name: str, text: str, *values: int) -> set[str]:
    """All moves that an opponent with a style chooses when it does not slip."""
    return choices(styled(OPPONENTS[name].style, slip=0), text, *values)


def test_each_style_is_noticed() -> None:
    """Each opponent chooses by what it is after, where others choose otherwise."""
    front_or_prize = "3/1J1O2J2/4 0:0 J"
    safe_or_prize = "4/J2O1O3/3 0:0 J"

    assert plays("hasty", front_or_prize, 2) == {"7-9"}
    assert plays("greedy", front_or_prize, 2) == plays("shrewd", front_or_prize, 2) == {"2-4"}
    assert plays("timid", safe_or_prize, 3) == {"base-3"}
    assert plays("bold", safe_or_prize, 3) == {"1-4"}


def test_a_slip_is_any_move() -> None:
    """Always slipping is playing at random, and never slipping repeats the same choice here."""
    style = OPPONENTS["hasty"].style

    assert choices(styled(style, slip=1), "3/1J1O2J2/4 0:0 J", 2) == {"2-4", "7-9"}
    assert choices(styled(style, slip=0), "3/1J1O2J2/4 0:0 J", 2) == {"7-9"}


def test_careful_levels_avoid_the_fire() -> None:
    """A burnt unit is lost for certain, which is worse than any danger."""
    rules = variant("puluc").changed({"fire": "5"})
    turn = Turn(parse("3/2J4J1/5 0:0 J", rules), (2,))

    for level in (fair, hard, LEVELS["shrewd"]):
        assert {str(level(turn, Random(seed)).move) for seed in range(30)} <= {"base-2", "8-home"}


def test_two_throws_are_chosen_one_after_the_other() -> None:
    """The first choice is which throw to use and how; the second uses the other throw, here for the captor."""
    turn = Turn(parse("4/3J1O13/4 0:0 J", variant("aj-sayil")), (1, 2))
    first = hard(turn, Random(1))
    second = hard(turn.after(first), Random(1))

    assert (str(first), first.move.captures) == ("4-6 with 2", 1)
    assert str(second) == "6-5 with 1"


def test_the_suggestion_is_the_best_capture_or_none() -> None:
    """There is a suggestion only if a piece can be captured or slain."""
    assert suggestion(Turn(CAPTURE, (2,))) == Step(2, CAPTURE.move(2, 4, 2))
    assert suggestion(Turn(SLAY, (2,))) == Step(2, SLAY.move(8, None, 2))
    assert suggestion(Turn(QUIET, (3,))) is None


@pytest.mark.parametrize("id", VARIANTS)
def test_every_level_plays_every_variant(id: str) -> None:  # noqa: A002 - the field's own name
    """In every game, a level chooses one of the legal steps."""
    rules = variant(id)
    positions = [(position, values) for position, values in random_game(rules, Random(3), turns=30) if values][::6]
    for position, values in positions:
        turn = Turn(position, values)
        if turn.steps():
            chosen: list[Step] = [level(turn, Random(1)) for level in LEVELS.values()]
            assert set(chosen) <= set(turn.steps())


class Contrary:
    """An adviser that rates the last step best, and counts the calls."""

    def __init__(self) -> None:
        self.asked = 0

    def before_throw(self, position: Position) -> Estimate:
        raise NotImplementedError(position)

    def in_turn(self, turn: Turn) -> TurnAdvice:
        self.asked += 1
        best = Estimate(0.5, EstimateSource.SEARCH)
        return TurnAdvice(best, tuple(RatedStep(step, 0.5) for step in reversed(turn.steps())))


def test_expert_plays_what_its_adviser_finds_best() -> None:
    """It asks its adviser and does not depend on the seed; with only one legal step it does not ask."""
    adviser = Contrary()
    level = expert(adviser)
    free, forced = Turn(QUIET, (3,)), Turn(parse("0/1J7/5 4:0 J", variant("puluc")), (3,))

    assert {level(free, Random(seed)) for seed in range(5)} == {free.steps()[-1]}
    assert adviser.asked == 5
    assert (level(forced, Random(1)), adviser.asked) == (forced.steps()[0], 5)


def test_the_names_are_those_of_the_levels() -> None:
    """The list names every level, including expert."""
    assert set(LEVEL_NAMES) == {*LEVELS, EXPERT}

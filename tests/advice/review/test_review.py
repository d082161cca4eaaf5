"""Luck and play add up for every game and adviser; with an exact adviser they are correct."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.advice.adviser import EstimateSource
from companion.advice.review.review import _moments, review
from companion.advice.review.review_summary import Grade, GradeThresholds, MomentKind, PlayedTurn, Review, is_ordinary
from companion.errors import Unknown
from companion.referee.history.game_summary import throw_comment
from companion.rules.notation import parse
from companion.rules.position import Position, Side
from companion.rules.turns import Step, Turn
from tests.advice.brute_force import BruteForceAdviser
from tests.advice.material_adviser import MaterialAdviser
from tests.rules.games import game, random_variant, thrown

TINY = (
    "puluc spaces=5 pieces=1",
    "puluc spaces=5 pieces=2",
    "puluc-bell spaces=5 pieces=2",
    "puluc-culin spaces=5 pieces=2",
    "bul-teams spaces=5 pieces=1 players=2",
    "aj-tiwil spaces=5 pieces=1",
    "a-kaakil spaces=5 fire=2 pieces=1",
)
SEEDS = st.integers(0, 2**32)


@cache
def exact(words: str, marked: Fraction = Fraction(1, 2)) -> BruteForceAdviser:
    return BruteForceAdviser(game(words), marked)


def played(words: str, chance: Random, turns: int = 60) -> list[PlayedTurn]:
    """A random game from the start, of at most ``turns`` turns."""
    rules = game(words)
    return by_chance(Position.start(rules, chance.choice(list(Side))), chance, turns)


def by_chance(position: Position, chance: Random, turns: int) -> list[PlayedTurn]:
    found: list[PlayedTurn] = []
    while len(found) < turns and not position.is_over():
        found.append(PlayedTurn(Turn(position, thrown(position.rules, chance)), ()))
        turn, steps = found[-1].turn, list[Step]()
        while turn.values and (able := turn.steps()):
            steps.append(chance.choice(able))
            turn = turn.after(steps[-1])
        found[-1] = PlayedTurn(found[-1].turn, tuple(steps))
        position = found[-1].after()
    return found


def adds_up(found: Review) -> None:
    for side in Side:
        balance = found.balance(side)
        assert balance.luck + balance.play == pytest.approx(balance.final - balance.initial, abs=1e-12 * 100)
        players = {turn.player for turn in found.turns if turn.side is side}
        together = [found.player(side, player) for player in players]
        assert sum(tally.luck for tally in together) == pytest.approx(found.side(side).luck, abs=1e-10)
        assert sum(tally.loss for tally in together) == pytest.approx(found.side(side).loss, abs=1e-10)
        assert sum(tally.decisions for tally in together) == found.side(side).decisions
    jade, obsidian = found.balance(Side.JADE), found.balance(Side.OBSIDIAN)
    assert jade.luck == pytest.approx(-obsidian.luck, abs=1e-10)
    assert jade.play == pytest.approx(-obsidian.play, abs=1e-10)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_luck_and_play_add_up_in_tiny_games(seed: int) -> None:
    """Final minus initial is luck plus play; no choice has a negative loss; throws are fair on average."""
    chance = Random(seed)
    words = chance.choice(TINY)
    adviser = exact(words)
    turns = played(words, chance)
    thrown_off = chance.random() < 0.5
    found = review(turns, adviser, thrown_off=thrown_off)
    last = turns[-1].after()

    adds_up(found)
    assert found.over is last.is_over()
    if found.over:
        winner = last.winner()
        assert found.final == (0.5 if winner is None else float(winner is Side.JADE))
    either = [adviser.before_throw(Position.start(game(words), side)).win for side in Side]
    assert found.initial == (pytest.approx((either[0] + 1 - either[1]) / 2, abs=1e-9) if thrown_off else found.start)
    for turn in found.turns:
        assert turn.loss >= 0
        assert turn.before == pytest.approx(adviser.before_throw(turn.played.turn.position).win, abs=1e-12)
        assert turn.thrown == pytest.approx(adviser.in_turn(turn.played.turn).best.win, abs=1e-12)
        assert turn.correction == pytest.approx(0, abs=1e-10)
        mean = sum(float(other.chance) * (other.win - turn.before) for other in turn.instead)
        assert mean == pytest.approx(0, abs=1e-12)
        assert sum(other.chance for other in turn.instead) == 1


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_luck_and_play_add_up_by_estimates(seed: int) -> None:
    """They add up in every kind of game, with teams and two throws, for exact and rough advisers."""
    chance = Random(seed)
    rules = random_variant(chance)
    position = Position.start(rules, chance.choice(list(Side)))
    found = review(by_chance(position, chance, 40), MaterialAdviser(), thrown_off=chance.random() < 0.5)

    adds_up(found)
    assert found.source is EstimateSource.SEARCH
    assert found.error_bound is None
    for turn in found.turns:
        assert turn.loss >= 0
        assert 0 <= turn.after <= turn.thrown <= 1
        assert turn.then == pytest.approx(turn.before + (turn.luck - turn.loss + turn.correction) / 100, abs=1e-12)


def test_a_forced_turn_counts_for_nothing() -> None:
    """A pass, a single move, and moves with the same result are no decisions."""
    words = "puluc-bell spaces=5 pieces=2"
    turns = [turn for seed in range(30) for turn in played(words, Random(seed))]
    forced = [turn for turn in turns if len(turn.turn.results()) < 2]
    assert any(not turn.steps for turn in forced)

    for turn in forced:
        [found] = review([turn], exact(words), thrown_off=False).turns

        assert (found.decision, found.grade, found.loss) == (False, None, 0.0)
        assert found.best == turn.steps


@pytest.mark.slow
def test_the_best_line_loses_nothing() -> None:
    """Playing the best line keeps the chance that the throw promised, also with two throws."""
    for words in ("puluc spaces=5 pieces=2", "aj-tiwil spaces=5 pieces=1"):
        turns = [turn for seed in range(20) for turn in played(words, Random(seed))]
        lost = 0
        for turn in turns:
            [found] = review([turn], exact(words), thrown_off=False).turns
            [better] = review([PlayedTurn(turn.turn, found.best)], exact(words), thrown_off=False).turns
            lost += found.loss > 0

            assert better.after == pytest.approx(found.thrown, abs=1e-12)
            assert better.loss == pytest.approx(0, abs=1e-10)
        assert lost > 10


@pytest.mark.parametrize(
    ("loss", "grade"),
    [(4.99, None), (5, Grade.INACCURACY), (10, Grade.MISTAKE), (19.9, Grade.MISTAKE), (20, Grade.BLUNDER)],
)
def test_grades(loss: float, grade: Grade | None) -> None:
    """The default thresholds are 5, 10 and 20 points."""
    assert GradeThresholds().of(loss) is grade
    assert GradeThresholds(1, 2, 3).of(loss) is Grade.BLUNDER


@pytest.mark.parametrize("wrong", [(0, 10, 20), (5, 4, 20), (5, 10, 101), (5, 10, float("nan"))])
def test_impossible_grades_are_refused(wrong: tuple[float, float, float]) -> None:
    """Thresholds must rise, above 0 and up to 100."""
    with pytest.raises(Unknown, match="must rise, from above 0"):
        GradeThresholds(*wrong)


def test_grades_are_counted_where_they_are_given() -> None:
    """Every decision is graded by its loss and counted for its player."""
    words = "puluc spaces=5 pieces=2"
    for seed in range(20):
        found = review(played(words, Random(seed)), exact(words), thrown_off=True, grades=GradeThresholds(1, 5, 15))
        for side in Side:
            losses = [turn.loss for turn in found.turns if turn.side is side and turn.decision]
            graded = found.player(side, 1).graded
            assert graded.get(Grade.BLUNDER, 0) == sum(loss >= 15 for loss in losses)
            assert graded.get(Grade.MISTAKE, 0) == sum(5 <= loss < 15 for loss in losses)
            assert graded.get(Grade.INACCURACY, 0) == sum(1 <= loss < 5 for loss in losses)
            if losses:
                assert found.side(side).average_loss == pytest.approx(sum(losses) / len(losses))


def test_the_moments_are_the_largest_swings() -> None:
    """They are at most three, no other swing is larger, and a choice always counts against its player."""
    words = "puluc spaces=5 pieces=2"
    for seed in range(20):
        found = review(played(words, Random(seed)), exact(words), thrown_off=False)
        swings = [abs(turn.luck) for turn in found.turns if not is_ordinary(turn.luck)]
        swings += [turn.loss for turn in found.turns if turn.grade]
        shown = sorted(abs(moment.swing) for moment in found.moments)

        assert shown == sorted(swings)[-3:]
        assert [moment.turn for moment in found.moments] == sorted(moment.turn for moment in found.moments)
        for moment in found.moments:
            turn = found.turns[moment.turn - 1]
            assert moment.swing == (turn.luck if moment.kind is MomentKind.THROW else -turn.loss)


def test_nothing_ordinary_is_a_moment() -> None:
    """A short game did not turn on a throw that the review calls ordinary, nor on a choice that it calls good."""
    turn = review(
        played("puluc spaces=5 pieces=2", Random(0)), exact("puluc spaces=5 pieces=2"), thrown_off=False
    ).turns[0]
    ordinary = replace(turn, before=0.524, thrown=0.5, after=0.46, grade=None)
    unlucky = replace(turn, before=0.526, thrown=0.5, after=0.5, grade=None)

    assert throw_comment(ordinary.luck) == "An ordinary throw: 2 fewer wins in 100 games."
    assert throw_comment(unlucky.luck) == "An unlucky throw: 3 fewer wins in 100 games."
    assert [(moment.turn, moment.kind) for moment in _moments([ordinary, unlucky])] == [(2, MomentKind.THROW)]


def test_a_search_rates_other_throws_only_for_the_moments() -> None:
    """A search evaluates alternative throws only for the turning points."""
    found = review(played("puluc", Random(3)), MaterialAdviser(), thrown_off=True)
    asked = {number for number, turn in enumerate(found.turns, 1) if turn.instead}

    assert asked == {moment.turn for moment in found.moments if moment.kind is MomentKind.THROW}


def test_a_worthless_throw_is_luck_alone() -> None:
    """In Bell's game one marked face is worth 0, so the turn passes: all of it is luck."""
    words = "puluc-bell spaces=5 pieces=2"
    position = parse("1/1J3/2 0:0 J", game(words))
    [turn] = review([PlayedTurn(Turn(position, (0,)), ())], exact(words), thrown_off=False).turns

    assert turn.loss == 0
    assert turn.thrown == turn.after == 1 - exact(words).before_throw(position.passed()).win
    assert turn.luck == pytest.approx(100 * (turn.after - exact(words).before_throw(position).win))
    assert [other.values for other in turn.instead] == [(0,), (2,), (3,), (4,), (5,)]


def test_a_missed_win() -> None:
    """Obsidian's last piece can be captured with a 3: entering instead loses the difference."""
    words = "puluc spaces=5 pieces=2"
    turn = Turn(parse("1/1J2O/0 0:1 J", game(words)), (3,))
    enter, win = turn.steps()
    [slip] = review([PlayedTurn(turn, (enter,))], exact(words), thrown_off=False).turns
    [taken] = review([PlayedTurn(turn, (win,))], exact(words), thrown_off=False).turns

    assert (slip.thrown, taken.thrown, taken.after, taken.loss) == (1.0, 1.0, 1.0, 0.0)
    assert slip.loss == pytest.approx(100 * exact(words).before_throw(turn.after(enter).handed_over()).win)
    assert slip.loss > 5
    assert slip.best == (win,)
    assert slip.grade is GradeThresholds().of(slip.loss)


def test_progress_is_reported_and_can_cancel() -> None:
    """Progress never decreases, and an exception raised in the callback is passed on."""
    turns = played("puluc spaces=5 pieces=1", Random(5))
    reported: list[int] = []
    review(turns, exact("puluc spaces=5 pieces=1"), thrown_off=True, progress=reported.append)

    assert sorted(set(reported)) == list(range(len(turns) + 1))
    assert reported == sorted(reported)

    def stop(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        review(turns, MaterialAdviser(), thrown_off=True, progress=stop)


def test_marked_lots_shift_the_odds() -> None:
    """Luck uses the odds of the lots: throws of loaded lots are fair on average by their own odds."""
    words, marked = "puluc spaces=5 pieces=2", Fraction(3, 5)
    found = review(played(words, Random(1)), exact(words, marked), thrown_off=True, marked=marked)

    adds_up(found)
    for turn in found.turns:
        assert sum(float(one.chance) * one.win for one in turn.instead) == pytest.approx(turn.before, abs=1e-12)

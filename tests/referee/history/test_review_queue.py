"""Reviews are worked on a step at a time, kept, and begun anew when the game has gone on."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from companion.advice.adviser import Adviser
from companion.errors import NotAllowed, Unknown
from companion.referee.game_state import GameState
from companion.referee.history.review_queue import MAX_REVIEWS, ReviewProgress, ReviewQueue
from companion.referee.reducer import replay
from companion.referee.snapshots.review_view import ReviewView
from companion.rules.ruleset import Variant
from tests.advice.material_adviser import MaterialAdviser
from tests.referee.random_games import random_game


def rough(rules: Variant, marked: Fraction) -> Adviser:  # noqa: ARG001 - an adviser's maker is told both
    return MaterialAdviser()


@pytest.fixture
def reviews() -> ReviewQueue:
    return ReviewQueue(rough)


def game(turns: int = 1000, seed: int = 0) -> GameState:
    return replay(enumerate(random_game(seed=seed, turns=turns), 1))


def done(reviews: ReviewQueue) -> None:
    while reviews.step(patience=0):
        pass


def test_a_review_is_thought_out_step_by_step(reviews: ReviewQueue) -> None:
    """Asking answers at once how far it is; once the steps are made, the review is there, and stays."""
    table = game()
    turns = len(table.turns)
    assert reviews.ask(7, table) == ReviewProgress(0, turns)
    reviews.step(patience=0)
    reviews.step(patience=0)
    reviews.step(patience=0)
    assert reviews.ask(7, table) == ReviewProgress(2, turns)
    done(reviews)
    found = reviews.ask(7, table)

    assert isinstance(found, ReviewView)
    assert len(found.turns) == turns
    assert reviews.ask(7, table) is found
    assert not reviews.step(patience=0)


def test_a_game_that_went_on_is_reviewed_anew(reviews: ReviewQueue) -> None:
    """The kept review is of the turns there were; one turn more, and it is thought out again."""
    reviews.ask(7, game(turns=3))
    done(reviews)
    asked = reviews.ask(7, game(turns=4))

    assert asked == ReviewProgress(0, 4)


def test_what_was_asked_last_goes_first(reviews: ReviewQueue) -> None:
    """Whoever looks now is served before those who have perhaps gone."""
    first, second = game(seed=0), game(seed=1)
    reviews.ask(1, first)
    reviews.ask(2, second)
    reviews.step(patience=0)
    reviews.step(patience=0)

    assert reviews.ask(1, first) == ReviewProgress(0, len(first.turns))
    assert reviews.ask(2, second) == ReviewProgress(1, len(second.turns))


def test_only_some_are_kept(reviews: ReviewQueue) -> None:
    """The one not looked at for longest is forgotten, and thought out again when asked for."""
    table = game(turns=2)
    for number in range(MAX_REVIEWS + 1):
        reviews.ask(number, table)
        done(reviews)

    assert isinstance(reviews.ask(1, table), ReviewView)
    assert isinstance(reviews.ask(0, table), ReviewProgress)


def test_who_knows_more_is_asked_again(reviews: ReviewQueue) -> None:
    """Once forgotten, a review is thought out anew; what was half done is not gone on with."""
    table = game(turns=2)
    reviews.ask(1, table)
    done(reviews)
    reviews.ask(2, table)
    reviews.forget()

    assert not reviews.step(patience=0)
    assert reviews.ask(1, table) == ReviewProgress(0, 2)


def test_refusals_are_told_to_who_asks() -> None:
    """Nothing played, or nobody who knows the game: a sentence; asking once more tries once more."""

    def nobody(rules: Variant, marked: Fraction) -> Adviser:
        raise Unknown(f"Nobody knows {rules.id} with {marked}.")

    reviews = ReviewQueue(nobody)
    with pytest.raises(NotAllowed, match="nothing to review yet"):
        reviews.ask(1, game(turns=0))
    reviews.ask(1, game())
    done(reviews)
    with pytest.raises(Unknown, match="Nobody knows puluc with 1/2"):
        reviews.ask(1, game())
    assert isinstance(reviews.ask(1, game()), ReviewProgress)


def test_another_chance_of_a_marked_face_is_another_review() -> None:
    """Who reckons with measured sticks is not shown what fair ones would have meant."""
    asked: list[Fraction] = []

    def noting(rules: Variant, marked: Fraction) -> Adviser:
        asked.append(marked)
        return rough(rules, marked)

    reviews, fair = ReviewQueue(noting), game()
    uneven = replace(fair, options=replace(fair.options, marked="0.53"))
    for table in (fair, fair, uneven):
        reviews.ask(1, table)
        done(reviews)

    assert asked == [Fraction(1, 2), Fraction(53, 100)]

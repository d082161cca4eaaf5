"""Reviews are computed step by step, cached, and computed anew when the game has gone on."""

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
from companion.rules.variant import Variant
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
    """A request returns the progress at once; after the last step the review is there, and stays."""
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
    """The cached review is of the earlier turns; after one more turn it is computed again."""
    reviews.ask(7, game(turns=3))
    done(reviews)
    asked = reviews.ask(7, game(turns=4))

    assert asked == ReviewProgress(0, 4)


def test_the_latest_request_goes_first(reviews: ReviewQueue) -> None:
    """A player who is looking now is served before those who may have gone."""
    first, second = game(seed=0), game(seed=1)
    reviews.ask(1, first)
    reviews.ask(2, second)
    reviews.step(patience=0)
    reviews.step(patience=0)

    assert reviews.ask(1, first) == ReviewProgress(0, len(first.turns))
    assert reviews.ask(2, second) == ReviewProgress(1, len(second.turns))


def test_only_some_are_kept(reviews: ReviewQueue) -> None:
    """The least recently used review is dropped, and computed again on request."""
    table = game(turns=2)
    for number in range(MAX_REVIEWS + 1):
        reviews.ask(number, table)
        done(reviews)

    assert isinstance(reviews.ask(1, table), ReviewView)
    assert isinstance(reviews.ask(0, table), ReviewProgress)


def test_forgotten_reviews_are_computed_anew(reviews: ReviewQueue) -> None:
    """Reviews are forgotten for a better adviser; a half-finished one is not continued."""
    table = game(turns=2)
    reviews.ask(1, table)
    done(reviews)
    reviews.ask(2, table)
    reviews.forget()

    assert not reviews.step(patience=0)
    assert reviews.ask(1, table) == ReviewProgress(0, 2)


def test_refusals_reach_the_caller() -> None:
    """Nothing was played, or no adviser knows the game; the next request tries again."""

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
    """Players who use measured sticks are not shown a review for fair ones."""
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

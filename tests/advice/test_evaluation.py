"""Judging at a glance: both sides alike, and better than counting pieces."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from companion.advice.evaluation import Evaluation
from companion.advice.odds import FAIR
from companion.rules.notation import parse
from companion.rules.position import Position
from companion.rules.unit import Side, Unit
from companion.rules.variant import VARIANTS, variant
from tests.bench.solved_samples import by_rules_alone, samples
from tests.rules.games import game, random_game, random_variant


def mirrored(position: Position) -> Position:
    """The same position with the sides exchanged."""
    places = tuple(
        tuple(
            sorted((Unit(unit.owner.other, unit.player, unit.friends, unit.prey, unit.home) for unit in units), key=str)
        )
        for units in position.places[::-1]
    )
    camps = position.camps[1], position.camps[0]
    return Position(position.rules, places, camps, position.turn.other, position.player, position.waiting)


def going_on(position: Position) -> bool:
    return not position.is_over()


@pytest.mark.parametrize("seed", range(30))
def test_both_sides_are_judged_alike(seed: int) -> None:
    """Any game, any lots: a position and its mirror image have one chance, and it lies inside (0, 1)."""
    rules = random_variant(Random(seed))
    evaluation = Evaluation(rules, Fraction(2, 5))
    played = [position for position, _ in random_game(rules, Random(seed), turns=40) if going_on(position)]
    wins = evaluation.wins(played)

    assert ((wins > 0) & (wins < 1)).all()
    np.testing.assert_allclose(evaluation.wins([mirrored(position) for position in played]), wins, rtol=1e-9)


@pytest.mark.parametrize("id", VARIANTS)
def test_judges_many_like_each(id: str) -> None:  # noqa: A002 - the field's own name
    """A position's chance does not hang on what else is judged with it."""
    played = [position for position, _ in random_game(variant(id), Random(1), turns=20) if going_on(position)]
    evaluation = Evaluation(variant(id))

    np.testing.assert_allclose(
        evaluation.wins(played), [evaluation.wins([position])[0] for position in played], rtol=1e-9
    )


def test_a_piece_more_is_better() -> None:
    """Anywhere in the game, to have a piece more in base is no worse, and an enemy slain neither."""
    rules = variant("puluc")
    few, more, against_few = (parse(text, rules) for text in ("1/2J3O2/3 3:1 J", "2/2J3O2/3 2:1 J", "2/2J3O2/2 2:2 J"))
    wins = Evaluation(rules).wins([few, more, against_few])

    assert wins[0] < wins[1] < wins[2]


@pytest.mark.parametrize(
    "words",
    ["puluc spaces=6 pieces=2", "bul spaces=6 pieces=2 far_end=bounce", "bul-teams spaces=5 pieces=2 players=2"],
)
def test_is_nearer_to_the_truth_than_counting_pieces(words: str) -> None:
    """On games small enough to be solved by the rules alone, with several players a side too."""
    rules = game(words)
    win = by_rules_alone(rules, FAIR)
    assert win is not None
    positions, wins = samples(rules, FAIR, win, 300, Random(1))
    total = rules.pieces * rules.owners
    alive = np.array([[total - sum(camp.slain) - sum(camp.spent) for camp in one.camps] for one in positions])
    jade = np.array([one.turn is Side.JADE for one in positions])
    share = np.where(jade, alive[:, 0], alive[:, 1]) / alive.sum(axis=1)

    assert np.abs(Evaluation(rules).wins(positions) - wins).mean() < np.abs(share - wins).mean()

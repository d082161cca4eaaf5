"""The static evaluation treats both sides alike, and is more accurate than counting pieces."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from companion.advice.evaluation import Evaluation
from companion.rules.notation import parse
from companion.rules.odds import FAIR
from companion.rules.position import Position
from companion.rules.unit import Side
from companion.rules.variants import VARIANTS, variant
from tests.advice.solved_samples import by_rules_alone, samples
from tests.advice.solver.games import mirrored
from tests.rules.games import game, random_game, random_variant


def going_on(position: Position) -> bool:
    return not position.is_over()


@pytest.mark.parametrize("seed", range(30))
def test_both_sides_are_judged_alike(seed: int) -> None:
    """For any game and lots, a position and its mirror image have the same chance, inside (0, 1)."""
    rules = random_variant(Random(seed))
    evaluation = Evaluation(rules, Fraction(2, 5))
    played = [position for position, _ in random_game(rules, Random(seed), turns=40) if going_on(position)]
    wins = evaluation.wins(played)

    assert ((wins > 0) & (wins < 1)).all()
    np.testing.assert_allclose(evaluation.wins([mirrored(position) for position in played]), wins, rtol=1e-9)


@pytest.mark.parametrize("id", VARIANTS)
def test_evaluates_many_positions_like_each_alone(id: str) -> None:  # noqa: A002 - the field's own name
    """A position's chance does not depend on what else is evaluated with it."""
    played = [position for position, _ in random_game(variant(id), Random(1), turns=20) if going_on(position)]
    evaluation = Evaluation(variant(id))

    np.testing.assert_allclose(
        evaluation.wins(played), [evaluation.wins([position])[0] for position in played], rtol=1e-9
    )


def test_an_extra_piece_is_better() -> None:
    """One more piece in base is better, and so is one more slain enemy."""
    rules = variant("puluc")
    few, more, against_few = (parse(text, rules) for text in ("1/2J3O2/3 3:1 J", "2/2J3O2/3 2:1 J", "2/2J3O2/2 2:2 J"))
    wins = Evaluation(rules).wins([few, more, against_few])

    assert wins[0] < wins[1] < wins[2]


@pytest.mark.parametrize(
    "words",
    ["puluc spaces=6 pieces=2", "bul spaces=6 pieces=2 far_end=bounce", "bul-teams spaces=5 pieces=2 players=2"],
)
def test_is_more_accurate_than_counting_pieces(words: str) -> None:
    """Games are small enough to be solved by the rules alone, some with several players a side."""
    rules = game(words)
    win = by_rules_alone(rules, FAIR)
    assert win is not None
    positions, wins = samples(rules, FAIR, win, 300, Random(1))
    total = rules.pieces * rules.owners
    alive = np.array([[total - sum(camp.slain) - sum(camp.spent) for camp in one.camps] for one in positions])
    jade = np.array([one.turn is Side.JADE for one in positions])
    share = np.where(jade, alive[:, 0], alive[:, 1]) / alive.sum(axis=1)

    assert np.abs(Evaluation(rules).wins(positions) - wins).mean() < np.abs(share - wins).mean()

"""What choices lost, beside the levels."""

import pytest

from companion.advice.review.choice_losses import LADDER, choice_losses, like_level
from companion.advice.review.review_summary import PlayedTurn
from companion.advice.styles import OPPONENTS
from companion.rules.notation import parse
from companion.rules.turns import Turn
from companion.rules.variants import variant
from tests.advice.material_adviser import MaterialAdviser


def test_a_level_is_expected_to_lose_what_its_liked_steps_and_slips_lose() -> None:
    """Jade entered where she could capture, which costs material. Greedy never likes that, but slips."""
    turn = Turn(parse("4/J1O6/4 0:0 J", variant("puluc")), (2,))
    entry = next(step for step in turn.steps() if step.move.start is None)
    [(lost, *levels)] = choice_losses(PlayedTurn(turn, (entry,)), MaterialAdviser())
    wins = {rated.step: rated.win for rated in MaterialAdviser().in_turn(turn).steps}
    best, mean = max(wins.values()), sum(wins.values()) / len(wins)

    assert best > wins[entry]
    assert lost == pytest.approx(100 * (best - wins[entry]))
    assert levels[LADDER.index("greedy")] == pytest.approx(100 * OPPONENTS["greedy"].slip * (best - mean))
    assert levels[-1] == 0


def test_a_forced_turn_is_no_choice() -> None:
    """Two steps with the same result, or only one, say nothing of the player."""
    turn = Turn(parse("0/1J7/5 4:0 J", variant("puluc")), (3,))

    assert list(choice_losses(PlayedTurn(turn, turn.steps()), MaterialAdviser())) == []


def test_the_nearest_level_is_named() -> None:
    """The mean counts, not each choice."""
    found = like_level([(0.0, 9.0, 7.0, 5.0, 3.0, 2.0, 1.0, 0.0), (4.2, 9.0, 7.0, 5.0, 3.0, 2.0, 1.0, 0.0)])

    assert (found.level, found.choices, found.lost, found.level_lost) == ("careful", 2, 2.1, 2.0)

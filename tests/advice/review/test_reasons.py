"""The reason for a better move is a difference that can be seen on the board."""

from itertools import pairwise
from random import Random

import pytest

from companion.advice.review.reasons import reason
from companion.rules.notation import parse
from companion.rules.turns import Turn
from companion.rules.variants import VARIANTS, variant
from tests.rules.games import random_game


def told(position: str, value: int, better: str, made: str, id: str = "puluc") -> str:  # noqa: A002 - the field's name
    turn = Turn(parse(position, variant(id)), (value,))
    steps = {str(step.move): step for step in turn.steps()}
    return reason(turn, [steps[better]], [steps[made]])


def test_captures_come_first() -> None:
    """On 4 stands a lone piece, on 7 a stack of two: 5-7 captures one more than 2-4. A capture is better than none."""
    assert told("2/1J1OJ1Oj2/3 0:0 J", 2, "5-7", "2-4") == "It captures 1 more piece."
    assert told("4/J2O5/4 0:0 J", 3, "1-4", "base-3") == "It captures 1 more piece."


def test_captives_are_slain() -> None:
    """The captor on 1 is a step from its base, and nothing is in reach of the other side."""
    assert told("4/Joo8/3 0:0 J", 2, "1-home", "base-2", id="bul") == "It slays 2 more captives."


@pytest.mark.parametrize(
    ("position", "value", "better", "made", "sentence"),
    [
        ("4/8J/5 0:0 J", 3, "9-home", "base-3", "After it, the other side cannot capture; otherwise it could with 1."),
        (
            "3/3Joo2J2/3 0:0 J", 2, "7-9", "4-6",
            "After it, the other side captures only with 1; otherwise with 3 or 4.",
        ),
        ("4/J7O/4 0:0 J", 3, "1-4", "base-3", "After it, this side threatens to capture with 5."),
        ("4/8J/5 0:0 J", 3, "base-3", "9-home", "It brings another piece onto the highway."),
        ("3/3Joo2J2/3 0:0 J", 2, "4-6", "base-2", "It takes captives further along their way."),
    ],
)  # fmt: skip
def test_what_differs_is_named(position: str, value: int, better: str, made: str, sentence: str) -> None:
    """The throws that capture, by counting the spaces to each unit in reach; a piece entered; captives moved."""
    assert told(position, value, better, made) == sentence


def test_fewer_pieces_are_not_called_less_likely() -> None:
    """After base-2 three throws capture, and after 4-2 only two, but more pieces on average."""
    better = told("1/J1OJjo1Oj1O1/1 0:0 J", 2, "base-2", "4-2", id="bul")

    assert better == "After it, the other side's next throw captures fewer pieces on average."


def test_of_two_throws_both_count() -> None:
    """A piece that enters on 19 can be captured from 14 with 2 and 3; within a turn nothing is said of the next."""
    turn = Turn(parse("3/13J2Oj2/4 0:0 O", variant("aj-sayil")), (3, 1))
    steps = {str(step): step for step in turn.steps()}
    walks, leaves = steps["17-18 with 1"], steps["17-home with 3"]
    (home,) = (step for step in turn.after(walks).steps() if step.move.to is None)
    (enters,) = (step for step in turn.after(leaves).steps() if step.move.start is None)

    assert (
        reason(turn, [walks, home], [leaves, enters]) == "After it, the other side cannot capture; otherwise it could."
    )
    assert reason(turn, [leaves], [walks]) == "It slays 1 more captive."
    assert reason(turn, [walks], [leaves]) == ""


def test_the_same_move_has_no_reason() -> None:
    """Nothing differs, so nothing is said; nor is anything said for the worse of two moves."""
    assert told("4/J2O5/4 0:0 J", 3, "1-4", "1-4") == ""


def test_no_sentence_speaks_for_both_of_two_moves() -> None:
    """In random games of every variant."""
    compared = 0
    for id in VARIANTS:  # noqa: A001 - the field's own name
        for position, values in [one for one in random_game(variant(id), Random(4), turns=25) if one[1]][::6]:
            turn = Turn(position, values)
            for one, two in pairwise(turn.steps()):
                forth, back = reason(turn, [one], [two]), reason(turn, [two], [one])

                assert not forth or forth != back
                compared += 1
    assert compared > 50

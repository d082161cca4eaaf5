"""The companion's own players and its suggestions."""

from random import Random

from companion.advice.levels import easy, suggestion
from companion.rules.notation import parse
from companion.rules.position import Move
from companion.rules.variant import variant

QUIET = parse("4/1J7/5 0:0 J", variant("puluc"))
CAPTURE = parse("4/1J1O5/4 0:0 J", variant("puluc"))
SLAY = parse("3/1J5Joo1/3 0:0 J", variant("puluc"))


def test_easy_captures_or_slays_when_it_can() -> None:
    """Of the legal moves the violent ones come first, whatever chance says."""
    assert {easy(CAPTURE, 2, Random(seed)) for seed in range(20)} == {Move(2, 4, 1)}
    assert {easy(SLAY, 2, Random(seed)) for seed in range(20)} == {Move(8, None)}


def test_easy_is_random_otherwise() -> None:
    """Without violence every legal move comes up, and a seed repeats its choice."""
    assert {easy(QUIET, 3, Random(seed)) for seed in range(50)} == set(QUIET.moves(3))
    assert easy(QUIET, 3, Random(7)) == easy(QUIET, 3, Random(7))


def test_the_suggestion_is_the_best_capture_or_none() -> None:
    """A suggestion is made where something is taken or slain, and nowhere else."""
    assert suggestion(CAPTURE, 2) == Move(2, 4, 1)
    assert suggestion(SLAY, 2) == Move(8, None)
    assert suggestion(QUIET, 3) is None

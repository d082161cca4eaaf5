"""Matching the visible tops of the spaces to a legal result: the best explanation wins, if it is clear."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.referee.board.expected import ExpectedBoard
from companion.referee.board.sightings import SpaceDifference, Top
from companion.rules.notation import parse, write
from companion.rules.turns import Turn
from companion.rules.variants import variant
from hardware.board.move_matching import BoardMatch, BoardStatus, match_board

CERTAIN = 0.99
UNKNOWN = np.full(2, np.nan)
MIXED = np.arange(9) == 6
BASES = ((4.1, 2.9), (4.0, 4.1), (7.5, 9.5))


def probabilities(tops: str, certain: float = CERTAIN) -> NDArray[np.float64]:
    """Build probabilities from a string, one letter a space: J and O for one piece, j and o for several, . for empty, |
    for a piece on the edge.
    """
    rows = np.full((len(tops), 6), (1 - certain) / 5)
    for space, letter in enumerate(tops):
        rows[space, ".JjOo|".index(letter)] = certain
    return rows


def expected(position: str, values: tuple[int, ...], game: str = "puluc") -> ExpectedBoard:
    return ExpectedBoard.of_turn(Turn(parse(position, variant(game)), values))


def match(position: str, values: tuple[int, ...], tops: str, heaps: str = "", game: str = "puluc") -> BoardMatch:
    mixed = np.array([letter == "x" for letter in heaps.ljust(len(tops))])
    return match_board(expected(position, values, game), probabilities(tops), mixed, UNKNOWN)


def test_a_clear_move_is_played() -> None:
    """The only result that explains every space is chosen."""
    found = match("3/1J1J3O1/4 0:0 J", (3,), "...JJ..O.")

    assert found.status is BoardStatus.PLAYED
    assert found.result is not None
    assert write(found.result) == "3/3JJ2O1/4 0:0 O"


def test_a_board_that_fits_nothing_is_illegal() -> None:
    """All spaces that contradict the nearest result are named."""
    found = match("3/1J1J3O1/4 0:0 J", (3,), ".J.J..O..")

    assert found.status is BoardStatus.ILLEGAL
    assert found.differences == (
        SpaceDifference(7, Top.EMPTY, Top.OBSIDIAN),
        SpaceDifference(8, Top.OBSIDIAN, Top.EMPTY),
    )


def test_captives_left_behind_are_illegal() -> None:
    """If the captives stand beside the captor, they were not captured."""
    found = match("3/1J1J3O1/4 0:0 J", (4,), ".J....OJ.")

    assert found.status is BoardStatus.ILLEGAL
    assert SpaceDifference(7, Top.EMPTY, Top.OBSIDIAN) in found.differences


def test_a_piece_on_a_line_is_between() -> None:
    """It belongs to neither space, so nothing is played."""
    found = match("3/1J1J3O1/4 0:0 J", (3,), ".J.||..O.")

    assert (found.status, found.reason) == (BoardStatus.UNSURE, "between")


def test_an_unclear_space_that_decides_is_asked_about() -> None:
    """If the evidence is weak where two results differ, neither is chosen."""
    position, rows = "3/1J1J3O1/4 0:0 J", probabilities("...JJ..O.")
    rows[1] = rows[4] = np.array([0.5, 0.48, 0.0, 0.01, 0.0, 0.01])
    found = match_board(expected(position, (3,)), rows, np.zeros(9, bool), UNKNOWN)

    assert (found.status, found.reason) == (BoardStatus.UNSURE, "unclear")


def test_a_piece_where_none_may_be_is_never_overlooked() -> None:
    """The best result is rejected if a space that it leaves empty probably holds a piece."""
    rows = probabilities("...JJ..O.")
    rows[6] = np.array([0.1, 0.8, 0.04, 0.02, 0.02, 0.02])
    turn = expected("3/1J1J3O1/4 0:0 J", (3,))

    assert match_board(turn, rows, np.zeros(9, bool), UNKNOWN).status is BoardStatus.UNSURE
    rows[6, :2] = 0.05, 0.85
    assert match_board(turn, rows, np.zeros(9, bool), UNKNOWN).status is BoardStatus.ILLEGAL


def test_the_top_of_a_heap_does_not_decide() -> None:
    """A piece that enters on a unit is recognized only if the colours of its space are not mixed."""
    assert match("4/6Jo2/4 0:0 O", (3,), "......o..").status is BoardStatus.PLAYED
    assert match("4/6Jo2/4 0:0 O", (3,), "......o..", heaps="      x").reason == "unclear"


def test_the_bases_tell_what_a_heap_hides() -> None:
    """If the top of a heap does not show whether a piece entered, the base decides, if it is visible."""
    turn = expected("4/6Jo2/4 0:0 O", (3,))
    seen = {beside: match_board(turn, probabilities("......o.."), MIXED, np.array(beside)) for beside in BASES}

    assert [found.status for found in seen.values()] == [BoardStatus.PLAYED, BoardStatus.UNSURE, BoardStatus.UNSURE]


def test_half_a_turn_is_unfinished() -> None:
    """In a game with two throws a turn, a board after the first one waits for the second."""
    turn = Turn(parse("3/6J5O6/3 1:1 O", variant("aj-sayil")), (2, 1))
    half = turn.after(turn.steps()[0]).position
    tops = "".join(units[0].owner.letter if units else "." for units in half.spaces)

    found = match("3/6J5O6/3 1:1 O", (2, 1), tops, game="aj-sayil")

    assert (found.status, found.reason) == (BoardStatus.UNSURE, "unfinished")

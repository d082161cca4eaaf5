"""A settled picture of a board gives the move that was played, or the reason why it is uncertain."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.errors import PictureUnusable, ProfileUnusable
from companion.referee.board.sightings import SpaceDifference, Top
from companion.rules.notation import write
from companion.rules.turns import Turn
from hardware.board.board_profile import BoardProfile
from hardware.board.board_reader import BoardReader
from hardware.board.move_matching import BoardStatus
from hardware.cameras.camera import Pixels
from tests.hardware.board.drawn_board import CORNERS, DrawnBoard, drawn, position, profile

BEFORE = "3/1J1J3O1/4 0:0 J"


@pytest.fixture(scope="module")
def reader() -> BoardReader:
    taught = BoardReader(profile())
    assert taught.check()
    return taught


def test_every_legal_result_is_told_from_the_others(reader: BoardReader) -> None:
    """Each legal result is recognized, also in other light and on a knocked board."""
    turns = [Turn(position(BEFORE), (value,)) for value in (3, 4)]

    assert [len(turn.ends()) for turn in turns] == [3, 2]
    for turn in turns:
        for result in turn.ends():
            for how in ({}, {"light": 0.8}, {"light": 1.1}, {"shift": (9.0, -6.0)}):
                match = reader.read(drawn(write(result), **how), turn)
                assert (match.status, match.result) == (BoardStatus.PLAYED, result), how


def test_the_position_before_is_unchanged(reader: BoardReader) -> None:
    """If nothing was moved, no move is reported."""
    match = reader.read(drawn(BEFORE), Turn(position(BEFORE), (4,)))

    assert (match.status, match.result) == (BoardStatus.UNCHANGED, None)


def test_an_illegal_board_says_what_differs(reader: BoardReader) -> None:
    """A piece on the wrong space is reported with the expected and the actual content."""
    match = reader.read(drawn("2/1JJJ3O1/4 0:0 O"), Turn(position(BEFORE), (4,)))

    assert match.status is BoardStatus.ILLEGAL
    assert match.differences == (SpaceDifference(3, Top.EMPTY, Top.JADE),)
    assert match.result is None


@pytest.mark.parametrize(
    ("how", "reason"), [({"between": 5}, "between"), ({"hand": True}, "hand"), ({"shift": (0.0, 110.0)}, "moved")]
)
def test_unfinished_move_is_unsure(reader: BoardReader, how: dict[str, object], reason: str) -> None:
    """A piece on a line, a hand, and a board that was moved away are each reported as such."""
    match = reader.read(drawn("4/1J5O1/4 0:0 O", **how), Turn(position(BEFORE), (4,)))

    assert (match.status, match.reason) == (BoardStatus.UNSURE, reason)


def test_a_hand_over_the_board_is_told_from_a_board_elsewhere(reader: BoardReader) -> None:
    """Both cover the road, but under a hand the board is in its place; pushed along the road it only looks like it."""
    hand, pushed = drawn(BEFORE, hand=True), drawn(BEFORE, shift=(110.0, 0.0))

    assert reader.is_covered(hand)
    assert reader.is_in_place(hand)
    assert reader.is_covered(pushed)
    assert not reader.is_in_place(pushed)


def test_pieces_beside_the_road_are_counted(reader: BoardReader) -> None:
    """The bases show whether a piece has left them, also on a knocked board."""
    for bases in ((5, 3), (2, 4), (0, 1)):
        sight = reader.look(drawn(BEFORE, bases=bases, shift=(6.0, 4.0)))

        assert sight is not None
        np.testing.assert_allclose(sight.beside, bases, atol=0.4)


def test_a_picture_of_another_size_is_refused(reader: BoardReader) -> None:
    """Pictures must have the resolution of the calibration."""
    with pytest.raises(PictureUnusable, match="taught at 640"):
        reader.read(DrawnBoard().picture()[:, :600], Turn(position(BEFORE), (4,)))


def test_pictures_are_kept_smaller_than_a_large_camera_takes_them() -> None:
    """A board is taught by a camera of more columns than are kept, and read from its pictures."""

    def large(pixels: Pixels) -> Pixels:
        return np.asarray(cv2.resize(pixels, None, fx=2.5, fy=2.5), np.uint8)

    taught = "4/J7O/4 0:0 J"
    corners = [(2.5 * x, 2.5 * y) for x, y in CORNERS]
    empty, pieces = large(DrawnBoard().picture()), large(drawn(taught, bases=(4, 4)))
    profile = BoardProfile.taught_from(empty, pieces, position(taught), corners=corners)
    reader = BoardReader(profile)

    assert profile.empty.shape[1] < profile.width
    assert reader.check()
    assert reader.compare(pieces, position(taught)).status is BoardStatus.UNCHANGED


def test_a_board_taught_the_wrong_way_round_is_refused() -> None:
    """If the corners were named from the other end, the position does not fit, and the differences are reported."""
    taught = "4/1J6O/4 0:0 J"
    empty = DrawnBoard().picture()
    turned = [(float(x), float(y)) for x, y in CORNERS[::-1]]
    wrong = BoardProfile.taught_from(empty, drawn(taught), position(taught), corners=turned)

    with pytest.raises(ProfileUnusable, match=r"space|Jade"):
        BoardReader(wrong).check()


def test_pieces_that_look_alike_are_refused() -> None:
    """The two sides' pieces must look different."""
    taught = position("4/J7O/4 0:0 J")
    same = drawn("3/J7J/5 0:0 J")

    with pytest.raises(ProfileUnusable, match="alike"):
        BoardReader(
            BoardProfile.taught_from(
                DrawnBoard().picture(), same, taught, corners=[(float(x), float(y)) for x, y in CORNERS]
            )
        )

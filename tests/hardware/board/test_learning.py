"""The board reader learns from what players put right, and never to repeat a wrong correction."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cases.case import Outcome
from companion.referee.board.sightings import Top
from companion.rules.unit import Side
from hardware.board.board_profile import BoardLesson, BoardProfile
from hardware.board.board_reader import BoardReader
from hardware.board.learning import answered, improved
from tests.hardware.board.drawn_board import PAINT, drawn, position, profile

SHOWN = "3/1J1J3O1/4 0:0 J"
CLAY, GREY, BLACK = (90, 60, 160), (60, 60, 60), PAINT[Side.OBSIDIAN]


@pytest.fixture(scope="module")
def reader() -> BoardReader:
    return BoardReader(profile())


def lesson(shown: str = SHOWN, *, claimed: str = SHOWN, **paint: tuple[int, int, int]) -> BoardLesson:
    """A picture with pieces of other colours, and what players say that it shows."""
    colours = {side: paint.get(side.value, PAINT[side]) for side in Side}
    return BoardLesson(drawn(shown, paint=colours), Top.of_all(position(claimed)))


def test_pieces_of_another_colour_are_learnt_and_kept(reader: BoardReader, tmp_path: Path) -> None:
    """What was not recognised is, on other spaces too, and after a restart."""
    fresh, later = lesson(jade=CLAY), lesson("3/J4J1O1/4 0:0 J", claimed="3/J4J1O1/4 0:0 J", jade=CLAY)
    better = improved(reader, fresh, [lesson()])
    assert better is not None
    better.profile.save(tmp_path)
    again = BoardReader(BoardProfile.load(tmp_path))

    assert [answered(reader, one) for one in (fresh, later)] == [Outcome.ASKED, Outcome.MISREAD]
    assert [answered(again, one) for one in (fresh, later, lesson())] == [Outcome.RIGHT] * 3


@pytest.mark.parametrize(
    ("claimed", "obsidian"), [("2/1J1J3J1/5 0:0 J", GREY), ("2/1J1J3J1/5 0:0 J", BLACK), ("3/1J2J2O1/4 0:0 J", BLACK)]
)
def test_what_may_be_wrong_is_not_learnt(reader: BoardReader, claimed: str, obsidian: tuple[int, int, int]) -> None:
    """Where it is sure of the other side, and a move that was tapped but not made."""
    assert improved(reader, lesson(claimed=claimed, obsidian=obsidian), []) is None


def test_what_would_do_harm_is_not_learnt(reader: BoardReader) -> None:
    """Pieces that look like the other side's in a picture that was read right."""
    other = "5/4O4/4 0:0 J"
    known = lesson(other, claimed=other, obsidian=CLAY)

    assert answered(reader, known) is Outcome.RIGHT
    assert improved(reader, lesson(jade=CLAY), [known]) is None

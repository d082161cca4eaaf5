"""Every board is laid out correctly, for all games and custom ones."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.printing.board_plan import GLUE_MM, HEIGHT_MM, SPACE_MM, WIDEST_MM, BoardLayout, BoardPlan, lay_out
from companion.printing.tray_plan import MARGIN_MM, PAPERS, QUIET_MM
from companion.rules.variant import MOST_SPACES
from companion.rules.variants import VARIANTS

PIECE_MM = 20.0

boards = st.builds(
    lay_out,
    st.integers(5, MOST_SPACES),
    way=st.sampled_from([None, *BoardLayout]),
    space_mm=st.floats(SPACE_MM, WIDEST_MM).map(lambda size: round(size, 1)),
)


@given(board=boards)
def test_every_space_has_room_of_its_own(board: BoardPlan) -> None:
    """A piece fits on each space, spaces overlap neither each other nor bases nor markers, and each touches the
    next."""
    solid = [*board.bases, *(marker.grown(QUIET_MM) for marker in board.markers)]
    boxes = [space.box for space in board.spaces]
    for at, box in enumerate(boxes):
        assert min(box.width, box.height) >= PIECE_MM
        for other in (*boxes[at + 1 :], *solid):
            assert (
                box.right <= other.left + 0.01
                or other.right <= box.left + 0.01
                or box.bottom <= other.top + 0.01
                or other.bottom <= box.top + 0.01
            )
    for space, following in pairwise(board.spaces):
        if space.up:
            assert following.down
            assert 0 < space.box.top - following.box.bottom < PIECE_MM
            assert min(space.box.right, following.box.right) - max(space.box.left, following.box.left) >= PIECE_MM
        else:
            near, far = (space, following) if space.towards > 0 else (following, space)
            assert near.box.right == pytest.approx(far.box.left)
            assert near.box.top == far.box.top


@given(board=boards, paper=st.sampled_from(list(PAPERS)))
def test_parts_fit_on_their_sheets_and_on_each_other(board: BoardPlan, paper: str) -> None:
    """The parts make up the board, overlap by the glue area, and stay inside the margins."""
    sheet = PAPERS[paper]
    parts = board.parts(sheet)

    assert (parts[0].start, parts[-1].glued, parts[-1].end) == (0, board.width, board.width)
    for part, following in pairwise(parts):
        assert part.glued == following.start
        assert part.end - part.glued == pytest.approx(GLUE_MM)
    for number, part in enumerate(parts, start=1):
        assert (part.number, part.of) == (number, len(parts))
        assert part.left + part.start >= MARGIN_MM - 0.01
        assert part.left + part.end <= sheet.width - MARGIN_MM + 0.01
        assert part.top >= MARGIN_MM - 0.01
        assert part.top + HEIGHT_MM <= sheet.height - MARGIN_MM + 0.01
        for marker in board.markers:
            whole = part.start <= marker.left and marker.right <= part.glued
            assert whole or marker.right + QUIET_MM <= part.start or part.glued <= marker.left - QUIET_MM


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("id", VARIANTS)
def test_every_game_has_its_board(id: str, paper: str) -> None:  # noqa: A002 - the variant's own field's name
    """Nine spaces take one sheet, up to fourteen take two, and long highways wind on one."""
    board = lay_out(VARIANTS[id].spaces)
    expected = {
        9: (BoardLayout.STRAIGHT, 1),
        11: (BoardLayout.STRAIGHT, 2),
        14: (BoardLayout.STRAIGHT, 2),
        19: (BoardLayout.WINDING, 1),
    }

    assert (board.way, len(board.parts(PAPERS[paper]))) == expected[VARIANTS[id].spaces]
    assert len(board.spaces) == VARIANTS[id].spaces

"""Printed boards, measured on their rendered pages."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest

from companion.i18n import languages, use_language
from companion.printing.board_plan import GLUE_MM, HEIGHT_MM, BoardLayout, lay_out
from companion.printing.board_sheet import BoardLabels, draw_board
from companion.printing.tray_plan import PAPERS, QUIET_MM, RULER_MM, Box
from hardware.cameras.camera import Pixels
from hardware.registration.board_markers import BOARD_IDS, board_patterns
from hardware.registration.markers import TRAY_IDS, find_markers, marker_patterns
from tests.i18n.pseudo import PSEUDO, accented
from tests.printing.boards import FINE, NAME, Printed, carved_number, printed_board, stone_extent
from tests.printing.printed import printed as printed_tray
from tests.printing.printed import words

CARVED_MM = 0.6 + 1.3
"""Distance of the carved line from the edge of a slab's box."""

BOARDS = [(9, "a4", None), (11, "letter", None), (14, "a4", None), (19, "a4", 10), (19, "letter", None)]
"""Spaces, paper and fire: every number of spaces of the documented games, each paper at least twice."""


@pytest.fixture(params=BOARDS, ids=lambda board: "-".join(map(str, board)))
def board(request: pytest.FixtureRequest) -> Printed:
    return printed_board(*request.param)


def test_the_pages_are_the_paper() -> None:
    """The pages of the PDF have the size of the paper."""
    for spaces, paper, fire in BOARDS:
        for page in printed_board(spaces, paper, fire).pages:
            assert page.shape[1] == pytest.approx(PAPERS[paper].width * FINE, abs=1)
            assert page.shape[0] == pytest.approx(PAPERS[paper].height * FINE, abs=1)


def test_markers_are_found_where_they_should_be(board: Printed) -> None:
    """There is one in each corner of the board, to 0.2 mm."""
    found = board.markers()

    assert sorted(found) == list(BOARD_IDS)
    for marker, box in zip(BOARD_IDS, board.board.markers, strict=True):
        corners = [[box.left, box.top], [box.right, box.top], [box.right, box.bottom], [box.left, box.bottom]]
        np.testing.assert_allclose(found[marker][1], corners, atol=0.2)


def test_nothing_comes_near_a_marker(board: Printed) -> None:
    """Its white border is empty; otherwise no camera would find it."""
    for box in board.board.markers:
        around = box.grown(QUIET_MM - 0.3)
        ink = board.crop(board.shown_on(box), around).max(axis=2) < 250
        edge = round((QUIET_MM - 0.5) * FINE)
        ink[edge:-edge, edge:-edge] = False

        assert not ink.any()


def test_every_space_is_there_at_true_scale(board: Printed) -> None:
    """The carved line of each slab lies where it should, to 0.5 mm."""
    for space in board.board.spaces:
        box = space.box
        stone = stone_extent(board.crop(board.shown_on(box), box))

        assert stone == pytest.approx((CARVED_MM, CARVED_MM, box.width - CARVED_MM, box.height - CARVED_MM), abs=0.5)


def test_every_space_shows_its_number(board: Printed) -> None:
    """A dot means one, a bar means five."""
    numbers = []
    for space in board.board.spaces:
        box = space.box
        low = Box(box.left + 2.2, box.bottom - 26, box.right - 2.2, box.bottom - 7.5)
        numbers.append(carved_number(board.crop(board.shown_on(box), low)))

    assert numbers == list(range(1, len(board.board.spaces) + 1))


def heads_to(picture: Pixels) -> int:
    """Whether an arrowhead points right (1) or left (-1): it is wide at the back and narrow in front."""
    dark = picture.max(axis=2) < 100
    spans = np.array([np.ptp(np.flatnonzero(column)) for column in dark.T if column.any()])
    half = len(spans) // 2
    return int(np.sign(spans[:half].mean() - spans[half:].mean()))


def test_both_sides_see_where_they_head(board: Printed) -> None:
    """Jade's arrowhead is above and Obsidian's below, reversed; an arrow crosses where the highway turns."""
    for space in board.board.spaces:
        box, part = space.box, board.shown_on(space.box)
        middle = (box.left + box.right) / 2
        if not space.up:
            above = board.crop(part, Box(middle - 2, box.top + 2.6, middle + 2, box.top + 6.6))
            assert heads_to(above) == space.towards
        if not space.down:
            below = board.crop(part, Box(middle - 2, box.bottom - 6.2, middle + 2, box.bottom - 2.2))
            assert heads_to(below) == -space.towards
        if space.up:
            across = board.crop(part, Box(box.left + 2, box.top - 3.5, box.right - 2, box.top - 1.5))
            assert (across.max(axis=2) < 100).all(axis=0).any()


def test_the_fire_burns_on_its_space_alone() -> None:
    """There is a white flame on space 10, and on no other."""
    board = printed_board(19, "a4", 10)
    flames = []
    for space in board.board.spaces:
        inside = board.crop(board.shown_on(space.box), space.box.grown(-5))
        flames.append(int((inside.min(axis=2) == 255).sum() / FINE**2))

    assert flames[9] > 30
    assert all(area < 3 for at, area in enumerate(flames) if at != 9)


def test_bases_have_a_ring_for_every_piece(board: Printed) -> None:
    """Each base has five white circles of the size of a piece."""
    for base in board.board.bases:
        white = board.crop(board.shown_on(base), base.grown(-2.5)).min(axis=2) > 250
        rings = white.sum() / FINE**2 / (np.pi * 9.4**2)

        assert rings == pytest.approx(5, abs=0.6)


def test_parts_overlap_at_the_glue_marks() -> None:
    """What lies under the glued edge is what is on it, so that lines go on across the seam; a dashed line says where
    to cut, strokes where to glue.
    """
    for spaces, paper in ((14, "a4"), (11, "letter")):
        board = printed_board(spaces, paper)
        (first, second) = board.parts
        # Without the rulers below, of which each sheet has its own.
        strip = Box(first.glued + 0.6, 0, first.glued + GLUE_MM - 0.2, HEIGHT_MM - 12)
        under, over = board.crop(first, strip), board.crop(second, strip)
        dark = over.max(axis=2) < 80
        # The words "glue part 2 here" lie on the middle.
        label = slice(round((HEIGHT_MM / 2 - 20) * FINE), round((HEIGHT_MM / 2 + 20) * FINE))
        dark[label] = False

        assert dark.sum() > 20 * FINE**2
        assert (under[dark].max(axis=-1) < 170).mean() > 0.995
        grey = np.abs(under.astype(int) - 0x9A).max(axis=2) < 12
        assert grey.mean() > 0.02
        assert not (np.abs(over.astype(int) - 0x9A).max(axis=2) < 12).mean() > 0.02
        edge = board.crop(second, Box(second.start - 0.4, -4, second.start + 0.4, 0)).max(axis=2) < 140
        assert 0.3 < edge.any(axis=1).mean() < 0.9


def test_every_sheet_has_its_ruler(board: Printed) -> None:
    """It measures 100 mm from its first mark to its last."""
    for part, page in zip(board.parts, board.pages, strict=True):
        row = page[round((part.top + HEIGHT_MM - 6.5) * FINE)].max(axis=1) < 100
        row[: round((part.left + max(part.start, 30) + 1) * FINE)] = False
        edges = np.flatnonzero(np.diff(row.astype(int)))
        middles = edges.reshape(-1, 2).mean(axis=1)[:11] / FINE

        assert middles[-1] - middles[0] == pytest.approx(RULER_MM, abs=0.1)


@pytest.mark.parametrize("language", languages())
def test_the_words_find_room_in_every_language(language: str) -> None:
    """Even on narrow parts none runs into another, or over the edge at which two parts are glued."""
    board, sheet = lay_out(9, space_mm=60), PAPERS["letter"]
    game = BoardLabels(name=NAME, pieces=10, values=(5, 1, 2, 3, 4), fire=3)
    with use_language(languages()[language]):
        pages = words(draw_board(sheet, board, game, board_patterns()))

    for part, page in zip(board.parts(sheet), pages, strict=True):
        assert page.overlaps() == []
        for edge in (part.start, part.glued):
            assert not any(box.left < edge + part.left < box.right for box in page.boxes)


def test_every_word_is_translated() -> None:
    """None stays English, and the letters of other languages are printed."""
    game = BoardLabels(name=accented(NAME), pieces=6, values=(5, 1, 2, 3, 4), fire=3)
    with use_language(PSEUDO):
        pages = words(draw_board(PAPERS["a4"], lay_out(14), game, board_patterns()))

    assert "ĴÁĐÉ" in pages[0].text
    assert [re.findall("[A-Za-z]+", page.text) for page in pages] == [[], []]


def test_a_single_piece_is_no_plural() -> None:
    """A board for one piece a side says so."""
    game = BoardLabels(name=NAME, pieces=1, values=(5, 1, 2, 3, 4))
    [page] = words(draw_board(PAPERS["a4"], lay_out(9), game, board_patterns()))

    assert "9 spaces, 1 piece a side" in page.text.splitlines()


def test_no_marker_is_taken_for_one_of_the_trays() -> None:
    """The tray's detector ignores them, and at least six cells differ in every rotation, where one error is
    corrected."""
    boards, trays = ([np.array(cells) for cells in them] for them in (board_patterns(), marker_patterns()))

    assert not set(BOARD_IDS) & set(TRAY_IDS)
    assert find_markers(printed_board(9).pages[0], min_markers=1) is None
    assert find_markers(printed_tray()) is not None
    pairs = [*combinations(boards, 2), *((one, other) for one in boards for other in trays)]
    for one, other in pairs:
        assert min(int((np.rot90(one, turn) != other).sum()) for turn in range(4)) >= 6


def test_the_file_is_small_and_always_the_same() -> None:
    """The file contains no date, version or path."""
    board = lay_out(14)
    game = BoardLabels(name="Culin's game", pieces=5, values=(5, 1, 2, 3, 4))
    pdf = draw_board(PAPERS["a4"], board, game, board_patterns())

    assert pdf == draw_board(PAPERS["a4"], board, game, board_patterns())
    assert len(pdf) < 120_000
    assert not re.search(rb"CreationDate|ModDate|Producer|/home|/tmp|[Mm]atplotlib", pdf)
    assert b"puluc print" in pdf


@pytest.mark.parametrize(
    ("spaces", "way"), [(60, BoardLayout.WINDING), (30, BoardLayout.STRAIGHT), (5, BoardLayout.WINDING)]
)
def test_custom_boards_are_printed_as_well(spaces: int, way: BoardLayout) -> None:
    """Every slab is printed, for the longest and shortest highways and both layouts."""
    board = printed_board(spaces, "a4", 3, way)
    for space in board.board.spaces:
        try:
            part = board.shown_on(space.box)
        except StopIteration:
            # A winding highway's seam goes through some of its spaces.
            assert way is BoardLayout.WINDING
            continue
        stone = stone_extent(board.crop(part, space.box))
        assert stone.width == pytest.approx(space.box.width - 2 * CARVED_MM, abs=0.5)

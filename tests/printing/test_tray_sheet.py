"""The tray sheet is printed at true scale, deterministically, and as it is laid out."""

import re
import zlib

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.i18n import languages, use_language
from companion.printing.tray_plan import MARGIN_MM, MARKER_MM, PAPERS, QUIET_MM, RULER_MM, Box
from companion.printing.tray_sheet import draw_tray
from hardware.cameras.camera import Pixels
from hardware.registration.markers import marker_patterns
from tests.i18n.pseudo import PSEUDO
from tests.printing.printed import FINE, printed, words

Ink = NDArray[np.bool_]

STICK_MM = 114.0
"""A craft stick."""


def dark(picture: Pixels, box: Box) -> Ink:
    """True where there is dark ink in a box, given in millimetres."""
    left, top, right, bottom = (round(side * FINE) for side in box)
    mask: Ink = picture[top:bottom, left:right].max(axis=2) < 100
    return mask


def extent(ink: Ink) -> tuple[float, float]:
    """Width and height of the ink in millimetres."""
    rows, columns = np.nonzero(ink)
    return (np.ptp(columns) + 1) / FINE, (np.ptp(rows) + 1) / FINE


@pytest.mark.parametrize("paper", PAPERS)
def test_the_page_is_the_paper(paper: str) -> None:
    """The pages of the PDF have the size of the paper."""
    sheet = PAPERS[paper]

    assert printed(paper).shape[1] == pytest.approx(sheet.width * FINE, abs=1)
    assert printed(paper).shape[0] == pytest.approx(sheet.height * FINE, abs=1)


@pytest.mark.parametrize("paper", PAPERS)
def test_markers_are_drawn_where_and_as_they_should_be(paper: str) -> None:
    """Each black square is 20 mm wide to 0.1 mm, surrounded by white, and shows its own pattern."""
    for box, cells in zip(PAPERS[paper].markers, marker_patterns(), strict=True):
        around = box.grown(QUIET_MM * 0.9)
        ink = dark(printed(paper), around)
        rows, columns = np.nonzero(ink)
        middles = ((np.arange(6) + 0.5) * MARKER_MM / 6 + QUIET_MM * 0.9) * FINE

        assert extent(ink) == pytest.approx((MARKER_MM, MARKER_MM), abs=0.2)
        assert columns.min() / FINE + around.left == pytest.approx(box.left, abs=0.1)
        assert rows.min() / FINE + around.top == pytest.approx(box.top, abs=0.1)
        np.testing.assert_array_equal(ink[np.ix_(middles.astype(int), middles.astype(int))], cells)
        white = printed(paper)[round(around.top * FINE), round(around.left * FINE) : round(around.right * FINE)]
        assert white.min() == 255


@pytest.mark.parametrize("paper", PAPERS)
def test_the_ruler_is_a_hundred_millimetres_long(paper: str) -> None:
    """It measures 100 mm from its first mark to its last."""
    words = PAPERS[paper].words
    right_half = Box((words.left + words.right) / 2 - 1, words.top + 18, words.right, words.top + 19)
    ticks = np.flatnonzero(np.diff(dark(printed(paper), right_half).any(axis=0).astype(int)))
    first, last = (ticks[0] + ticks[1]) / 2, (ticks[-2] + ticks[-1]) / 2

    assert (last - first) / FINE == pytest.approx(RULER_MM, abs=0.1)


@pytest.mark.parametrize("paper", PAPERS)
def test_four_sticks_find_room(paper: str) -> None:
    """The area has room for two pairs of craft sticks end to end, and nothing enters the margin."""
    sheet = PAPERS[paper]
    across, down = zip(*sheet.area, strict=True)

    assert max(across) - min(across) > 2 * STICK_MM
    assert max(down) - min(down) > STICK_MM
    for x, y in sheet.area:
        assert MARGIN_MM <= x <= sheet.width - MARGIN_MM
        assert MARGIN_MM <= y <= sheet.height - MARGIN_MM


@pytest.mark.parametrize(("tinted", "colour"), [(True, (126, 143, 120)), (False, (255, 255, 255))])
def test_the_area_is_green_or_paper(tinted: bool, colour: tuple[int, int, int]) -> None:
    """With --plain only the outline is printed there."""
    picture = printed(tinted=tinted)

    assert tuple(picture[picture.shape[0] // 2, picture.shape[1] // 2]) == colour


def test_the_words_stay_on_their_strip() -> None:
    """In both versions no text touches a marker or leaves the paper."""
    for paper, sheet in PAPERS.items():
        for tinted in (True, False):
            strip = sheet.words
            edges = Box(strip.right - 1, strip.top + 1, strip.right + QUIET_MM - 0.5, strip.bottom)

            assert not dark(printed(paper, tinted=tinted), edges).any()


@pytest.mark.parametrize("language", languages())
def test_the_words_find_room_in_every_language(language: str) -> None:
    """All lines end on their strip, and none runs into another."""
    for sheet in PAPERS.values():
        for tinted in (True, False):
            with use_language(languages()[language]):
                [page] = words(draw_tray(sheet, marker_patterns(), tinted=tinted))

            assert page.overlaps() == []
            assert min(box.left for box in page.boxes) > sheet.words.left
            assert max(box.right for box in page.boxes) < sheet.words.right


@pytest.mark.parametrize("tinted", [True, False])
def test_every_word_is_translated(tinted: bool) -> None:
    """None stays English, and the letters of other languages are printed."""
    with use_language(PSEUDO):
        [page] = words(draw_tray(PAPERS["a4"], marker_patterns(), tinted=tinted))

    assert "Ƥúłúç ţřáý" in page.text
    assert re.findall("[A-Za-z]+", page.text) == []


@pytest.mark.parametrize("tinted", [True, False])
def test_the_steps_are_numbered_and_called_as_on_the_page(tinted: bool) -> None:
    """The page has a screen "Teach the camera", and nothing called calibration."""
    [page] = words(draw_tray(PAPERS["a4"], marker_patterns(), tinted=tinted))

    assert f"{4 if tinted else 5} Teach the camera your sticks." in page.text
    assert re.findall(r"^\d", page.text, re.M) == ["1", "2", "3", "4", "5", "6"][: 5 if tinted else 6]


@pytest.mark.parametrize("tinted", [True, False])
def test_the_file_is_small_and_always_the_same(tinted: bool) -> None:
    """The file contains no date, version or path, and only the glyphs it uses."""
    sheet = draw_tray(PAPERS["a4"], marker_patterns(), tinted=tinted)

    assert sheet == draw_tray(PAPERS["a4"], marker_patterns(), tinted=tinted)
    assert len(sheet) < 40_000
    assert not re.search(rb"CreationDate|ModDate|Producer|/home|/tmp|[Mm]atplotlib", sheet)
    assert b"puluc print" in sheet
    assert b"/Type3" in sheet
    for stream in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", sheet, re.DOTALL):
        assert b"/home" not in zlib.decompressobj().decompress(stream)

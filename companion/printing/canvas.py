"""What every printed sheet is drawn with: paper measured in millimetres, ink, lines, words, and markers."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any

import matplotlib as mpl
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle
from matplotlib.textpath import TextPath
from matplotlib.transforms import Bbox, TransformedBbox

from companion.paper.layout import RULER_MM, Box, Sheet

INK = "#26292e"
MEASURE = "Measure this line: 100 mm. If it is not, print again at 100 %."
_MM = 1 / 25.4
"""Inches in a millimetre."""

_LOOK: dict[Any, Any] = {
    "font.family": ["DejaVu Sans"],  # it comes with matplotlib, so every computer makes the same file
    "text.color": INK,
    "pdf.fonttype": 3,  # only the letters that are used
    "pdf.compression": 6,
    "path.simplify": False,
    "lines.antialiased": True,
}


class Paper:
    """A sheet to draw on, in millimetres right and down from a corner that may lie anywhere on it or off it."""

    def __init__(self, figure: Figure, sheet: Sheet, left: float, top: float) -> None:
        self._axes: Axes = figure.add_axes(
            (0, 0, 1, 1), xlim=(-left, sheet.width - left), ylim=(sheet.height - top, -top)
        )
        self._axes.set_axis_off()
        self._clip: TransformedBbox | None = None

    def keep_to(self, box: Box | None) -> None:
        """From now on nothing is drawn outside this box; None is the whole sheet."""
        bounds = None if box is None else Bbox([[box.left, box.top], [box.right, box.bottom]])
        self._clip = None if bounds is None else TransformedBbox(bounds, self._axes.transData)

    def add(self, patch: Patch) -> None:
        """A shape of matplotlib's."""
        self._axes.add_patch(patch)
        self._clipped(patch)

    def fill(self, box: Box, colour: str) -> None:
        """A box without an outline."""
        self.add(Rectangle((box.left, box.top), box.width, box.height, facecolor=colour, linewidth=0))

    def line(self, xs: Sequence[float], ys: Sequence[float], wide: float = 0.8, **more: Any) -> None:
        """A line through these points, as wide as so many points of a printer."""
        drawn = Line2D(xs, ys, linewidth=wide, **({"color": INK, "solid_capstyle": "projecting"} | more))
        self._axes.add_line(drawn)
        self._clipped(drawn)

    def text(self, x: float, y: float, words: str, size: float, **more: Any) -> None:
        """Words whose middle line is at y, in letters of so many points."""
        self._clipped(self._axes.text(x, y, words, fontsize=size, **({"va": "center"} | more)))

    def marker(self, box: Box, cells: Sequence[Sequence[bool]]) -> None:
        """A marker: the rows of its cells, True where black."""
        self.fill(box, "black")
        for run in _white(box, cells):
            self.fill(run, "white")

    def ruler(self, x: float, y: float) -> None:
        """A hundred millimetres, that show whether the printer kept the scale."""
        self.line((x, x + RULER_MM), (y, y))
        for tenth in range(11):
            at = x + tenth * RULER_MM / 10
            self.line((at, at), (y - (3 if tenth % 5 == 0 else 2), y))

    def _clipped(self, artist: Artist) -> None:
        if self._clip is not None:
            artist.set_clip_on(True)
            artist.set_clip_path(None)
            artist.set_clip_box(self._clip)


class Book:
    """Sheets of one file, drawn one after the other. ``pdf``: the file, once it is bound."""

    def __init__(self, sheet: Sheet, pages: PdfPages) -> None:
        self._sheet, self._pages = sheet, pages
        self.pdf = b""

    @contextmanager
    def page(self, left: float = 0.0, top: float = 0.0) -> Iterator[Paper]:
        """One more sheet; millimetres count from a corner that lies so far right and down from the paper's."""
        figure = Figure(figsize=(self._sheet.width * _MM, self._sheet.height * _MM))
        yield Paper(figure, self._sheet, left, top)
        self._pages.savefig(figure)  # type: ignore[no-untyped-call]  # matplotlib has not typed it


@contextmanager
def bound(sheet: Sheet, *, title: str, made_by: str) -> Iterator[Book]:
    """A PDF of this kind of paper, the same for the same drawing. made_by: what the file says of its maker."""
    file = io.BytesIO()
    about = {"Title": title, "Creator": made_by, "Producer": None, "CreationDate": None}
    with mpl.rc_context(_LOOK):
        with PdfPages(file, metadata=about) as pages:
            book = Book(sheet, pages)
            yield book
        book.pdf = file.getvalue()


def width_of(words: str, size: float, **font: Any) -> float:
    """How many millimetres words of so many points take; font: as ``Paper.text`` takes it."""
    return float(TextPath((0, 0), words, size=size, prop=FontProperties(**font)).get_extents().width) / 72 / _MM


def _white(box: Box, cells: Sequence[Sequence[bool]]) -> Iterator[Box]:
    """The white runs of a marker's rows, one box each: fewer seams than one box a cell."""
    side = box.width / len(cells)
    for down, row in enumerate(cells):
        across = 0
        for black, run in groupby(row):
            start, across = across, across + len(list(run))
            if not black:
                yield Box(
                    box.left + start * side,
                    box.top + down * side,
                    box.left + across * side,
                    box.top + (down + 1) * side,
                )

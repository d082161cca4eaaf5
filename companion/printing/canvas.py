"""Drawing in millimetres on the sheets of a PDF: shapes, lines, text, markers and rulers."""

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

from companion.printing.tray_plan import RULER_MM, Box, PaperSheet

INK = "#26292e"
_MM = 1 / 25.4
"""Inches per millimetre."""

_LOOK: dict[Any, Any] = {
    "font.family": ["DejaVu Sans"],  # it comes with matplotlib, so every computer makes the same file
    "text.color": INK,
    "pdf.fonttype": 3,  # only the letters that are used
    "pdf.compression": 6,
    "path.simplify": False,
    "lines.antialiased": True,
}


class Canvas:
    """A sheet to draw on, in millimetres right and down from an origin that may lie anywhere on or off the sheet."""

    def __init__(self, figure: Figure, sheet: PaperSheet, left: float, top: float) -> None:
        self._axes: Axes = figure.add_axes(
            (0, 0, 1, 1), xlim=(-left, sheet.width - left), ylim=(sheet.height - top, -top)
        )
        self._axes.set_axis_off()
        self._clip: TransformedBbox | None = None

    def keep_to(self, box: Box | None) -> None:
        """Clip everything drawn from now on to this box, or to the whole sheet if None."""
        bounds = None if box is None else Bbox([[box.left, box.top], [box.right, box.bottom]])
        self._clip = None if bounds is None else TransformedBbox(bounds, self._axes.transData)

    def add(self, patch: Patch) -> None:
        """Add a matplotlib patch."""
        self._axes.add_patch(patch)
        self._clipped(patch)

    def fill(self, box: Box, colour: str) -> None:
        """Fill a box, without an outline."""
        self.add(Rectangle((box.left, box.top), box.width, box.height, facecolor=colour, linewidth=0))

    def line(self, xs: Sequence[float], ys: Sequence[float], wide: float = 0.8, **more: Any) -> None:
        """Draw a line through these points. wide: line width in points."""
        drawn = Line2D(xs, ys, linewidth=wide, **({"color": INK, "solid_capstyle": "projecting"} | more))
        self._axes.add_line(drawn)
        self._clipped(drawn)

    def text(self, x: float, y: float, words: str, size: float, **more: Any) -> None:
        """Write text centred vertically on y. size: font size in points."""
        self._clipped(self._axes.text(x, y, words, fontsize=size, **({"va": "center"} | more)))

    def marker(self, box: Box, cells: Sequence[Sequence[bool]]) -> None:
        """Draw a marker from the rows of its cells, True if black."""
        self.fill(box, "black")
        for run in _white(box, cells):
            self.fill(run, "white")

    def ruler(self, x: float, y: float) -> None:
        """Draw a ruler of 100 mm, which shows whether the printer kept the scale."""
        self.line((x, x + RULER_MM), (y, y))
        for tenth in range(11):
            at = x + tenth * RULER_MM / 10
            self.line((at, at), (y - (3 if tenth % 5 == 0 else 2), y))

    def _clipped(self, artist: Artist) -> None:
        if self._clip is not None:
            artist.set_clip_on(True)
            artist.set_clip_path(None)
            artist.set_clip_box(self._clip)


class PdfSheets:
    """The sheets of a PDF, drawn one after the other. pdf: the bytes of the file, once it is complete."""

    def __init__(self, sheet: PaperSheet, pages: PdfPages) -> None:
        self._sheet, self._pages = sheet, pages
        self.pdf = b""

    @contextmanager
    def page(self, left: float = 0.0, top: float = 0.0) -> Iterator[Canvas]:
        """Add a sheet whose origin lies ``left`` and ``top`` millimetres from the paper's corner."""
        figure = Figure(figsize=(self._sheet.width * _MM, self._sheet.height * _MM))
        yield Canvas(figure, self._sheet, left, top)
        self._pages.savefig(figure)  # type: ignore[no-untyped-call]  # matplotlib has not typed it


@contextmanager
def open_pdf(sheet: PaperSheet, *, title: str, made_by: str) -> Iterator[PdfSheets]:
    """Make a PDF on this paper. Equal drawings make equal bytes. made_by: the creator named in the file."""
    file = io.BytesIO()
    about = {"Title": title, "Creator": made_by, "Producer": None, "CreationDate": None}
    with mpl.rc_context(_LOOK):
        with PdfPages(file, metadata=about) as pages:
            book = PdfSheets(sheet, pages)
            yield book
        book.pdf = file.getvalue()


def text_width(words: str, size: float, **font: Any) -> float:
    """The width of a text in millimetres. size: font size in points; font: as in ``Canvas.text``."""
    return float(TextPath((0, 0), words, size=size, prop=FontProperties(**font)).get_extents().width) / 72 / _MM


def _white(box: Box, cells: Sequence[Sequence[bool]]) -> Iterator[Box]:
    """One box for each run of white cells in a row, which leaves fewer seams than a box for each cell."""
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

"""The tray's sheet as a PDF at true scale: four markers, the place to throw, a ruler and how to use it."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon, Rectangle

from companion.paper.layout import RULER_MM, Box, Sheet

TINT = "#788f7e"
"""Grey-green, matt on plain paper: Lab lightness 57, colour 13. Pale wood (about 80), dark wood and black paint (below
35) and white paint all differ from it, and so do yellow and red. Darker drinks ink and buckles the paper; lighter comes
near bare wood."""

INK = "#26292e"
_LAY = (
    "1  Print at 100 % on plain paper (glossy paper shines).",
    "2  Lay the sheet flat and tape it down.",
    "3  The camera must see all four black squares.",
)
_THROW_GREEN = (
    "4  Calibrate: show the companion your sticks.",
    "5  Throw onto the green. Keep the squares clear.",
)
_THROW_PLAIN = (
    "4  Pale sticks? Cut along the line, lay the frame on dark cloth.",
    "5  Calibrate. Throw inside the line. Keep the squares clear.",
)
_MEASURE = "Measure this line: 100 mm. If it is not, print again at 100 %."
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


def draw_tray(sheet: Sheet, markers: Sequence[Sequence[Sequence[bool]]], *, tinted: bool) -> bytes:
    """The sheet as the bytes of a PDF, the same for the same sheet.

    markers: top left, top right, bottom right, bottom left; each the rows of its cells, True where black.
    tinted: the throwing area is printed grey-green; else only its outline is.
    """
    with mpl.rc_context(_LOOK):
        figure = Figure(figsize=(sheet.width * _MM, sheet.height * _MM))
        paper = figure.add_axes((0, 0, 1, 1), xlim=(0, sheet.width), ylim=(sheet.height, 0))
        paper.set_axis_off()
        paper.add_patch(Polygon(sheet.area, facecolor=TINT if tinted else "none", edgecolor=INK, linewidth=0.8))
        for box, cells in zip(sheet.markers, markers, strict=True):
            _fill(paper, box, "black")
            for run in _white(box, cells):
                _fill(paper, run, "white")
        _write(paper, sheet.words, tinted)
        file = io.BytesIO()
        about = {"Title": "Puluc tray", "Creator": "puluc print tray", "Producer": None, "CreationDate": None}
        figure.savefig(file, format="pdf", metadata=about)
    return file.getvalue()


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


def _fill(paper: Axes, box: Box, colour: str) -> None:
    paper.add_patch(Rectangle((box.left, box.top), box.width, box.height, facecolor=colour, linewidth=0))


def _write(paper: Axes, strip: Box, tinted: bool) -> None:
    """The words, and the ruler that shows whether the printer kept the scale."""
    left, middle = strip.left + 4, (strip.left + strip.right) / 2
    paper.text(left, strip.top + 4.5, "Puluc tray", fontsize=11, weight="bold", va="center")
    for row, line in enumerate(_LAY, start=1):
        paper.text(left, strip.top + 6 + 5 * row, line, fontsize=8, va="center")
    for row, line in enumerate(_THROW_GREEN if tinted else _THROW_PLAIN):
        paper.text(middle, strip.top + 4.5 + 5 * row, line, fontsize=8, va="center")
    line_at = strip.top + 20.5
    _rule(paper, (middle, middle + RULER_MM), (line_at, line_at))
    for tenth in range(11):
        x = middle + tenth * RULER_MM / 10
        _rule(paper, (x, x), (line_at - (3 if tenth % 5 == 0 else 2), line_at))
    paper.text(middle, line_at + 4, _MEASURE, fontsize=8, va="center")


def _rule(paper: Axes, x: tuple[float, float], y: tuple[float, float]) -> None:
    paper.add_line(Line2D(x, y, color=INK, linewidth=0.8, solid_capstyle="projecting"))

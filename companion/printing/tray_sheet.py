"""The tray sheet as a PDF at true scale: four markers, the throwing area, a ruler and instructions."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.patches import Polygon

from companion.i18n import N_, _
from companion.printing.canvas import INK, Canvas, open_pdf
from companion.printing.tray_plan import Box, PaperSheet

TINT = "#788f7e"
"""Grey-green, matt on plain paper: Lab lightness 57, chroma 13. Pale wood (lightness about 80), dark wood and black
paint (below 35), white paint, yellow and red all differ from it. A darker tint takes more ink and buckles the paper; a
lighter one comes close to bare wood."""

_LAY = (
    N_("Print at 100% on plain paper (glossy paper shines)."),
    N_("Lay the sheet flat and tape it down."),
    N_("The camera must see all four black squares."),
)
_THROW_GREEN = (
    N_("Teach the camera your sticks."),
    N_("Throw onto the green. Keep the squares clear."),
)
_THROW_PLAIN = (
    N_("Pale sticks? Cut along the line, lay the frame on dark cloth."),
    N_("Teach the camera your sticks."),
    N_("Throw inside the line. Keep the squares clear."),
)


def draw_tray(sheet: PaperSheet, markers: Sequence[Sequence[Sequence[bool]]], *, tinted: bool) -> bytes:
    """Draw the tray sheet as a PDF in the context's language. Equal sheets make equal bytes.

    markers: top left, top right, bottom right, bottom left; each a sequence of rows of cells, True if black.
    tinted: whether the throwing area is printed grey-green, or only its outline.
    """
    with open_pdf(sheet, title=_("Puluc tray"), made_by="puluc print tray") as book, book.page() as paper:
        paper.add(Polygon(sheet.area, facecolor=TINT if tinted else "none", edgecolor=INK, linewidth=0.8))
        for box, cells in zip(sheet.markers, markers, strict=True):
            paper.marker(box, cells)
        _write(paper, sheet.words, tinted)
    return book.pdf


def _write(paper: Canvas, strip: Box, tinted: bool) -> None:
    """Write the instructions, and draw the ruler that shows whether the printer kept the scale."""
    left, middle = strip.left + 4, (strip.left + strip.right) / 2
    paper.text(left, strip.top + 4.5, _("Puluc tray"), 11, weight="bold")
    for number, line in enumerate(_LAY, start=1):
        paper.text(left, strip.top + 6 + 5 * number, f"{number}  {_(line)}", 8)
    for row, line in enumerate(_THROW_GREEN if tinted else _THROW_PLAIN):
        paper.text(middle, strip.top + 4.5 + 5 * row, f"{len(_LAY) + 1 + row}  {_(line)}", 8)
    paper.ruler(middle, strip.top + 20.5)
    paper.text(middle, strip.top + 24.5, _("Measure this line: 100 mm. If it is not, print again at 100%."), 8)

"""A board as a PDF at true scale: bases, spaces, fire, numbers, directions and markers, in parts to glue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from matplotlib.patches import Circle

from companion.i18n import _, ngettext
from companion.printing.board_plan import BASE_MM, GLUE_MM, HEIGHT_MM, BoardLayout, BoardPart, BoardPlan, BoardSpace
from companion.printing.canvas import INK, Canvas, open_pdf, text_width
from companion.printing.ornaments import FRET_MM, arrow, chevron, emblem, flame, frieze, gate, numeral, slab, sticks
from companion.printing.tray_plan import RULER_MM, Box, PaperSheet

PIECE_MM = 20.0
"""Diameter of the pieces for which the bases have rings."""

LOW_MM = 40.0
"""On spaces lower than this the number is drawn small, at the side."""

TITLE = 20.0
"""Font size of the title in points, unless the name is too long."""

HATCH_MM, GREY = 3.0, "#9a9a9a"
"""Distance of the hatching lines on a glue area, and their colour: light, so that the drawing under them shows."""

SERIF: dict[str, Any] = {"family": ["DejaVu Serif"]}


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardLabels:
    """What a board says about its game.

    name: in the language of the sheet. values: the values of throws with 0 to 4 marked faces. fire: the space that
    burns, or None.
    """

    name: str
    pieces: int
    values: tuple[int, ...]
    fire: int | None = None


def draw_board(
    sheet: PaperSheet, board: BoardPlan, game: BoardLabels, markers: Sequence[Sequence[Sequence[bool]]]
) -> bytes:
    """Draw the board as a PDF in the context's language, with one page for each part. Equal boards make equal bytes.

    markers: top left, top right, bottom right, bottom left; each a sequence of rows of cells, True if black.
    """
    parts = board.parts(sheet)
    with open_pdf(sheet, title=_("Puluc board: {name}", name=game.name), made_by="puluc print board") as book:
        for part in parts:
            with book.page(part.left, part.top) as paper:
                paper.keep_to(Box(part.start, -1, part.end, HEIGHT_MM + 1))
                _stone(paper, board, game)
                for box, cells in zip(board.markers, markers, strict=True):
                    paper.marker(box, cells)
                _words(paper, board, game, parts[0])
                _measure(paper, board, part)
                paper.keep_to(None)
                _glue(paper, part)
    return book.pdf


def _stone(paper: Canvas, board: BoardPlan, game: BoardLabels) -> None:
    """Draw everything that is played on."""
    for base, jade in zip(board.bases, (True, False), strict=True):
        _base(paper, base, game.pieces, jade=jade)
    for number, space in enumerate(board.spaces, start=1):
        _space(paper, space, number, burns=number == game.fire)
    lane = board.lane
    if board.way is BoardLayout.STRAIGHT:
        for low, mirrored in ((lane.top - 1.5, False), (lane.bottom + 8.5, True)):
            frieze(paper, lane.left, lane.right, low, low - 7, mirrored=mirrored)
    else:
        _walls(paper, board)
    _gates(paper, board)


def _space(paper: Canvas, space: BoardSpace, number: int, *, burns: bool) -> None:
    """Draw a slab with its number in bars and dots and in digits, and an arrowhead for each side's direction."""
    box, middle = space.box, (space.box.left + space.box.right) / 2
    slab(paper, box)
    if low := box.height < LOW_MM:
        top = numeral(paper, box.left + 8.5, box.bottom - 4.2, number, 0.85)
        paper.text(box.left + 8.5, top - 2.2, str(number), 7, ha="center", weight="bold")
    else:
        top = numeral(paper, middle, box.bottom - 8.5, number, 1.25)
        paper.text(middle, top - 2.6, str(number), 8, ha="center", weight="bold")
    aside = box.right - 5 if low else middle
    if burns:
        foot = box.bottom - 4.5 if low else top - 5
        flame(paper, middle + (2 if low else 0), foot, min(foot - box.top - (4 if low else 8.5), box.width * 1.1))
    if not space.up:
        chevron(paper, aside, box.top + 4.6, (space.towards, 0), filled=False, size=1.5)
    if not space.down:
        chevron(paper, aside, box.bottom - 4.2, (-space.towards, 0), filled=True, size=1.4)


def _base(paper: Canvas, box: Box, pieces: int, *, jade: bool) -> None:
    """Draw a long slab with a ring for each piece, and the side's emblem and name."""
    slab(paper, box)
    middle = (box.left + box.right) / 2
    emblem(paper, middle, box.top + 7.5, jade=jade, size=3.4)
    name = _("Jade") if jade else _("Obsidian")
    paper.text(middle, box.top + 14, name.upper(), 7, ha="center", weight="bold", **SERIF)
    rings, room = min(pieces, 5), box.bottom - box.top - 22
    for at in range(rings):
        y = box.top + 17.5 + room * (at + 0.5) / rings
        paper.add(Circle((middle, y), PIECE_MM / 2 - 0.6, facecolor="white", edgecolor=INK, linewidth=0.8))
        paper.add(Circle((middle, y), PIECE_MM / 2 - 2, facecolor="none", edgecolor=INK, linewidth=0.4, linestyle=":"))
    if pieces > rings:
        paper.text(middle, box.bottom - 3.6, ngettext("{number} piece", "{number} pieces", pieces), 6, ha="center")


def _walls(paper: Canvas, board: BoardPlan) -> None:
    """Draw a frieze between the rows, open where the highway turns, with an arrow for each side."""
    lane = board.lane
    for space, following in pairwise(board.spaces):
        if not space.up:
            continue
        here, there = space.box, following.box
        low, high, wide = here.top - 0.9, there.bottom + 0.9, max(here.width, there.width)
        if space.towards > 0:
            frieze(paper, lane.left + 1, lane.right - wide - 1, low, high)
        else:
            frieze(paper, lane.left + wide + 1, lane.right - 1, low, high, mirrored=True)
        first, last = max(here.left, there.left), min(here.right, there.right)
        # The numbers of low slabs are on the left.
        middle, aside = (last - 5.5, 2.6) if here.height < LOW_MM else ((first + last) / 2, 4.0)
        arrow(paper, [(middle - aside, here.top + 4), (middle - aside, there.bottom - 2.5)], filled=False)
        arrow(paper, [(middle + aside, there.bottom - 4), (middle + aside, here.top + 2.5)], filled=True)


def _gates(paper: Canvas, board: BoardPlan) -> None:
    """Draw the gate from each base onto the highway."""
    for base, space, jade in ((board.bases[0], board.spaces[0], True), (board.bases[1], board.spaces[-1], False)):
        y = min(max((space.box.top + space.box.bottom) / 2, base.top + 8), base.bottom - 9)
        x = (base.right + space.box.left) / 2 if jade else (base.left + space.box.right) / 2
        gate(paper, x, y, 1 if jade else -1, filled=not jade)


def _words(paper: Canvas, board: BoardPlan, game: BoardLabels, first: BoardPart) -> None:
    """Write the game's name at the top, and the values of throws at the bottom."""
    left, right = BASE_MM, min(board.width - BASE_MM, first.glued)
    middle, wide = (left + right) / 2, right - left
    high = 11.5 if board.way is BoardLayout.STRAIGHT else 8.5
    name, font = game.name.upper(), {"weight": "bold", **SERIF}
    size = TITLE * min(1.0, 0.9 * wide / text_width(name, TITLE, **font))
    paper.text(middle, high, name, size, ha="center", **font)
    paper.text(middle, high + 8.5, _summary(board, game), 8, ha="center", **SERIF)
    around = text_width(name, size, **font) / 2 + 5
    if (rounds := min(2, int((wide / 2 - around - 2) / FRET_MM))) > 0:
        frieze(paper, middle - around - rounds * FRET_MM, middle - around, high + 4, high - 4)
        frieze(paper, middle + around, middle + around + rounds * FRET_MM, high + 4, high - 4, mirrored=True)
    for marked, value in enumerate(game.values):
        x = left + 3 + marked * 19
        sticks(paper, x, HEIGHT_MM - 23, marked, high=10)
        paper.text(x + 12.2, HEIGHT_MM - 18, str(value), 12, weight="bold", **SERIF)


def _summary(board: BoardPlan, game: BoardLabels) -> str:
    if game.fire is None:
        return ngettext(
            "{spaces} spaces, {number} piece a side",
            "{spaces} spaces, {number} pieces a side",
            game.pieces,
            spaces=len(board.spaces),
        )
    return ngettext(
        "{spaces} spaces, {number} piece a side, fire on {fire}",
        "{spaces} spaces, {number} pieces a side, fire on {fire}",
        game.pieces,
        spaces=len(board.spaces),
        fire=game.fire,
    )


def _measure(paper: Canvas, board: BoardPlan, part: BoardPart) -> None:
    """Draw a ruler on every sheet, and number the parts."""
    left = max(part.start, BASE_MM) + 3
    room = min(part.glued, board.width - BASE_MM) - left
    if room >= RULER_MM:
        paper.ruler(left, HEIGHT_MM - 5)
        hint = _("100 mm: if this line is shorter or longer, print again at 100%")
        paper.text(left, HEIGHT_MM - 2.6, hint, 5.5)
    right = min(part.glued, board.width - BASE_MM) - 3
    if part.of > 1:
        words = _("Part {number} of {all}", number=part.number, all=part.of)
        paper.text(right, HEIGHT_MM - 2.4, words, 6.5, ha="right")
    if part.number == part.of and (part.of > 1 or right - left > 170):
        # Translators: on a printed board, beside an arrowhead in the direction of that side.
        for y, words, filled in ((21, _("Jade's way"), False), (15, _("Obsidian's way"), True)):
            chevron(paper, right - 2, HEIGHT_MM - y, (-1 if filled else 1, 0), filled=filled, size=1.5)
            paper.text(right - 5, HEIGHT_MM - y, words, 6.5, ha="right")


def _glue(paper: Canvas, part: BoardPart) -> None:
    """Mark where to cut this part, and where to glue the next one."""
    if part.number > 1:
        x = part.start
        paper.line((x, x), (-4, HEIGHT_MM + 4), 0.6, linestyle=(0, (4, 3)))
        paper.text(x - 1.8, HEIGHT_MM / 2, _("cut here"), 7, rotation=90, ha="center")
    if part.number < part.of:
        middle = part.glued + GLUE_MM / 2
        for step in range(int((HEIGHT_MM + GLUE_MM) / HATCH_MM)):
            y = step * HATCH_MM
            ends = [(part.glued + max(0.0, y - HEIGHT_MM), min(y, HEIGHT_MM)), (part.end, y - GLUE_MM)]
            if y < GLUE_MM:
                ends[1] = (part.glued + y, 0.0)
            paper.line([x for x, _y in ends], [at for _x, at in ends], 0.4, color=GREY)
        for y, down in ((-2.5, 1), (HEIGHT_MM + 2.5, -1)):
            chevron(paper, part.glued, y, (0, down), filled=True, size=1.6)
        words = _("glue part {number} here", number=part.number + 1)
        behind = {"facecolor": "white", "edgecolor": "none", "pad": 2}
        paper.text(middle, HEIGHT_MM / 2, words, 8, rotation=90, ha="center", bbox=behind)

"""The layout of a printed board, in millimetres right and down from its top left corner.

A short highway runs straight from Jade's base on the left to Obsidian's on the right. A long one winds upwards between
them in an odd number of rows, so that it begins beside one base and ends beside the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import ceil

from companion.printing.tray_plan import MARGIN_MM, MARKER_MM, QUIET_MM, Box, PaperSheet

HEIGHT_MM = 190.0
"""Height of every board: a sheet of either paper in landscape has room for it between its margins."""

BASE_MM = 30.0
"""Width of a base: that of the marker above it with its white border, and enough for pieces of 20 mm."""

SPACE_MM = 22.0
"""Width of a space on a straight highway: pieces of 20 mm fit on it, and nine spaces with two bases fit on one sheet of
either paper. Wider spaces hold larger pieces and need more sheets."""

WIDEST_MM = 60.0
"""Maximum width of a space, so that several of them fit on a sheet between two glue areas."""

WINDING_MM = 258.0
"""Width of a board that winds in rows of nine or fewer spaces: it fits between the margins of a Letter sheet."""

LONGEST_STRAIGHT = 14
"""Maximum number of spaces of a highway that runs straight by default, on two sheets. Longer ones wind on one sheet."""

FEW_IN_ROW, MOST_ROWS = 9, 5
"""Maximum number of spaces in a row before there are more rows, and maximum number of rows before the rows get longer
and need more sheets. Either way every space is at least as large as a piece."""

GLUE_MM = 12.0
"""Overlap of two parts. Less would not hold, more would waste paper."""

WALL_MM = 5.0
"""Distance between two rows of a winding highway."""

_STRIP_MM = 34.0
"""Distance from the board's edge to a straight highway: room for a marker, and for text between two markers."""


class BoardLayout(StrEnum):
    """How the highway lies on the paper."""

    STRAIGHT = "straight"
    WINDING = "winding"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSpace:
    """One space.

    towards: Jade's direction on it, 1 to the right and -1 to the left. up, down: whether Jade continues from it on the
    row above, and Obsidian on the row below.
    """

    box: Box
    towards: int
    up: bool = False
    down: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardPart:
    """The part of a board on one sheet, in millimetres.

    start, end: the printed range of the board, left to right. The next part is glued over ``glued`` to ``end``; on the
    last part these are equal. left, top: the board's corner relative to the paper's.
    """

    number: int
    of: int
    start: float
    glued: float
    end: float
    left: float
    top: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardPlan:
    """A highway between two bases, with a marker in each corner. spaces: in order from Jade's base."""

    way: BoardLayout
    width: float
    spaces: tuple[BoardSpace, ...]

    @property
    def markers(self) -> tuple[Box, Box, Box, Box]:
        """The black squares: top left, top right, bottom right, bottom left."""
        near, right, low = QUIET_MM, self.width - QUIET_MM - MARKER_MM, HEIGHT_MM - QUIET_MM - MARKER_MM
        return tuple(  # type: ignore[return-value]  # four corners make four boxes
            Box(x, y, x + MARKER_MM, y + MARKER_MM) for x, y in ((near, near), (right, near), (right, low), (near, low))
        )

    @property
    def bases(self) -> tuple[Box, Box]:
        """Jade's base and Obsidian's."""
        free = MARKER_MM + 2 * QUIET_MM
        return (
            Box(1, free + 2, BASE_MM - 1, HEIGHT_MM - free - 2),
            Box(self.width - BASE_MM + 1, free + 2, self.width - 1, HEIGHT_MM - free - 2),
        )

    @property
    def lane(self) -> Box:
        """The bounding box of all spaces."""
        boxes = [space.box for space in self.spaces]
        return Box(
            min(box.left for box in boxes),
            min(box.top for box in boxes),
            max(box.right for box in boxes),
            max(box.bottom for box in boxes),
        )

    def parts(self, sheet: PaperSheet) -> tuple[BoardPart, ...]:
        """The board split over the fewest sheets of that paper, in parts of about the same width.

        A straight highway is cut between two spaces, so that only the friezes are cut through.
        """
        usable = sheet.width - 2 * MARGIN_MM
        number = 1 if self.width <= usable else ceil((self.width - GLUE_MM) / (usable - GLUE_MM))
        while True:
            seams = [0.0, *(self._seam(self.width * at / number) for at in range(1, number)), self.width]
            ends = [min(seam + GLUE_MM, self.width) for seam in seams[1:]]
            if all(end - start <= usable for start, end in zip(seams, ends, strict=False)):
                break
            number += 1
        return tuple(
            BoardPart(
                number=at + 1,
                of=number,
                start=start,
                glued=seams[at + 1],
                end=end,
                left=(sheet.width - (end - start)) / 2 - start,
                top=(sheet.height - HEIGHT_MM) / 2,
            )
            for at, (start, end) in enumerate(zip(seams, ends, strict=False))
        )

    def _seam(self, wanted: float) -> float:
        edges = [space.box.left for space in self.spaces[1:]] if self.way is BoardLayout.STRAIGHT else [wanted]
        return min(edges, key=lambda edge: abs(edge - wanted))


def lay_out(spaces: int, *, way: BoardLayout | None = None, space_mm: float = SPACE_MM) -> BoardPlan:
    """Lay out a board with that many spaces.

    way: chosen by the number of spaces if None. space_mm: width of a straight highway's spaces; a winding one fills its
    sheet.

    >>> [len(lay_out(spaces).parts(PaperSheet(name="a4", width=297, height=210))) for spaces in (9, 14, 19)]
    [1, 2, 1]
    """
    if (way or (BoardLayout.STRAIGHT if spaces <= LONGEST_STRAIGHT else BoardLayout.WINDING)) is BoardLayout.STRAIGHT:
        return _straight(spaces, space_mm)
    return _winding(spaces)


def _straight(number: int, wide: float) -> BoardPlan:
    spaces = tuple(
        BoardSpace(box=Box(left, _STRIP_MM + 6, left + wide, HEIGHT_MM - _STRIP_MM - 6), towards=1)
        for left in (BASE_MM + at * wide for at in range(number))
    )
    return BoardPlan(way=BoardLayout.STRAIGHT, width=2 * BASE_MM + number * wide, spaces=spaces)


def _winding(number: int) -> BoardPlan:
    rows = 3 if number <= 3 * FEW_IN_ROW else MOST_ROWS
    lengths = [number // rows + (row < number % rows) for row in range(rows)]
    width = max(WINDING_MM, 2 * BASE_MM + lengths[0] * SPACE_MM)
    left, right = BASE_MM, width - BASE_MM
    top, bottom = 26.0, HEIGHT_MM - 26.0
    high = (bottom - top - (rows - 1) * WALL_MM) / rows
    spaces: list[BoardSpace] = []
    for row, length in enumerate(lengths):
        wide, low = (right - left) / length, bottom - row * (high + WALL_MM)
        towards = 1 if row % 2 == 0 else -1
        for step in range(length):
            at = step if towards == 1 else length - 1 - step
            box = Box(left + at * wide, low - high, left + (at + 1) * wide, low)
            up, down = step == length - 1 and row < rows - 1, step == 0 and row > 0
            spaces.append(BoardSpace(box=box, towards=towards, up=up, down=down))
    return BoardPlan(way=BoardLayout.WINDING, width=width, spaces=tuple(spaces))

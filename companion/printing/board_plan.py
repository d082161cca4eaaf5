"""Where everything on a printed board lies, in millimetres from the board's top left corner, right and down.

A short highway runs straight from Jade's base on the left to Obsidian's on the right; a long one winds between them,
from below upwards, in an odd number of rows, so that it begins beside one base and ends beside the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import ceil

from companion.paper.layout import MARGIN_MM, MARKER_MM, QUIET_MM, Box, Sheet

HEIGHT_MM = 190.0
"""Of every board: what a sheet of either paper lying on its long side holds between its margins."""

BASE_MM = 30.0
"""Width of a base: as wide as the marker above it with its white, and enough for pieces of 20 mm."""

SPACE_MM = 22.0
"""Width of a space on a straight highway: pieces of 20 mm fit, and nine spaces with two bases fit on one sheet of
either paper. Wider spaces take larger pieces and more sheets."""

WIDEST_MM = 60.0
"""Width of a space at most, so that a sheet holds several of them between two glue marks."""

WINDING_MM = 258.0
"""Width of a board whose highway winds in rows of nine or less: what a Letter sheet holds between its margins."""

LONGEST_STRAIGHT = 14
"""Spaces of a highway that still runs straight unless asked otherwise: two sheets. Longer ones wind on one sheet."""

FEW_IN_ROW, MOST_ROWS = 9, 5
"""Spaces in a row from which on there are more rows, and rows from which on there are more spaces in each, and more
sheets: either way no space is narrower or lower than a piece."""

GLUE_MM = 12.0
"""Overlap of two parts. Less holds badly, more takes paper."""

WALL_MM = 5.0
"""Between two rows of a winding highway."""

_STRIP_MM = 34.0
"""From the board's edge to a straight highway: room for a marker, and for words between two of them."""


class Way(StrEnum):
    """How a highway lies on the paper."""

    STRAIGHT = "straight"
    WINDING = "winding"


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """One space.

    towards: 1 where Jade goes right on it, -1 where left. up, down: whether Jade goes up from it to another row, and
    Obsidian down.
    """

    box: Box
    towards: int
    up: bool = False
    down: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What one sheet shows of a board.

    start, end: the stretch of the board that is printed. From ``glued`` to ``end`` the next part is glued over it; on
    the last part both are the same. left, top: where the board's corner lies from the paper's, in millimetres.
    """

    number: int
    of: int
    start: float
    glued: float
    end: float
    left: float
    top: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A highway between two bases, with four markers in the corners. spaces: in their order from Jade's base."""

    way: Way
    width: float
    spaces: tuple[Space, ...]

    @property
    def markers(self) -> tuple[Box, Box, Box, Box]:
        """The black squares: top left, top right, bottom right, bottom left."""
        near, right, low = QUIET_MM, self.width - QUIET_MM - MARKER_MM, HEIGHT_MM - QUIET_MM - MARKER_MM
        return tuple(  # type: ignore[return-value]  # four corners make four boxes
            Box(x, y, x + MARKER_MM, y + MARKER_MM) for x, y in ((near, near), (right, near), (right, low), (near, low))
        )

    @property
    def bases(self) -> tuple[Box, Box]:
        """Jade's and Obsidian's."""
        free = MARKER_MM + 2 * QUIET_MM
        return (
            Box(1, free + 2, BASE_MM - 1, HEIGHT_MM - free - 2),
            Box(self.width - BASE_MM + 1, free + 2, self.width - 1, HEIGHT_MM - free - 2),
        )

    @property
    def lane(self) -> Box:
        """All the spaces."""
        boxes = [space.box for space in self.spaces]
        return Box(
            min(box.left for box in boxes),
            min(box.top for box in boxes),
            max(box.right for box in boxes),
            max(box.bottom for box in boxes),
        )

    def parts(self, sheet: Sheet) -> tuple[Part, ...]:
        """How the board is spread over sheets of that paper: the fewest, of about the same width.

        A straight highway is cut between two spaces, where nothing but the friezes is cut through.
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
            Part(
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
        edges = [space.box.left for space in self.spaces[1:]] if self.way is Way.STRAIGHT else [wanted]
        return min(edges, key=lambda edge: abs(edge - wanted))


def lay_out(spaces: int, *, way: Way | None = None, space_mm: float = SPACE_MM) -> Board:
    """The board with that many spaces; the way it lies is chosen by their number unless told.

    space_mm: width of a straight highway's spaces; a winding one fills its sheet.

    >>> [len(lay_out(spaces).parts(Sheet(name="a4", width=297, height=210))) for spaces in (9, 14, 19)]
    [1, 2, 1]
    """
    if (way or (Way.STRAIGHT if spaces <= LONGEST_STRAIGHT else Way.WINDING)) is Way.STRAIGHT:
        return _straight(spaces, space_mm)
    return _winding(spaces)


def _straight(number: int, wide: float) -> Board:
    spaces = tuple(
        Space(box=Box(left, _STRIP_MM + 6, left + wide, HEIGHT_MM - _STRIP_MM - 6), towards=1)
        for left in (BASE_MM + at * wide for at in range(number))
    )
    return Board(way=Way.STRAIGHT, width=2 * BASE_MM + number * wide, spaces=spaces)


def _winding(number: int) -> Board:
    rows = 3 if number <= 3 * FEW_IN_ROW else MOST_ROWS
    lengths = [number // rows + (row < number % rows) for row in range(rows)]
    width = max(WINDING_MM, 2 * BASE_MM + lengths[0] * SPACE_MM)
    left, right = BASE_MM, width - BASE_MM
    top, bottom = 26.0, HEIGHT_MM - 26.0
    high = (bottom - top - (rows - 1) * WALL_MM) / rows
    spaces: list[Space] = []
    for row, length in enumerate(lengths):
        wide, low = (right - left) / length, bottom - row * (high + WALL_MM)
        towards = 1 if row % 2 == 0 else -1
        for step in range(length):
            at = step if towards == 1 else length - 1 - step
            box = Box(left + at * wide, low - high, left + (at + 1) * wide, low)
            up, down = step == length - 1 and row < rows - 1, step == 0 and row > 0
            spaces.append(Space(box=box, towards=towards, up=up, down=down))
    return Board(way=Way.WINDING, width=width, spaces=tuple(spaces))

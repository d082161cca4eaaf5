"""The layout of the tray sheet, in millimetres right and down from the paper's top left corner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

MARKER_MM = 20.0
"""Side of a marker's black square. Larger markers are found in smaller pictures, and leave less room to throw. A 640 x
480 picture of the whole sheet shows 20 mm as about 40 pixels, where nine in ten markers are found through blur and
noise; at 24 pixels, three in four."""

QUIET_MM = 4.0
"""White border around a marker, a little more than one of its cells. Without it markers are not found. The white
balance is measured on it too."""

MARGIN_MM = 9.0
"""Margin without any drawing: home printers leave 3 to 6 mm blank. With less, outlines may be cut off."""

RULER_MM = 100.0


class Box(NamedTuple):
    """An axis-aligned rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    def grown(self, by: float) -> Box:
        """The box with every side moved outwards by ``by``."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperSheet:
    """A paper size in landscape, and the layout of the tray sheet on it."""

    name: str
    width: float
    height: float

    @property
    def markers(self) -> tuple[Box, Box, Box, Box]:
        """The black squares: top left, top right, bottom right, bottom left."""
        left = top = MARGIN_MM + QUIET_MM
        right, bottom = self.width - left - MARKER_MM, self.height - top - MARKER_MM
        return tuple(  # type: ignore[return-value]  # four corners make four boxes
            Box(x, y, x + MARKER_MM, y + MARKER_MM)
            for x, y in ((left, top), (right, top), (right, bottom), (left, bottom))
        )

    @property
    def words(self) -> Box:
        """The strip for text and ruler, between the two lower markers."""
        _, _, right, left = (box.grown(QUIET_MM) for box in self.markers)
        return Box(left.right, left.top, right.left, left.bottom)

    @property
    def area(self) -> tuple[tuple[float, float], ...]:
        """The corners of the throwing area, clockwise: everything but the markers and the strip."""
        first, second, right, left = (box.grown(QUIET_MM) for box in self.markers)
        return (
            (first.right, first.top),
            (second.left, second.top),
            (second.left, second.bottom),
            (second.right, second.bottom),
            (right.right, right.top),
            (left.left, left.top),
            (first.left, first.bottom),
            (first.right, first.bottom),
        )


PAPERS = {
    sheet.name: sheet
    for sheet in (
        PaperSheet(name="a4", width=297.0, height=210.0),
        PaperSheet(name="letter", width=279.4, height=215.9),
    )
}

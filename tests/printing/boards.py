"""Rendered pages of printed boards, and measurements on them."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.printing.board_plan import BoardLayout, BoardPart, BoardPlan, lay_out
from companion.printing.board_sheet import BoardLabels, draw_board
from companion.printing.tray_plan import PAPERS, Box
from hardware.cameras.camera import Pixels
from hardware.registration.board_markers import board_patterns

FINE = 10
"""Pixels per millimetre of the rendered pages."""

STONE = (228, 236, 239)
"""Colour of a slab, blue-green-red."""

NAME = "Puluc on thirteen rows"
"""A longer name than any game has on a board with a narrow first part."""

Floats = NDArray[np.float64]


class Printed:
    """A rendered board. pages: a picture of each part, blue-green-red, at FINE pixels per millimetre."""

    def __init__(self, spaces: int, paper: str, fire: int | None, way: BoardLayout | None) -> None:
        pdfium = pytest.importorskip("pypdfium2", reason="draws the sheets")
        self.board: BoardPlan = lay_out(spaces, way=way)
        self.parts = self.board.parts(PAPERS[paper])
        game = BoardLabels(name=NAME, pieces=5, values=(5, 1, 2, 3, 4), fire=fire)
        self.pdf = draw_board(PAPERS[paper], self.board, game, board_patterns())
        drawn = pdfium.PdfDocument(self.pdf)
        self.pages: list[Pixels] = [
            page.render(scale=FINE * 25.4 / 72).to_numpy()[..., :3].astype(np.uint8) for page in drawn
        ]

    def crop(self, part: BoardPart, box: Box) -> Pixels:
        """The picture of a box, in millimetres of the board, on the page of a part."""
        left, right = (round((side + part.left) * FINE) for side in (box.left, box.right))
        top, bottom = (round((side + part.top) * FINE) for side in (box.top, box.bottom))
        picture: Pixels = self.pages[part.number - 1][top:bottom, left:right]
        return picture

    def shown_on(self, box: Box) -> BoardPart:
        """The part on which a box is visible after gluing."""
        return next(part for part in self.parts if part.start <= box.left + 0.01 and box.right - 0.01 <= part.glued)

    def markers(self) -> dict[int, tuple[BoardPart, Floats]]:
        """All markers detected, by id: the part, and the corners in millimetres of the board."""
        every = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
        settings = cv2.aruco.DetectorParameters()
        settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
        found: dict[int, tuple[BoardPart, Floats]] = {}
        for part, page in zip(self.parts, self.pages, strict=True):
            corners, ids, _ = cv2.aruco.ArucoDetector(every, settings).detectMarkers(page)
            for at, marker in zip(corners, [] if ids is None else ids.reshape(-1), strict=True):
                assert int(marker) not in found, "a marker is printed twice"
                place = (at.reshape(4, 2).astype(np.float64) + 0.5) / FINE - (part.left, part.top)
                found[int(marker)] = (part, place)
        return found


@cache
def printed_board(spaces: int, paper: str = "a4", fire: int | None = None, way: BoardLayout | None = None) -> Printed:
    """The rendered board, cached."""
    return Printed(spaces, paper, fire, way)


def stone_extent(picture: Pixels) -> Box:
    """The bounding box of the largest area of bare stone, in millimetres from the picture's corner."""
    bare = (np.abs(picture.astype(int) - STONE).max(axis=2) <= 3).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(bare, connectivity=4)
    left, top, width, height, _ = max(stats[1:], key=lambda one: one[cv2.CC_STAT_AREA]) / FINE
    return Box(left, top, left + width, top + height)


def carved_number(picture: Pixels) -> int:
    """The number written in dots (ones) and bars (fives) in a picture."""
    _, _, stats, _ = cv2.connectedComponentsWithStats((picture.max(axis=2) < 100).astype(np.uint8))
    bars = dots = 0
    for _, _, width, height, area in stats[1:]:
        bars += 12 * FINE < width < 15 * FINE and 2 * FINE < height < 3 * FINE
        dots += 2.5 * FINE < width < 3.3 * FINE and 2.5 * FINE < height < 3.3 * FINE and area > 0.7 * width * height
    return 5 * bars + dots

"""Printed boards as a printer draws them, and what is found on their pages."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.paper.board import Board, Part, Way, lay_out
from companion.paper.board_sheet import Game, draw_board
from companion.paper.layout import PAPERS, Box
from hardware.board_markers import board_patterns
from hardware.camera import Pixels

FINE = 10
"""Pixels a millimetre of the drawn pages."""

STONE = (228, 236, 239)
"""Blue, green and red of a slab."""

NAME = "Puluc on thirteen rows"
"""The longest name there is for a board whose first part is narrow."""

Floats = NDArray[np.float64]


class Printed:
    """A board on paper. pages: a picture of each part's page, blue-green-red, FINE pixels a millimetre."""

    def __init__(self, spaces: int, paper: str, fire: int | None, way: Way | None) -> None:
        pdfium = pytest.importorskip("pypdfium2", reason="draws the sheets")
        self.board: Board = lay_out(spaces, way=way)
        self.parts = self.board.parts(PAPERS[paper])
        game = Game(name=NAME, pieces=5, values=(5, 1, 2, 3, 4), fire=fire)
        self.pdf = draw_board(PAPERS[paper], self.board, game, board_patterns())
        drawn = pdfium.PdfDocument(self.pdf)
        self.pages: list[Pixels] = [
            page.render(scale=FINE * 25.4 / 72).to_numpy()[..., :3].astype(np.uint8) for page in drawn
        ]

    def crop(self, part: Part, box: Box) -> Pixels:
        """What the part's page shows in this box of the board's millimetres."""
        left, right = (round((side + part.left) * FINE) for side in (box.left, box.right))
        top, bottom = (round((side + part.top) * FINE) for side in (box.top, box.bottom))
        picture: Pixels = self.pages[part.number - 1][top:bottom, left:right]
        return picture

    def shown_on(self, box: Box) -> Part:
        """The part on which this box is seen in the end: that on which nothing is glued over it."""
        return next(part for part in self.parts if part.start <= box.left + 0.01 and box.right - 0.01 <= part.glued)

    def markers(self) -> dict[int, tuple[Part, Floats]]:
        """Every marker found on any page: its part, and its corners in the board's millimetres."""
        every = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
        settings = cv2.aruco.DetectorParameters()
        settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
        found: dict[int, tuple[Part, Floats]] = {}
        for part, page in zip(self.parts, self.pages, strict=True):
            corners, ids, _ = cv2.aruco.ArucoDetector(every, settings).detectMarkers(page)
            for at, marker in zip(corners, [] if ids is None else ids.reshape(-1), strict=True):
                assert int(marker) not in found, "a marker is printed twice"
                place = (at.reshape(4, 2).astype(np.float64) + 0.5) / FINE - (part.left, part.top)
                found[int(marker)] = (part, place)
        return found


@cache
def printed_board(spaces: int, paper: str = "a4", fire: int | None = None, way: Way | None = None) -> Printed:
    """That board, drawn once."""
    return Printed(spaces, paper, fire, way)


def stone_extent(picture: Pixels) -> Box:
    """Around the largest piece of bare stone in a picture, in millimetres from its corner."""
    bare = (np.abs(picture.astype(int) - STONE).max(axis=2) <= 3).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(bare, connectivity=4)
    left, top, width, height, _ = max(stats[1:], key=lambda one: one[cv2.CC_STAT_AREA]) / FINE
    return Box(left, top, left + width, top + height)


def carved_number(picture: Pixels) -> int:
    """The number of dots (ones) and bars (fives) in a picture, as large as those on tall slabs."""
    _, _, stats, _ = cv2.connectedComponentsWithStats((picture.max(axis=2) < 100).astype(np.uint8))
    bars = dots = 0
    for _, _, width, height, area in stats[1:]:
        bars += 12 * FINE < width < 15 * FINE and 2 * FINE < height < 3 * FINE
        dots += 2.5 * FINE < width < 3.3 * FINE and 2.5 * FINE < height < 3.3 * FINE and area > 0.7 * width * height
    return 5 * bars + dots

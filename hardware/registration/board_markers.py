"""The four printed markers in a board's corners: none of them is taken for one of the tray's."""

from __future__ import annotations

from functools import cache

import cv2

from hardware.markers import CELLS

BOARD_IDS = (4, 5, 6, 7)
"""The markers of a board in OpenCV's DICT_4X4_50: top left, top right, bottom right, bottom left. Any two of them, and
any of them and one of the tray's sheet, differ in six cells or more, however they are turned; one cell is forgiven."""


@cache
def board_patterns() -> tuple[tuple[tuple[bool, ...], ...], ...]:
    """The four markers in the order of BOARD_IDS: rows of cells, True where black, the border included."""
    every = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    drawn = (cv2.aruco.generateImageMarker(every, marker, CELLS) for marker in BOARD_IDS)
    return tuple(tuple(tuple(bool(cell < 128) for cell in row) for row in picture) for picture in drawn)

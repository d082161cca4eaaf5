"""The four printed markers in a board's corners, which cannot be confused with those of the tray."""

from __future__ import annotations

from functools import cache

import cv2

from hardware.registration.markers import CELLS

BOARD_IDS = (4, 5, 6, 7)
"""The markers in OpenCV's DICT_4X4_50: top left, top right, bottom right, bottom left. Any two of them, and any of them
and one of the tray's, differ in at least six cells in any rotation; one misread cell is tolerated."""


@cache
def board_patterns() -> tuple[tuple[tuple[bool, ...], ...], ...]:
    """Return the patterns of BOARD_IDS: rows of cells with the border, True for black."""
    every = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    drawn = (cv2.aruco.generateImageMarker(every, marker, CELLS) for marker in BOARD_IDS)
    return tuple(tuple(tuple(bool(cell < 128) for cell in row) for row in picture) for picture in drawn)

"""Registers the calibration's empty tray to other pictures by the texture of tray and table."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.cameras.camera import Pixels

Floats = NDArray[np.float32]
Move = NDArray[np.float64]

WORKING = 640
"""Columns of the picture that lots are detected in. A stick is then about 20 pixels wide. More finds thinner edges and
costs time in proportion."""

REACH = 0.06
"""Furthest that the tray or the camera is followed, as a share of the picture's width. Higher follows bigger knocks but
may lock on a wrong neighbour in a repeating weave."""

FEWEST = 12
"""Texture points that must agree on a movement. Fewer follow noise, more lose a plain tray."""


class TrayMoves:
    """Registers the empty tray to other pictures. Immutable, so threads may share it.

    small: the empty tray at the working size.
    """

    def __init__(self, small: Pixels) -> None:
        self._shape = small.shape[:2]
        self._pattern = _pattern(small)
        self._points = _corners(self._pattern)

    def found(self, small: Pixels) -> list[Move]:
        """The motions of the empty picture's parts: one or two (2, 3) affine matrices, the better supported first.

        Two, because a nudged tray moves relative to the table. Empty if the tray is not found.
        small: a picture of the empty picture's size.
        """
        still = np.array([[1.0, 0, 0], [0, 1.0, 0]])
        if len(self._points) < FEWEST:
            return [still]  # a scene without texture cannot be registered, nor be out of place
        start, there = self._followed(_pattern(small))
        if len(start) < 0.15 * len(self._points):
            return []
        moves: list[Move] = []
        enough = max(FEWEST, 0.04 * len(self._points))
        for _ in range(2):
            if len(start) < enough:
                break
            move, inliers = cv2.estimateAffinePartial2D(start, there, method=cv2.RANSAC, ransacReprojThreshold=0.6)
            if move is None or inliers.sum() < enough or abs(np.hypot(move[0, 0], move[1, 0]) - 1) > 0.004:
                break
            there_too = np.asarray(move, np.float64)
            if not moves or self._apart(there_too, moves[0]) > 0.6:
                moves.append(there_too)
            rest = inliers.ravel() == 0
            start, there = start[rest], there[rest]
        return moves or [still]

    def _followed(self, pattern: Pixels) -> tuple[Floats, Floats]:
        """The tracked texture points, (n, 2) each: in the empty tray, and in this pattern."""

        def follow(one: Pixels, other: Pixels, points: Floats) -> tuple[Floats, NDArray[np.bool_]]:
            found, there, _ = cv2.calcOpticalFlowPyrLK(
                one, other, points, np.empty(0, np.float32), winSize=(15, 15), maxLevel=3
            )
            return np.asarray(found, np.float32), there.ravel() > 0

        there, ok_there = follow(self._pattern, pattern, self._points)
        back, ok_back = follow(pattern, self._pattern, there)
        start, there, back = (points.reshape(-1, 2) for points in (self._points, there, back))
        good = ok_there & ok_back & (np.linalg.norm(back - start, axis=1) < 0.3)
        good &= np.linalg.norm(there - start, axis=1) < REACH * self._shape[1]
        return start[good], there[good]

    def _apart(self, one: Move, other: Move) -> float:
        """Largest distance between the picture's corners under two motions, in pixels."""
        rows, columns = self._shape
        corners = np.array([[0, 0, 1], [columns, 0, 1], [0, rows, 1], [columns, rows, 1]])
        return float(np.linalg.norm(corners @ (one - other).T, axis=1).max())


def shrunk(pixels: Pixels) -> Pixels:
    """Scale a picture down to the working size, unless it is smaller."""
    rows, columns = pixels.shape[:2]
    if columns <= WORKING:
        return pixels
    size = (WORKING, max(1, round(rows * WORKING / columns)))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


def _pattern(pixels: Pixels) -> Pixels:
    """The picture's texture with light and shade evened out, so that a change of light does not disturb tracking."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY).astype(np.float32)
    apart = grey - cv2.blur(grey, (21, 21))
    spread = np.sqrt(np.maximum(cv2.blur(apart**2, (21, 21)), 9))
    return np.clip(apart / spread * 40 + 128, 0, 255).astype(np.uint8)


def _corners(pattern: Pixels) -> Floats:
    """Corners to track, spread over the picture: (n, 1, 2) float32."""
    rows, columns = pattern.shape
    found = []
    for top in range(0, rows - rows // 12 + 1, rows // 12):
        for left in range(0, columns - columns // 16 + 1, columns // 16):
            cell = pattern[top : top + rows // 12, left : left + columns // 16]
            corners = cv2.goodFeaturesToTrack(cell, 1, 0.05, 8)
            if corners is not None and cell.std() > 8:
                found.append(corners.reshape(-1, 2) + np.array([left, top], np.float32))
    return np.concatenate(found).reshape(-1, 1, 2).astype(np.float32) if found else np.empty((0, 1, 2), np.float32)

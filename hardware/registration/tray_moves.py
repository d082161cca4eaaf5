"""Registers the calibration's empty tray to other pictures by the texture and the edges of tray and table."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.cameras.camera import Pixels
from hardware.registration.edge_motion import Move, edge_motion, edges_stay
from hardware.registration.lighting import Floats

WORKING = 640
"""Columns of the picture that lots are detected in. A stick is then about 20 pixels wide. More finds thinner edges and
costs time in proportion."""

REACH = 0.06
"""Furthest that the tray or the camera is followed, as a share of the picture's width. Higher follows bigger knocks but
may lock on a wrong neighbour in a repeating weave."""

FEWEST = 12
"""Texture points that must agree on a movement. Fewer follow noise, more lose a plain tray."""

COARSE, AGREED = 3.0, 0.1
"""Pixels by which pictures are blurred whose noise hides the texture, and the share of their points that must agree on
one motion. A lower share follows noise."""


class TrayMoves:
    """Registers the empty tray to other pictures. Immutable, so threads may share it.

    small: the empty tray at the working size.
    """

    def __init__(self, small: Pixels) -> None:
        self._shape = small.shape[:2]
        self._grey = _grey(small)
        self._pattern, self._coarse_pattern = _pattern(small), _pattern(_blurred(small))
        self._points, self._coarse_points = _corners(self._pattern), _corners(self._coarse_pattern)

    def found(self, small: Pixels) -> list[Move]:
        """The motions of the empty picture's parts: one or two (2, 3) affine matrices.

        Two, because a nudged tray moves relative to the table: one is that of most texture points, and the other that
        of the edges which then still differ. Empty if the tray is not found.
        small: a picture of the empty picture's size.
        """
        grey, move = _grey(small), self._of_texture(small)
        if move is None and edges_stay(self._grey, grey):  # noise hides a plain tray's texture, and not its edge
            move = np.eye(2, 3)
        if move is None:
            return []
        laid = cv2.warpAffine(self._grey, move, self._shape[::-1], borderMode=cv2.BORDER_REPLICATE)
        other = edge_motion(np.asarray(laid, np.uint8), grey)
        return [move] if other is None else [move, other @ np.vstack([move, [0, 0, 1]])]

    def _of_texture(self, small: Pixels) -> Move | None:
        """The motion of most texture points, None if the tray is not found."""
        if len(self._points) < FEWEST:
            return np.eye(2, 3)  # a scene without texture cannot be out of place
        start, there = self._followed(self._pattern, _pattern(small), self._points, window=15, off=0.3)
        if len(start) < 0.15 * len(self._points):
            return self._found_coarsely(small)
        move = _common(start, there, max(FEWEST, 0.04 * len(self._points)), off=0.6)
        return np.eye(2, 3) if move is None else move

    def _found_coarsely(self, small: Pixels) -> Move | None:
        """The motion of a picture whose noise hides the texture, None if it is not found."""
        if len(self._coarse_points) < FEWEST:
            return None
        pattern = _pattern(_blurred(small))
        start, there = self._followed(self._coarse_pattern, pattern, self._coarse_points, window=61, off=0.7)
        return _common(start, there, max(FEWEST, AGREED * len(self._coarse_points)), off=1.0)

    def _followed(self, own: Pixels, pattern: Pixels, points: Floats, window: int, off: float) -> tuple[Floats, Floats]:
        """The tracked texture points, (n, 2) each: in the empty tray's pattern, and in this one.

        off: how far from its start a point may end that is followed there and back.
        """

        def follow(one: Pixels, other: Pixels, points: Floats) -> tuple[Floats, NDArray[np.bool_]]:
            found, there, _ = cv2.calcOpticalFlowPyrLK(
                one, other, points, np.empty(0, np.float32), winSize=(window, window), maxLevel=3
            )
            return np.asarray(found, np.float32), there.ravel() > 0

        there, ok_there = follow(own, pattern, points)
        back, ok_back = follow(pattern, own, there)
        start, there, back = (found.reshape(-1, 2) for found in (points, there, back))
        good = ok_there & ok_back & (np.linalg.norm(back - start, axis=1) < off)
        good &= np.linalg.norm(there - start, axis=1) < REACH * self._shape[1]
        return start[good], there[good]


def _common(start: Floats, there: Floats, enough: float, off: float) -> Move | None:
    """The motion on which at least so many points agree to within ``off`` pixels, or None."""
    if len(start) < enough:
        return None
    move, inliers = cv2.estimateAffinePartial2D(start, there, method=cv2.RANSAC, ransacReprojThreshold=off)
    if move is None or inliers.sum() < enough or abs(np.hypot(move[0, 0], move[1, 0]) - 1) > 0.004:
        return None
    return np.asarray(move, np.float64)


def _blurred(pixels: Pixels) -> Pixels:
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), COARSE), np.uint8)


def shrunk(pixels: Pixels) -> Pixels:
    """Scale a picture down to the working size, unless it is smaller."""
    rows, columns = pixels.shape[:2]
    if columns <= WORKING:
        return pixels
    size = (WORKING, max(1, round(rows * WORKING / columns)))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


def _grey(pixels: Pixels) -> Pixels:
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)


def _pattern(pixels: Pixels) -> Pixels:
    """The picture's texture with light and shade evened out, so that a change of light does not disturb tracking."""
    grey = _grey(pixels)
    apart = cv2.subtract(grey, cv2.boxFilter(grey, cv2.CV_32F, (21, 21)), dtype=cv2.CV_32F)
    spread = np.sqrt(np.maximum(cv2.sqrBoxFilter(apart, cv2.CV_32F, (21, 21)), 9))
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

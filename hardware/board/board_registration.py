"""Register a moved board: the transform from the empty picture to the present one."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.board.road import RoadGeometry, scaling
from hardware.cameras.camera import Pixels
from hardware.registration.markers import Floats

Grey = NDArray[np.uint8]

WIDTH = 640
"""Columns at which pictures are registered. More is more exact by little, and slower."""

BLUR = 1.0
"""Sigma in pixels at WIDTH of the smoothing before. Less follows noise, more loses faint texture."""

LOCAL, CONTRAST = 31, 100.0
"""Side in pixels at WIDTH of the neighbourhood that brightness is relative to, and grey levels for its double."""

WINDOWS = ((17, 3), (31, 3), (21, 4))
"""Windows of the optical flow, in pixels at WIDTH, and its pyramid's levels, tried one after the other. The first is
exact and follows shifts of about 30 pixels; the others follow coarser boards further, and cost twice as much."""

FEATURES = 240
"""Corners of the board that are followed. More take longer; fewer are lost under pieces and hands."""

REACH = 0.75
"""Spaces around the road whose corners are followed. Higher takes more of the table for the board."""

TOLERANCE = 1.2
"""Pixels at WIDTH by which a corner may miss the common motion."""

MIN_SHARE, MIN_AGREEING = 0.2, 8
"""Least share and number of corners that agree on the board's motion. Lower may follow a hand, higher loses boards
that are mostly covered."""

MAX_SHIFT = 1.5
"""Spaces by which the board may have been pushed or turned. A push by a whole space looks like none on a regular
road."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardPlacement:
    """The board's present placement.

    matrix: (3, 3) float64 homography of the board's plane, from the empty picture to the present one.
    shift: largest displacement of the road, in spaces.
    """

    matrix: Floats
    shift: float


class BoardFollower:
    """Registers pictures to the empty picture. Immutable, so threads may share it."""

    def __init__(self, empty: Pixels, road: RoadGeometry) -> None:
        self._scale = min(1.0, WIDTH / empty.shape[1])
        self._road, self._shape = road.scaled(self._scale), empty.shape[:2]
        self._empty = self._prepared(empty)
        reach = 2 * round(REACH * self._road.pitch) + 1
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
        near = cv2.dilate(self._road.mask(self._empty.shape), disc)
        found = cv2.goodFeaturesToTrack(self._empty, FEATURES, 0.02, 4, mask=np.asarray(near, np.uint8), blockSize=5)
        self._corners = np.zeros((0, 1, 2), np.float32) if found is None else found.reshape(-1, 1, 2)
        self._ends = self._road.quads.reshape(-1, 2)

    def _prepared(self, pixels: Pixels) -> Grey:
        grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
        if self._scale < 1:
            size = (round(self._shape[1] * self._scale), round(self._shape[0] * self._scale))
            grey = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
        level = np.log(cv2.GaussianBlur(grey, (0, 0), BLUR).astype(np.float32) + 4)
        # Brightness relative to the neighbourhood, because optical flow mistakes a fading lamp for motion.
        local = level - cv2.boxFilter(level, -1, (LOCAL, LOCAL))
        return np.asarray(np.clip(128 + CONTRAST * local, 0, 255), np.uint8)

    def follow(self, pixels: Pixels) -> BoardPlacement | None:
        """Return the board's placement, or None if too few corners agree."""
        now = self._prepared(pixels)
        if len(self._corners) < MIN_AGREEING:
            return BoardPlacement(np.eye(3), 0.0)
        for window, levels in WINDOWS:
            placement = self._agreed(now, window, levels)
            if placement is not None:
                return placement
        return None

    def _agreed(self, now: Grey, window: int, levels: int) -> BoardPlacement | None:
        """Return the motion that most corners agree on, tracked with that window and pyramid depth."""
        until = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 20, 0.02)
        there, good, _error = cv2.calcOpticalFlowPyrLK(
            self._empty,
            now,
            self._corners,
            self._corners.copy(),
            winSize=(window, window),
            maxLevel=levels,
            criteria=until,
        )
        found_again = good.reshape(-1) > 0
        start, end = self._corners.reshape(-1, 2)[found_again], there.reshape(-1, 2)[found_again]
        if len(start) < MIN_AGREEING:
            return None
        found, inliers = cv2.estimateAffinePartial2D(
            start, end, method=cv2.RANSAC, ransacReprojThreshold=TOLERANCE * 1.6, maxIters=500, refineIters=5
        )
        if found is None:
            return None
        close = inliers.reshape(-1) > 0
        matrix = np.vstack([found, [0, 0, 1]])
        # A turned board seen at an angle moves by a homography; the affine fit is its starting point.
        if close.sum() >= 12:
            affine, again = cv2.estimateAffine2D(
                start[close],
                end[close],
                method=cv2.RANSAC,
                ransacReprojThreshold=TOLERANCE,
                maxIters=200,
                refineIters=5,
            )
            if affine is not None and again.sum() >= 0.8 * close.sum():
                matrix = np.vstack([affine, [0, 0, 1]])
        share = float(close.sum()) / len(self._corners)
        if share < MIN_SHARE or close.sum() < MIN_AGREEING:
            return None
        ends = cv2.perspectiveTransform(self._ends.reshape(1, -1, 2), matrix)[0]
        shift = float(np.linalg.norm(ends - self._ends, axis=1).max()) / self._road.pitch
        up = scaling(self._scale)
        whole = np.linalg.inv(up) @ matrix @ up
        return BoardPlacement(whole / whole[2, 2], shift)

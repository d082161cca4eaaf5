"""Detect a hand or an arm over the road."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.board.road import RoadGeometry
from hardware.cameras.camera import Pixels
from hardware.tracking.intrusion import ColourPlanes, downsample, foreground

REACH = 0.4
"""Spaces around the road that a hand must not touch."""

THICKNESS = 1.3
"""Thickness of an arm in spaces, or in pieces' widths if these are larger. Lower takes rows of pieces for an arm."""

LARGEST = 7.0
"""Area of an object over the road, in pieces, above which it is a hand regardless of where it comes from."""


class HandDetector:
    """Detects hands by comparing pictures with the empty one. Immutable.

    width: width of a piece, in spaces.
    """

    def __init__(self, empty: Pixels, road: RoadGeometry, width: float) -> None:
        self._empty: ColourPlanes = downsample(empty)
        small = road.scaled(self._empty.shape[1] / empty.shape[1])
        self._road = cv2.dilate(small.mask(self._empty.shape[:2]), _disc(REACH * small.pitch))
        self._thick = _disc(THICKNESS * max(1.0, width) * small.pitch / 2)
        self._largest = LARGEST * (width * small.pitch) ** 2

    def is_covered(self, pixels: Pixels) -> bool:
        """Return whether an object reaches over the road from the picture's edge, or is far larger than a piece."""
        mask = foreground(downsample(pixels), self._empty)[0]
        _count, spots = cv2.connectedComponents(mask)
        over = np.unique(spots[self._road > 0])
        thick = cv2.morphologyEx(mask, cv2.MORPH_OPEN, self._thick, borderType=cv2.BORDER_CONSTANT, borderValue=0)
        rim = np.unique(
            np.concatenate([(spots * thick)[side] for side in (0, -1)] + [(spots * thick)[:, side] for side in (0, -1)])
        )
        for spot in over[over > 0]:
            here = spots == spot
            if spot in rim or (here & (self._road > 0) & (thick > 0)).sum() > self._largest:
                return True
        return False


def _disc(radius: float) -> NDArray[np.uint8]:
    side = 2 * max(1, round(radius)) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)

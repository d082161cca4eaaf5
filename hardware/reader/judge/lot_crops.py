"""Cuts candidate lots out of a picture, straightened, with all that the judge looks at."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from hardware.reader.bars import Bar
from hardware.reader.detection.detector import DARK
from hardware.reader.detection.lot_shape import DetectedScene, LotShape
from hardware.reader.tray_moves import Floats

STICK_CROP, SMALL_CROP, CLOSE_STICK_CROP = (20, 96), (36, 36), (20, 144)
"""Rows and columns of a crop of a stick, of a small lot, and of a stick's face. More shows finer marks and costs time
in proportion."""

STICK_MARGIN, SMALL_MARGIN = (1.7, 1.12), 2.45
"""What a crop shows, as multiples of a stick's width and length, and of a small lot's mean diameter."""

CLOSE_STICK_MARGIN, CLOSE_SMALL_MARGIN = (1.25, 1.04), 1.6
"""What a crop of their faces shows."""

CHANNELS = 11
"""Colour (3) in the light of the teaching; logarithm of its ratio to the empty tray (3); the network's lot, other and
inside; and direction relative to the crop, as cosine and sine of twice the angle."""

SINE = CHANNELS - 1
"""The channel whose sign changes when a crop is mirrored."""


class CropMaker:
    """Cuts crops out of one picture.

    reference : (3,) mean colour of the empty tray when it was taught.
    """

    def __init__(self, view: DetectedScene, shape: LotShape, reference: Floats) -> None:
        scene, found = view.scene, view.found
        seen = scene.small.astype(np.float32)
        scale = np.asarray(reference / np.maximum(scene.mean, 1.0) / 255, np.float32)
        even = cv2.divide(seen * scale, cv2.cvtColor(scene.light, cv2.COLOR_GRAY2BGR))
        self._planes = (
            np.asarray(even - 0.5, np.float32),
            np.asarray(cv2.log((seen + DARK) / (scene.bare + DARK)), np.float32),
            np.asarray(cv2.merge([found.lot, found.other, found.inside]), np.float32),
            found.along,
        )
        self._shape = shape
        self.is_long = shape.is_long

    def crops(self, places: Sequence[Bar], *, close: bool = False) -> Floats:
        """(n, CHANNELS, rows, columns) float32, a crop for each place. close : their faces alone."""
        rows, columns = crop_size(is_long=self.is_long, close=close)
        made = np.empty((len(places), CHANNELS, rows, columns), np.float32)
        for crop, place in zip(made, places, strict=True):
            matrix = _matrix(place, self._shape, close=close)
            first = 0
            for plane in self._planes:
                part = cv2.warpAffine(
                    plane,
                    matrix,
                    (columns, rows),
                    flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                    borderMode=cv2.BORDER_REPLICATE,
                )
                crop[first : first + part.shape[2]] = part.transpose(2, 0, 1)
                first += part.shape[2]
            if self._shape.is_long:
                cos, sin = np.cos(np.radians(2 * place.angle)), np.sin(np.radians(2 * place.angle))
                crop[9:] = np.stack([cos * crop[9] + sin * crop[10], cos * crop[10] - sin * crop[9]])
            else:
                crop[9:] = 0
        return made


def crop_size(*, is_long: bool, close: bool) -> tuple[int, int]:
    """Rows and columns of a crop of a stick or a small lot. close : of its face alone."""
    if not is_long:
        return SMALL_CROP
    return CLOSE_STICK_CROP if close else STICK_CROP


def diameter(shape: LotShape) -> float:
    """Mean diameter of a small lot, in pixels of the working size."""
    return float(np.sqrt(shape.bar.length * shape.bar.width))


def _matrix(place: Bar, shape: LotShape, *, close: bool) -> Floats:
    """From pixels of the crop to pixels of the working size."""
    rows, columns = crop_size(is_long=shape.is_long, close=close)
    if shape.is_long:
        cos, sin = place.along
        wide, long = CLOSE_STICK_MARGIN if close else STICK_MARGIN
        step = np.array([shape.bar.length * long / columns, shape.bar.width * wide / rows])
    else:
        cos, sin = 1.0, 0.0
        step = np.full(2, diameter(shape) * (CLOSE_SMALL_MARGIN if close else SMALL_MARGIN) / rows)
    across = np.array([[cos * step[0], -sin * step[1]], [sin * step[0], cos * step[1]]])
    start = np.array([place.x, place.y]) - across @ [(columns - 1) / 2, (rows - 1) / 2]
    return np.hstack([across, start[:, None]])

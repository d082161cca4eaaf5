"""Cuts candidate lots out of a picture, straightened, with all that the judge looks at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np

from hardware.reader.arrays import Floats, Mask
from hardware.reader.bars import Bar
from hardware.reader.detection.empty_tray import DARK, EmptyTray
from hardware.reader.detection.lot_shape import DetectedScene, LotShape


class Window(NamedTuple):
    """A crop's rows and columns, and what it shows: multiples of a stick's width and length, or of a diameter.

    More pixels show finer marks and cost time in proportion.
    """

    size: tuple[int, int]
    wide: float
    long: float


WINDOWS = {
    (True, False): Window((20, 96), 1.7, 1.12),
    (True, True): Window((20, 144), 1.25, 1.04),
    (False, False): Window((36, 36), 2.45, 2.45),
    (False, True): Window((36, 36), 1.6, 1.6),
}
"""The crops of sticks, of their faces from close by, of small lots, and of theirs."""

CHANNELS = 11
"""Colour (3) in the light of the teaching; logarithm of its ratio to the empty tray (3); the network's lot, other and
inside; and a stick's direction relative to the crop, as cosine and sine of twice the angle. The sine changes its sign
when a crop is mirrored."""


class CropMaker:
    """Cuts crops out of one picture.

    reference : (3,) the colour that crops give to the mean of the empty picture; see `reference_colour`.
    """

    def __init__(self, view: DetectedScene, shape: LotShape, reference: Floats) -> None:
        scene, found = view.scene, view.found
        self._scale = np.asarray(reference / np.maximum(scene.mean, 1.0) / 255, np.float32)[:, None, None]
        light = cv2.cvtColor(scene.light, cv2.COLOR_GRAY2BGR)
        self._planes: list[Floats] = [
            np.asarray(cv2.divide(scene.small, light, dtype=cv2.CV_32F), np.float32),
            scene.change,
            np.asarray(cv2.merge([found.lot, found.other, found.inside]), np.float32),
            *([found.along] if shape.is_long else []),
        ]
        self._bare, self.shape = scene.bare, shape

    def crops(self, places: Sequence[Bar], *, close: bool = False) -> Floats:
        """(n, CHANNELS, rows, columns) float32, a crop for each place. close : their faces alone."""
        window = WINDOWS[self.shape.is_long, close]
        made = np.zeros((len(places), CHANNELS, *window.size), np.float32)
        for crop, place in zip(made, places, strict=True):
            first = 0
            for plane in self._planes:
                part = self._cut(plane, place, window)
                crop[first : first + part.shape[2]] = part.transpose(2, 0, 1)
                first += part.shape[2]
            if self.shape.is_long:
                cos, sin = np.cos(np.radians(2 * place.angle)), np.sin(np.radians(2 * place.angle))
                crop[9:] = np.stack([cos * crop[9] + sin * crop[10], cos * crop[10] - sin * crop[9]])
        made[:, :3] = made[:, :3] * self._scale - 0.5
        return made

    def _cut(self, plane: Floats, place: Bar, window: Window) -> Floats:
        """What a plane shows in the window of that place, (rows, columns, channels)."""
        matrix, flags = _matrix(place, self.shape, window), cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        part = cv2.warpAffine(plane, matrix, window.size[::-1], flags=flags, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(part, np.float32)

    def borders(self, places: Sequence[Bar]) -> Floats:
        """How clearly a border in the empty tray runs along below the middles of n sticks: (n,).

        Logarithms of the ratio of light on both its sides, in the quarter of the stick where it is least clear; 0 where
        a clearer one runs below one of the stick's sides.
        """
        window = WINDOWS[True, True]
        rows, columns = window.size
        fifth = rows // 5
        bare = np.array([self._cut(self._bare, place, window) for place in places], np.float32)
        light = np.log(bare.reshape(len(places), rows, 4, columns // 4, 3).mean(axis=3) + DARK)
        sides = np.array([light[:, at : at + fifth].mean(axis=1) for at in range(rows - fifth + 1)])
        steps = sides[fifth:] - sides[:-fifth]
        clear = np.maximum(steps.min(axis=2), -steps.max(axis=2)).max(axis=2)
        middle = clear[fifth:-fifth].max(axis=0)
        return np.asarray(np.where(middle < clear.max(axis=0), 0, middle), np.float32)

    def hidden_alike(self, taught: Floats, place: Bar, hidden: Mask, *, close: bool = False) -> Floats:
        """Crops of n taught lots, each from both ends, with the same part hidden as at a place, and the crop of that.

        hidden : 1 where others may hide what lies there. Returns (2 n + 1, CHANNELS, rows, columns).
        """
        crop = self.crops([place], close=close)
        over = self._cut(hidden.astype(np.float32), place, WINDOWS[self.shape.is_long, close]) > 0.5
        ends = np.stack([taught, taught[:, :, ::-1, ::-1]], axis=1).reshape(-1, *taught.shape[1:])
        return np.concatenate([np.where(over, crop, ends), crop])

    def seen(self, places: Sequence[Bar]) -> Floats:
        """How much of a lot the detector sees at n places, 0 to 1: (n,)."""
        return np.array([self.shape.ends.mean(place, self._planes[2])[0] for place in places], np.float32)


def reference_colour(tray: EmptyTray, views: Sequence[DetectedScene]) -> Floats:
    """The empty picture's mean colour if all were as bright as what lies below the lots in these pictures: (3,)."""
    new = [view.found.lot + view.found.other + 1e-6 for view in views]
    ground = [view.scene.bare.mean(axis=2) / view.scene.light / max(view.scene.mean.mean(), 1) for view in views]
    level = np.clip(np.average(ground, weights=new), 0.5, 2)
    return np.asarray(tray.small[::4, ::4].mean(axis=(0, 1)) / level, np.float32)


def diameter(shape: LotShape) -> float:
    """Mean diameter of a small lot, in pixels of the working size."""
    return float(np.sqrt(shape.bar.length * shape.bar.width))


def _matrix(place: Bar, shape: LotShape, window: Window) -> Floats:
    """From pixels of the crop to pixels of the working size."""
    rows, columns = window.size
    (cos, sin), length, width = place.along, shape.bar.length, shape.bar.width
    if not shape.is_long:
        cos, sin, length, width = 1.0, 0.0, diameter(shape), diameter(shape)
    wide, high = length * window.long / columns, width * window.wide / rows
    right, down = (columns - 1) / 2 * wide, (rows - 1) / 2 * high
    return np.array(
        [
            [cos * wide, -sin * high, place.x - cos * right + sin * down],
            [sin * wide, cos * high, place.y - sin * right - cos * down],
        ]
    )

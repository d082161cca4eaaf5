"""A stick as a bar in the picture: its place, its apparent length and width, and the pixels that it covers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil, cos, floor, radians, sin

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.reader.arrays import Floats, Mask

Doubles = NDArray[np.float64]

FINE = 4
"""Fractional bits of a pixel in drawing."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A stick's place, in pixels and in degrees clockwise on screen from +x. The shape of its ends is the set's."""

    x: float
    y: float
    angle: float
    length: float
    width: float

    @property
    def along(self) -> Doubles:
        """Unit vector along its length."""
        return np.array(self._direction)

    @property
    def _direction(self) -> tuple[float, float]:
        turned = radians(self.angle)
        return cos(turned), sin(turned)

    def moved(self, along: float = 0.0, across: float = 0.0, turn: float = 0.0) -> Bar:
        """The bar moved along and across itself, and turned."""
        right, down = self._direction
        return Bar(
            x=self.x + along * right - across * down,
            y=self.y + along * down + across * right,
            angle=self.angle + turn,
            length=self.length,
            width=self.width,
        )

    def reach(self) -> tuple[float, float]:
        """Half the sides of its axis-aligned bounding box."""
        right, down = map(abs, self._direction)
        return (right * self.length + down * self.width) / 2, (down * self.length + right * self.width) / 2

    def is_within(self, shape: tuple[int, ...]) -> bool:
        """Whether its bounding box is inside a picture of that shape."""
        across, down = self.reach()
        return across <= self.x <= shape[1] - across and down <= self.y <= shape[0] - down

    def widened(self, by: float) -> Bar:
        """The bar extended by ``by`` pixels on every side."""
        return replace(self, length=self.length + 2 * by, width=self.width + 2 * by)

    def apart(self, other: Bar) -> tuple[float, float]:
        """Distance between the centres in pixels, and the angle between the two in degrees."""
        return float(np.hypot(self.x - other.x, self.y - other.y)), abs((self.angle - other.angle + 90) % 180 - 90)


@dataclass(frozen=True, slots=True)
class Ends:
    """The roundness of the ends of a set's sticks, 0 square to 1 half round."""

    roundness: float

    @classmethod
    def of(cls, length: float, width: float, area: float) -> Ends:
        """The ends of a stick that fills ``area`` of its ``length`` by ``width``."""
        # Half round ones leave out the corners of two half circles.
        left_out = (length * width - area) / width**2
        return cls(float(np.sqrt(np.clip(left_out / (1 - np.pi / 4), 0, 1))))

    def outline(self, bar: Bar) -> Doubles:
        """The corners of the bar's outline, ends rounded: (16, 2) pixels."""
        return _placed(_shape(bar.length, bar.width, self.roundness), bar, bar.x, bar.y)

    def mask(self, bar: Bar, shape: tuple[int, ...]) -> Mask:
        """1 where the bar lies in a picture of ``shape``, 0 elsewhere."""
        return self._drawn(bar, 0, 0, shape[:2])

    def _drawn(self, bar: Bar, left: int, top: int, shape: tuple[int, ...]) -> Mask:
        """The mask of the part of a picture that begins at ``left``, ``top``."""
        drawn = np.zeros(shape, np.uint8)
        outline = _placed(_shape(bar.length, bar.width, self.roundness), bar, bar.x - left, bar.y - top)
        cv2.fillConvexPoly(drawn, np.rint(outline * (1 << FINE)).astype(np.int32), 1, cv2.LINE_8, FINE)
        return drawn

    def weight(self, bar: Bar, odds: Floats, taken: Mask) -> float:
        """The sum of the odds over the bar where ``taken`` is 0."""
        left, top, right, bottom = _box(bar, taken.shape)
        if right <= left or bottom <= top:
            return 0.0
        drawn = self._drawn(bar, left, top, (bottom - top, right - left))
        part = (slice(top, bottom), slice(left, right))
        free = np.asarray(cv2.compare(drawn, taken[part], cv2.CMP_GT), np.uint8)
        return cv2.sumElems(cv2.copyTo(odds[part], free))[0]

    def mean(self, bar: Bar, plane: Floats | Mask) -> Sequence[float]:
        """The mean of each channel over the bar, 0 outside the picture."""
        mask = self.mask(bar, plane.shape)
        left, top, width, height = cv2.boundingRect(mask)
        part = slice(top, top + height), slice(left, left + width)
        return cv2.mean(plane[part], mask[part])


@lru_cache(maxsize=256)
def _shape(length: float, width: float, roundness: float) -> Doubles:
    """The outline, (16, 2), of a bar at the origin."""
    radius = roundness * width / 2
    sides = np.repeat([(1, 1), (-1, 1), (-1, -1), (1, -1)], 4, axis=0)
    turns = np.radians(np.add.outer(np.arange(0, 360, 90), np.arange(0, 120, 30))).ravel()
    rounding = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    return np.asarray(sides * (np.array([length, width]) / 2 - radius) + radius * rounding)


def _placed(shape: Doubles, place: Bar, x: float, y: float) -> Doubles:
    """The outline turned as the bar ``place`` is, and moved to (x, y)."""
    # As complex numbers it is turned by a product, in a third of the time of a matrix.
    turned = shape.view(np.complex128) * complex(*place._direction) + complex(x, y)
    return np.asarray(turned.view(np.float64))


def _box(bar: Bar, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of the part of a picture that a bar can cover."""
    across, down = bar.reach()
    left, top = max(floor(bar.x - across) - 1, 0), max(floor(bar.y - down) - 1, 0)
    return left, top, min(ceil(bar.x + across) + 2, shape[1]), min(ceil(bar.y + down) + 2, shape[0])

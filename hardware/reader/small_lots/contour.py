"""The contour of a small lot: its measures, and the range of measures of a single lot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.reader.tray import Mask

LESS, MORE = 0.72, 1.3
"""Accepted length, width and area of a lot, as shares of the smallest and the largest that was taught. A kernel tilted
by 40 degrees shows 0.77 of its face. Wider limits accept half a lot, or two as one; narrower ones refuse tilted
lots."""

HOLLOWER = 0.07
"""How much less of its hull a lot may fill than the hollowest taught one. Higher accepts two touching lots as one."""


@dataclass(frozen=True, slots=True, eq=False)
class LotContour:
    """An object, or one of several that touch: a mask, (rows, columns), 1 inside and 0 outside, and its measures.

    hull: the mask with concavities filled, which in a single lot are dark rims and marks.
    x, y: its centre in the mask; angle: its long axis in degrees, clockwise; length and width in pixels.
    area, full: pixels of the mask and of the hull; solidity: the first by the second.
    """

    mask: Mask
    hull: Mask
    x: float
    y: float
    angle: float
    length: float
    width: float
    area: float
    full: float
    outline: NDArray[np.int32]

    @property
    def solidity(self) -> float:
        """Area as a share of the convex hull."""
        return self.area / self.full


def measured(mask: Mask) -> LotContour | None:
    """Measure the largest connected component of a mask, with holes filled; None if it has no extent."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outlines = [outline for outline in outlines if len(outline) > 4]
    if not outlines:
        return None
    outline = max(outlines, key=lambda one: float(cv2.contourArea(one)))
    whole = np.zeros_like(mask)
    cv2.drawContours(whole, [outline], -1, 1, cv2.FILLED)
    area = float(whole.sum())
    hull = np.zeros_like(mask)
    cv2.fillConvexPoly(hull, cv2.convexHull(outline), 1)
    (x, y), (one, other), turned = cv2.minAreaRect(outline)
    if one < other:
        one, other, turned = other, one, turned + 90
    return LotContour(
        mask=whole,
        hull=hull,
        x=float(x),
        y=float(y),
        angle=float(turned % 180) % 180,
        length=float(one) + 1,
        width=float(other) + 1,
        area=area,
        full=max(float(hull.sum()), 1.0),
        outline=outline.reshape(-1, 2).astype(np.int32),
    )


@dataclass(frozen=True, slots=True)
class Measures:
    """The range of the measures of single lots: smallest and largest of each, in pixels."""

    length: tuple[float, float]
    width: tuple[float, float]
    area: tuple[float, float]
    solidity: float

    @classmethod
    def of(cls, lots: Sequence[LotContour]) -> Measures:
        """The range of measures of separate lots. The area is that of the hull."""

        def span(values: list[float]) -> tuple[float, float]:
            return min(values), max(values)

        return cls(
            span([lot.length for lot in lots]),
            span([lot.width for lot in lots]),
            span([lot.full for lot in lots]),
            min(lot.solidity for lot in lots),
        )

    def oddness(self, part: LotContour) -> float:
        """Deviation of an outline from a single lot's: 0 within the taught range, 1 at the accepted limit."""
        odd = [0.0]
        for value, (low, high) in ((part.length, self.length), (part.width, self.width), (part.full, self.area)):
            odd.append((1 - value / low) / (1 - LESS))
            odd.append((value / high - 1) / (MORE - 1))
        odd.append((self.solidity - part.solidity) / HOLLOWER)
        return max(odd)

    def counts(self, area: float) -> range:
        """Possible numbers of lots for this total area. Lots need not lie flat."""
        return range(max(1, int(np.ceil(area / (MORE * self.area[1])))), int(area / (LESS * self.area[0])) + 1)

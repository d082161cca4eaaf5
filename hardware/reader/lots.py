"""Connected components in the tray: separate objects, intrusions from the border, and the shape of a lot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.referee.events import Lot
from hardware.reader.tray import Difference, Mask

LONG = 2.5
"""Length over width from which a lot is a stick with an axis to unroll it along; below it is a kernel, bean or coin.
Kernels measured 1.0 to 1.7, sticks 6 and more."""

Outlines = Sequence[Sequence[NDArray[np.int32]]]
"""Of the lots in the picture with the marked sides up and in the one with the plain sides up, (n, 2) pixels."""

Verdict = tuple[tuple[Lot, ...], str | None]
"""The lots made out, in pixels of the size the reader works at, and why they do not make a count, or None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blob:
    """A connected component in the tray. Pixels and degrees as in a Lot; length >= width; area includes holes.

    outline: its boundary pixels. at_border: it touches the picture's border.
    """

    x: float
    y: float
    angle: float
    length: float
    width: float
    area: float
    at_border: bool
    outline: tuple[tuple[int, int], ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Shape:
    """The taught shape of a lot: medians of length, width and area, in pixels."""

    length: float
    width: float
    area: float

    def __post_init__(self) -> None:
        if not (self.length >= self.width > 0 and self.area > 0):
            raise ValueError(f"a lot cannot be {self.length} by {self.width} pixels with an area of {self.area}")

    @property
    def is_long(self) -> bool:
        """True for sticks, False for kernels, beans and coins."""
        return self.length / self.width >= LONG


def reaching(seen: Difference, least_area: float) -> NDArray[np.bool_]:
    """Where objects larger than ``least_area`` reach in over the picture's border, (rows, columns).

    Where only the light has changed there is none.
    """
    changed = seen.changed
    hands = np.zeros(changed.shape, np.bool_)
    if not any(edge.any() for edge in (changed[0], changed[-1], changed[:, 0], changed[:, -1])):
        return hands
    _, labels = cv2.connectedComponents(changed)
    for one in np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])):
        where = labels == one
        if one and np.count_nonzero(where) > least_area and not seen.is_other_light(where):
            hands |= where
    return hands


def blobs(mask: Mask, *, least_area: float, thinnest: float) -> list[Blob]:
    """The connected components of a mask, largest first, except those smaller or thinner than given, in pixels."""
    side = max(1, round(thinnest))
    whole = np.zeros_like(mask)
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(whole, outlines, -1, 255, cv2.FILLED)
    opened = cv2.morphologyEx(whole, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)))
    outlines, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = [
        outlined(outline.reshape(-1, 2).astype(np.int32), mask.shape[:2]) for outline in outlines if len(outline) > 4
    ]
    return sorted((blob for blob in found if blob.area >= least_area), key=lambda blob: -blob.area)


def outlined(outline: NDArray[np.int32], shape: tuple[int, ...]) -> Blob:
    """The component inside an outline, (n, 2) pixels, in a picture of that shape."""
    area = cv2.contourArea(outline)
    (x, y), (one, other), turned = cv2.minAreaRect(outline)
    if one < other:
        one, other, turned = other, one, turned + 90
    rows, columns = shape
    low, high = outline.min(axis=0), outline.max(axis=0)
    return Blob(
        x=float(x),
        y=float(y),
        angle=float(turned % 180) % 180,
        length=float(one) + 1,
        width=float(other) + 1,
        area=float(area) + len(outline) / 2 + 1,  # the outline runs through the centres of its pixels
        at_border=bool(low.min() <= 1 or high[0] >= columns - 2 or high[1] >= rows - 2),
        outline=tuple((int(px), int(py)) for px, py in cv2.approxPolyDP(outline, 0.7, True).reshape(-1, 2)),
    )


def doubted(lots: Iterable[Lot]) -> list[Lot]:
    """The lots with no certainty about their faces, which are only shown to players."""
    return [replace(lot, confidence=0.0) for lot in lots]


def enlarged(lot: Lot, scale: float) -> Lot:
    """The lot in a picture ``scale`` times as large. Pixel centres have integer coordinates in both."""

    def there(at: float) -> float:
        return (at + 0.5) * scale - 0.5

    outline = tuple((there(x), there(y)) for x, y in lot.outline)
    return replace(lot, x=there(lot.x), y=there(lot.y), outline=outline)

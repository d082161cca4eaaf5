"""Labels places by the lots that truly lie in the picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from hardware.reader.bars import Bar
from hardware.reader.detection.lot_shape import LotShape
from hardware.reader.judge.lot_crops import diameter

READABLE, UNREADABLE = (0.55, 0.5), (0.45, 0.35)
"""Visible shares of face and mark from which a lot is readable, and below either of which it is not."""

NEAR, FAR = 0.55, 0.3
"""Overlap with a stick's true place from which a place shows it, and below which it does not."""

CLOSE, AWAY = 0.28, 0.5
"""The same for a small lot: distances from its true centre in diameters."""

HIDDEN = (0.03, 0.5)
"""Limits of the visible share of a lot that looks out below another one, so that they may be taken for one."""

ALONG, ACROSS, TURNED, BESIDE = 0.75, 0.8, 20.0, 0.85
"""How far apart two sticks may lie to be taken for one, in lengths, in widths and in degrees, and two small lots in
diameters."""

Offset = tuple[float, float, float]

NOWHERE: Offset = (np.nan, np.nan, np.nan)


@dataclass(frozen=True, slots=True)
class TrueLot:
    """A lot as it lies, in pixels of the working size.

    readable : 1, 0, or -1 if opinions differ. face : 1 marked, -1 plain, 0 if it cannot be seen. shown : share of it.
    """

    bar: Bar
    readable: int
    face: int
    shown: float = 1.0

    @classmethod
    def seen(cls, bar: Bar, shown: tuple[float, float], *, flat: bool, marked: bool) -> TrueLot:
        """A lot of which these shares of face and mark are visible. flat : it does not stand on its edge."""
        if not flat or any(share < least for share, least in zip(shown, UNREADABLE, strict=True)):
            return cls(bar, readable=0, face=0, shown=shown[0])
        certain = all(share >= least for share, least in zip(shown, READABLE, strict=True))
        return cls(bar, readable=1 if certain else -1, face=1 if marked else -1, shown=shown[0])


@dataclass(frozen=True, slots=True)
class Label:
    """The truth about a place.

    present, readable : 1, 0, or -1 if it does not count. face : 1 marked, -1 plain, 0 unknown.
    off : where the lot lies, along and across in its lengths and widths, and its turn by widths over lengths; nan if
        there is none.
    """

    present: int
    readable: int = -1
    face: int = 0
    off: Offset = NOWHERE


def label(place: Bar, truth: Sequence[TrueLot], shape: LotShape) -> Label:
    """Label a place by the lot that is most alike."""
    best, lot = max(
        ((_likeness(place, one.bar, shape), one) for one in truth), key=lambda one: one[0], default=(0, None)
    )
    if lot is None or best == 0:
        return Label(present=0)
    off = offset(place, lot.bar, shape)
    near, far = (NEAR, FAR) if shape.is_long else (1 - CLOSE, 1 - AWAY)
    if best < near:
        return Label(present=0 if best < far else -1, off=off)
    return Label(present=1, readable=lot.readable, face=lot.face, off=off)


def without_hidden(lots: Sequence[TrueLot], shape: LotShape) -> list[TrueLot]:
    """The lots, unreadable where another one looks out below: which part belongs to which cannot be told."""
    hidden = [lot for lot in lots if HIDDEN[0] < lot.shown < HIDDEN[1]]
    return [
        replace(lot, readable=0, face=0)
        if any(other is not lot and _may_be_one(lot.bar, other.bar, shape) for other in hidden)
        else lot
        for lot in lots
    ]


def _may_be_one(one: Bar, other: Bar, shape: LotShape) -> bool:
    along, across, _ = offset(one, other, shape)
    if not shape.is_long:
        return bool(np.hypot(along, across) < BESIDE)
    return abs(along) < ALONG and abs(across) < ACROSS and one.apart(other)[1] < TURNED


def offset(place: Bar, lot: Bar, shape: LotShape) -> Offset:
    """Where the lot lies, seen from the place, in the units of `Label`; `lot_judge.moved` undoes it."""
    away = np.array([lot.x - place.x, lot.y - place.y])
    if not shape.is_long:
        across, down = away / diameter(shape)
        return float(across), float(down), 0.0
    right, down = place.along
    turn = np.radians((lot.angle - place.angle + 90) % 180 - 90) * shape.bar.length / shape.bar.width
    return (
        float(away @ [right, down] / shape.bar.length),
        float(away @ [-down, right] / shape.bar.width),
        float(turn),
    )


def sized(bar: Bar, shape: LotShape) -> Bar:
    """The bar in the size of the shape. Small lots have no direction."""
    return replace(bar, length=shape.bar.length, width=shape.bar.width, angle=bar.angle if shape.is_long else 0.0)


def _likeness(one: Bar, other: Bar, shape: LotShape) -> float:
    """1 if both are the same place, down to 0: overlap of sticks, closeness of small lots."""
    if not shape.is_long:
        return max(0.0, 1 - float(np.hypot(one.x - other.x, one.y - other.y)) / diameter(shape))
    first, second = (((bar.x, bar.y), (bar.length, bar.width), bar.angle) for bar in (one, other))
    kind, points = cv2.rotatedRectangleIntersection(first, second)
    if kind == cv2.INTERSECT_NONE or points is None:
        return 0.0
    shared = float(cv2.contourArea(cv2.convexHull(points)))
    return shared / (one.length * one.width + other.length * other.width - shared)

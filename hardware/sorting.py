"""Everything new in the tray, sorted into single lots and the rest."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from hardware.lots import Blob, Likeness, Shape, blobs
from hardware.tray import Difference, Mask

SCRAP = 0.15
"""Blobs under this share of a lot's area are specks and slivers of rim. Lower takes noise for things, higher overlooks
the tip of a lot under a hand."""

THINNEST = 0.3
"""Share of a lot's width under which a thing is the edge of a nudged tray, or a cable, and not a thing."""

DEPTHS = (2.0, 3.5)
"""How many times stronger than a change has to be, when lots whose shadows meet are looked at again. Deeper cuts leave
the lots' darkest parts alone."""

HOLDS = 0.8
"""Least area of a blob, as a share of the lots it is split into: half a kernel is never taken for one."""

HAND = 2.0
"""Lots' worth of area at the picture's border from which it is a hand, and not a lot that rolled away."""

STUB = 0.6
"""Share of a stick's length under which a thing lying free is no stick. A hidden stick lies against what hides it."""

LUMP, LUMP_SOLID = 2.2, 0.92
"""Kernels' worth of area and share of its hull from which a thing lying free is one large piece: kernels that touch
leave notches."""


@dataclass(frozen=True, slots=True)
class Sorted:
    """What lies in the tray: outlines of single lots, things that are certainly no lots, and all that may hold some."""

    lots: tuple[Blob, ...]
    foreign: tuple[Blob, ...]
    doubtful: tuple[Blob, ...]


def sort(seen: Difference, shape: Shape) -> Sorted:
    """Single lots by their outline, the largest first, and the rest by what it may be."""
    lots: list[Blob] = []
    rest: list[tuple[Blob, bool]] = []
    for blob in _things(seen.changed, shape):
        if shape.likeness(blob) is Likeness.LOT:
            lots.append(blob)
            continue
        singles, others = _split(seen, blob, shape)
        lots += singles
        rest += [(other, not singles) for other in others] if singles else [(blob, True)]
    hand = sum(blob.area for blob, _ in rest if blob.at_border) > HAND * shape.area
    foreign = [blob for blob, free in rest if (blob.at_border and hand) or (free and _is_strange(blob, shape))]
    return Sorted(tuple(lots), tuple(foreign), tuple(blob for blob, _ in rest if blob not in foreign))


def _things(mask: Mask, shape: Shape) -> list[Blob]:
    return blobs(mask, least_area=SCRAP * shape.area, thinnest=THINNEST * shape.width)


def _split(seen: Difference, blob: Blob, shape: Shape) -> tuple[list[Blob], list[Blob]]:
    """Lots whose shadows meet: single lots within ``blob``, and what else is left of it there, by the kindest look."""
    within = np.zeros_like(seen.solid)
    cv2.fillPoly(within, [np.array(blob.outline, np.int32)], 255)
    best: tuple[list[Blob], list[Blob]] = ([], [blob])
    for mask in (seen.solid, *((seen.strength > depth).astype(np.uint8) * 255 for depth in DEPTHS)):
        parts = _things(mask & within, shape)
        singles = [part for part in parts if shape.likeness(part) is Likeness.LOT]
        others = [part for part in parts if part not in singles]
        if blob.area < HOLDS * len(singles) * shape.area:
            continue
        if (-len(others), len(singles)) > (-len(best[1]), len(best[0])):
            best = singles, others
    return best


def _is_strange(blob: Blob, shape: Shape) -> bool:
    """True for a thing lying free that by its size cannot be a lot, nor several."""
    if blob.at_border:
        return False
    if shape.is_long:
        return blob.length < STUB * shape.length
    return blob.area > LUMP * shape.area and blob.solidity > LUMP_SOLID and blob.length < 2 * blob.width

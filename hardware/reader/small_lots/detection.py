"""Detects objects in the tray at the picture's full size."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from hardware.reader.lots import Blob
from hardware.reader.small_lots.colours import LotColours, Near, logarithms
from hardware.reader.small_lots.contour import LotContour, Measures, measured
from hardware.reader.tray import Difference, Floats, Mask

AROUND = 2.6
"""Side of the crop around a taught lot, as a multiple of its length: enough of the tray to learn its shade."""

COARSE = 4
"""Grid, in pixels of the working size, on which crops are cut. Coarser crops include more bare tray; finer ones take
longer to place."""

MARGIN = 0.6
"""Margin of a crop around an object, as a share of a lot's length."""

CELL, WIDE = 0.25, 11
"""Side of a patch over which the light is averaged, as a share of a lot's length, and the number of patches in a row
whose median is taken: enough that a lot among them has no effect."""

FOLLOWED = 0.2
"""Largest local change of light that is compensated, as a natural logarithm, and in which lots are read. Higher begins
to compensate hands."""

LEAST = 0.1
"""Share of the smallest lot's area below which objects are ignored. Lower spends time on specks."""


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """An object in the tray, in a crop of the picture.

    taken: 1 where this or any other object lies in the crop.
    strange: share of its colours that no lot has. at_border: it touches the picture's border.
    """

    near: Near
    part: LotContour
    taken: Mask
    strange: float
    at_border: bool


def things(seen: Difference, colours: LotColours, measures: Measures) -> list[Thing]:
    """Detect every separate object that is large enough to be part of a lot, at full size."""
    things = []
    for left, top, columns, rows in _places(seen, measures):
        surroundings = near(seen, left, top, columns, rows, measures.length[1])
        odds, own = colours.odds(surroundings)
        mask = (odds > 0).astype(np.uint8)
        outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        for outline in outlines:
            if cv2.contourArea(outline) < LEAST * measures.area[0]:
                continue
            alone = np.zeros_like(mask)
            cv2.drawContours(alone, [outline], -1, 1, cv2.FILLED)
            part = measured(alone)
            if part is None:
                continue
            at = part.outline + np.array([left, top])
            edge = seen.scale * np.array(seen.changed.shape[::-1]) - 3
            things.append(
                Thing(
                    surroundings,
                    part,
                    mask,
                    1 - float(own[part.mask > 0].mean()),
                    bool((at <= 2).any() or (at >= edge).any()),
                )
            )
    return things


def _places(seen: Difference, measures: Measures) -> list[tuple[int, int, int, int]]:
    """Disjoint boxes around the changes, in pixels of the given picture."""
    scale, coarse = seen.scale, COARSE
    least = 0.6 * LEAST * measures.area[0] / scale**2
    margin = max(3, round(MARGIN * measures.length[1] / scale))
    rows, columns = seen.changed.shape
    boxes = np.zeros((-(-rows // coarse), -(-columns // coarse)), np.uint8)
    outlines, _ = cv2.findContours(seen.changed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for outline in outlines:
        if cv2.contourArea(outline) >= least:
            left, top, width, height = cv2.boundingRect(outline)
            right, bottom = left + width + margin, top + height + margin
            left, top = max(0, left - margin), max(0, top - margin)
            boxes[top // coarse : -(-bottom // coarse), left // coarse : -(-right // coarse)] = 1
    merged: list[tuple[int, int, int, int]] = []
    while True:
        outlines, _ = cv2.findContours(boxes, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        found = [(x, y, width, height) for x, y, width, height in map(cv2.boundingRect, outlines)]
        if len(found) == len(merged):
            break
        merged = found
        for x, y, width, height in merged:
            boxes[y : y + height, x : x + width] = 1
    return [
        (
            int(x * scale * coarse),
            int(y * scale * coarse),
            round(width * scale * coarse),
            round(height * scale * coarse),
        )
        for x, y, width, height in merged
    ]


def near(seen: Difference, left: int, top: int, columns: int, rows: int, length: float) -> Near:
    """Crop the picture at full size, relit by the local light. length: a lot's, in pixels at full size."""
    here, there = (logarithms(pixels) for pixels in seen.closer(left, top, columns, rows))
    return Near(left, top, here - _light(here - there, length), there)


def _light(share: Floats, length: float) -> Floats:
    """The remaining smooth change of light around each pixel, where it is small."""
    rows, columns = share.shape[:2]
    size = (max(1, round(columns / (CELL * length))), max(1, round(rows / (CELL * length))))
    small = cv2.resize(share, size, interpolation=cv2.INTER_AREA)
    levels = np.clip(128 + small * (127 / FOLLOWED), 0, 255).astype(np.uint8)
    middle = np.asarray(cv2.medianBlur(levels, WIDE), np.float32)
    middle = (middle - 128) * np.float32(FOLLOWED / 127)
    middle[np.abs(middle).max(axis=-1) > 0.95 * FOLLOWED] = 0
    return np.asarray(cv2.resize(middle, (columns, rows), interpolation=cv2.INTER_LINEAR), np.float32)


def around(seen: Difference, blob: Blob, length: float) -> tuple[Near, Mask]:
    """Crop the surroundings of a taught lot, with a rough mask of it. length: in pixels of the working size."""
    whole = round(AROUND * length * seen.scale)
    left, top = round(blob.x * seen.scale - whole / 2), round(blob.y * seen.scale - whole / 2)
    rough = np.zeros((whole, whole), np.uint8)
    outline = (np.array(blob.outline) + 0.5) * seen.scale - 0.5 - (left, top)
    cv2.fillPoly(rough, [outline.round().astype(np.int32)], 1)
    return near(seen, left, top, whole, whole, length * seen.scale), rough

"""Places small lots that touch or lie on one another: the bars that best explain the evidence."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np

from hardware.reader.sticks.bars import Bar, Ends
from hardware.reader.sticks.heap import Heap, fit
from hardware.reader.tray_moves import Floats

TURN = 20
"""Degrees between the directions tried. The fit turns them further."""

APART = 0.35
"""Least distance between the places tried, in lots' widths."""

PLACES, RIVALS = 14, 4
"""Places tried, and arrangements of them that are fitted."""

SHARED = 0.5
"""What a pixel costs that two lots cover: small lots seldom lie on one another."""


def explaining(odds: Floats, size: Bar, ends: Ends, lots: int) -> list[Heap]:
    """The arrangements of so many lots that explain the evidence, best first.

    odds : each pixel's evidence for a lot, (rows, columns): -1 to 1. size : a lot's length and width.
    """
    places = _places(odds, size, ends)
    if len(places) < lots:
        return []
    masks = np.stack([ends.mask(bar, odds.shape).ravel() for bar in places])
    where = masks.any(axis=0)
    masks, evidence = masks[:, where], odds.ravel()[where]
    ways = []
    for chosen in combinations(range(len(places)), lots):
        cover = masks[list(chosen)].sum(axis=0)
        ways.append((float(evidence[cover > 0].sum()) - SHARED * int((cover > 1).sum()), chosen))
    fitted: list[Heap] = []
    for _, chosen in sorted(ways, reverse=True)[:RIVALS]:
        way = fit(odds, [places[one] for one in chosen], size, ends, shared=SHARED)
        if not any(way.same(other) for other in fitted):
            fitted.append(way)
    return sorted(fitted, key=lambda way: -way.explained)


def _places(odds: Floats, size: Bar, ends: Ends) -> list[Bar]:
    """Places that are full of evidence, best first."""
    side = 2 * round(size.length / 2) + 3
    angles = range(0, 180, TURN)
    means = []
    for angle in angles:
        kernel = ends.mask(replace(size, x=side // 2, y=side // 2, angle=angle), (side, side)).astype(np.float32)
        means.append(cv2.filter2D(odds, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE))
    best = np.stack(means)
    free, found = best.max(axis=0), list[Bar]()
    while len(found) < PLACES and free.max() > 0:
        row, column = np.unravel_index(int(free.argmax()), free.shape)
        angle = angles[int(best[:, row, column].argmax())]
        found.append(replace(size, x=float(column), y=float(row), angle=float(angle)))
        cv2.circle(free, (int(column), int(row)), round(APART * size.width), -1.0, cv2.FILLED)
    return found

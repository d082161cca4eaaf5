"""Proposes places where a lot of the taught size may lie: many more than there are, for the judge to choose from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np

from hardware.reader.arrays import Floats
from hardware.reader.bars import Bar
from hardware.reader.detection.detector import Detection
from hardware.reader.detection.lot_shape import LotShape
from hardware.reader.judge.lot_crops import diameter

MOST = (24, 32)
"""Places of sticks that are proposed at most, and of small lots beside those that stand out. More cost time, fewer miss
lots that touch others."""

WIDTH = 5.0
"""Pixels that a stick is wide while places are searched. More places them more exactly and costs time with its cube."""

TURN = 4.0
"""Degrees between the directions tried."""

CORE = (0.8, 0.8)
"""Share of a stick's length and width over which evidence is averaged."""

DOUBTFUL = 0.5
"""What the probability of another thing counts beside that of a lot, because the network often takes crossings for one,
and a pixel whose direction is across a stick's, because it may show another one that lies on it."""

LEAST = 0.15
"""Least mean evidence of a place, and evidence around which places are looked for."""

IN_LINE = (5.0, 0.25, 0.5)
"""Degrees that two places are turned apart at most, and how far they lie apart across and along it, as a share of a
stick's width and length, to show one stick. Higher overlooks one that lies along another, lower asks about sticks that
are seen twice."""


def proposals(found: Detection, shape: LotShape) -> list[Bar]:
    """Places of the taught size, most evidence first; small lots have no direction."""
    evidence = np.minimum(found.lot + DOUBTFUL * found.other, 1)
    if shape.is_long:
        return _stick_places(evidence, found.along, shape.bar)
    return _small_places(evidence, found.inside, shape)


def _small_places(evidence: Floats, inside: Floats, shape: LotShape) -> list[Bar]:
    size = diameter(shape)
    left, top, width, height = cv2.boundingRect((evidence > LEAST).astype(np.uint8))
    if not width:
        return []
    right, below, margin = left + width, top + height, round(2 * size)
    left, top = max(0, left - margin), max(0, top - margin)
    evidence, inside = (plane[top : below + margin, left : right + margin] for plane in (evidence, inside))
    full, around = (cv2.GaussianBlur(evidence, (0, 0), share * size) for share in (0.3, 0.9))
    middle = cv2.GaussianBlur(inside * evidence, (0, 0), 0.12 * size)
    # What goes on all around, such as the rim of a tray that has moved, comes last.
    free = np.asarray(full + 0.5 * middle - 0.4 * around, np.float32)
    reach = max(1, round(0.4 * size))
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    # Each that stands out, because shadows fill all other places.
    tops = np.argwhere((free >= cv2.dilate(free, disc)) & (free >= LEAST))
    tops = tops[np.argsort(-free[tuple(tops.T)], kind="stable")]
    found: list[Bar] = []

    def spots() -> Iterator[tuple[int, int]]:
        for top in tops:
            yield int(top[0]), int(top[1])
        while len(found) < MOST[1] and free.max() >= LEAST:
            yield divmod(int(free.argmax()), free.shape[1])

    for row, column in spots():
        if free[row, column] >= LEAST:
            found.append(replace(shape.bar, x=float(left + column), y=float(top + row), angle=0.0))
            cv2.circle(free, (column, row), reach, -1.0, cv2.FILLED)
    return found


def _stick_places(evidence: Floats, along: Floats, size: Bar) -> list[Bar]:
    scale = WIDTH / size.width
    small, cosine, sine = (
        np.asarray(cv2.resize(plane, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.float32)
        for plane in (evidence, along[..., 0], along[..., 1])
    )
    shown = np.argwhere(small > 0.3)
    if not len(shown):
        return []
    low, high = np.maximum(shown.min(axis=0) - 3, 0)[::-1], (shown.max(axis=0) + 4)[::-1]
    part = (slice(low[1], high[1]), slice(low[0], high[0]))
    small, cosine, sine = small[part], cosine[part], sine[part]
    middle = (np.array(small.shape[::-1]) - 1) / 2
    side = int(np.hypot(*small.shape)) + 2
    length, width = size.length * scale, size.width * scale
    core = (max(3, round(CORE[0] * length)), max(2, round(CORE[1] * width)))
    angles = np.arange(0, 180, TURN)
    cover = np.empty((len(angles), side, side), np.float32)
    turns = []
    for number, angle in enumerate(angles):
        cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        turn = np.array([[cos, -sin], [sin, cos]])
        turns.append(turn)
        matrix = np.hstack([turn, (middle - turn @ [(side - 1) / 2, (side - 1) / 2])[:, None]])
        agree = np.maximum(cosine * (2 * cos * cos - 1) + sine * (2 * sin * cos), 0)
        directed = small * (DOUBTFUL + (1 - DOUBTFUL) * agree)
        upright = cv2.warpAffine(directed, matrix, (side, side), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        cover[number] = cv2.boxFilter(upright, -1, core)
    flat = cover.reshape(len(angles), -1)
    best = flat.max(axis=1)
    apart = np.abs((angles[:, None] - angles[None] + 90) % 180 - 90)
    found: list[Bar] = []
    while len(found) < MOST[0]:
        top = int(best.argmax())
        if best[top] < LEAST:
            break
        row, column = divmod(int(flat[top].argmax()), side)
        offset = turns[top] @ [column - (side - 1) / 2, row - (side - 1) / 2]
        x, y = (middle + offset + low + 0.5) / scale - 0.5
        found.append(replace(size, x=float(x), y=float(y), angle=float(angles[top])))
        for twin in np.flatnonzero(apart[top] <= 2 * TURN):
            across, down = turns[twin].T @ offset + (side - 1) / 2
            rows = slice(max(0, round(down - 0.5 * width)), max(0, round(down + 0.5 * width) + 1))
            columns = slice(max(0, int(across - 0.2 * length)), max(0, int(across + 0.2 * length) + 1))
            cover[twin, rows, columns] = -1
            best[twin] = flat[twin].max()
    return found


def distinct(
    places: Sequence[Bar], scores: Floats, shape: LotShape, least: float, same: Callable[[Bar, Bar, LotShape], bool]
) -> list[int]:
    """Numbers of the places that score more than ``least``, the best first, without the same as better ones."""
    kept: list[int] = []
    for number in np.argsort(-scores):
        if scores[number] > least and not any(same(places[number], places[other], shape) for other in kept):
            kept.append(int(number))
    return kept


def same_lot(one: Bar, other: Bar, shape: LotShape) -> bool:
    """Whether two places can only show one lot."""
    if not shape.is_long:
        return bool(np.hypot(one.x - other.x, one.y - other.y) < 0.65 * diameter(shape))
    far, turned = one.apart(other)
    return turned <= 20 and _away(other, one)[1] < 0.5 * shape.bar.width and far < 0.3 * shape.bar.length


def within(one: Bar, other: Bar, shape: LotShape) -> bool:
    """Whether a place can only show the small lot at the other one, whose direction is known, or an end of it.

    Lower limits see one lot twice, higher ones overlook what lies on another.
    """
    along, across = _away(one, other)
    far = np.hypot(along / shape.bar.length, across / shape.bar.width)
    return one.apart(other)[0] < 0.55 * diameter(shape) or bool(far < 0.45)


def in_line(one: Bar, other: Bar, shape: LotShape) -> bool:
    """Whether two places of sticks overlap along one axis."""
    far, turned = one.apart(other)
    turn, aside, along = IN_LINE
    near = turned < turn and far < along * shape.bar.length
    return shape.is_long and near and _away(one, other)[1] < aside * shape.bar.width


def _away(one: Bar, other: Bar) -> tuple[float, float]:
    """How far the one's middle is from the other's, along and across the other."""
    right, down = other.along
    x, y = one.x - other.x, one.y - other.y
    return float(abs(right * x + down * y)), float(abs(right * y - down * x))

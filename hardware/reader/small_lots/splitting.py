"""Splits touching small lots along dark seams and between notches."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.reader.small_lots.contour import LESS, LotContour, Measures, measured
from hardware.reader.tray import Floats

NOTCHES = 9
"""Largest number of places where cuts start. Four lots in a heap have at most eight."""

BEND = 0.22
"""Share of a lot's length over which an outline must turn inwards to be a notch. Shorter takes ragged edges for
notches, longer overlooks shallow notches."""

INWARD = 0.25
"""Smallest turn of a notch, in radians."""

DETOUR = 0.45
"""Longest cut, as a share of the smaller part's perimeter. A lot's own width is 0.3 of its perimeter, and touching lots
share less than that."""

FAINT, DEEP = 0.08, 0.3
"""How much darker than its sides a line must be, as a natural logarithm, to be the seam of two lots whose outlines show
no notch, and how dark a clear seam is. Lower cuts along shading, higher refuses lots in a row."""

SEAM = 0.35
"""Widest seam between lots, as a share of the narrowest lot's width. Wider takes marks for seams."""

DEPTHS = (0.08, 0.12, 0.18, 0.27, 0.4)
"""Thresholds of a seam's darkness relative to its sides, as natural logarithms; the cut that makes the most likely lots
is kept."""

CORE = 0.3
"""Smallest core left of each lot between seams, as a share of the smallest lot."""

TRIED = 16
"""Largest number of cuts tried. More solve unusual heaps but take time."""


def cut(part: LotContour, light: Floats, measures: Measures, most: int) -> list[LotContour]:
    """Split ``part`` into at most ``most`` touching lots: itself if it is a single one, empty if no cut makes lots.

    light: logarithm of each pixel's brightness, (rows, columns). Touching lots leave a dark seam, two notches, or a
    notch and a dark line.
    """
    if measures.oddness(part) <= 1:
        return [part]
    if measures.counts(part.area).start > most:
        return []
    best: tuple[float, list[LotContour]] | None = None
    for pieces in ([part], *_seamed(part, light, measures)):
        found: list[tuple[float, list[LotContour]]] = []
        for one in pieces:
            way = _fewest(one, light, measures, most)
            if way is None:
                break
            found.append(way)
        else:
            worst, lots = max(odd for odd, _ in found), [lot for _, lots in found for lot in lots]
            if len(lots) <= most and (best is None or worst < best[0]):
                best = worst, lots
    return best[1] if best else []


def _fewest(part: LotContour, light: Floats, measures: Measures, most: int) -> tuple[float, list[LotContour]] | None:
    if measures.oddness(part) <= 1:
        return measures.oddness(part), [part]
    cuts = (_cut(part, light, measures, count) for count in measures.counts(part.area) if 2 <= count <= most)
    found = next((way for way in cuts if way is not None), None)
    return (max(measures.oddness(lot) for lot in found[1]), found[1]) if found else None


def _seamed(part: LotContour, light: Floats, measures: Measures) -> list[list[LotContour]]:
    """Candidate splits of ``part`` along its dark lines, those including the faintest first."""
    side = max(3, round(SEAM * measures.width[0]) | 1)
    # The outside must not count as a bright side of the seam's ends.
    within = np.where(part.mask > 0, light, light[part.mask > 0].min()).astype(np.float32)
    ball = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    sunk = cv2.morphologyEx(within, cv2.MORPH_CLOSE, ball) - within
    partitions = []
    for depth in DEPTHS:
        kept = cv2.morphologyEx(
            ((part.mask > 0) & (sunk < depth)).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)
        )
        outlines, _ = cv2.findContours(kept, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        cores = [one for one in outlines if cv2.contourArea(one) > CORE * measures.area[0]]
        if len(cores) < 2:
            continue
        markers = np.zeros(part.mask.shape, np.uint8)
        for number, core in enumerate(cores, 1):
            cv2.drawContours(markers, [core], -1, number, cv2.FILLED)
        _, nearest = cv2.distanceTransformWithLabels(
            (markers == 0).astype(np.uint8), cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
        )
        owner = np.zeros(int(nearest.max()) + 1, np.uint8)
        owner[nearest[markers > 0]] = markers[markers > 0]
        grown = np.where(part.mask > 0, owner[nearest], 0)
        pieces = [measured((grown == number).astype(np.uint8)) for number in range(1, len(cores) + 1)]
        partitions.append([piece for piece in pieces if piece is not None])
    return partitions


def _cut(part: LotContour, light: Floats, measures: Measures, count: int) -> tuple[float, list[LotContour]] | None:
    """The best cut of ``part`` into ``count`` lots with its cost, or None if there is no cut."""
    if count == 1:
        odd = measures.oddness(part)
        return (odd, [part]) if odd <= 1 else None
    best: tuple[float, list[LotContour]] | None = None
    for sharpness, start, end in _lines(part, light, measures)[: TRIED // count]:
        halves = _halves(part, start, end)
        if halves is None:
            continue
        for one, other in (halves, halves[::-1])[: 1 if count == 2 else 2]:
            odd = measures.oddness(one)
            if odd > 1:
                continue
            rest = _cut(other, light, measures, count - 1)
            if rest is not None and (best is None or odd - sharpness + rest[0] < best[0]):
                best = odd - sharpness + rest[0], [one, *rest[1]]
    return best


def _lines(part: LotContour, light: Floats, measures: Measures) -> list[tuple[float, int, int]]:
    """Candidate cuts, clearest first: their clarity, and the outline indices of start and end."""
    outline, count = part.outline, len(part.outline)
    ends = notches(outline, BEND * measures.length[1])
    found = []
    for number, start in enumerate(ends):
        for end in {*ends[number + 1 :], *range(0, count, 2)} - set(ends[: number + 1]):
            straight = end in ends
            if not _is_short(outline, start, end) or not _is_wide(part, start, end, measures):
                continue
            depth = _crevice(light, outline[start], outline[end], 0.12 * measures.length[1])
            if straight or depth >= FAINT:
                found.append((straight + min(depth / DEEP, 1.0), start, end))
    return sorted(found, reverse=True)


def _crevice(light: Floats, start: NDArray[np.int32], end: NDArray[np.int32], aside: float) -> float:
    """Darkness of most of a line relative to both of its sides, as a natural logarithm."""
    along = (end - start).astype(np.float64)
    across = np.array([-along[1], along[0]]) / max(float(np.linalg.norm(along)), 1.0)
    line = start + np.linspace(0.1, 0.9, 12)[:, None] * along
    offsets = np.array([-1.5, -0.75, 0.0, 0.75, 1.5])
    middle = _sampled(light, line[None] + offsets[:, None, None] * across).min(axis=0)
    left, right = (_sampled(light, line + side * aside * across) for side in (-1, 1))
    return float(np.percentile(np.minimum(left, right) - middle, 30))


def _sampled(light: Floats, places: NDArray[np.float64]) -> Floats:
    at = places.astype(np.float32)
    rows = at.reshape(-1, at.shape[-2], 2)
    taken = cv2.remap(light, rows[..., 0], rows[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(taken, np.float32).reshape(at.shape[:-1])


def notches(outline: NDArray[np.int32], reach: float) -> list[int]:
    """Indices of concave points of an outline, sharpest first, measured over ``reach`` pixels along it."""
    count = len(outline)
    step = int(np.clip(round(reach), 2, max(2, count // 4)))
    if count < 4 * step:
        return []
    points = outline.astype(np.float64)
    soft = sum(np.roll(points, shift, axis=0) for shift in range(-2, 3)) / 5
    before, after = soft - np.roll(soft, step, axis=0), np.roll(soft, -step, axis=0) - soft
    crossed = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    turn = np.arctan2(crossed, (before * after).sum(axis=1))
    if cv2.contourArea(outline, oriented=True) < 0:
        turn = -turn
    found: list[int] = []
    for index in np.argsort(turn):
        if turn[index] > -INWARD or len(found) == NOTCHES:
            break
        if all(min(abs(int(index) - other), count - abs(int(index) - other)) >= step for other in found):
            found.append(int(index))
    return found


def _is_short(outline: NDArray[np.int32], start: int, end: int) -> bool:
    around = abs(end - start)
    around = min(around, len(outline) - around)
    return float(np.linalg.norm((outline[start] - outline[end]).astype(np.float64))) <= DETOUR * around


def _is_wide(part: LotContour, start: int, end: int, measures: Measures) -> bool:
    """Whether both sides of a cut are wide enough for a lot."""
    first, last = min(start, end), max(start, end)
    one = float(cv2.contourArea(part.outline[first : last + 1])) if last - first > 2 else 0.0
    return min(one, part.area - one) >= LESS * measures.area[0] * 0.9


def _halves(part: LotContour, start: int, end: int) -> tuple[LotContour, LotContour] | None:
    """The two parts of a straight cut between two points of the outline."""
    first, last = min(start, end), max(start, end)
    sides = (part.outline[first : last + 1], np.concatenate([part.outline[last:], part.outline[: first + 1]]))
    found = []
    for side in sides:
        mask = np.zeros_like(part.mask)
        cv2.fillPoly(mask, [side], 1)
        half = measured(mask & part.mask)
        if half is None:
            return None
        found.append(half)
    return found[0], found[1]

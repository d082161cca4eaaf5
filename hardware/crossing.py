"""Sticks that touch or cross: the one way in which four known shapes explain all that is new in the tray."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np

from hardware.lots import Blob, Shape
from hardware.tray import Difference, Mask

SMALL = 4
"""The search runs at a quarter of the size, where a stick is 10 or more pixels wide."""

TURN = 2.0
"""Degrees between the directions tried: half a stick's width at its ends."""

SLIM, SHORT = 0.8, 0.97
"""Share of the taught width and length, both with shadow, that has to lie on something new."""

COVERED = 0.86
"""Least share of a stick's shape that has to lie on something new. Lower finds sticks in shadows, higher loses sticks
of nearly the tray's colour."""

MOST = 24
"""Candidates kept; four out of 24 are some ten thousand ways."""

LEFT, PIECE = 0.35, 0.1
"""Most that may stay unexplained, in sticks: all of it, mostly shadow along the edges, and one piece of it. Higher
overlooks the end of a fifth stick, or of one that lies otherwise than was thought."""

OWN = 0.45
"""Least share of each stick that none of the others covers. Lower reads faces from too little, and finds four where
three explain nearly as much."""

RIVAL = 0.2
"""How much worse, in sticks, any truly different four must explain the picture. Lower guesses among ambiguous heaps."""


@dataclass(frozen=True, slots=True)
class Crossed:
    """A stick of a heap, and the part of it that lies open: (rows, columns) uint8, 255 where no other stick may lie."""

    blob: Blob
    open: Mask


def untangle(seen: Difference, things: Sequence[Blob], shape: Shape, sticks: int) -> list[Crossed]:
    """The ``sticks`` sticks that make up ``things``, or none when there is not exactly one way."""
    rows, columns = seen.changed.shape
    size = (columns // SMALL, rows // SMALL)
    whole = np.zeros((rows, columns), np.uint8)
    for thing in things:
        cv2.fillPoly(whole, [np.array(thing.outline, np.int32)], 255)
    new = (cv2.resize(whole & seen.changed, size, interpolation=cv2.INTER_AREA) > 127).astype(np.uint8)
    if new.sum() * SMALL**2 > (sticks + 0.5) * 1.3 * shape.area:
        return []
    new = cv2.morphologyEx(new, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)).astype(np.uint8)
    poses = _candidates(new, shape)
    if len(poses) < sticks:
        return []
    shapes = [_bar(size, pose, shape.length / SMALL, shape.width / SMALL) & new for pose in poses]
    best = _explain(new, shapes, poses, shape, sticks)
    if best is None:
        return []
    bars = [_bar((columns, rows), _large(poses[n]), 1.02 * shape.length, 1.1 * shape.width) for n in best]
    crossed = []
    for number, n in enumerate(best):
        others = np.zeros((rows, columns), np.uint8)
        for other, bar in enumerate(bars):
            if other != number:
                others |= bar
        x, y, angle = _large(poses[n])
        box = cv2.boxPoints(((x, y), (shape.length, shape.width), angle))
        corners = tuple((float(px), float(py)) for px, py in box)
        blob = Blob(
            x=x,
            y=y,
            angle=angle,
            length=shape.length,
            width=shape.width,
            area=shape.area,
            solidity=1.0,
            at_border=bool(box.min() < 0 or box[:, 0].max() > columns or box[:, 1].max() > rows),
            box=corners,
            outline=tuple((round(px), round(py)) for px, py in corners),
        )
        crossed.append(Crossed(blob, np.where(others > 0, 0, 255).astype(np.uint8)))
    return crossed


Pose = tuple[float, float, float]


def _large(pose: Pose) -> Pose:
    return (pose[0] + 0.5) * SMALL - 0.5, (pose[1] + 0.5) * SMALL - 0.5, pose[2]


def _bar(size: tuple[int, int], pose: Pose, length: float, width: float) -> Mask:
    """1 where a stick in this pose lies, in a picture of ``size`` columns and rows."""
    bar = np.zeros(size[::-1], np.uint8)
    corners = cv2.boxPoints(((pose[0], pose[1]), (length, width), pose[2]))
    cv2.fillConvexPoly(bar, (corners * 16).round().astype(np.int32), 1, cv2.LINE_8, 4)
    return bar


def _candidates(new: Mask, shape: Shape) -> list[Pose]:
    """Poses in which a stick lies wholly on what is new, best first, without near twins."""
    length, width = SHORT * shape.length / SMALL, SLIM * shape.width / SMALL
    side = int(np.hypot(length, width)) // 2 * 2 + 3
    angles = np.arange(0, 180, TURN)
    layers = []
    for angle in angles:
        kernel = _bar((side, side), (side // 2, side // 2, float(angle)), length, width).astype(np.float32)
        layers.append(cv2.filter2D(new.astype(np.float32), -1, kernel / kernel.sum(), borderType=cv2.BORDER_CONSTANT))
    cover = np.stack(layers)
    # A little blur along the turn and over the place prefers the middle of a plateau.
    smooth = np.stack([cv2.GaussianBlur(layer, (0, 0), 1.5) for layer in cover])
    smooth = (np.roll(smooth, 1, axis=0) + 2 * smooth + np.roll(smooth, -1, axis=0)) / 4
    smooth[cover < COVERED] = 0
    found: list[Pose] = []
    turns = np.abs((angles[:, None] - angles[None] + 90) % 180 - 90)
    rows, columns = np.mgrid[: new.shape[0], : new.shape[1]]
    for _ in range(MOST):
        turn, row, column = np.unravel_index(int(smooth.argmax()), smooth.shape)
        if smooth[turn, row, column] <= 0:
            break
        angle = float(angles[turn])
        found.append((float(column), float(row), angle))
        cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        along = np.abs((columns - column) * cos + (rows - row) * sin)
        across = np.abs((rows - row) * cos - (columns - column) * sin)
        near = (along < 0.12 * length) & (across < 0.6 * width)
        for twin in np.flatnonzero(turns[turn] < 9):
            smooth[twin][near] = 0
    return found


def _explain(
    new: Mask, shapes: Sequence[Mask], poses: Sequence[Pose], shape: Shape, sticks: int
) -> tuple[int, ...] | None:
    """The set of candidates that alone explains what is new, or None."""
    stick = shape.length * shape.width / SMALL**2
    spots = np.flatnonzero(new)
    # One long number a candidate, a bit a pixel: sets are joined by or, and counted.
    bits = [int.from_bytes(np.packbits(bar.reshape(-1)[spots] > 0).tobytes()) for bar in shapes]
    ways = []
    for chosen in combinations(range(len(shapes)), sticks):
        joined = bits[chosen[0]]
        for n in chosen[1:]:
            joined = joined | bits[n]
        ways.append((joined.bit_count(), chosen))
    ways.sort(reverse=True)
    explained, best = ways[0]
    if len(spots) - explained > LEFT * stick or _piece(new, [shapes[n] for n in best]) > PIECE * stick:
        return None
    for n in best:
        rest = 0
        for other in best:
            rest = rest if other == n else rest | bits[other]
        if (bits[n] & ~rest).bit_count() < OWN * stick:
            return None
    for count, rival in ways[1:]:
        if explained - count > RIVAL * stick:
            break
        if not _same(best, rival, poses, shape):
            return None
    return best


def _piece(new: Mask, chosen: Sequence[Mask]) -> int:
    """Pixels of the largest thing beside the chosen sticks, their blurred edges left out."""
    around = cv2.dilate(np.maximum.reduce(chosen), np.ones((3, 3), np.uint8))
    rest = cv2.morphologyEx(
        np.where(around > 0, 0, new).astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)
    ).astype(np.uint8)
    _, _, facts, _ = cv2.connectedComponentsWithStats(rest)
    return int(facts[1:, cv2.CC_STAT_AREA].max(initial=0))


def _same(one: Sequence[int], other: Sequence[int], poses: Sequence[Pose], shape: Shape) -> bool:
    """True when two sets put the sticks in nearly the same places."""
    rest = list(other)
    for n in one:
        x, y, angle = poses[n]
        twin = next(
            (
                m
                for m in rest
                if abs((poses[m][2] - angle + 90) % 180 - 90) < 14
                and np.hypot(poses[m][0] - x, poses[m][1] - y) * SMALL < 0.25 * shape.length
            ),
            None,
        )
        if twin is None:
            return False
        rest.remove(twin)
    return True

"""Measures the shape of a set's lots in the teaching pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules.odds import LOTS
from hardware.cameras.camera import Pixels
from hardware.reader.arrays import Floats
from hardware.reader.bars import Bar, Ends
from hardware.reader.detection.detector import Detection
from hardware.reader.detection.empty_tray import Scene
from hardware.reader.lots import LONG

WIDTHS, SCALES = (10.0, 14.0), (0.5, 1.0)
"""Width in pixels that the network sees of a stick and of a smaller lot, and how far pictures are shrunk at most and at
least, but further for lots that are wider even so than the second width. More places edges more exactly and costs time
with its square; the network was trained on 7 to 14."""

BROADER = 1.03
"""Width of a stick over its area by its length, with ends that are half round."""

ALIKE = (1.2, 1.7)
"""Longest over shortest outline of a set's lots: sticks are cut to one length, kernels differ. Higher lets a thing that
is no lot be taught as one."""

CUTS, GAPS = (0.5, 0.35, 0.65, 0.2), (1, 7)
"""Probabilities from which a pixel of a picture that teaches is part of a lot, and widths in pixels of the cracks that
are closed, which faint wood falls apart by. All are tried."""

ALIKE_AREA = (0.5, 1.8)
"""Least and most area of a thing that may be a lot, as shares of a lot's."""

SMALLEST_LOT = 40
"""Least area of a lot in pixels of the working size. No mark shows on less."""


class LotDetector(Protocol):
    """Classifies the pixels of a picture."""

    def detect(self, pixels: Pixels, bare: Floats, scale: float, whole: bool, /) -> Detection:
        """Detect lots in the picture, magnified by ``scale``.

        bare : the empty tray in the picture's place and light. whole : False to show it only what is around changes.
        """
        ...


@dataclass(frozen=True, slots=True, eq=False)
class DetectedScene:
    """A picture and the network's detection, at the working size."""

    scene: Scene
    found: Detection


@dataclass(frozen=True, slots=True)
class LotShape:
    """The taught shape of a lot: a bar with rounded ends, and its area, in pixels of the working size."""

    bar: Bar
    ends: Ends
    area: float

    @property
    def is_long(self) -> bool:
        """True for sticks, False for kernels, beans and coins."""
        return self.bar.length / self.bar.width >= LONG

    @property
    def kind(self) -> int:
        """0 for sticks, 1 for small lots, where each has a number of its own."""
        return 0 if self.is_long else 1

    @property
    def scale(self) -> float:
        """Scale at which the network should see pictures of such lots."""
        most = min(SCALES[0], WIDTHS[1] / self.bar.width)
        return float(np.clip(WIDTHS[self.kind] / self.bar.width, most, SCALES[1]))


@dataclass(frozen=True, slots=True, eq=False)
class Component:
    """A connected component of lot pixels. outline: (n, 2) pixels; box: the smallest bar around it."""

    outline: NDArray[np.int32]
    box: Bar
    area: float
    at_border: bool


def look(scene: Scene, detector: LotDetector, scale: float, *, whole: bool = False) -> DetectedScene:
    """Detect lots against the empty tray.

    scale : size at which the network sees the picture, relative to the working size.
    whole : True to show it all of the picture. Then what is found differs in the last decimals alone, but on those may
        depend which of several sizes is learnt.
    """
    return DetectedScene(scene, detector.detect(scene.small, scene.bare, scale, whole))


def components(mask: NDArray[np.bool_], least: float) -> list[Component]:
    """The connected components of a mask, largest first, with holes filled. least : smallest area."""
    outlines, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    rows, columns = mask.shape
    found = []
    for outline in outlines:
        points = outline.reshape(-1, 2).astype(np.int32)
        area = float(cv2.contourArea(outline)) + len(points) / 2 + 1  # the outline runs through pixel centres
        if area < least:
            continue
        low, high = points.min(axis=0), points.max(axis=0)
        border = bool(low.min() <= 1 or high[0] >= columns - 2 or high[1] >= rows - 2)
        found.append(Component(points, smallest_bar(points), area, border))
    return sorted(found, key=lambda one: -one.area)


def four_alike(found: Sequence[Component]) -> tuple[Component, ...]:
    """The four lots among the components: alike, and nothing else of their size. Empty if uncertain."""
    if len(found) < LOTS or unlike(found[:LOTS]) > 1:
        return ()
    if len(found) > LOTS and found[LOTS].area > ALIKE_AREA[0] * found[LOTS - 1].area:
        return ()
    return tuple(found[:LOTS])


def pairs(*views: DetectedScene) -> Iterator[tuple[Component, ...]]:
    """Two like things of each picture that may be sticks apart from others that touch."""
    for cut in CUTS:
        pictures = [components(view.found.lot + view.found.other > cut, SMALLEST_LOT) for view in views]
        for one, other in product(*map(pairwise, pictures)):
            group = one + other
            if unlike(group) <= 1 and measured(group).is_long:
                yield group


def unlike(found: Sequence[Component]) -> float:
    """Variation among lots, relative to the maximum within one set."""
    areas, lengths = [one.area for one in found], [one.box.length for one in found]
    loose = ALIKE[0] if np.median(lengths) >= LONG * np.median([one.box.width for one in found]) else ALIKE[1]
    return max(max(areas) / min(areas) / 2, max(lengths) / min(lengths) / loose)


def measured(lots: Sequence[Component]) -> LotShape:
    """The common shape of a set's lots: medians, because a shadow may widen one of them."""
    sizes = np.median([(one.box.length, one.box.width, one.area) for one in lots], axis=0)
    length, width, area = (float(size) for size in sizes)
    if length >= LONG * width:
        # The smallest box around a stick is as wide as its widest part, which often includes some shadow.
        width = min(width, BROADER * area / length)
    bar = Bar(0, 0, 0, length, width)
    return LotShape(bar, Ends.of(length, width, min(area, length * width)), area)


def smallest_bar(outline: NDArray[np.int32]) -> Bar:
    """The smallest bar around an outline, (n, 2) pixels."""
    (x, y), (one, other), turned = cv2.minAreaRect(outline)
    bar = Bar(float(x), float(y), float(turned), float(one) + 1, float(other) + 1)
    return bar if one >= other else replace(bar, angle=bar.angle + 90, length=bar.width, width=bar.length)

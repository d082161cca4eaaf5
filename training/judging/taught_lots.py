"""Teaches with true outlines, so that samples can be made before there is a judge to find the lots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.rules.odds import LOTS
from hardware.cameras.camera import Pixels
from hardware.composing.cutouts import Plane
from hardware.reader.arrays import Floats
from hardware.reader.bars import Bar
from hardware.reader.detection.empty_tray import EmptyTray
from hardware.reader.detection.lot_shape import SMALLEST_LOT, Component, LotDetector, LotShape, look, measured
from hardware.reader.judge.lot_crops import CropMaker, diameter, reference_colour
from training.judging.lot_labels import sized

ALONG, ACROSS, TURN, SMALL = 0.02, 0.08, 0.12, 0.07
"""Standard deviations of a place's errors: of a stick's in lengths, widths, and turns by widths over lengths, and of a
small lot's in diameters."""

FOUND = 0.4
"""Share of these errors with which the reader finds the lots that it is taught."""


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """What a reader learns from three pictures.

    supports, close : (8, ...) crops of the lots, the marked ones first, and of their faces.
    reference : as in `CropMaker`.
    """

    tray: EmptyTray
    shape: LotShape
    supports: Floats
    close: Floats
    reference: Floats


def taught_lots(
    detector: LotDetector,
    pictures: tuple[Pixels, Pixels, Pixels],
    outlines: tuple[Sequence[Plane], Sequence[Plane]],
    random: np.random.Generator,
) -> Lesson | None:
    """Find the lots in the three pictures; None if they cannot teach a reader.

    outlines : of the lots in the marked and in the plain picture, (n, 2) in its pixels.
    """
    tray = EmptyTray(pictures[0])
    sides = [[_component((outline + 0.5) / tray.scale - 0.5) for outline in four] for four in outlines]
    if any(len(four) != LOTS or min(one.area for one in four) < SMALLEST_LOT for four in sides):
        return None
    shape = measured(sides[0] + sides[1])
    scenes = [scene for scene in map(tray.scene, pictures[1:]) if scene is not None]
    if len(scenes) < len(sides):
        return None
    views = [look(scene, detector, shape.scale, whole=True) for scene in scenes]
    reference = reference_colour(tray, views)
    supports, close = [], []
    for view, four in zip(views, sides, strict=True):
        maker = CropMaker(view, shape, reference)
        places = [jittered(sized(one.box, shape), shape, FOUND, random) for one in four]
        supports.append(maker.crops(places))
        close.append(maker.crops(places, close=True))
    return Lesson(tray, shape, np.concatenate(supports), np.concatenate(close), reference)


def resized(shape: LotShape, length: float, width: float) -> LotShape:
    """The shape with other sides, as shares of its own. Small lots keep their proportions."""
    if not shape.is_long:
        width = length
    return replace(shape, bar=replace(shape.bar, length=shape.bar.length * length, width=shape.bar.width * width))


def jittered(bar: Bar, shape: LotShape, amount: float, random: np.random.Generator) -> Bar:
    """The place with random errors, ``amount`` times the usual ones."""
    along, across, turn = amount * random.normal(0, 1, 3)
    if not shape.is_long:
        size = SMALL * diameter(shape)
        return replace(bar, x=bar.x + size * along, y=bar.y + size * across)
    turned = np.degrees(TURN * turn * shape.bar.width / shape.bar.length)
    return bar.moved(ALONG * along * bar.length, ACROSS * across * bar.width, float(turned))


def _component(outline: Plane) -> Component:
    """The lot within an exact outline."""
    points = outline.astype(np.float32)
    (x, y), (one, other), turned = cv2.minAreaRect(points)
    box = Bar(x, y, turned, one, other) if one >= other else Bar(x, y, turned + 90, other, one)
    return Component(np.round(points).astype(np.int32), box, float(cv2.contourArea(points)), at_border=False)

"""Count the pieces beside the road, in the bases or slain, by the area of their colours."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules.position import Position
from companion.rules.unit import Side
from hardware.board.appearance import BoardAppearance, EmptyRoad
from hardware.board.road import RoadGeometry, SpacePatches
from hardware.cameras.camera import Pixels
from hardware.registration.markers import Floats

PITCH = 10
"""Pixels of the surroundings along one space."""

BEYOND, BESIDE = 4.0, 3.4
"""Spaces beyond the road's ends, and on either side of its middle, in which bases and slain pieces lie. Wider takes in
throwing sticks and other things of a piece's colour."""

MIN_BESIDE = 2.0
"""Spaces beside a broad road at least."""

EDGE = 0.15
"""Spaces around the road that count as the road: pieces hang over its edge."""

STRAIGHT = 0.25
"""Spaces by which those of a straight road may be off an even division."""


def pieces_beside(position: Position) -> NDArray[np.float64]:
    """Return the number of Jade's and of Obsidian's pieces that are off the road, (2,) float64."""
    on_road = [
        sum(unit.own if unit.owner is side else unit.captives for units in position.spaces for unit in units)
        for side in Side
    ]
    return position.rules.pieces * position.rules.owners - np.array(on_road, np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class BaseCounter:
    """Counts by the area that one piece covered when the board was taught. Immutable.

    patches: a single patch of the road and its surroundings. off_road: mask of its pixels beside the road.
    areas: pixels of one piece of each side; NaN where no piece lay beside the road.
    """

    patches: SpacePatches
    off_road: NDArray[np.bool_]
    appearance: BoardAppearance
    areas: Floats

    @classmethod
    def taught(cls, empty: Pixels, road: RoadGeometry, appearance: BoardAppearance) -> BaseCounter | None:
        """Return a counter that is still to be calibrated, or None if the road is not straight."""
        ends = np.concatenate([road.quads[0, :2], road.quads[-1, 2:]])
        even = RoadGeometry.between([(float(x), float(y)) for x, y in ends], road.spaces)
        if np.linalg.norm(even.quads - road.quads, axis=2).max() > STRAIGHT * road.pitch:
            return None
        across = road.across
        side = max(MIN_BESIDE, BESIDE - across / 2)
        x = np.arange(-BEYOND, road.spaces + BEYOND, 1 / PITCH) + 0.5 / PITCH
        y = np.arange(-side, across + side, 1 / PITCH) + 0.5 / PITCH
        corners = np.array([[0, 0], [0, across], [road.spaces, 0], [road.spaces, across]], np.float32)
        matrix = cv2.getPerspectiveTransform(corners, ends.astype(np.float32))
        along, down = np.meshgrid(x, y)
        grid = np.stack([along, down], axis=-1).reshape(1, -1, 2).astype(np.float32)
        maps = np.asarray(cv2.perspectiveTransform(grid, matrix), np.float32).reshape(1, len(y), len(x), 2)
        rows, columns = empty.shape[:2]
        seen = (maps[0] >= 0).all(axis=-1) & (maps[0] < (columns, rows)).all(axis=-1)
        off = (along < -EDGE) | (along > road.spaces + EDGE) | (down < -EDGE) | (down > across + EDGE)
        patches = SpacePatches(maps)
        around = EmptyRoad(patches.sample(empty))
        unlit = np.zeros((*patches.shape, 3), np.float32)
        return cls(patches, off & seen, replace(appearance, road=around, light=(unlit, unlit)), np.ones(2))

    def calibrated(self, relit: Pixels, position: Position) -> BaseCounter:
        """Return the counter with areas learnt from a patch of a known position, relit as in the empty picture."""
        pieces = pieces_beside(position)
        areas = np.where(pieces > 0, self.count(relit) / np.maximum(pieces, 1), np.nan)
        return replace(self, areas=np.where(areas > 0, areas, np.nan))

    def count(self, relit: Pixels) -> Floats:
        """Estimate the number of Jade's and of Obsidian's pieces beside the road, (2,); NaN where unknown."""
        evidence = self.appearance.weigh(relit)
        covered = [float(plane[0][self.off_road].sum()) for plane in (evidence.jade, evidence.obsidian)]
        return np.asarray(covered / self.areas, np.float64)

"""Random arrangements of lots: apart, side by side, end to end, crossed, stacked, in a star, in a heap."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import cv2
import numpy as np

from hardware.composing.cutouts import Cut, Plane, TrayScene


@dataclass(frozen=True, slots=True, kw_only=True)
class Pose:
    """The pose of a lot: its centre in pixels, its long axis in degrees clockwise, and its length and brightness as
    shares.

    raised : how high it lies beyond what is below it, in lots' heights; its shadow falls the farther.
    """

    x: float
    y: float
    angle: float
    stretch: float = 1.0
    shade: float = 1.0
    raised: float = 0.0


class Floor:
    """The tray's floor and the lots to arrange on it. length, width: of a lot, in pixels."""

    def __init__(self, scene: TrayScene, lots: Sequence[Cut], random: np.random.Generator) -> None:
        self.random = random
        self.count = len(lots)
        self.long = scene.is_long
        self.length = float(np.mean([cut.length for cut in scene.cuts]))
        self.width = float(np.mean([cut.width for cut in scene.cuts]))
        centre = scene.floor.mean(axis=0)
        self.outline: Plane = (centre + (scene.floor - centre) * 0.97).astype(np.float32)
        self.low, self.high = self.outline.min(axis=0), self.outline.max(axis=0)

    def _inside(self, poses: Sequence[Pose]) -> bool:
        return all(
            cv2.pointPolygonTest(self.outline, (float(x), float(y)), False) >= 0
            for pose in poses
            for x, y in self._corners(pose)
        )

    def _corners(self, pose: Pose) -> Plane:
        box = ((pose.x, pose.y), (self.length * pose.stretch, self.width), pose.angle)
        return np.asarray(cv2.boxPoints(box), np.float32)

    def _clear(self, pose: Pose, others: Sequence[Pose], gap: float) -> bool:
        """True when the pose keeps ``gap`` widths from the others."""
        wide = (self.length + gap * self.width, (1 + gap) * self.width)
        box = ((pose.x, pose.y), wide, pose.angle)
        return all(
            cv2.rotatedRectangleIntersection(box, ((one.x, one.y), wide, one.angle))[0] == cv2.INTERSECT_NONE
            for one in others
        )

    def _pose(self) -> Pose:
        x, y = self.random.uniform(self.low, self.high)
        return Pose(x=float(x), y=float(y), angle=float(self.random.uniform(0, 360)))

    def _beside(self, pose: Pose, along: float, across: float, turn: float) -> Pose:
        """Move a pose by pixels along and across the other's axis, and rotate it by degrees."""
        way = np.radians(pose.angle)
        return Pose(
            x=pose.x + along * np.cos(way) - across * np.sin(way),
            y=pose.y + along * np.sin(way) + across * np.cos(way),
            angle=pose.angle + turn,
        )

    def _with_rest(self, poses: list[Pose], gap: float = 0.4) -> list[Pose] | None:
        """Add poses of separate lots until none is missing, in random order; None if they do not fit."""
        if not self._inside(poses):
            return None
        poses = list(poses)
        for _ in range(150):
            if len(poses) == self.count:
                order = self.random.permutation(self.count)
                return [poses[n] for n in order]
            pose = self._pose()
            if self._inside([pose]) and self._clear(pose, poses, gap):
                poses.append(pose)
        return None

    def apart(self) -> list[Pose] | None:
        """Lots that do not touch."""
        return self._with_rest([])

    def side_by_side(self) -> list[Pose] | None:
        """Two or three nearly parallel lots whose sides touch."""
        poses = [self._pose()]
        for _ in range(int(self.random.integers(1, 3))):
            apart = self.width * self.random.uniform(0.98, 1.06)
            slide = self.length * self.random.uniform(-0.6, 0.6) * (1 if self.long else 0.2)
            poses.append(self._beside(poses[-1], slide, apart, self.random.uniform(-3, 3)))
        return self._with_rest(poses, 0.2)

    def end_to_end(self) -> list[Pose] | None:
        """Two lots in line, end to end."""
        first = self._pose()
        gone = self.length * self.random.uniform(0.985, 1.01)
        return self._with_rest(
            [first, self._beside(first, gone, self.width * self.random.uniform(-0.4, 0.4), self.random.uniform(-8, 8))]
        )

    def leg_to_side(self) -> list[Pose] | None:
        """One lot's end touches another's side."""
        first = self._pose()
        turn = self.random.uniform(40, 140)
        reach = (self.length * 0.5) * np.sin(np.radians(turn)) + self.width * self.random.uniform(0.4, 0.55)
        slide = self.length * (self.random.uniform(-0.4, 0.4) + 0.5 * np.cos(np.radians(turn)))
        return self._with_rest([first, self._beside(first, slide, reach, turn)])

    def crossed(self) -> list[Pose] | None:
        """One or two pairs of crossing lots."""
        poses: list[Pose] = []
        for _ in range(int(self.random.integers(1, 3))):
            first = self._pose()
            turn = self.random.uniform(25, 155)
            there, back = self.random.uniform(-0.42, 0.42, 2) * self.length
            spot = self._beside(first, there, 0, turn)
            poses += [first, self._beside(spot, back, 0, 0)]
        return self._with_rest(poses, 0.1)

    def stacked(self) -> list[Pose] | None:
        """Two nearly parallel lots, one partly on the other."""
        first = self._pose()
        across = self.width * self.random.uniform(0.3, 0.95)
        along = self.length * self.random.uniform(-0.6, 0.6)
        return self._with_rest([first, self._beside(first, along, across, self.random.uniform(-12, 12))])

    def star(self) -> list[Pose] | None:
        """All lots cross at about the same point."""
        spot = self._pose()
        turns = np.arange(self.count) * 180 / self.count + self.random.uniform(-12, 12, self.count)
        poses = [
            self._beside(
                self._beside(spot, 0, 0, float(turn)),
                self.random.uniform(-0.25, 0.25) * self.length,
                self.random.uniform(-1, 1) * self.width * (1 if self.long else 1.4),
                0,
            )
            for turn in turns
        ]
        return self._with_rest(poses)

    def heap(self) -> list[Pose] | None:
        """All lots within a lot's length of one another, at random."""
        spot = self._pose()
        spread = self.length * self.random.uniform(0.3, 0.6) * (1 if self.long else 1.7)
        poses = [
            replace(
                self._pose(),
                x=spot.x + self.random.normal(0, 0.6) * spread,
                y=spot.y + self.random.normal(0, 0.6) * spread,
            )
            for _ in range(self.count)
        ]
        return poses if self._inside(poses) else None


MAKERS: Mapping[str, Callable[[Floor], list[Pose] | None]] = MappingProxyType(
    {
        "apart": Floor.apart,
        "side by side": Floor.side_by_side,
        "end to end": Floor.end_to_end,
        "leg to side": Floor.leg_to_side,
        "crossed": Floor.crossed,
        "stacked": Floor.stacked,
        "star": Floor.star,
        "heap": Floor.heap,
    }
)
"""The kinds of arrangements. Each returns a pose for every lot, lowest first, or None if the attempt failed."""


def varied(poses: Sequence[Pose], random: np.random.Generator) -> list[Pose]:
    """The poses with small changes of apparent length and brightness."""
    return [
        replace(pose, stretch=pose.stretch * random.uniform(0.99, 1.012), shade=random.uniform(0.96, 1.04))
        for pose in poses
    ]

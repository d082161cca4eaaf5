"""Random arrangements of lots: apart, side by side, end to end, crossed, stacked, in a star, in a heap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from training.composing.cutouts import Cut, Plane, Scene

READABLE = (
    "apart",
    "side by side",
    "end to end",
    "leg to side",
    "crossed",
    "stacked",
    "star",
    "heap",
    "leaning",
    "with a piece",
    "hand aside",
    "other light",
)
UNREADABLE = ("three", "five", "none", "hidden", "partly hidden", "hand", "glare", "half out")
KINDS = tuple(name for pair in zip(READABLE, UNREADABLE, strict=False) for name in pair) + READABLE[len(UNREADABLE) :]
"""Readable and unreadable kinds alternate, so that a short run has both."""

LONGEST_LEAN, SHORTEST_LEAN = 1.03, 0.8
"""Apparent length of a lot: one that leans looks shorter, one that lies on others is nearer to the camera and looks
longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pose:
    """The pose of a lot: its centre in pixels, its long axis in degrees clockwise, and its length and brightness as
    shares."""

    x: float
    y: float
    angle: float
    stretch: float = 1.0
    shade: float = 1.0


def arrange(scene: Scene, kind: str, lots: Sequence[Cut], random: np.random.Generator) -> list[Pose] | None:
    """Draw a pose for each lot, lowest first, or return None if this attempt failed."""
    makers: dict[str, Callable[[_Floor], list[Pose] | None]] = {
        "side by side": _Floor.side_by_side,
        "end to end": _Floor.end_to_end,
        "leg to side": _Floor.leg_to_side,
        "crossed": _Floor.crossed,
        "stacked": _Floor.stacked,
        "star": _Floor.star,
        "heap": _Floor.heap,
        "partly hidden": _Floor.heap,
        "leaning": _Floor.leaning,
        "hidden": _Floor.hidden,
        "half out": _Floor.half_out,
    }
    floor = _Floor(scene, lots, random)
    if kind not in makers:
        # These kinds do not depend on the arrangement: half of them are heaps.
        loose = kind != "apart" and random.random() < 0.5
        poses = floor.heap() if loose else floor.apart(len(lots))
    else:
        poses = makers[kind](floor)
    if poses is None:
        return None
    return [
        replace(pose, stretch=pose.stretch * random.uniform(0.99, 1.012), shade=random.uniform(0.96, 1.04))
        for pose in poses
    ]


def spot_for(
    scene: Scene, lots: Sequence[Cut], poses: Sequence[Pose], size: float, random: np.random.Generator
) -> Pose | None:
    """Find a free place on the floor for another object of that size in pixels, sometimes right beside a lot; None if
    there is none."""
    floor = _Floor(scene, lots, random)
    floor.length = floor.width = size
    boxes = [
        ((pose.x, pose.y), (cut.length + size, cut.width + size), pose.angle)
        for cut, pose in zip(lots, poses, strict=True)
    ]
    for _ in range(200):
        pose = floor._pose()
        if floor._inside([pose]) and all(
            cv2.pointPolygonTest(cv2.boxPoints(box), (pose.x, pose.y), False) < 0 for box in boxes
        ):
            return pose
    return None


class _Floor:
    """The tray's floor and the lots to arrange on it. length, width: of a lot, in pixels."""

    def __init__(self, scene: Scene, lots: Sequence[Cut], random: np.random.Generator) -> None:
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

    def apart(self, count: int | None = None) -> list[Pose] | None:
        """Lots that do not touch."""
        return self._with_rest([]) if count != 0 else []

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

    def leaning(self) -> list[Pose] | None:
        """A heap whose topmost lot is raised at one end."""
        poses = self.heap() if self.random.random() < 0.5 else self.crossed()
        if poses is None:
            return None
        lean = self.random.uniform(SHORTEST_LEAN, LONGEST_LEAN)
        return [*poses[:-1], replace(poses[-1], stretch=float(lean))]

    def hidden(self) -> list[Pose] | None:
        """One lot hides almost all of another."""
        first = self._pose()
        over = self._beside(
            first, self.random.normal(0, 0.02) * self.length, self.random.normal(0, 0.03) * self.width, 0
        )
        rest = self._with_rest([first, over])
        if rest is None:
            return None
        below, above = (rest.index(one) for one in (first, over))
        if below > above:
            rest[below], rest[above] = rest[above], rest[below]
        return rest

    def half_out(self) -> list[Pose] | None:
        """One lot is partly outside the picture."""
        inside = self._with_rest([])
        if inside is None:
            return None
        side = self.random.uniform(-0.2, 0.5) * self.length * 0.5
        pose = Pose(
            x=float(self.random.uniform(self.low[0], self.high[0])),
            y=-side * 0.5 if self.random.random() < 0.5 else 959 + side * 0.5,
            angle=float(self.random.uniform(30, 150)),
        )
        return [*inside[:-1], pose]

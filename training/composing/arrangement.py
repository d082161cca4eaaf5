"""Further arrangements of lots: leaning, hidden, or partly outside the picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import cv2
import numpy as np

from hardware.composing.arrangement import MAKERS, Floor, Pose, varied
from hardware.composing.cutouts import Cut, TrayScene

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

RIM = 3.0
"""How high a lot on the rim lies at most, in lots' heights."""


class RoughFloor(Floor):
    """A floor on which lots may lean, lie hidden, beside the tray or partly outside the picture."""

    def __init__(self, scene: TrayScene, lots: Sequence[Cut], random: np.random.Generator) -> None:
        super().__init__(scene, lots, random)
        self.picture = scene.empty.shape[1], scene.empty.shape[0]

    def leaning(self) -> list[Pose] | None:
        """A heap whose topmost lot is raised at one end."""
        poses = self.heap() if self.random.random() < 0.5 else self.crossed()
        if poses is None:
            return None
        lean = self.random.uniform(SHORTEST_LEAN, LONGEST_LEAN)
        return [*poses[:-1], replace(poses[-1], stretch=float(lean))]

    def hidden(self) -> list[Pose] | None:
        """One lot hides almost all of another."""
        return self._one_below(self.random.normal(0, 0.02), self.random.normal(0, 0.03), 0)

    def looking_out(self) -> list[Pose] | None:
        """One lot lies along below another, or below a small one, and looks out at its side or end."""
        along, across = self.random.normal(0, 0.35, 2)
        if not self.long:
            return self._one_below(along, across, self.random.uniform(0, 360))
        return self._one_below(along if self.random.random() < 0.5 else 0.0, across, self.random.normal(0, 6))

    def _one_below(self, along: float, across: float, turn: float) -> list[Pose] | None:
        """One lot lies above another, so many lengths and widths away and turned by degrees; the others lie apart."""
        first = self._pose()
        over = self._beside(first, along * self.length, across * self.width, turn)
        rest = self._with_rest([first, over])
        if rest is None:
            return None
        below, above = (rest.index(one) for one in (first, over))
        if below > above:
            rest[below], rest[above] = rest[above], rest[below]
        return rest

    def beside_the_tray(self) -> list[Pose] | None:
        """One lot lies on the table."""
        inside = self._with_rest([])
        table = self._on_table()
        return None if inside is None or table is None else [*inside[:-1], table]

    def over_the_rim(self) -> list[Pose] | None:
        """One or two lots lie across the rim, perhaps on others."""
        inside = self.heap() if self.random.random() < 0.5 else self.apart()
        count = int(self.random.integers(1, 3))
        across = [pose for _ in range(count) if (pose := self._across_rim()) is not None]
        return None if inside is None or len(across) < count else [*inside[:-count], *across]

    def _across_rim(self) -> Pose | None:
        """A lot whose one end is on the floor and whose other end is not."""
        for _ in range(200):
            pose = replace(
                self._pose(),
                stretch=float(self.random.uniform(SHORTEST_LEAN, LONGEST_LEAN)),
                raised=float(self.random.uniform(0, RIM)),
            )
            ends = [self._beside(pose, way * 0.45 * self.length, 0, 0) for way in (-1, 1)]
            inside = [cv2.pointPolygonTest(self.outline, (end.x, end.y), False) >= 0 for end in ends]
            if self._is_shown(pose) and inside[0] != inside[1]:
                return pose
        return None

    def _on_table(self) -> Pose | None:
        for _ in range(200):
            x, y = self.random.uniform((0, 0), self.picture)
            pose = Pose(x=float(x), y=float(y), angle=float(self.random.uniform(0, 360)))
            if self._is_shown(pose) and not self._overlaps_floor(pose):
                return pose
        return None

    def _is_shown(self, pose: Pose) -> bool:
        """Whether all of it is in the picture."""
        corners = self._corners(pose)
        return bool((corners > 1).all() and (corners < np.subtract(self.picture, 2)).all())

    def _overlaps_floor(self, pose: Pose) -> bool:
        hull = cv2.convexHull(self.outline)[:, 0]
        shared, _points = cv2.intersectConvexConvex(hull, self._corners(pose))
        return shared > 0

    def half_out(self) -> list[Pose] | None:
        """One lot is partly outside the picture."""
        inside = self._with_rest([])
        if inside is None:
            return None
        side = self.random.uniform(-0.2, 0.5) * self.length * 0.5
        pose = Pose(
            x=float(self.random.uniform(self.low[0], self.high[0])),
            y=-side * 0.5 if self.random.random() < 0.5 else self.picture[1] - 1 + side * 0.5,
            angle=float(self.random.uniform(30, 150)),
        )
        return [*inside[:-1], pose]


ROUGH: Mapping[str, Callable[[RoughFloor], list[Pose] | None]] = MappingProxyType(
    {
        **MAKERS,
        "partly hidden": RoughFloor.heap,
        "leaning": RoughFloor.leaning,
        "hidden": RoughFloor.hidden,
        "a fifth below": RoughFloor.looking_out,
        "beside the tray": RoughFloor.beside_the_tray,
        "over the rim": RoughFloor.over_the_rim,
        "half out": RoughFloor.half_out,
    }
)


def arrange(scene: TrayScene, kind: str, lots: Sequence[Cut], random: np.random.Generator) -> list[Pose] | None:
    """Draw a pose for each lot, lowest first, or return None if this attempt failed."""
    if not lots:
        return []
    floor = RoughFloor(scene, lots, random)
    if kind not in ROUGH:
        # These kinds do not depend on the arrangement: half of them are heaps.
        kind = "heap" if random.random() < 0.5 else "apart"
    poses = ROUGH[kind](floor)
    return None if poses is None else varied(poses, random)


def spot_for(
    scene: TrayScene, lots: Sequence[Cut], poses: Sequence[Pose], size: float, random: np.random.Generator
) -> Pose | None:
    """Find a free place on the floor for another object of that size in pixels, sometimes right beside a lot; None if
    there is none."""
    floor = Floor(scene, lots, random)
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

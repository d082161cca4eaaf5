"""How much of each composed lot is visible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from hardware.composing.arrangement import Pose
from hardware.composing.cutouts import Cut, Plane
from hardware.composing.painting import PlacedLot

FACE, MARK = 0.55, 0.5
"""Visible shares of each lot's upper face and of its mark at which a throw counts as readable: the definition of the
labelled pictures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """The labels of one lot. face, mark: visible shares, relative to the whole lot."""

    x: float
    y: float
    angle: float
    marked: bool
    face: float
    mark: float

    @property
    def is_readable(self) -> bool:
        """Whether anybody could tell this lot's face."""
        return self.face >= FACE and self.mark >= MARK


def truths(layers: Sequence[PlacedLot], lots: Sequence[Cut], poses: Sequence[Pose], cover: Plane) -> list[Truth]:
    """Measure how much of each lot is visible below later lots, below whatever covers the tray, and within the
    picture."""
    open_to_view = 1 - cover
    found = []
    for layer, cut, pose in zip(reversed(layers), reversed(lots), reversed(poses), strict=True):
        seen = layer.alpha * open_to_view[layer.part]
        found.append(
            Truth(
                x=pose.x,
                y=pose.y,
                angle=pose.angle % 180,
                marked=cut.marked,
                face=min(1.0, float(seen.sum()) / layer.whole),
                mark=min(1.0, float((seen * layer.mark).sum()) / layer.whole_mark),
            )
        )
        open_to_view[layer.part] *= 1 - layer.alpha
    return found[::-1]


def touching(lots: Sequence[PlacedLot], shape: tuple[int, ...]) -> bool:
    """True when two of the lots come within two pixels."""
    taken = np.zeros(shape[:2], np.uint8)
    for one in lots:
        own = np.zeros(shape[:2], np.uint8)
        own[one.part] = one.alpha > 0.5
        own = cv2.dilate(own, np.ones((3, 3), np.uint8)).astype(np.uint8)
        if (own & taken).any():
            return True
        taken |= own
    return False

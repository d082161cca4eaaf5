"""Cross-checks the faces of a reading by features that the reading did not use."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.referee.events import Face, Lot
from hardware.cameras.camera import Pixels
from hardware.reader.general.empty_tray import EmptyTray, Scene
from hardware.reader.general.face_features import FaceCrop, straightened
from hardware.reader.general.face_matcher import FaceMatcher, FaceWeights
from hardware.reader.sticks.bars import Bar
from hardware.reader.tray_moves import Floats, Move

AGAINST = 0.5
"""Odds, as a natural logarithm, from which a face speaks against what it is taken for. Higher overlooks misreadings,
lower asks about faces in odd light."""

SHOWN = 0.2
"""Share of a face that must be seen to be judged."""


class FaceCheck:
    """Compares faces with those of the calibration. Stateless between pictures, so threads may share it.

    marked, plain : the lots of the calibration's pictures, with the outlines that the measured reader found.
    """

    def __init__(
        self,
        weights: FaceWeights,
        empty: Pixels,
        marked: tuple[Pixels, Sequence[Lot]],
        plain: tuple[Pixels, Sequence[Lot]],
    ) -> None:
        self._tray = EmptyTray(empty)
        self._reference: Floats = self._tray.small[::4, ::4].mean(axis=(0, 1)).astype(np.float32)
        sides = []
        for picture, lots in (marked, plain):
            scene = self._tray.scene(picture)
            sides.append(self._crops(scene, lots) if scene else [])
        self._matcher = FaceMatcher(sides[0], sides[1], weights) if all(sides) else None

    def contradicts(self, picture: Pixels, lots: Sequence[Lot], moves: Sequence[Move]) -> bool:
        """Whether a face that no other lot covers looks like the opposite one. moves: motions of the tray's parts."""
        scene = self._tray.scene(picture, moves)
        if scene is None or self._matcher is None:
            return False
        for lot, crop in zip(lots, self._crops(scene, lots), strict=True):
            if lot.face is not Face.UNKNOWN and crop.share > SHOWN:
                odds = self._matcher.odds(crop)
                if (odds if lot.face is Face.MARKED else -odds) < -AGAINST:
                    return True
        return False

    def _crops(self, scene: Scene, lots: Sequence[Lot]) -> list[FaceCrop]:
        outlines = [((np.array(lot.outline) + 0.5) / scene.factor - 0.5).astype(np.float32) for lot in lots]
        masks = [
            cv2.fillPoly(np.zeros(scene.small.shape[:2], np.uint8), [np.round(outline).astype(np.int32)], 1)
            for outline in outlines
        ]
        cover = np.sum(masks, axis=0, dtype=np.uint8)
        return [
            straightened(scene, _bar(outline), (mask > 0) & (cover == 1), self._reference)
            for outline, mask in zip(outlines, masks, strict=True)
        ]


def _bar(outline: Floats) -> Bar:
    """The smallest bar that encloses an outline."""
    (x, y), (one, other), turned = cv2.minAreaRect(outline)
    return Bar(x, y, turned, one, other) if one >= other else Bar(x, y, turned + 90, other, one)

"""A taught set of small lots: the appearance of both faces on their tray."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.errors import FacesAlike, ProfileUnusable
from companion.referee.events import Face
from hardware.reader.small_lots.colours import LotColours, Near, brightness, learn, piece
from hardware.reader.small_lots.contour import LotContour, Measures, measured
from hardware.reader.small_lots.detection import around
from hardware.reader.small_lots.faces import Appearance, SmallFaces
from hardware.reader.taught_lots import LOTS, Taught
from hardware.reader.tray import Floats, Mask

LEAST = 60
"""Smallest area of a lot in pixels: on less, no mark is visible."""

LEAST_SEPARATION = 5.0
"""The separation shown for faces that can just be distinguished, as with sticks."""

APART = 0.25
"""Smallest median lead of the taught faces when each is judged by the others. Equal faces lead by 0, those of the
labelled sets by 0.9."""

STRAYS = 2
"""Taught lots that may be misclassified when judged by the others, because each lot of mixed colours is unique."""

FINE = (0.8, 2.0)
"""Blur in pixels that removes the finest detail, and the next finest."""


@dataclass(frozen=True, slots=True)
class TaughtFace:
    """The area of lots with one face up, in pixels: smallest, largest and typical."""

    area: tuple[float, float]
    usual: float


class SmallSet:
    """Parameters learnt from the pictures of a calibration, and from later ones whose faces are known.

    colours, measures, faces: distinguish lots from the tray, lots from other objects, and the faces.
    sides: the measures of each face. ranks: the least area of the smallest lot, of the second smallest, and so on.
    level: logarithm of the tray's colour around the taught lots, (3,).
    sharpness, grain: sharpness of the taught lots, and noise of the tray.
    separation: distance between the faces, LEAST_SEPARATION at least.
    """

    def __init__(self, taught: Taught) -> None:
        pieces = [
            [around(seen, blob, taught.shape.length) for blob in four]
            for seen, four in zip(taught.seen, taught.four, strict=True)
        ]
        self.colours, hulls = learn(pieces)
        nears = [[near for near, _ in face] for face in pieces]
        outlines = [
            [self._outlined(near, hull) for near, hull in zip(face, masks, strict=True)]
            for face, masks in zip(nears, hulls, strict=True)
        ]
        self.measures = Measures.of([part for face in outlines for part in face])
        self.ranks = tuple(
            min(pair) for pair in zip(*(sorted(part.full for part in parts) for parts in outlines), strict=True)
        )
        self.sides = {
            side: TaughtFace(Measures.of(parts).area, float(np.mean([part.full for part in parts])))
            for side, parts in zip((Face.MARKED, Face.PLAIN), outlines, strict=True)
        }
        everywhere = [near for face in nears for near in face]
        everyone = [part for face in outlines for part in face]
        self.level: Floats = np.median(
            [np.median(near.tray.reshape(-1, 3), axis=0) for near in everywhere], axis=0
        ).astype(np.float32)
        self.sharpness = max(
            1e-3, float(np.median([sharpness(near, part) for near, part in zip(everywhere, everyone, strict=True)]))
        )
        self.grain = max(1e-3, float(np.median([grain(near) for near in everywhere])))
        marked, plain = (
            [Appearance(near.colours, part.hull) for near, part in zip(face, parts, strict=True)]
            for face, parts in zip(nears, outlines, strict=True)
        )
        faces = SmallFaces(marked, plain, self.measures.length[1])
        lead = float(np.median(faces.leads))
        self.separation = LEAST_SEPARATION * lead / APART
        if lead < APART or sum(one < 0 for one in faces.leads) > STRAYS:
            raise FacesAlike(
                "The marked and the plain faces look too alike to this camera: make the marks bolder, or light the "
                "tray better."
            )

        more = self._further(taught)
        self._marked = LOTS + len(more[Face.MARKED])
        if taught.more:
            marked, plain = [*marked, *more[Face.MARKED]], [*plain, *more[Face.PLAIN]]
            faces = SmallFaces(marked, plain, self.measures.length[1])
        self.faces = faces

    @property
    def leads(self) -> tuple[float, ...]:
        """Leave-one-out margin of each lot of the calibration."""
        leads = self.faces.leads
        return leads[:LOTS] + leads[self._marked :][:LOTS]

    def _further(self, taught: Taught) -> dict[Face, list[Appearance]]:
        """The faces taught beyond the calibration."""
        more: dict[Face, list[Appearance]] = {Face.MARKED: [], Face.PLAIN: []}
        for one in taught.more:
            near, rough = around(one.seen, one.blob, taught.shape.length)
            part = outlined(self.colours, near, piece(self.colours.odds(near)[0] > 0, rough))
            if part is not None and part.full > LEAST:
                more[one.face].append(Appearance(near.colours, part.hull))
        return more

    def _outlined(self, near: Near, hull: Mask) -> LotContour:
        part = outlined(self.colours, near, hull)
        if part is None or part.full < LEAST:
            raise ProfileUnusable(
                "The lots can hardly be told from the tray: use a tray whose colour differs from both their faces."
            )
        return part


def outlined(colours: LotColours, near: Near, hull: Mask) -> LotContour | None:
    """The contour of the lot within ``hull``, by its colours."""
    return measured(((colours.odds(near)[0] > 0) & (hull > 0)).astype(np.uint8))


def sharpness(near: Near, part: LotContour) -> float:
    """Sharpness of a lot, independent of its contrast. Lower for a picture out of focus."""
    light = brightness(near.colours)
    around = cv2.dilate(part.mask, np.ones((9, 9), np.uint8)) > 0
    softer, softest = (cv2.GaussianBlur(light, (0, 0), sigma) for sigma in FINE)
    finest, fine = (float(np.sqrt(np.mean(one[around] ** 2))) for one in (light - softer, softer - softest))
    return finest / max(fine, 1e-6)


def grain(near: Near) -> float:
    """Noise of the tray's tint relative to the empty tray, from pixel to pixel, as a natural logarithm."""
    share = near.colours - near.tray
    edge = np.concatenate([share[:3].reshape(-1, 3), share[-3:].reshape(-1, 3)])
    tint = edge - edge.mean(axis=-1, keepdims=True)
    return float(np.median(np.abs(tint - np.median(tint, axis=0))))

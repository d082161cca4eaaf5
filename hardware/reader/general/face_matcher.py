"""Classifies faces by the taught ones, with feature weights learnt over many sets."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from hardware.reader.general.face_features import FaceCrop, distance, features
from hardware.reader.tray_moves import Floats

DOUBT = 1e-3
"""Added to differences before they are divided by."""

TOGETHER, LITTLE = 10.0, 0.3
"""Sum of the features' shares in a comparison, and how much separation makes half of it. A higher second value doubts
faces that differ in few features, a lower one believes those that hardly differ."""


@dataclass(frozen=True, slots=True, eq=False)
class FaceWeights:
    """Weights for comparing a face with the taught ones.

    noise : typical variation of each feature within one face of a set; smaller differences are not significant.
    weights : of each feature's comparison and, last, of the nearest crops'.
    """

    noise: Floats
    weights: Floats

    @classmethod
    def load(cls, path: Path) -> FaceWeights:
        """Load the weights that the training saved."""
        stored = json.loads(path.read_text())
        return cls(np.array(stored["noise"], np.float32), np.array(stored["weights"], np.float32))


class FaceMatcher:
    """Classifies the faces of one set of lots. Threads may share it.

    Parameters
    ----------
    marked, plain : the taught crops of each face, usually four
    """

    def __init__(self, marked: Sequence[FaceCrop], plain: Sequence[FaceCrop], learnt: FaceWeights) -> None:
        self._marked, self._plain, self._learnt = tuple(marked), tuple(plain), learnt
        self._sides = (_described(marked), _described(plain))
        self._telling = _telling(marked, plain)
        self._whole = float(np.median([self._shown(crop) for crop in (*marked, *plain)]))

    def odds(self, crop: FaceCrop) -> float:
        """Log-odds that the marked face is up; below 0 the plain one is more likely."""
        compared = comparison(crop, self._marked, self._plain, self._sides, self._learnt.noise)
        return float(self._learnt.weights @ compared)

    def told_share(self, crop: FaceCrop) -> float:
        """Visible share of the distinguishing parts, for the least favourable orientation; 1 in a taught picture."""
        return self._shown(crop) / self._whole

    def _shown(self, crop: FaceCrop) -> float:
        shown = cv2.resize(crop.shown.astype(np.float32), self._telling.shape[::-1], interpolation=cv2.INTER_AREA)
        return min(float((way * shown).sum()) for way in _ways_round(self._telling))

    def leads(self) -> tuple[float, ...]:
        """Leave-one-out log-odds of each taught face; below 0 the others take it for the opposite face."""
        told = []
        for side, sign in ((self._marked, 1), (self._plain, -1)):
            for crop in side:
                marked, plain = ([one for one in crops if one is not crop] for crops in (self._marked, self._plain))
                told.append(sign * FaceMatcher(marked, plain, self._learnt).odds(crop))
        return tuple(told)


def _ways_round(face: Floats) -> tuple[Floats, ...]:
    """A face in each orientation: as it is, turned and mirrored."""
    return (face, face[::-1], face[:, ::-1], face[::-1, ::-1])


def _telling(marked: Sequence[FaceCrop], plain: Sequence[FaceCrop]) -> Floats:
    """Distance between the two taught faces at each place, with the marked ones aligned: (rows, columns)."""
    columns = round(float(np.median([crop.lab.shape[1] for crop in (*marked, *plain)])))
    sides = []
    for crops in (marked, plain):
        faces = [np.asarray(cv2.resize(crop.lab, (columns, crop.lab.shape[0])), np.float32) for crop in crops]
        alike = [min(_ways_round(face), key=lambda way: float(np.abs(way - faces[0]).mean())) for face in faces]
        sides.append(np.median(alike, axis=0))
    apart = np.linalg.norm(sides[0] - sides[1], axis=2)
    return np.asarray(np.maximum(apart - np.percentile(apart, 10), 0) + DOUBT, np.float32)


def _described(side: Sequence[FaceCrop]) -> Floats:
    return np.stack([features(crop) for crop in side])


def comparison(
    crop: FaceCrop,
    marked: Sequence[FaceCrop],
    plain: Sequence[FaceCrop],
    sides: tuple[Floats, Floats],
    noise: Floats,
) -> Floats:
    """For each feature, how much nearer the crop is to the marked face than to the plain one.

    Features count by how well they separate the taught faces, relative to all features, because a mark may show in a
    few of them only. The last number compares the crops themselves, -1 to 1.
    """
    own = features(crop)
    there, here = (np.median(side, axis=0) for side in sides)
    spread = (sides[0].std(axis=0) + sides[1].std(axis=0)) / 2 + noise + DOUBT
    gap = np.abs(there - here)
    nearer = (np.abs(own - here) - np.abs(own - there)) / (gap + spread)
    parted = (gap / (gap + 2 * spread)) ** 3
    close = [min(distance(crop, one) for one in side) for side in (marked, plain)]
    crops = (close[1] - close[0]) / (sum(close) + 1.0)
    told = np.clip(nearer, -1, 1) * parted * TOGETHER / (parted.sum() + LITTLE)
    return np.append(told, crops).astype(np.float32)

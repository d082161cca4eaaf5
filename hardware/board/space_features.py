"""Summarise the pixel evidence of each space as a few dozen features."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.board.appearance import PixelEvidence
from hardware.board.road import MARGIN, PITCH

BINS = 10
"""Strips across the road into which a patch is divided: half of them lie on the space, the others on its neighbours."""

LEDGE = 0.3
"""Spaces beside the road on which pieces count: heaps reach over its edge, slain pieces lie further off."""

PER_SIDE = BINS + 7
"""Number of features for each side's pieces."""

SHARED = 2 * BINS + 6
"""Number of features that both sides share."""

MIXED = 0.25
"""Area, in pieces, of the other side's colour or of neither side's, above which a unit is a heap of both. Slivers of
captives under a captor, and its shine, are below 0.2."""

Features = NDArray[np.float32]


def space_features(evidence: PixelEvidence, areas: tuple[float, float]) -> Features:
    """Return the features, (spaces, 2 * PER_SIDE + SHARED): Jade's, then Obsidian's, then the shared ones.

    areas: pixels that one piece of Jade and of Obsidian covers in a patch.
    """
    return np.stack([_of_space(evidence, at, areas) for at in range(len(evidence.empty))])


def mixed(features: Features) -> NDArray[np.bool_]:
    """Return a mask, (spaces,), of the spaces that show colours of both sides or of neither."""
    jade, obsidian = features[:, BINS + 6], features[:, PER_SIDE + BINS + 6]
    foreign = features[:, 2 * PER_SIDE : 2 * PER_SIDE + BINS][:, BINS // 5 : -(BINS // 5)].sum(axis=1)
    return np.asarray(np.minimum(jade, obsidian) + foreign > MIXED)


def _of_space(evidence: PixelEvidence, at: int, areas: tuple[float, float]) -> Features:
    ledge = max(0, round((MARGIN - LEDGE) * PITCH))
    planes = [
        plane[at, ledge : plane.shape[1] - ledge] for plane in (evidence.jade, evidence.obsidian, evidence.foreign)
    ]
    size = float(np.sqrt(areas[0] * areas[1]))
    found = [np.concatenate([_bins(plane) / size, _blob(plane, size)]) for plane in planes[:2]]
    changed = evidence.change[at, ledge : evidence.change.shape[1] - ledge]
    tinted = evidence.tint[at, ledge : evidence.tint.shape[1] - ledge]
    middle = changed[:, PITCH // 2 : -PITCH // 2]
    pieces = np.array(
        [
            float((middle > 12).sum()) / size,
            float((middle > 24).sum()) / size,
            float((tinted[:, PITCH // 2 : -PITCH // 2] > 10).sum()) / size,
            np.sqrt(size) / PITCH,
            np.log(areas[0] / areas[1]),
            planes[0].shape[0] / PITCH / 5,
        ]
    )
    occupied = _bins(np.asarray((changed > 12) & (tinted > 8), np.float32)) / size
    return np.concatenate([*found, _bins(planes[2]) / size, occupied, pieces]).astype(np.float32)


def _bins(plane: NDArray[np.float32]) -> Features:
    return np.asarray(plane.sum(axis=0).reshape(BINS, -1).sum(axis=1), np.float32)


def _blob(plane: NDArray[np.float32], size: float) -> Features:
    """Describe the densest place, and the largest blob of a side's colour touching the space's middle half."""
    mask = np.asarray(plane > 0.5, np.uint8)
    count, _spots, facts, middles = cv2.connectedComponentsWithStats(mask)
    best, features = 0.0, np.zeros(4, np.float32)
    for spot in range(1, count):
        width, area = int(facts[spot, cv2.CC_STAT_WIDTH]), int(facts[spot, cv2.CC_STAT_AREA])
        apart = (middles[spot][0] + 0.5) / PITCH - MARGIN - 0.5
        weight = area * np.exp(-((apart / 0.45) ** 2))
        if weight > best:
            best = weight
            features = np.array(
                [area / size, apart, width / PITCH, facts[spot, cv2.CC_STAT_HEIGHT] / PITCH], np.float32
            )
    window = max(3, round(np.sqrt(size) * 0.8))
    dense = cv2.boxFilter(plane, -1, (window, window), borderType=cv2.BORDER_CONSTANT)
    middle = dense[:, PITCH // 2 : -PITCH // 2]
    place = int(middle.max(axis=0).argmax())
    return np.concatenate(
        [
            features,
            [float(middle.max()), (place + 0.5) / PITCH - 0.5, float(plane[:, PITCH // 2 : -PITCH // 2].sum()) / size],
        ]
    ).astype(np.float32)

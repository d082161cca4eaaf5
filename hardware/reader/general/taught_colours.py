"""The colours of a set's lots, which show their outlines more exactly than the network does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.reader.general.empty_tray import Scene
from hardware.reader.general.face_features import FaceCrop
from hardware.reader.general.lot_shape import DetectedScene
from hardware.reader.tray_moves import Floats

LIGHTNESS = np.array([0.5, 1, 1], np.float32)
"""Weights of differences in Lab: shadows change the lightness most."""

FAR = 8.0
"""Distance in Lab from which a colour is none of the taught ones."""

SAMPLE = 200
"""Colours that are kept of each side's lots, and looked at in others."""

SHADES = (1.1, 1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.42, 0.35, 0.28)
"""Shares of the tray's light that a shadow on it may leave."""

NOISE = 3.0
"""Distance in Lab that says little about two colours."""

FAINT = 0.3
"""Probability of the network from which a pixel may show something new at all. Higher loses lots that it hardly sees,
lower takes the tray's pattern for lots."""

NETWORK = 0.2
"""Weight of the network's probability beside the colours. Higher blurs the outlines, lower loses sides in shade."""

THIRD = 3
"""Pixels, along and across, of which one is enough for a lot's share of its own colours."""

BATCH = 4000
"""Pixels that are compared at once, which bounds the memory."""


class TaughtColours:
    """The colours of both faces of a set of lots. Immutable, so threads may share it.

    sides : for each teaching picture, the scene and its pixels that certainly show lots, (rows, columns) bool.
    reference : mean colour of the empty tray when it was taught.
    """

    def __init__(self, sides: Sequence[tuple[Scene, NDArray[np.bool_]]], reference: Floats) -> None:
        self._reference = reference
        self._colours = np.concatenate([_sample(_lab(self._even(scene, where)[0])) for scene, where in sides])

    def odds(self, scene: Scene, where: NDArray[np.bool_]) -> Floats:
        """How much nearer these pixels' colours are to a lot's than to the tray's in light or shade: (n,), -1 to 1."""
        seen, bare = self._even(scene, where)
        colours = _lab(seen)
        tray = np.min([np.linalg.norm(colours - _lab(bare * shade), axis=1) for shade in SHADES], axis=0)
        lot = self._distance(colours)
        return np.asarray((tray - lot) / (tray + lot + NOISE), np.float32)

    def own_shares(self, scene: Scene, lots: Sequence[NDArray[np.bool_]]) -> list[float]:
        """Share of each lot's pixels whose colours are nearer to a lot's than to the tray's; 1 if it has none.

        lots : masks of the picture, (rows, columns).
        """
        grid = np.zeros(scene.small.shape[:2], np.bool_)
        grid[::THIRD, ::THIRD] = True
        where = np.logical_or.reduce(lots) & grid
        own = np.zeros(grid.shape, np.bool_)
        own[where] = self.odds(scene, where) > 0
        return [float(own[lot & where].mean()) if (lot & where).any() else 1.0 for lot in lots]

    def sharpened(self, view: DetectedScene) -> DetectedScene:
        """The view with lots where the network sees anything new that is nearer to their colours than to the tray's."""
        new = np.minimum(view.found.lot + view.found.other, 1)
        where = new > FAINT
        lot = np.zeros(new.shape, np.float32)
        if where.any():
            lot[where] = np.clip((1 + self.odds(view.scene, where)) / 2 + NETWORK * (new[where] - 0.5), 0, 1)
        return replace(view, found=replace(view.found, lot=lot))

    def strange_share(self, crop: FaceCrop) -> float:
        """Share of what is visible that has none of the taught colours; 0 if nothing is."""
        seen = _sample(crop.lab[crop.shown] * LIGHTNESS)
        return float((self._distance(seen) > FAR).mean()) if len(seen) else 0.0

    def _even(self, scene: Scene, where: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """These pixels' colours and the tray's, (n, 3) blue-green-red, in the light of the teaching."""
        scale = self._reference / np.maximum(scene.mean, 1.0) / scene.light[where][:, None]
        seen, bare = (cv2.blur(one, (3, 3))[where] * scale for one in (scene.small, scene.bare))
        return np.asarray(seen, np.float32), np.asarray(bare, np.float32)

    def _distance(self, colours: Floats) -> Floats:
        """Distance of each colour, (n, 3), from the nearest taught ones."""
        parts = [colours[start : start + BATCH] for start in range(0, len(colours), BATCH)]
        nearest = [np.partition(_squares(part, self._colours), 2, axis=1)[:, 2] for part in parts]
        return np.asarray(np.sqrt(np.maximum(np.concatenate(nearest), 0)), np.float32)


def _squares(some: Floats, others: Floats) -> Floats:
    """Squared distances of colours, (n, 3) and (m, 3), from one another: (n, m)."""
    return np.asarray((some**2).sum(axis=1)[:, None] + (others**2).sum(axis=1) - 2 * some @ others.T, np.float32)


def _lab(colours: Floats) -> Floats:
    """Weighted Lab of (n, 3) blue-green-red."""
    lab = cv2.cvtColor(np.clip(colours / 255, 0, 1).astype(np.float32)[:, None], cv2.COLOR_BGR2LAB)
    return np.asarray(lab[:, 0] * LIGHTNESS, np.float32)


def _sample(colours: Floats) -> Floats:
    return np.asarray(colours[:: max(1, len(colours) // SAMPLE)], np.float32)

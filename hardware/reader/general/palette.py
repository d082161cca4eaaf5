"""The colours of the taught lots, by which other things in the tray are recognised."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hardware.reader.general.face_features import FaceCrop
from hardware.reader.tray_moves import Floats

LIGHTNESS = 0.5
"""Weight of a difference of lightness: shadows change it most."""

FAR = 8.0
"""Distance in Lab from which a colour is none of the taught ones."""

SAMPLE = 200
"""Colours that are kept of the taught lots, and looked at in others."""


class Palette:
    """The colours of both faces of a set of lots. Immutable, so threads may share it."""

    def __init__(self, taught: Sequence[FaceCrop]) -> None:
        self._colours = _sample(np.concatenate([crop.lab[crop.shown] for crop in taught]))

    def strange_share(self, crop: FaceCrop) -> float:
        """Share of what is visible that has none of the taught colours; 0 if nothing is."""
        seen = _sample(crop.lab[crop.shown])
        if not len(seen):
            return 0.0
        apart = np.linalg.norm(seen[:, None] - self._colours[None], axis=2).min(axis=1)
        return float((apart > FAR).mean())


def _sample(colours: Floats) -> Floats:
    every = max(1, len(colours) // SAMPLE)
    return np.asarray(colours[::every] * [LIGHTNESS, 1, 1], np.float32)

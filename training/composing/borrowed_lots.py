"""Lays the lots of one set on another one's tray, in another size and colour."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hardware.composing.cutouts import TrayScene
from training.composing.strangers import changed

SIZE, COLOUR, TINT = (0.75, 1.35), 0.25, 0.08
"""Limits of the change of size; standard deviations of the change of the lots' brightness and of each channel
(logarithms)."""


def borrowed_lots(tray: TrayScene, lots: TrayScene, random: np.random.Generator) -> TrayScene:
    """That tray with those lots."""
    size = float(random.uniform(*SIZE))
    colour = np.exp(random.normal(0, COLOUR) + random.normal(0, TINT, 3)).astype(np.float32)
    return replace(tray, is_long=lots.is_long, cuts=tuple(changed(cut, size, colour) for cut in lots.cuts))

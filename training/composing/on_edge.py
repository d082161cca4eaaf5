"""Sets a cut-out lot on its edge."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hardware.composing.arrangement import Pose
from hardware.composing.cutouts import Cut
from hardware.composing.painting import placed

THICKNESS, SHADE = (0.3, 0.65), 0.12
"""Limits of a lot's height as a share of its width; standard deviation of the logarithm of its side's brightness."""


def on_edge(cut: Cut, random: np.random.Generator) -> Cut:
    """The lot as it looks from above when it stands on its edge: as long as before, but narrower."""
    side = 2 * max(cut.alpha.shape)
    middle = side / 2
    # Turned by a quarter, the lot is stretched across instead of along.
    thick = float(random.uniform(*THICKNESS))
    pose = Pose(x=middle, y=middle, angle=90.0, stretch=thick, shade=float(np.exp(random.normal(0, SHADE))))
    layer = placed((side, side), replace(cut, angle=cut.angle + 90), pose)
    return replace(
        cut,
        pixels=layer.pixels,
        alpha=layer.alpha,
        mark=layer.alpha,
        x=middle - layer.left,
        y=middle - layer.top,
        angle=0.0,
        width=cut.width * thick,
    )

"""Sets a cut-out lot on its edge."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from hardware.composing.cutouts import Cut

THICKNESS, SHADE = (0.3, 0.65), 0.12
"""Limits of a lot's height as a share of its width; standard deviation of the logarithm of its side's brightness."""


def on_edge(cut: Cut, random: np.random.Generator) -> Cut:
    """The lot as it looks from above when it stands on its edge: as long as before, but narrower."""
    thick = float(random.uniform(*THICKNESS))
    along = np.radians(cut.angle)
    turn = np.array([[np.cos(along), np.sin(along)], [-np.sin(along), np.cos(along)]])
    matrix = np.diag([1.0, thick]) @ turn
    rows, columns = cut.alpha.shape
    corners = (np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]]) - (cut.x, cut.y)) @ matrix.T
    width, height = (int(side) for side in np.ceil(np.ptp(corners, axis=0)))
    middle = -corners.min(axis=0)
    move = np.hstack([matrix, (middle - matrix @ (cut.x, cut.y))[:, None]])
    pixels, alpha = (
        np.asarray(cv2.warpAffine(plane, move, (width, height), flags=cv2.INTER_AREA), np.float32)
        for plane in (cut.pixels, cut.alpha)
    )
    return replace(
        cut,
        pixels=pixels * np.float32(np.exp(random.normal(0, SHADE))),
        alpha=alpha,
        mark=alpha,
        x=float(middle[0]),
        y=float(middle[1]),
        angle=0.0,
        width=cut.width * thick,
    )

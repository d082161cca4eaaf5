"""How the empty tray is lit, apart from what it is made of."""

from __future__ import annotations

import cv2
import numpy as np

from hardware.reader.arrays import Floats

BLOCK = 8
"""Pixels along a side that are averaged. Fewer take the tray's own pattern for light."""

STEP = 0.06
"""Step of the logarithm from which it is another material. Higher takes dark ones for shade, lower shade for one."""


def tray_light(bare: Floats) -> Floats:
    """How much light falls on each pixel of the empty tray and around it, (rows, columns), 1 in the mean.

    bare : (rows, columns, 3). Light changes little by little, and materials at once: those steps are left out, and the
    others put together again (B. K. P. Horn, "Determining lightness from an image", 1974), by their cosine transform.
    """
    grey = cv2.transform(bare, np.full((1, 3), 1 / 3))
    rows, columns = (2 * max(1, round(side / BLOCK / 2)) for side in grey.shape)
    levels = np.log(cv2.resize(grey, (columns, rows), interpolation=cv2.INTER_AREA) + 1)
    steps = [np.where(np.abs(step) < STEP, step, 0) for step in (np.diff(levels, axis=axis) for axis in (0, 1))]
    bend = np.sum([np.diff(step, axis=axis, prepend=0, append=0) for axis, step in enumerate(steps)], axis=0)
    waves = np.add.outer(*(2 - 2 * np.cos(np.pi * np.arange(side) / side) for side in (rows, columns)))
    waves[0, 0] = 1
    light = np.exp(cv2.idct(-cv2.dct(bend) / waves))
    return np.asarray(cv2.resize(light / light.mean(), grey.shape[::-1]), np.float32)

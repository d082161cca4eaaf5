"""Models the change of the camera's response to light since the tray was taught."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.cameras.camera import Pixels

Floats = NDArray[np.float32]

BENDS = 3
"""Degree of the polynomial over the picture that stands for a change of light. More follows smaller spots of light, and
begins to swallow faint lots."""

CURVED = (1.0, 0.4, 0.2, 0.1, 0.06)
"""Largest residual (a natural logarithm) with which a place is used in the next pass of the fit, for each pass. The
last is a few times the noise of 64 averaged pixels."""

RIDGE = 1e-6
"""Ridge penalty that keeps the fit bounded where no part of the picture is usable."""

STRAIGHT_RIDGE = 1e-3
"""Ridge penalty that keeps the exponent at 1 if the picture's contrast is too low to determine it."""

STRAIGHT = 0.05
"""Furthest that an exponent is from 1 and taken for 1. Cameras with held settings stay within 0.02."""

FLATTEST = 0.3
"""Least exponent that is undone: below it the picture has too few shades left to compare."""

BURNT = 250
"""Grey level from which a channel is taken for burnt out."""

SPARSE = 3
"""Stride at which places are sampled to fit the exponent. Higher is faster, but samples small trays poorly."""

FOOT = 2.0
"""Grey levels added before a logarithm is taken, so that black says little."""


class Light:
    """Compares the light of pictures with that of the empty tray, regardless of objects in the tray."""

    def __init__(self, empty: Pixels) -> None:
        rows, columns = empty.shape[:2]
        self._size = max(8, columns // 8), max(8, rows // 8)
        across, down = np.meshgrid(np.linspace(-1, 1, self._size[0]), np.linspace(-1, 1, self._size[1]))
        terms = [across**i * down**j for i in range(BENDS + 1) for j in range(BENDS + 1 - i)]
        self._terms = np.stack(terms, axis=-1).reshape(-1, len(terms)).astype(np.float32)

    def straightened(self, pixels: Pixels, placed: Pixels) -> Pixels | None:
        """Lookup table, (1, 256, 3) uint8, that restores the contrast of the empty picture; None if none is needed.

        A camera that brightens dark places more than bright ones raises all to one power, and no gain can undo that.
        """
        now, then = (
            cv2.resize(one, self._size, interpolation=cv2.INTER_AREA).reshape(-1, 3)[::SPARSE].astype(np.float32)
            for one in (pixels, placed)
        )
        lit = (now.max(axis=1) < BURNT) & (then.max(axis=1) < BURNT)
        if lit.mean() < 0.1:
            lit[:] = True
        now, then = np.log(now + FOOT), np.log(then + FOOT)
        places = self._terms[::SPARSE]
        powers = np.ones(3)
        fit = now.copy()
        for forgiven in CURVED:
            kept = lit & (_most(now - fit) < forgiven) if forgiven < CURVED[0] else lit
            if kept.sum() < 4 * places.shape[1]:
                return None
            for channel in range(3):
                terms = np.hstack([places, then[:, channel : channel + 1]]).astype(np.float64)
                ridge = RIDGE * kept.sum() * np.eye(terms.shape[1])
                ridge[0, 0], ridge[-1, -1] = 0, STRAIGHT_RIDGE * kept.sum()
                fitted = terms[kept]
                aim = fitted.T @ now[kept, channel] + ridge[:, -1]
                found = np.linalg.solve(fitted.T @ fitted + ridge, aim)
                fit[:, channel], powers[channel] = terms @ found, found[-1]
        # A camera answers much alike to all colours; noise in the dark may bend one of them.
        if np.median(np.abs(powers - 1)) < STRAIGHT or powers.min() < FLATTEST:
            return None
        full = 255 + FOOT
        levels = full * ((np.arange(256)[:, None] + FOOT) / full) ** (1 / powers) - FOOT
        return np.clip(levels.round(), 0, 255).astype(np.uint8)[None]


def in_light_of(picture: Pixels, bare: Pixels | Floats) -> Floats:
    """The empty tray, each channel scaled by the median ratio of the picture to it; both grey or both in colour."""
    ratio = np.median((picture[::4, ::4] + 4.0) / (bare[::4, ::4] + 4.0), axis=(0, 1))
    return np.asarray(np.clip(bare * ratio.astype(np.float32), 0, 255), np.float32)


def _most(apart: Floats) -> Floats:
    """Largest channel difference of each of (n, 3) colours."""
    # Channel by channel, because NumPy is slow along an axis of three.
    blue, green, red = np.abs(apart).T
    return np.asarray(np.maximum(np.maximum(blue, green), red), np.float32)

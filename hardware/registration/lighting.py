"""Models the change of the camera's response to light since the tray was taught."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.cameras.camera import Pixels

Floats = NDArray[np.float32]

BLOCK, AROUND = 8, 15
"""Pixels along a side that are averaged to compare contrasts, and averages around each that it is compared with. More
around takes shadows for contrast."""

ALREADY = 0.01
"""Contrast (a natural logarithm) that counts for an unchanged camera. Higher bends nothing where the tray is plain."""

STRAIGHT = 0.05
"""Furthest that an exponent is from 1 and taken for 1. Cameras with held settings stay within 0.02."""

FLATTEST = 0.3
"""Least exponent that is undone: below it the picture has too few shades left to compare."""

BURNT = 250
"""Grey level from which a channel is taken for burnt out."""

FOOT = 2.0
"""Grey levels added before a logarithm is taken, so that black says little."""


def straightened(pixels: Pixels, placed: Pixels) -> Pixels | None:
    """Lookup table, (1, 256, 3) uint8, that restores the contrast of the empty picture; None if none is needed.

    A camera that brightens dark places more than bright ones raises all to one power, and no gain can undo that. It
    multiplies the contrast between each place and its surroundings, as no shadow does beside its own edge.

    Parameters
    ----------
    pixels, placed : (rows, columns, 3) uint8, the picture and the empty tray in its place
    """
    now, then = (_averaged(one) for one in (pixels, placed))
    lit = (now.max(axis=2) < BURNT) & (then.max(axis=2) < BURNT)
    contrasts = [_contrast(one)[lit] for one in (now, then)]
    powers = np.array([_power(*both) for both in zip(*(one.T for one in contrasts), strict=True)])
    # A camera answers much alike to all colours; noise in the dark may bend one of them.
    if np.median(np.abs(powers - 1)) < STRAIGHT or powers.min() < FLATTEST:
        return None
    full = 255 + FOOT
    levels = full * ((np.arange(256)[:, None] + FOOT) / full) ** (1 / powers) - FOOT
    return np.clip(levels.round(), 0, 255).astype(np.uint8)[None]


def in_light_of(picture: Pixels, bare: Pixels) -> Floats:
    """The empty tray, each channel scaled by the median ratio of the picture to it; both grey or both in colour."""
    ratio = np.median((picture[::4, ::4] + 4.0) / (bare[::4, ::4] + 4.0), axis=(0, 1)).astype(np.float32)
    levels = np.minimum(np.multiply.outer(np.arange(256, dtype=np.float32), ratio), 255)
    return np.asarray(cv2.LUT(bare, levels[None]), np.float32)


def _averaged(picture: Pixels) -> Floats:
    size = max(8, picture.shape[1] // BLOCK), max(8, picture.shape[0] // BLOCK)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.float32)


def _contrast(picture: Floats) -> Floats:
    """Logarithm of each pixel's ratio to its surroundings."""
    levels = cv2.log(picture + FOOT)
    return np.asarray(levels - cv2.blur(levels, (AROUND, AROUND)), np.float32)


def _power(now: Floats, then: Floats) -> float:
    """The power from contrasts to those now, (n,), by least absolute differences: the weighted median of the ratios."""
    ratios = np.append(now / np.where(then == 0, 1, then), 1.0)
    weights = np.append(np.abs(then), ALREADY * len(then) + 1e-9)
    order = np.argsort(ratios)
    middle = np.searchsorted(np.cumsum(weights[order]), weights.sum() / 2)
    return float(ratios[order][middle])

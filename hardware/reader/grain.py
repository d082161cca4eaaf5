"""How grainy a picture is beside the empty tray's, and the same picture without most of its grain."""

from __future__ import annotations

import cv2
import numpy as np

from hardware.camera import Pixels

LINES = 16
"""Every so-manieth line of a picture tells of its grain."""

GRAINIER = 2.0
"""How many times grainier than the empty tray's a picture is smoothed from. Lower smooths pictures that need it not,
which costs their finest marks and time; higher asks more often in the dusk."""

REACH, LEAP, SPREAD = 7, 6.8, 2.0
"""What is smoothed together: pixels so far apart across, so many times the grain apart in their levels, and with so
much weight for near ones, as a standard deviation in pixels. A larger leap blurs faint edges, a smaller one leaves
specks."""


DROWNED = 13.0
"""Grey levels of grain beyond the empty tray's own in which marks drown, smoothed or not. Of labelled throws with 20
levels of noise, which measure 15, one was misread; with 15, which measure 12, none. Higher reads in deeper dusk."""


def grain(pixels: Pixels) -> float:
    """How much a pixel differs from its neighbours by chance or texture, as a standard deviation in grey levels."""
    green = pixels[::LINES, :, 1].astype(np.int16)
    bend = np.abs(green[:, :-2] - 2 * green[:, 1:-1] + green[:, 2:])
    # NumPy's median is five times slower, with so many equal numbers.
    middles = np.searchsorted(np.cumsum(np.bincount(bend.ravel())), [(bend.size + 1) // 2, bend.size // 2 + 1])
    # The median of |x| is 0.6745 standard deviations, and the difference adds six variances.
    return float(middles.mean()) / 0.6745 / float(np.sqrt(6))


def smoothed(pixels: Pixels, usual: float) -> Pixels:
    """The picture, smoothed within its edges if it is much grainier than ``usual``, and at least by half a level."""
    now = grain(pixels)
    if now <= GRAINIER * max(usual, 0.5):
        return pixels
    return np.asarray(cv2.bilateralFilter(pixels, REACH, LEAP * now, SPREAD), np.uint8)


def is_drowned(pixels: Pixels, usual: float) -> bool:
    """True for a picture so much grainier than ``usual`` that no smoothing brings its marks back."""
    return grain(pixels) ** 2 - usual**2 > DROWNED**2

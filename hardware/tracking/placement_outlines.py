"""Outlines of what lies in the tray, shown to players while they lay out lots for a calibration.

They decide nothing: the reader, which knows the lots, does not exist yet.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.referee.events import Face, Lot
from companion.rules.odds import LOTS
from hardware.cameras.camera import Pixels

WIDTH = 320
"""Columns to which pictures are scaled down. More gives finer outlines, but costs time and shows more noise."""

LEAST_STEP = 1.5
NOISE_TIMES = 3.0
"""A pixel is foreground if it differs by this many Lab units, and by this many times the picture's noise, and some
pixel connected to it by twice that. Lower outlines noise, higher misses lots of almost the tray's colour."""

EDGE_SHARE = 0.2
"""Share of an object's own contrast at which its outline is drawn. Lower joins close neighbours through their shadows,
higher splits a lot whose mark has the tray's colour. At 0.2, exactly four lots are outlined in 23 of the 24 calibration
pictures of the labelled throws, at 0.3 in 22."""

EDGE_TOLERANCE = 0.35
"""Lab units tolerated per unit of gradient (Lab units a pixel), for a camera that shakes a little."""

SMALLEST = 0.0003
"""Smallest share of the picture that is outlined: 23 of 76,800 pixels, half a maize kernel."""

SPECK = 0.3
"""Share of the fourth largest object's area below which others are ignored."""


def find_outlines(empty: Pixels, now: Pixels) -> tuple[Lot, ...]:
    """Find the outlines of everything that is not in the empty tray.

    Parameters
    ----------
    empty, now : (rows, columns, 3) uint8 arrays
        The empty tray and the present picture, of one size, blue-green-red.

    Returns
    -------
    lots : tuple of Lot
        From top to bottom, in pixels of ``now``, with unknown faces.
    """
    scale = now.shape[1] / WIDTH
    new = _foreground(_small(empty), _small(now))
    contours, _ = cv2.findContours(new, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    sized = sorted(((cv2.contourArea(one), one) for one in contours), key=lambda pair: -pair[0])
    large = [(area, one) for area, one in sized if area > SMALLEST * new.size]
    if len(large) > LOTS:
        large = [(area, one) for area, one in large if area > SPECK * large[LOTS - 1][0]]
    return tuple(sorted((_lot(one.astype(np.int32), scale) for _, one in large), key=lambda lot: lot.y))


def touches_border(lots: tuple[Lot, ...], width: int, height: int) -> bool:
    """Return whether an outline touches the border of a picture of this size, as a hand's does."""
    near = 2.5 * width / WIDTH
    corners = [corner for lot in lots for corner in lot.outline]
    return any(x < near or y < near or x > width - near or y > height - near for x, y in corners)


def _small(pixels: Pixels) -> NDArray[np.float32]:
    rows, columns = pixels.shape[:2]
    size = (WIDTH, max(1, round(rows * WIDTH / columns)))
    shrunk = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    return cv2.blur(shrunk.astype(np.float32), (3, 3)).astype(np.float32)


def _lab(picture: NDArray[np.float32]) -> NDArray[np.float32]:
    return cv2.cvtColor(np.clip(picture / 255, 0, 1), cv2.COLOR_BGR2LAB).astype(np.float32)


def _foreground(empty: NDArray[np.float32], now: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return 255 where something lies, else 0. Changes of brightness and colour of the light are compensated."""
    level = np.median((now[::2, ::2] + 1) / (empty[::2, ::2] + 1), axis=(0, 1)).astype(np.float32)
    tray, seen = _lab(empty * level), _lab(now)
    apart = seen - tray
    step = np.sqrt(0.25 * apart[..., 0] ** 2 + apart[..., 1] ** 2 + apart[..., 2] ** 2)
    across, down = (cv2.Sobel(tray[..., 0], cv2.CV_32F, *way, scale=1 / 8) for way in ((1, 0), (0, 1)))
    step -= EDGE_TOLERANCE * cv2.dilate(cv2.magnitude(across, down), np.ones((3, 3), np.uint8))
    cut = max(LEAST_STEP, NOISE_TIMES * float(np.median(step[::2, ::2])))
    count, labels = cv2.connectedComponents(np.where(step > cut, 255, 0).astype(np.uint8))
    cuts = np.full(count, np.inf, np.float32)
    for number in np.unique(labels[step > 2 * cut]):
        cuts[number] = EDGE_SHARE * np.percentile(step[labels == number], 90)
    cuts[0] = np.inf
    new = np.where(step > np.maximum(cuts, cut)[labels], 255, 0).astype(np.uint8)
    whole = cv2.morphologyEx(new, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return cv2.morphologyEx(whole, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)).astype(np.uint8)


def _lot(contour: NDArray[np.int32], scale: float) -> Lot:
    box = cv2.minAreaRect(contour)
    (x, y), (width, height), turned = box
    angle = turned if width >= height else turned + 90
    corners = [((x + 0.5) * scale, (y + 0.5) * scale) for x, y in cv2.boxPoints(box).tolist()]
    return Lot(
        x=(x + 0.5) * scale,
        y=(y + 0.5) * scale,
        angle=angle % 180,
        face=Face.UNKNOWN,
        confidence=0.0,
        outline=tuple(corners),
    )

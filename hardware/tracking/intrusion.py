"""Detect hands and other things that reach into the picture and were not there during the calibration."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.cameras.camera import Pixels

WIDTH = 160
"""Columns to which pictures are scaled down. More detects thinner things, but costs time in proportion."""

MIN_CONTRAST = 0.09
MIN_STEP = 10.0
"""A pixel is foreground if a channel differs from the relit empty tray by this share of its brightness and by this many
grey levels. Lower takes uneven light for a hand, higher misses skin on pale wood. Chosen on the four labelled clips and
144 labelled stills: every hand is detected, where 0.12 and 14 miss fingertips, and nothing else is taken for one but
the shadow of a hand that is just leaving."""

MIN_THICKNESS = 5
"""Columns and rows that foreground at the border has to fill: half a finger. Lower takes a table's edge that shifted
for a hand, higher misses fingertips."""

MAX_SHIFT = 0.04
"""Share of the picture's width by which the camera may have shifted since the calibration. Higher may find a shift
where there is none."""

MIN_SHIFT = 0.4
"""Columns or rows. Smaller shifts are not compensated."""

DARK_OFFSET = 2.0
"""Grey levels added before ratios of brightness are taken, so that noise in dark places counts little."""

CLIPPED = 250.0
"""Grey level from which a channel is clipped."""

OUTLIER_FACTOR = 1.5
"""Multiple of the typical residual from which a pixel weighs less in the fit of the light. Higher lets a hand distort
the fit, lower ignores the dark and bright places that determine the contrast."""

ROUNDS = 4
"""Iterations of the reweighted fit. More change little."""

REGULARIZATION = (0.1, 0.1, 0.1, 3.0, 3.0, 3.0, 0.1)
"""Weights, in pixels, that pull the fit towards no change of level, slopes, curvature and contrast, for pictures that
are mostly clipped for example. Higher misses uneven light, lower invents it."""

MAX_TINT = 0.1
"""Share by which a shadow may darken the channels differently. Higher takes a grey sleeve for a shadow."""

SHADOW_THICKNESS = 9
"""Columns and rows that most of a shadow has to fill to be ignored. Rendered shadows in the labelled pictures do so
with 0.6 to 1 of their area, hands with 0.24 at most. Lower ignores grey sleeves."""

MAX_SHADOW_SLOPE = 0.12
"""Steepest edge of a shadow, as a share of its depth per column: 0.07 to 0.11 for edges 3 cm wide or wider, while hands
have 0.1 to 0.4. Higher takes a hand out of focus for a shadow."""

MAX_FLICKER = 0.15
"""Share by which a flickering lamp may brighten or darken a band of rows."""

ColourPlanes = NDArray[np.float32]
Mask = NDArray[np.uint8]


class IntrusionDetector:
    """Compares pictures with the empty tray.

    empty: the empty tray, at any size.
    """

    def __init__(self, empty: Pixels) -> None:
        self._empty = downsample(empty)
        self._accepted: ColourPlanes | None = None

    def foreground(self, now: ColourPlanes) -> Mask:
        """Return 1 where ``now``, from ``downsample``, differs from the empty tray, else 0."""
        return foreground(now, self._empty)[0]

    def has_intrusion(self, now: ColourPlanes) -> bool:
        """Return whether something at least half a finger thick reaches in and has not been accepted."""
        mask, ratio = foreground(now, self._empty)
        reaching = _at_border(_opened(mask))
        if not reaching.any() or _is_shadow(reaching, mask, ratio):
            return False
        if self._accepted is None or self._accepted.shape != now.shape:
            return True
        return bool(_opened(foreground(now, self._accepted)[0] * reaching).any())

    def accept(self, now: ColourPlanes) -> None:
        """Accept what ``now`` shows at the border."""
        self._accepted = now


def downsample(pixels: Pixels) -> ColourPlanes:
    """Scale a picture down and blur it.

    Parameters
    ----------
    pixels : (rows, columns, 3) uint8 array
        Blue, green, red, of any size.

    Returns
    -------
    small : (rows, WIDTH, 3) float32 array
        Grey levels, 0 to 255.
    """
    rows, columns = pixels.shape[:2]
    size = (WIDTH, max(MIN_THICKNESS, round(rows * WIDTH / columns)))
    shrunk = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    return cv2.blur(shrunk, (3, 3)).astype(np.float32)


def _opened(mask: Mask, thick: int = MIN_THICKNESS) -> Mask:
    """Return what of the mask is at least that thick; outside the picture it is 0."""
    kernel = np.ones((thick, thick), np.uint8)
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    return opened.astype(np.uint8)


def _at_border(mask: Mask) -> Mask:
    """Return the components of the mask that touch the picture's border."""
    _, spots = cv2.connectedComponents(mask)
    rim = np.unique(np.concatenate([spots[0], spots[-1], spots[:, 0], spots[:, -1]]))
    return np.asarray(np.isin(spots, rim[rim > 0]), np.uint8)


def foreground(now: ColourPlanes, then: ColourPlanes) -> tuple[Mask, ColourPlanes]:
    """Compare two pictures, compensating for changes of the light and a bump of the camera.

    Parameters
    ----------
    now, then : (rows, columns, 3) float32 arrays
        From ``downsample``. ``then`` is scaled to the size of ``now``.

    Returns
    -------
    mask : (rows, columns) uint8 array
        1 where ``now`` shows something else, else 0.
    ratio : (rows, columns, 3) float32 array
        Natural logarithm of how many times brighter each channel of ``now`` is than expected.
    """
    if then.shape != now.shape:
        then = cv2.resize(then, now.shape[1::-1], interpolation=cv2.INTER_AREA).astype(np.float32)
    found = [_foreground(now, then)]
    aligned = _aligned(then, now)
    if aligned is not None:
        found.append(_foreground(now, aligned))
    return min(found, key=lambda one: int(one[0].sum()))


def _foreground(now: ColourPlanes, then: ColourPlanes) -> tuple[Mask, ColourPlanes]:
    expected = _relit(now, then)
    difference = np.abs(now - expected)
    mask = (difference > MIN_CONTRAST * (np.maximum(now, expected) + DARK_OFFSET)) & (difference > MIN_STEP)
    # Next to what is clipped in both, edges are displaced.
    near = np.ones((5, 5), np.uint8)
    clipped = [cv2.dilate(np.asarray((one >= CLIPPED).any(axis=2), np.uint8), near) > 0 for one in (now, expected)]
    mask[clipped[0] & clipped[1]] = False
    return np.asarray(mask.any(axis=2), np.uint8), np.log((now + DARK_OFFSET) / (expected + DARK_OFFSET))


def remove_shadows(mask: Mask, ratio: ColourPlanes) -> Mask:
    """Remove shadows from a mask that ``foreground`` returned with this ratio."""
    count, spots, facts, _ = cv2.connectedComponentsWithStats(mask)
    left = mask.copy()
    for spot in range(1, count):
        here = np.asarray(spots == spot, np.uint8)
        if facts[spot, cv2.CC_STAT_AREA] >= MIN_THICKNESS * MIN_THICKNESS and _is_shadow(here, mask, ratio):
            left[here > 0] = 0
    return left


def _is_shadow(spot: Mask, mask: Mask, ratio: ColourPlanes) -> bool:
    """Return whether a component is the shadow of someone further off: broad, colourless, without a sharp edge.

    Light that the fit invents next to a shadow counts as a part of it.
    """
    grey = ratio.max(axis=2) - ratio.min(axis=2) < MAX_TINT
    shade = spot * grey
    if 2 * _opened(shade, SHADOW_THICKNESS).sum() < spot.sum() or _at_border(_opened(spot * ~grey)).any():
        return False
    level = ratio.mean(axis=2)
    across, down = cv2.Sobel(level, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(level, cv2.CV_32F, 0, 1, scale=1 / 8)
    thin = np.ones((3, 3), np.uint8)
    edge = (cv2.dilate(shade, thin) > cv2.erode(shade, thin)) & (spot >= mask)
    depth = float(np.percentile(np.abs(level[shade > 0]), 90))
    return bool(edge.any()) and float(np.percentile(cv2.magnitude(across, down)[edge], 75)) < MAX_SHADOW_SLOPE * depth


def _aligned(then: ColourPlanes, now: ColourPlanes) -> ColourPlanes | None:
    """Return ``then`` shifted to align with ``now``, or None if the camera has not been bumped."""
    one, other = (np.log(picture + DARK_OFFSET).mean(axis=2, dtype=np.float32) for picture in (then, now))
    rows, columns = one.shape
    window = cv2.createHanningWindow((columns, rows), cv2.CV_32F)
    (right, down), _ = cv2.phaseCorrelate(one - one.mean(), other - other.mean(), window)
    if not MIN_SHIFT < max(abs(right), abs(down)) < MAX_SHIFT * columns:
        return None
    move = np.array([[1, 0, right], [0, 1, down]])
    return cv2.warpAffine(then, move, (columns, rows), borderMode=cv2.BORDER_REPLICATE).astype(np.float32)


def _relit(now: ColourPlanes, then: ColourPlanes) -> ColourPlanes:
    """Return ``then`` in the light, exposure and contrast of ``now``.

    The change of light is modelled as a smooth function of the place, fitted robustly by iterative reweighting.
    """
    before, after = np.log(then + DARK_OFFSET), np.log(now + DARK_OFFSET)
    some, seen = before[::4, ::4].reshape(-1, 3), after[::4, ::4].reshape(-1, 3)
    # Clipped channels tell nothing about the light.
    valid = ((then[::4, ::4] < CLIPPED) & (now[::4, ::4] < CLIPPED)).reshape(-1, 3)
    change = seen - some
    places = _polynomial(*before.shape[:2])
    where = places[::4, ::4].reshape(-1, places.shape[2])
    middle = some.mean(axis=0)
    left, lit = np.zeros_like(change), before.copy()
    parts = np.zeros((3, len(REGULARIZATION)))
    for _ in range(ROUNDS):
        off = (np.abs(left) * valid).max(axis=1)
        usual = max(0.04, 1.48 * float(np.median(off)))
        trust = 1 / np.maximum(1, (off / (OUTLIER_FACTOR * usual)) ** 1.5)
        for colour in range(3):
            terms = np.column_stack([where, some[:, colour] - middle[colour]])
            held = terms.T * (trust * valid[:, colour])
            parts[colour] = np.linalg.solve(held @ terms + np.diag(REGULARIZATION), held @ change[:, colour])
            left[:, colour] = change[:, colour] - terms @ parts[colour]
    for colour in range(3):
        lit[..., colour] += places @ parts[colour, :-1] + parts[colour, -1] * (before[..., colour] - middle[colour])
    bands = cv2.blur(np.median((after - lit).mean(axis=2), axis=1, keepdims=True), (1, 5)).reshape(-1, 1, 1)
    lit += np.clip(bands, -MAX_FLICKER, MAX_FLICKER)
    return np.asarray(np.minimum(np.exp(lit) - DARK_OFFSET, 255), np.float32)


def _polynomial(rows: int, columns: int) -> NDArray[np.float32]:
    """Return the terms of a quadratic polynomial at each pixel: 1, x, y, x * x, x * y, y * y, with x and y in +-0.5."""
    y, x = np.meshgrid(np.linspace(-0.5, 0.5, rows), np.linspace(-0.5, 0.5, columns), indexing="ij")
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=2).astype(np.float32)

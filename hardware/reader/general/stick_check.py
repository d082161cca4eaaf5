"""Checks that sticks lie where they were fitted, and flat."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.reader.colours import colour_distance, lab
from hardware.reader.general.lot_shape import DetectedScene, LotShape
from hardware.reader.sticks.bars import Bar
from hardware.reader.tray_moves import Floats, Mask

NARROW = (0.9, 0.85)
"""Least widths of a stick that lies flat, as shares of the usual ones, in the network's output and in the picture.
Sticks on their edge measured at most 0.87 and 0.77; of 413 throws of flat ones three showed one below both. Higher asks
more."""

WIDEST, WHOLE = 0.75, 0.75
"""Quantile of the widths along a stick that is taken for its width, because marks and gaps narrow a flat stick here and
there, and the share of its uncovered length that must be half as wide at least: a stick in the wrong place has longer
gaps. A higher share asks more."""

CLEAR = 0.15
"""Least uncovered share of a stick's length from which it is measured."""

AROUND = 0.3
"""Widths around a stick that it may hide or shade of its neighbours."""


def misfit(view: DetectedScene, odds: Floats, shape: LotShape, bars: Sequence[Bar]) -> str | None:
    """Return why a stick does not look as it was taught where others do not cover it, or None.

    "touching" if long stretches of it are missing: then it lies elsewhere. "leaning" if it is narrower than both the
    taught ones and the throw's widest, in the network's output, which blurs narrow things, and in the picture, where
    light disturbs.
    odds: evidence for a lot, above 0 where there is one.
    """
    uncovered = _uncovered(odds, shape, bars)
    if not uncovered:
        return None
    along = [_along(strip) for _, _, strip in uncovered]
    widths = [_width(each) for each in along]
    if any((each < max(widths) / 2).mean() > 1 - WHOLE for each in along):
        return "touching"
    if min(widths) >= NARROW[0] * max(widths):
        return None
    seen = list(zip(widths, _picture_widths(view, uncovered), strict=True))
    usual = np.max(seen, axis=0)
    if shape.widths is not None:
        usual = np.minimum(usual, shape.widths)
    return "leaning" if (seen < usual * NARROW).all(axis=1).any() else None


def widths_seen(view: DetectedScene, odds: Floats, shape: LotShape, bars: Sequence[Bar]) -> list[tuple[float, float]]:
    """The widths in pixels of sticks, in the network's output and in the picture, where no others cover them."""
    uncovered = _uncovered(odds, shape, bars)
    widths = [_width(_along(strip)) for _, _, strip in uncovered]
    return list(zip(widths, _picture_widths(view, uncovered), strict=True))


Uncovered = tuple[Bar, Mask, Floats]
"""A bar, the mask of those that cover it, and its strip of the odds."""


def _picture_widths(view: DetectedScene, uncovered: Sequence[Uncovered]) -> list[float]:
    apart = colour_distance(lab(view.scene.small), lab(view.scene.bare))
    return [_half_width(_strip(apart, bar, others)) for bar, others, _ in uncovered]


def _uncovered(odds: Floats, shape: LotShape, bars: Sequence[Bar]) -> list[Uncovered]:
    """The bars that others do not cover too much to measure."""
    masks = [shape.ends.mask(bar.widened(AROUND * bar.width), odds.shape) for bar in bars]
    cover = np.sum(masks, axis=0, dtype=np.uint8)
    free = [(bar, cover - mask) for bar, mask in zip(bars, masks, strict=True)]
    return [(bar, others, strip) for bar, others in free if (strip := _strip(odds, bar, others)).size]


def _along(strip: Floats) -> NDArray[np.intp]:
    """The widths along a strip, in half pixels."""
    return np.asarray(np.count_nonzero(strip > 0, axis=0), np.intp)


def _width(along: NDArray[np.intp]) -> float:
    return float(np.quantile(along, WIDEST))


def _strip(values: Floats, bar: Bar, others: Mask) -> Floats:
    """The values across (rows, half a pixel each) and along a bar (columns), where no other lies; empty if covered."""
    (right, down), half = bar.along, 0.8 * bar.width
    u = np.linspace(-0.45, 0.45, round(0.5 * bar.length)) * bar.length
    v = np.arange(-half, half + 0.25, 0.5)[:, None]
    x, y = (bar.x + u * right - v * down).astype(np.float32), (bar.y + u * down + v * right).astype(np.float32)
    free = np.asarray(cv2.remap(others, x, y, cv2.INTER_NEAREST)).max(axis=0) == 0
    if free.mean() < CLEAR:
        return np.empty((len(v), 0), np.float32)
    strip = cv2.remap(values.astype(np.float32), x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=-1)
    return np.asarray(strip[:, free], np.float32)


def _half_width(strip: Floats) -> float:
    """Width at half the height of the strip's median profile."""
    profile, middle = np.median(strip, axis=1), strip.shape[0] // 2
    beside = min(profile[:3].mean(), profile[-3:].mean())
    return float(np.count_nonzero(profile > (np.median(profile[middle - 5 : middle + 6]) + beside) / 2))

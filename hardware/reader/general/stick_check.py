"""Checks that sticks lie where they were fitted, and flat."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from hardware.reader.general.lot_shape import DetectedScene, LotShape
from hardware.reader.sticks.bars import Bar
from hardware.reader.tray import Mask, colour_distance, lab
from hardware.reader.tray_moves import Floats

NARROW = 0.85
"""Least width of a stick as a share of the throw's widest one, where no other covers it. Sticks on their edge measured
0.73 and 0.82, flat ones seldom less than 0.85 in the network's output and in the picture. Higher asks more."""

WIDEST, WHOLE = 0.75, 0.75
"""Quantile of the widths along a stick that is taken for its width, because marks and gaps narrow a flat stick here and
there, and the share of its uncovered length that must be half as wide at least: a stick in the wrong place has longer
gaps. A higher share asks more."""

CLEAR = 0.15
"""Least uncovered share of a stick's length from which it is measured."""

AROUND = 0.3
"""Widths around a stick that it may hide or shade of its neighbours."""


def misfit(view: DetectedScene, odds: Floats, shape: LotShape, bars: Sequence[Bar]) -> str | None:
    """Return why a stick does not look like the others where they do not cover it, or None.

    "touching" if long stretches of it are missing: then it lies elsewhere. "leaning" if it is narrower both in the
    network's output, which blurs narrow things, and in the picture, where light disturbs.
    odds: evidence for a lot, above 0 where there is one.
    """
    masks = [shape.ends.mask(bar.widened(AROUND * bar.width), odds.shape) for bar in bars]
    cover = np.sum(masks, axis=0, dtype=np.uint8)
    free = [(bar, cover - mask) for bar, mask in zip(bars, masks, strict=True)]
    strips = [strip for bar, others in free if (strip := _strip(odds, bar, others)).size]
    if not strips:
        return None
    along = [np.count_nonzero(strip > 0, axis=0) for strip in strips]
    widths = [float(np.quantile(each, WIDEST)) for each in along]
    if any((each < max(widths) / 2).mean() > 1 - WHOLE for each in along):
        return "touching"
    if min(widths) >= NARROW * max(widths):
        return None
    apart = colour_distance(lab(view.scene.small), lab(view.scene.bare))
    seen = [_half_width(strip) for bar, others in free if (strip := _strip(apart, bar, others)).size]
    return "leaning" if min(seen) < NARROW * max(seen) else None


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

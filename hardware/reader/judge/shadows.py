"""Tells what may be nothing but a shadow on the tray."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.reader.bars import Bar, Ends
from hardware.reader.detection.detector import DARK
from hardware.reader.detection.empty_tray import Scene
from hardware.reader.detection.lot_shape import DetectedScene

SHADE, GREY = 0.905, 1.127
"""Share of the tray's light below which a pixel may be in a shadow, and the factor by which its colours' shares may
differ."""

SHADY = 0.7
"""Share of a place from which it is nothing but a shadow. Lots of which more than the rest looks so are not told apart
from shadows."""

WIDE = 0.1
"""Share of the picture from which a shadow is not that of lots, and falls on these too. Higher overlooks bright lots in
it, which then look like the tray."""


def shade(scene: Scene) -> NDArray[np.bool_]:
    """The pixels that are as the tray is in a shadow, (rows, columns)."""
    # Channel by channel, because NumPy takes twenty times as long along an axis of three.
    blue, green, red = cv2.split((scene.small + np.float32(DARK)) / (scene.bare + DARK))
    most, least = cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red)
    return np.asarray((most < SHADE) & (most < GREY * least), np.bool_)


def shaded_shares(shade: NDArray[np.bool_], places: Sequence[Bar], ends: Ends) -> list[float]:
    """Share of each place that may be nothing but a shadow."""
    return [float(shade[ends.mask(place, shade.shape) > 0].mean()) for place in places]


def lit(view: DetectedScene, shade: NDArray[np.bool_]) -> DetectedScene:
    """The view without lots in their shade: the network takes shadows of small lots, which are thick, for lots."""
    if shade.mean() > WIDE:
        return view
    dark = cv2.morphologyEx(shade.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)) > 0
    lot, inside = (np.where(dark, np.float32(0), plane) for plane in (view.found.lot, view.found.inside))
    return replace(view, found=replace(view.found, lot=lot, inside=inside))

"""Tells what may be nothing but a shadow on the tray."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.reader.arrays import Floats
from hardware.reader.bars import Bar, Ends
from hardware.reader.detection.detector import DARK
from hardware.reader.detection.empty_tray import Scene
from hardware.reader.detection.lot_shape import DetectedScene
from hardware.reader.judge.surroundings import UNEXPLAINED

SHADE, GREY = 0.905, 1.127
"""Share of the tray's light below which a pixel may be in a shadow, and the factor by which its colours' shares may
differ."""

SHADY = 0.7
"""Share of a place from which it is nothing but a shadow. Lots of which more than the rest looks so are told only from
lighter ones."""

WIDE = 0.1
"""Share of the picture from which a shadow is not that of lots, and falls on these too. Higher overlooks bright lots in
it, which then look like the tray."""


def dimmed(scene: Scene) -> Floats:
    """The share of its light that is left to the tray where there may be a shadow, (rows, columns); 0 elsewhere."""
    # Channel by channel, because NumPy takes twenty times as long along an axis of three.
    blue, green, red = cv2.split((scene.small + np.float32(DARK)) / (scene.bare + DARK))
    most, least = cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red)
    return np.where((most < SHADE) & (most < GREY * least), most, np.float32(0))


def shade(scene: Scene, darkest: float = 0.0) -> NDArray[np.bool_]:
    """The pixels that are as the tray is in a shadow, (rows, columns).

    darkest : share of the tray's light that a shadow leaves.
    """
    return dimmed(scene) > darkest


def darkest_shade(lots: Sequence[Floats]) -> float:
    """Share of the tray's light above which hardly anything of these lots looks like a shadow; 0 if little does at all.

    lots : how ``dimmed`` each of their pixels is, (n,).
    """
    if all(np.quantile(lot, SHADY) == 0 for lot in lots):
        return 0.0
    return max(float(np.quantile(lot, 1 - UNEXPLAINED[1])) for lot in lots)


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

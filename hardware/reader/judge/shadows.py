"""Tells what may be nothing but a shadow on the tray."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.reader.arrays import Floats
from hardware.reader.detection.detector import AROUND
from hardware.reader.detection.empty_tray import Scene
from hardware.reader.detection.lot_shape import CUTS, SMALLEST_LOT, DetectedScene

SHADE = 0.905
"""Share of the tray's light below which a pixel may be in a shadow, and of that on one side of a border
in the empty tray below which the other side is plainly darker."""

GREY, TINTED = 1.127, 1.2
"""Factors by which the shares of the colours may differ in a shadow: where its tint is unknown, and where it is taken
off. Higher takes dark lots for shadows."""

SHADY = 0.7
"""Share of a place from which it is nothing but a shadow. Lots of which more than the rest looks so are told only from
lighter ones."""

SPOTTED = 0.15
"""Share of a lot that may be as dark as a shadow. Higher takes dark lots for shadows, lower shadows for lots."""

WIDE = 0.1
"""Share of the picture from which a shadow is not that of lots, and falls on these too. Higher overlooks bright lots in
it, which then look like the tray."""


def shadow_tint(views: Sequence[DetectedScene]) -> Floats | None:
    """The tint of the shadows beside these lots, (3,): powers of a mean of 1, to which each colour is dimmed.

    A lamp has another colour than what the room and the tray's rim reflect. None if too little of them is seen.
    """
    dark = np.concatenate([_beside_lots(view) for view in views])
    if len(dark) < SMALLEST_LOT:
        return None
    tint = np.median(dark, axis=0)
    return np.asarray(tint / tint.mean(), np.float32)


def _beside_lots(view: DetectedScene) -> Floats:
    """What a shadow leaves of each colour, where the network sees the tray beside lots: logarithms, (n, 3)."""
    left, lot, side = view.scene.change, view.found.lot, 2 * AROUND + 1
    near = cv2.dilate((lot > CUTS[0]).astype(np.uint8), np.ones((side, side), np.uint8)) > 0
    blue, green, red = cv2.split(left)  # as in ``dimmed``
    shady = near & (lot + view.found.other < CUTS[-1]) & (cv2.max(cv2.max(blue, green), red) < np.log(SHADE))
    return left[cv2.morphologyEx(shady.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)) > 0]


def dimmed(scene: Scene, tint: Floats | None) -> Floats:
    """The share of its light that is left to the tray where there may be a shadow, (rows, columns); 0 elsewhere.

    tint : of the shadows, if it is known.
    """
    # Channel by channel, because NumPy takes twenty times as long along an axis of three.
    powers = np.ones(3, np.float32) if tint is None else tint
    blue, green, red = (left / power for left, power in zip(cv2.split(scene.change), powers, strict=True))
    most, least = cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red)
    alike = most - least < np.log(GREY if tint is None else TINTED)
    dark = ((most < np.log(SHADE)) & alike).astype(np.uint8)
    return np.asarray(cv2.copyTo(cv2.exp(most), dark), np.float32)


def shade(scene: Scene, tint: Floats | None, darkest: float = 0.0) -> NDArray[np.bool_]:
    """The pixels that are as the tray is in a shadow of that tint, (rows, columns).

    darkest : share of the tray's light that a shadow leaves.
    """
    return dimmed(scene, tint) > darkest


def darkest_shade(lots: Sequence[Floats]) -> float:
    """Share of the tray's light above which hardly anything of these lots looks like a shadow; 0 if little does at all.

    lots : how ``dimmed`` each of their pixels is, (n,).
    """
    if all(np.quantile(lot, SHADY) == 0 for lot in lots):
        return 0.0
    return max(float(np.quantile(lot, 1 - SPOTTED)) for lot in lots)


def lit(view: DetectedScene, shade: NDArray[np.bool_]) -> DetectedScene:
    """The view without lots in their shade: the network takes shadows of small lots, which are thick, for lots."""
    if shade.mean() > WIDE:
        return view
    dark = cv2.morphologyEx(shade.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    lot, inside = (np.asarray(cv2.copyTo(plane, 1 - dark), np.float32) for plane in (view.found.lot, view.found.inside))
    return replace(view, found=replace(view.found, lot=lot, inside=inside))

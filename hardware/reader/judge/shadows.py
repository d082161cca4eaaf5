"""Tells what may be nothing but a shadow on the tray."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.reader.bars import Bar, Ends
from hardware.reader.judge.lot_crops import CropMaker

SHADE, GREY = -0.1, 0.12
"""Logarithm of the light from which a pixel may be in a shadow, and how much that may differ between its colours."""

SHADY = 0.7
"""Share of a place from which it is nothing but a shadow. Lots of which more than the rest looks so are not told apart
from shadows."""


def shade(maker: CropMaker) -> NDArray[np.bool_]:
    """The pixels that are as the tray is in a shadow, (rows, columns)."""
    # Channel by channel, because NumPy takes twenty times as long along an axis of three.
    blue, green, red = cv2.split(maker.ratio)
    most, least = cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red)
    return np.asarray((most < SHADE) & (most - least < GREY), np.bool_)


def shaded_shares(shade: NDArray[np.bool_], places: Sequence[Bar], ends: Ends) -> list[float]:
    """Share of each place that may be nothing but a shadow."""
    return [float(shade[ends.mask(place, shade.shape) > 0].mean()) for place in places]

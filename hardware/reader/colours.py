"""Colours as the eye tells them apart."""

from __future__ import annotations

import cv2
import numpy as np

from hardware.cameras.camera import Pixels
from hardware.reader.tray_moves import Floats


def lab(pixels: Pixels | Floats) -> Floats:
    """Lab as float32: L 0..100, a and b about -128..127."""
    scaled = np.clip(pixels, 0, 255, dtype=np.float32)
    scaled *= np.float32(1 / 255)
    return np.asarray(cv2.cvtColor(scaled, cv2.COLOR_BGR2LAB), np.float32)


def colour_distance(colour: Floats, other: Floats) -> Floats:
    """Distance of two pictures' pixels in Lab; a change of lightness alone counts half."""
    apart = colour - other
    score = cv2.magnitude(cv2.magnitude(0.5 * apart[..., 0], apart[..., 1]), apart[..., 2])
    return np.asarray(score, np.float32)

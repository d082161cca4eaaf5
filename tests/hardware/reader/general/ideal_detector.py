"""A detector based on the difference from the empty tray, to test the steps after the network without a network."""

from __future__ import annotations

import cv2
import numpy as np

from hardware.cameras.camera import Pixels
from hardware.reader.general.detector import Detection
from hardware.reader.tray_moves import Floats

HAND = (122, 156, 205)


class IdealDetector:
    """Detects lots in drawn pictures by their contrast, and hands by their colour."""

    def detect(self, pixels: Pixels, bare: Floats, scale: float, _whole: bool, /) -> Detection:
        """Return the same result at every scale, and the whole picture's if only part of it is asked for."""
        assert 0.3 < scale <= 1
        soft = cv2.GaussianBlur(pixels.astype(np.float32), (0, 0), 0.8)
        other = (np.abs(soft - HAND).max(axis=2) < 12).astype(np.float32)
        changed = (np.abs(soft - bare).max(axis=2) > 45).astype(np.float32)
        lot = np.asarray(cv2.GaussianBlur(changed * (1 - other), (0, 0), 0.7), np.float32)
        nothing = np.zeros_like(lot)
        return Detection(lot, other, nothing, np.zeros((*lot.shape, 2), np.float32))

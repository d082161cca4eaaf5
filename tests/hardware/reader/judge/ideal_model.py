"""Ideal detections and descriptions, to test what lies between the networks without trained weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

from hardware.cameras.camera import Pixels
from hardware.reader.arrays import Floats
from hardware.reader.bars import Bar, Ends
from hardware.reader.detection.detector import Detection
from hardware.reader.detection.lot_shape import LotShape
from hardware.reader.judge.judge_model import Model
from hardware.reader.judge.lot_crops import CHANNELS, WINDOWS
from hardware.reader.judge.lot_judge import FACE, MAKE, Describer

ROWS, COLUMNS = 480, 640
STICK = LotShape(Bar(0, 0, 0, 150, 18), Ends(0.4), 2600.0)
SMALL = LotShape(Bar(0, 0, 0, 34, 28), Ends(1.0), 760.0)
RELATION = (5.0, 0.5, 2.0, 1.0, 0.0, 0.0)
"""How steeply distances count, noise, gain, cost of strangeness, and the two odds that are added."""

ODDS = np.array(2 * [[[1.0, 0.0, -1.0, 0.0, 0.0], [0.0, 1.0, -1.0, 0.0, 0.0]]], np.float32)
"""What counts for a lot's being there and for its showing its face, without looking at faces from close by."""

NEW, DARK = 60, -0.2
"""Grey levels by which lots differ from the tray and shadows do not, and the colour below which paint is."""


def detection(bars: Sequence[Bar], shape: LotShape = STICK, other: Sequence[Bar] = ()) -> Detection:
    """Lots where these bars lie, the last on top, and other things."""
    lot, inside, strange = (np.zeros((ROWS, COLUMNS), np.float32) for _ in range(3))
    along = np.zeros((ROWS, COLUMNS, 2), np.float32)
    for bar in bars:
        mask = shape.ends.mask(bar, lot.shape)
        lot[mask > 0] = 1
        depth = np.clip(cv2.distanceTransform(mask, cv2.DIST_L2, 5) / (bar.width / 2), 0, 1)
        inside[mask > 0] = depth[mask > 0]
        turned = 2 * np.radians(bar.angle)
        along[mask > 0] = np.cos(turned), np.sin(turned)
    for bar in other:
        strange[shape.ends.mask(bar, lot.shape) > 0] = 1
    lot[strange > 0] = 0
    return Detection(lot, strange, inside, along)


class IdealDetector:
    """Detects lots in drawn pictures by their contrast with the empty tray, at every scale alike."""

    def detect(self, pixels: Pixels, bare: Floats, scale: float, _whole: bool, /) -> Detection:
        assert 0.3 < scale <= 1
        soft = cv2.GaussianBlur(pixels.astype(np.float32), (0, 0), 0.8)
        lot = (np.abs(soft - bare).max(axis=2) > NEW).astype(np.float32)
        return Detection(lot, np.zeros_like(lot), np.zeros_like(lot), np.zeros((*lot.shape, 2), np.float32))


class IdealDescriber:
    """Says that a lot is there where it fills its place and ends with it, and tells faces by how much is dark."""

    def describe(self, crops: Floats) -> Floats:
        rows, columns = crops.shape[2:]
        y, x = np.mgrid[0:rows, 0:columns].astype(np.float32)
        y, x = (y - (rows - 1) / 2) / rows, (x - (columns - 1) / 2) / columns
        is_long = rows != columns
        near, far = WINDOWS[is_long, True], WINDOWS[is_long, False]
        window = near if is_long and (rows, columns) == near.size else far
        y, x = window.wide * y, window.long * x
        if is_long:
            core, beyond = (np.abs(y) < 0.45) & (np.abs(x) < 0.48), (np.abs(y) < 0.45) & (np.abs(x) > 0.52)
        else:
            core, beyond = np.hypot(y, x) < 0.4, np.hypot(y, x) > 0.7
        told = np.zeros((len(crops), 5 + MAKE + FACE), np.float32)
        for one, crop in zip(told, crops, strict=True):
            assert crop.shape == (CHANNELS, rows, columns)
            lot = crop[6]
            around = float(lot[beyond].mean()) if beyond.any() else 0.0
            one[:2] = 10 * (lot[core].mean() - 0.8) - 10 * max(0.0, around - 0.3)
            if lot.sum() > 0:
                one[2:4] = (lot * x).sum() / lot.sum(), (lot * y).sum() / lot.sum()
            one[5 + MAKE :] = 5 * (crop[:3].mean(axis=0) < DARK)[core].mean()
        return told

    def describe_all_round(self, crops: Floats) -> Floats:
        this: Any = self
        return Describer.describe_all_round(this, crops)


def ideal_model() -> Model:
    """Both describers and the detector without weights."""
    describer: Any = IdealDescriber()
    return Model(IdealDetector(), (describer, describer), (describer, describer), (RELATION, RELATION), ODDS)

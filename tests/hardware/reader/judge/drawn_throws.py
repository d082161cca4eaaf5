"""Drawn throws of sticks and counters in small pictures, and readers that were taught them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np

from companion.referee.events import ThrowSeen, ThrowUnreadable
from hardware.cameras.camera import Pixels
from hardware.reader.judge.judged_reader import JudgedReader
from hardware.reader.judge.shipped_judge import shipped_judge
from hardware.registration.sheet_registration import RegisteredPicture
from tests.training.drawn_set import APART, PAINT, WOOD, laid, speckled

PLACES = ((70, 60), (230, 60), (90, 180), (220, 170))
RADIUS = 11
TRAY = speckled(7)


@cache
def sticks() -> JudgedReader:
    return JudgedReader(shipped_judge(), TRAY, *(laid(TRAY, APART, faces) for faces in ("1111", "0000")))


@cache
def round_counters() -> JudgedReader:
    return JudgedReader(shipped_judge(), TRAY, counters("1111"), counters("0000"))


def counters(faces: str, places: Sequence[tuple[int, int]] = PLACES) -> Pixels:
    """The tray with counters."""
    pixels = speckled(7)
    for place, face in zip(places, faces, strict=True):
        cv2.circle(pixels, place, RADIUS, PAINT if face == "1" else WOOD, -1, cv2.LINE_AA)
    return pixels


def shaded(
    pixels: Pixels,
    places: Sequence[tuple[int, int]] = PLACES,
    thrown: tuple[int, int] = (14, 8),
    light: float | tuple[float, float, float] = 0.45,
) -> Pixels:
    """The counters with shadows as large as they are, thrown that far, leaving that share of the light."""
    shade = np.zeros(pixels.shape[:2], np.uint8)
    for x, y in places:
        cv2.circle(shade, (x + thrown[0], y + thrown[1]), RADIUS, 1, -1)
        cv2.circle(shade, (x, y), RADIUS + 1, 0, -1)
    return np.where(shade[..., None] > 0, pixels * light, pixels).astype(np.uint8)


def read(reader: JudgedReader, pixels: Pixels) -> ThrowSeen | ThrowUnreadable:
    return reader.read(RegisteredPicture(pixels, np.eye(3)))

"""Spoils pictures as cameras and lamps do."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.cameras.camera import Pixels

EDGES = (1.0, 3.0, 12.0, 40.0)
"""Widths in pixels of a shadow's edge."""


def spoiled(pixels: Pixels, random: np.random.Generator) -> Pixels:
    """The picture in another light, often under an edged shadow, and with some blur, noise and compression."""
    gain = np.exp(random.normal(0, 0.12) + random.normal(0, 0.03, 3))
    seen = np.asarray(pixels * gain, np.float32)
    if random.random() < 0.3:
        seen = np.asarray(255 * (np.clip(seen, 0, 255) / 255) ** np.exp(random.normal(0, 0.25)), np.float32)
    if random.random() < 0.6:
        seen *= _shadow(pixels.shape, random)
    if random.random() < 0.3:
        seen = cv2.GaussianBlur(seen, (0, 0), random.uniform(0.4, 1.1)).astype(np.float32)
    if random.random() < 0.5:
        seen += np.float32(random.uniform(1, 9)) * random.standard_normal(seen.shape, np.float32)
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(random.integers(45, 96))]
    done, jpeg = cv2.imencode(".jpg", np.clip(np.round(seen), 0, 255).astype(np.uint8), quality)
    assert done
    return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)


def _shadow(shape: tuple[int, ...], random: np.random.Generator) -> NDArray[np.float32]:
    """Light that is left beside a straight edge: (rows, columns, 1)."""
    rows, columns = shape[:2]
    turn = random.uniform(0, 2 * np.pi)
    across = np.arange(columns) - columns * random.uniform(0.2, 0.8)
    down = np.arange(rows) - rows * random.uniform(0.2, 0.8)
    away = (np.cos(turn) * across + np.sin(turn) * down[:, None]) / random.choice(EDGES)
    return (1 - random.uniform(0.05, 0.5) / (1 + np.exp(-np.clip(away, -30, 30))))[..., None].astype(np.float32)

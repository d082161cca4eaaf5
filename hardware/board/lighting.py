"""Model the change of brightness and tint since the empty picture."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.board.road import RoadGeometry, scaling
from hardware.cameras.camera import Pixels
from hardware.registration.markers import Floats

CELLS = 96
"""Columns at which the light is compared. More follow smaller shadows at their edges only."""

REACH = 2.5
"""Spaces around the road that count. Wider is steadier under a hand, but takes in lamps that the board does not see."""

ALIKE = (0.6, 0.3, 0.15, 0.1, 0.08)
"""Largest residual, a natural logarithm, of a cell that counts in each pass of the fit: what has changed must not
colour the light. The last is about four times the noise."""

FOOT = 4.0
"""Grey levels added before logarithms are taken, so that black says little."""

CLIPPED = 245
"""Grey level from which a cell is left out."""

RIDGE = 2.0
"""Cells that speak for no slope and no curve. Fewer invent uneven light under a hand."""

MIN_CELLS = 30
"""Fewer cells than this tell nothing."""


class BoardLight:
    """Compares the light with that of the empty picture. Immutable.

    The logarithm of the change is a quadratic function of the place for each channel, fitted to unchanged places.
    """

    def __init__(self, empty: Pixels, road: RoadGeometry) -> None:
        rows, columns = empty.shape[:2]
        self._scale = CELLS / columns
        self._size = (CELLS, max(1, round(rows * self._scale)))
        self._empty = _small(empty, self._size)
        small = road.scaled(self._scale)
        reach = 2 * max(2, round(REACH * small.pitch)) + 1
        self._near = cv2.dilate(small.mask(self._size[::-1]), np.ones((reach, reach), np.uint8)) > 0
        corners = small.quads.reshape(-1, 2)
        self._middle, self._span = corners.mean(axis=0), float(np.ptp(corners, axis=0).max())

    def fit(self, pixels: Pixels, placement: Floats) -> Floats:
        """Return the coefficients of the change, (6, 3), as functions of the place in the empty picture."""
        up = scaling(self._scale)
        here = np.asarray(up @ placement @ np.linalg.inv(up), np.float64)
        now = cv2.warpPerspective(
            _small(pixels, self._size),
            here,
            self._size,
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=(255, 255, 255),
        )
        lit = self._near & (now.max(axis=2) < CLIPPED) & (self._empty.max(axis=2) < CLIPPED)
        coefficients = np.zeros((6, 3))
        if lit.sum() < MIN_CELLS:
            return coefficients
        down, across = np.nonzero(lit)
        change = np.log((now[lit] + FOOT) / (self._empty[lit] + FOOT)).astype(np.float64)
        terms = self._terms(np.stack([across, down], axis=1).astype(np.float64))
        coefficients[0] = np.median(change, axis=0)
        ridge = np.diag([0.0] + [RIDGE] * 5)
        for alike in ALIKE:
            kept = np.abs(change - terms @ coefficients).max(axis=1) < alike
            if kept.sum() < MIN_CELLS:
                break
            coefficients = np.linalg.solve(terms[kept].T @ terms[kept] + ridge, terms[kept].T @ change[kept])
        return coefficients

    def relit(self, pixels: NDArray[np.uint8], at: NDArray[np.float32], coefficients: Floats) -> NDArray[np.uint8]:
        """Return patches (..., 3) in the light of the empty picture. at: (..., 2), their places in the empty
        picture."""
        places = (at[..., ::2, ::2, :].reshape(-1, 2).astype(np.float64) + 0.5) * self._scale - 0.5
        change = (self._terms(places) @ coefficients).reshape(*at[..., ::2, ::2, :].shape[:-1], 3).astype(np.float32)
        gain = np.exp(-change).repeat(2, axis=-3).repeat(2, axis=-2)[..., : at.shape[-3], : at.shape[-2], :]
        return np.asarray(np.clip((pixels + np.float32(FOOT)) * gain - np.float32(FOOT) + 0.5, 0, 255), np.uint8)

    def _terms(self, places: Floats) -> Floats:
        x, y = ((places - self._middle) / self._span).T
        return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)


def _small(pixels: Pixels, size: tuple[int, int]) -> NDArray[np.float32]:
    return cv2.resize(pixels, size, interpolation=cv2.INTER_AREA).astype(np.float32)

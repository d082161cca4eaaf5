"""The patterns of drawn marks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

STICK_MARKS = ("full", "half", "ends", "bands", "cross", "diagonals", "zigzag", "dots", "middle", "line")
SMALL_MARKS = ("full", "full", "half", "dot", "dot", "dot", "cross", "ring", "dots", "middle")
"""Marks, drawn by chance. A repeated one is more frequent."""

THIN = ("cross", "zigzag", "diagonals", "line")
"""Marks of lines, which are thinner than the others' parts."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A pattern. number: of its parts; thick: their size in widths of the lot."""

    name: str
    number: int
    thick: float

    def covers(
        self, u: NDArray[np.float64], v: NDArray[np.float64], proportion: float, *, is_long: bool
    ) -> NDArray[np.bool_]:
        """True where the mark is.

        u, v : -0.5 to 0.5 along a lot's length and its width. proportion : length over width.
        """
        along, thick = np.asarray(u * proportion), self.thick
        match self.name:
            case "full":
                return np.abs(v) < 0.6
            case "half":
                return u < 0
            case "ends":
                return np.abs(u) > 0.5 - 0.1 - 0.15 * thick
            case "bands":
                bands = np.abs((u + 0.5) * (self.number + 1) % 1 - 0.5) > 0.5 - min(0.35 * thick, 0.3)
                return bands & (np.abs(u) < 0.5 - 0.5 / (self.number + 1))
            case "cross":
                slope = 1.6 if is_long else 1.6 / proportion
                return np.minimum(np.abs(along - v * slope), np.abs(along + v * slope)) < 0.5 * thick
            case "diagonals":
                return np.abs((along + v) / 1.3 % 1 - 0.5) < 0.5 * thick
            case "zigzag":
                return np.abs(np.abs(along / 1.2 % 1 - 0.5) * 1.4 - 0.35 - v) < 0.6 * thick
            case "line":
                return np.abs(v) < 0.5 * thick
            case "middle":
                return np.abs(u) < 0.12 + 0.2 * thick
            case "dots":
                step = proportion / (self.number + 1)
                middles = step * np.arange(1, self.number + 1) - 0.5 * proportion
                near: NDArray[np.float64] = np.abs(along[..., None] - middles).min(axis=-1)
                return np.hypot(near, v) < min(0.5 * thick, 0.45 * step)
            case "ring":
                return np.abs(np.hypot(along, v) - 0.32) < 0.3 * thick
            case "dot":
                return np.hypot(along, v) < 0.5 * max(thick, 0.35)
            case name:
                raise ValueError(f"there is no mark named {name}")

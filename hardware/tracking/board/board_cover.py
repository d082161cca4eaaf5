"""The board's part of the camera's picture: cut out to watch the board, and hidden to watch the tray beside it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.board.road import RoadGeometry
from hardware.cameras.camera import Pixels

AROUND, BEYOND = 1.5, 2.5
"""Spaces beside the road, and beyond its ends, that belong to the board: pieces in base lie there. Higher hides more of
a tray that lies close, lower takes moves in the bases for throws."""


@dataclass(frozen=True, slots=True, eq=False)
class _Covered:
    """The board in pictures of one size: the box around it, and its mask within, 1 where it is not."""

    box: tuple[slice, slice]
    outside: NDArray[np.uint8]


class BoardCover:
    """The outline of a board, for pictures of any size from the same camera. Used by one thread.

    empty: the picture that the road is given in.
    """

    def __init__(self, road: RoadGeometry, empty: Pixels) -> None:
        points = road.quads.reshape(-1, 2)
        start, end = road.quads[0, :2].mean(axis=0), road.quads[-1, 2:].mean(axis=0)
        along = (end - start) / max(float(np.linalg.norm(end - start)), 1.0)
        ends = [points + along * BEYOND * road.pitch, points - along * BEYOND * road.pitch]
        round_ = np.linspace(0, 2 * np.pi, 8, endpoint=False)
        reach = AROUND * road.pitch * np.stack([np.cos(round_), np.sin(round_)], axis=-1)
        within = (np.concatenate([points, *ends])[:, None] + reach).reshape(-1, 2).astype(np.float32)
        self._outline = cv2.convexHull(within).reshape(-1, 2) / empty.shape[1]
        self._covered: dict[tuple[int, int], _Covered] = {}
        self._trays: dict[tuple[int, ...], tuple[Pixels, Pixels, NDArray[np.float64]]] = {}

    def crop(self, pixels: Pixels) -> Pixels:
        """Return the box around the board."""
        return pixels[self._at(pixels).box]

    def hide(self, pixels: Pixels, tray: Pixels) -> Pixels:
        """Return the picture with the board replaced by what ``tray`` shows there, in the picture's light.

        pixels: in colour, or in grey levels. tray: in colour.
        """
        here = self._at(pixels)
        bare, then = self._scaled(tray, pixels)
        planes = zip(cv2.split(bare[here.box]), _level(pixels) / then, strict=True)
        # OpenCV's multiply takes five times as long.
        part = np.asarray(cv2.merge([cv2.convertScaleAbs(plane, alpha=gain) for plane, gain in planes]), np.uint8)
        hidden = pixels.copy()
        hidden[here.box] = cv2.copyTo(pixels[here.box], here.outside, part)
        return hidden

    def _at(self, pixels: Pixels) -> _Covered:
        size = pixels.shape[0], pixels.shape[1]
        if size not in self._covered:
            self._covered[size] = self._for_size(*size)
        return self._covered[size]

    def _for_size(self, rows: int, columns: int) -> _Covered:
        outline = np.rint(self._outline * columns).astype(np.int32)
        left, top = np.clip(outline.min(axis=0), 0, (columns - 2, rows - 2))
        right, bottom = np.clip(outline.max(axis=0) + 1, (left + 2, top + 2), (columns, rows))
        outside = np.ones((bottom - top, right - left), np.uint8)
        cv2.fillConvexPoly(outside, outline - (left, top), 0)
        return _Covered((slice(int(top), int(bottom)), slice(int(left), int(right))), outside)

    def _scaled(self, tray: Pixels, like: Pixels) -> tuple[Pixels, NDArray[np.float64]]:
        """Return the empty tray at the size of that picture and in as many colours, and its level."""
        if like.shape not in self._trays or self._trays[like.shape][0] is not tray:
            bare = tray
            if tray.shape[:2] != like.shape[:2]:
                bare = np.asarray(cv2.resize(tray, like.shape[1::-1], interpolation=cv2.INTER_AREA), np.uint8)
            if like.ndim == 2:
                bare = np.asarray(cv2.cvtColor(bare, cv2.COLOR_BGR2GRAY), np.uint8)
            self._trays[like.shape] = tray, bare, _level(bare)
        return self._trays[like.shape][1:]


def _level(pixels: Pixels) -> NDArray[np.float64]:
    """Return the typical blue, green and red of a picture, (3,), or its grey level, (1,)."""
    some = pixels[::32, ::32]
    some = some.reshape(-1, some.shape[2] if some.ndim == 3 else 1)
    # Numpy's median takes five times as long.
    return np.asarray(np.partition(some, len(some) // 2, axis=0)[len(some) // 2] + 1.0, np.float64)

"""Register pictures of the printed sheet to the calibration: undo a shift of the sheet or the camera."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.i18n import _
from companion.referee.events import Lot
from hardware.cameras.camera import Pixels
from hardware.registration.markers import (
    MAX_CLIPPED,
    MIN_MARKERS,
    DetectedMarkers,
    Floats,
    estimate_placement,
    find_markers,
)

MIN_SHIFT = 0.002
"""Share of the picture's width. Smaller shifts, of one to three pixels, are left to the registration by the tray's
texture. Lower resamples every picture, and blurs it a little."""

MAX_SHIFT = 0.08
"""Share of the picture's width. Larger shifts are not registered; five degrees move a corner by 0.055. Higher follows
larger bumps, after which less of the tray is in the picture."""

MAX_MARKER_SHIFT = 0.02
"""Share of the picture's width by which markers may be shifted if too few are visible for a registration. The
registration by the tray's texture reaches no further."""

MIN_VISIBLE_SHARE = 0.1
"""Share of a lot's area from which something at the edge of the visible part may be a lot. Lower takes a sliver of the
table for one, higher misses a lot's tip."""

EDGE_MARGIN = 0.0125
"""Share of the picture's width. An object so close to the invisible part may continue there: changes are missed in the
last pixels before the paper's edge. Higher asks about lots that are only close."""

MAX_LIGHT_RATIO = 0.4
"""Natural logarithm of how much brighter or darker than most of the picture a place may be and still count as
background. Higher takes lots for light, lower loses the edge of a shadow."""

LIGHT_CELL, LIGHT_SIGMA = 16, 4.0
"""Side in pixels of the cells in which the light is measured, and sigma in cells of their smoothing. More is less
sensitive to noise and objects, but follows a shadow's edge less."""


@dataclass(frozen=True, slots=True, eq=False)
class RegisteredPicture:
    """A picture as seen during the calibration.

    Attributes
    ----------
    pixels : (rows, columns, 3) uint8 array
        Of the empty picture's size. What the camera did not see is filled from the empty picture.
    matrix : (3, 3) float64 array
        Maps x, y, 1 of these pixels to the original picture.
    unseen : (rows, columns) uint8 array or None
        255 where it was filled, else 0. None if it was not registered.
    """

    pixels: Pixels
    matrix: Floats
    unseen: NDArray[np.uint8] | None = None

    def to_original(self, lot: Lot) -> Lot:
        """Return a lot at its place in the original picture."""
        if self.unseen is None:
            return lot
        along = np.radians(lot.angle)
        points = np.array([[lot.x, lot.y], [lot.x + np.cos(along), lot.y + np.sin(along)], *lot.outline])
        middle, tip, *outline = cv2.perspectiveTransform(points.reshape(1, -1, 2), self.matrix).reshape(-1, 2).tolist()
        angle = float(np.degrees(np.arctan2(tip[1] - middle[1], tip[0] - middle[0]))) % 180
        return replace(lot, x=middle[0], y=middle[1], angle=angle, outline=tuple((x, y) for x, y in outline))

    def is_cut_off(self, changed: NDArray[np.uint8], lot_area: float) -> bool:
        """Return whether an object reaches the invisible part, so that it may continue there.

        Parameters
        ----------
        changed : (rows, columns) uint8 array
            255 where something lies, else 0, at any scale.
        lot_area : float
            Area of a lot, in pixels of ``changed``.
        """
        if self.unseen is None:
            return False
        rows, columns = changed.shape
        hidden = cv2.resize(self.unseen, (columns, rows), interpolation=cv2.INTER_AREA) > 0
        reach = 2 * round(EDGE_MARGIN * columns) + 1
        margin = cv2.dilate(hidden.astype(np.uint8), np.ones((reach, reach), np.uint8))
        new = np.where(hidden, 0, changed).astype(np.uint8)
        thinnest = max(1, round(0.1 * np.sqrt(lot_area)))
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (thinnest, thinnest))
        _, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.morphologyEx(new, cv2.MORPH_OPEN, kernel))
        at_margin = np.unique(labels[(margin > 0) & (labels > 0)])
        return bool((stats[at_margin, cv2.CC_STAT_AREA] >= MIN_VISIBLE_SHARE * lot_area).any())


class SheetRegistration:
    """Registers pictures to the empty picture, if that shows a sheet. Immutable, so threads may share it.

    empty: (rows, columns, 3) uint8 array, blue-green-red.
    """

    def __init__(self, empty: Pixels) -> None:
        self._empty = empty
        self._empty_means = _cell_means(empty)
        self._reference = find_markers(empty)

    def register(self, pixels: Pixels) -> RegisteredPicture | None:
        """Register a picture.

        Parameters
        ----------
        pixels : (rows, columns, 3) uint8 array
            Of the empty picture's size.

        Returns ------- registered : RegisteredPicture or None None if the sheet has moved too far. The unchanged
        picture if there is no sheet, if it has hardly moved, or if fewer than three markers are visible and those have
        not moved."""
        rows, columns = self._empty.shape[:2]
        unchanged = RegisteredPicture(pixels, np.eye(3))
        now = find_markers(pixels, min_markers=1) if self._reference is not None else None
        if self._reference is None or now is None:
            return unchanged
        placement = estimate_placement(self._reference, now)
        if placement is None:
            return None if _has_moved(self._reference, now) else unchanged
        shift = placement.shift(columns, rows) / columns
        if shift <= MIN_SHIFT:
            return unchanged
        if shift > MAX_SHIFT:
            return None
        size, inverse = (columns, rows), cv2.WARP_INVERSE_MAP
        whole = np.full((rows, columns), 255, np.uint8)
        covers = cv2.warpPerspective(whole, placement.matrix, size, flags=cv2.INTER_NEAREST | inverse)
        turned = cv2.warpPerspective(pixels, placement.matrix, size, flags=cv2.INTER_LINEAR | inverse)
        straight, unseen = (np.asarray(one, np.uint8) for one in (turned, cv2.bitwise_not(covers)))
        hidden = np.flatnonzero(unseen)
        if hidden.size:
            down, across = np.divmod(hidden, columns)
            light = self._light(straight, unseen)[down // LIGHT_CELL, across // LIGHT_CELL]
            filled = np.minimum(self._empty.reshape(-1, 3)[hidden] * light, 255)
            straight.reshape(-1, 3)[hidden] = filled.astype(np.uint8)
        return RegisteredPicture(straight, placement.matrix, unseen)

    def _light(self, straight: Pixels, unseen: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return how many times brighter than the empty picture each cell is: (rows, columns, 3) float32."""
        known = (_cell_means(unseen) == 0).astype(np.float32)
        ratio = np.log((_cell_means(straight) + 2) / (self._empty_means + 2))
        usual = np.median(ratio[known > 0], axis=0)
        # Objects are left out. Cells without background nearby get the ratio of the whole picture.
        alike = known * (np.abs(ratio - usual).max(axis=2) < MAX_LIGHT_RATIO)
        near, far = (cv2.GaussianBlur(part, (0, 0), LIGHT_SIGMA) for part in (alike[..., None] * ratio, alike))
        return np.asarray(np.exp((near + 1e-3 * usual) / (far[..., None] + 1e-3)), np.float32)


def sheet_summary(empty: Pixels) -> str:
    """Describe the printed sheet in the empty picture, or what is wrong with it. Empty without a sheet."""
    seen = find_markers(empty, min_markers=1)
    if seen is None:
        return ""
    count = len(seen.corners)
    return (
        _problem(seen)
        or f"The camera sees {count} of the sheet's four black squares, at {seen.scale:.1f} pixels a millimetre."
    )


def sheet_problem(empty: Pixels) -> str:
    """Say what is wrong with the printed sheet in the empty picture; empty if nothing, or without a sheet."""
    seen = find_markers(empty, min_markers=1)
    return "" if seen is None else _problem(seen)


def _problem(seen: DetectedMarkers) -> str:
    count = len(seen.corners)
    if count < MIN_MARKERS:
        return _(
            "I see only {count} of the sheet's four black squares. Show me all four, then start again.",
            count=count,
        )
    if seen.clipped > MAX_CLIPPED:
        return _("The sheet is too bright for me. Dim the light or shade the sheet, then start again.")
    return ""


def _cell_means(picture: Pixels) -> NDArray[np.float32]:
    """Return the means of the picture's cells; the last ones may be smaller."""
    rows, columns = (-(-side // LIGHT_CELL) for side in picture.shape[:2])
    return cv2.resize(picture, (columns, rows), interpolation=cv2.INTER_AREA).astype(np.float32)


def _has_moved(reference: DetectedMarkers, now: DetectedMarkers) -> bool:
    """Return whether most of the markers in both pictures have moved."""
    away = [
        np.linalg.norm((now.corners[marker] - reference.corners[marker]).mean(axis=0))
        for marker in now.corners
        if marker in reference.corners
    ]
    return bool(away) and float(np.median(away)) > MAX_MARKER_SHIFT * now.width

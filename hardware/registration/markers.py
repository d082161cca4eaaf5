"""Detect the four printed markers around the throwing area, their placement, and whether their paper is overexposed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.printing.tray_plan import MARKER_MM
from hardware.cameras.camera import Pixels

Floats = NDArray[np.float64]

TRAY_IDS = (0, 1, 2, 3)
"""The markers in OpenCV's DICT_4X4_50: top left, top right, bottom right, bottom left. Any two of them differ in at
least seven cells in any rotation."""

CELLS = 6
"""Cells along a marker's side, with its black border."""

DETECTION_WIDTH = 640
"""Columns. Wider pictures are searched at this width first; then their corners are refined at full size. More finds
smaller markers but takes longer."""

THRESHOLD_WINDOWS = (7, 31)
"""Windows of the adaptive threshold, in pixels at DETECTION_WIDTH. The small one follows shadows, the large one keeps
blurred markers in one piece. Six windows from 5 to 45 took three times as long and found no more."""

MIN_PERIMETER = 0.06
"""Smallest perimeter of a marker as a share of the picture's width: sides of 10 pixels at DETECTION_WIDTH. Smaller ones
cannot be read, and searching for them takes time in textured pictures."""

MAX_MISREAD_CELLS = 1
"""Cells of a marker that may be misread. The markers differ in seven, so one is safe. On rendered sheets with 32 pixels
a marker, blurred by 1.5 pixels, one marker in seven was lost with 0, none with 1. Two would accept more random
patterns."""

MIN_MARKERS = 3
"""Markers needed, twelve corners of sixteen: one may lie under a stick. With fewer, a bent corner would go
unnoticed."""

MAX_RESIDUAL = 0.75
"""Pixels at DETECTION_WIDTH, in proportion at other widths. If the corners miss their common placement by more, the
marker that fits worst is left out, because something covers its edge. Higher accepts a bent sheet. On rendered sheets
with noise and in dim light the residual is 0.1 to 0.3."""

MODEL_TOLERANCE = 1.25
"""The simplest placement whose residual is at most this many times the smallest is used. Higher is less sensitive to
noise, but follows a tilted camera less."""

WHITE = 250
"""Level from which a channel counts as clipped: JPEG and sharpening move white slightly below 255."""

MAX_CLIPPED = 0.2
"""Share of white pixels that may be clipped. Noise alone clips some pixels of bright
paper."""

NUMERICAL_RESIDUAL = 1e-3
"""Residual in pixels that is rounding error, far below the accuracy of any corner."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DetectedMarkers:
    """The markers found in one picture.

    Attributes
    ----------
    corners : mapping of int to (4, 2) float64 array
        By id, x and y in pixels of the black square's top left, top right, bottom right and bottom left as printed.
    clipped : float
        Share of the white paper around the markers in which a channel is clipped.
    width : int
        Columns of the picture.
    """

    corners: Mapping[int, Floats]
    clipped: float
    width: int

    @property
    def scale(self) -> float:
        """Pixels per millimetre, the median of the markers, if the sheet was printed at its true size."""
        sides = [np.sqrt(_area(corners)) for corners in self.corners.values()]
        return float(np.median(sides)) / MARKER_MM


@dataclass(frozen=True, slots=True, eq=False)
class SheetPlacement:
    """The transform from a reference picture to the present one.

    Attributes
    ----------
    matrix : (3, 3) float64 array
        Maps x, y, 1 of the reference picture to the present one. Its last row is 0, 0, 1
        unless the perspective changed.
    residual : float
        Standard deviation of the corners' x and y, in pixels of the present picture.
    """

    matrix: Floats
    residual: float

    def shift(self, width: int, height: int) -> float:
        """Return how far the corners of a picture of this size are moved at most, in pixels."""
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
        return float(np.linalg.norm(_transformed(self.matrix, corners) - corners, axis=1).max())


@cache
def marker_patterns() -> tuple[tuple[tuple[bool, ...], ...], ...]:
    """Return the patterns of TRAY_IDS: rows of cells with the border, True for black."""
    drawn = (cv2.aruco.generateImageMarker(_printed(TRAY_IDS), place, CELLS) for place in range(len(TRAY_IDS)))
    return tuple(tuple(tuple(bool(cell < 128) for cell in row) for row in picture) for picture in drawn)


def find_markers(
    pixels: Pixels, *, min_markers: int = MIN_MARKERS, ids: tuple[int, ...] = TRAY_IDS
) -> DetectedMarkers | None:
    """Find the markers of a sheet.

    Parameters
    ----------
    pixels : (rows, columns, 3) uint8 array
        Blue, green, red.
    min_markers : int
        Markers needed.
    ids : tuple of int
        Of the sheet's markers, clockwise from its top left.

    Returns
    -------
    markers : DetectedMarkers or None
        None if there are fewer, or if they cannot be of one sheet.
    """
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY).astype(np.uint8, copy=False)
    width = grey.shape[1]
    scale = max(1.0, width / DETECTION_WIDTH)
    small = grey
    if scale > 1:
        size = (DETECTION_WIDTH, round(grey.shape[0] / scale))
        small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
    found = _detected(small, scale, ids)
    if 0 < len(found) < MIN_MARKERS and scale > 1:
        found = {**_detected(grey, 1.0, ids), **found}
    if len(found) < min_markers or not _one_sheet(found):
        return None
    corners = {marker: _refined(grey, found[marker]) for marker in sorted(found)}
    whites = np.concatenate([_whites(pixels, at) for at in corners.values()])
    return DetectedMarkers(
        corners=corners,
        clipped=float(np.mean(whites.max(axis=1) >= WHITE)),
        width=width,
    )


def estimate_placement(reference: DetectedMarkers, now: DetectedMarkers) -> SheetPlacement | None:
    """Estimate the transform from a reference picture to the present one.

    The two pictures may differ in size.

    Returns
    -------
    placement : SheetPlacement or None
        None if no three markers of both pictures agree.
    """
    shared = [marker for marker in reference.corners if marker in now.corners]
    tries = [[shared]] if len(shared) >= MIN_MARKERS else []
    if len(shared) > MIN_MARKERS:
        tries.append([[marker for marker in shared if marker != out] for out in shared])
    for attempt in tries:
        fits = [
            _fitted(*(np.concatenate([side.corners[marker] for marker in trusted]) for side in (reference, now)))
            for trusted in attempt
        ]
        best = min(fits, key=lambda placement: placement.residual)
        if best.residual <= MAX_RESIDUAL * now.width / DETECTION_WIDTH:
            return best
    return None


@cache
def _printed(ids: tuple[int, ...]) -> Any:  # OpenCV's dictionaries have no type that both its versions know
    """Return a dictionary of these markers only, so that no other is found."""
    every = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return cv2.aruco.Dictionary(every.bytesList[list(ids)], CELLS - 2, MAX_MISREAD_CELLS)


def _detector(ids: tuple[int, ...]) -> Any:
    """Make a detector. It is made for each picture, because OpenCV does not promise that detectors are thread-safe."""
    settings = cv2.aruco.DetectorParameters()
    settings.adaptiveThreshWinSizeMin, settings.adaptiveThreshWinSizeMax = THRESHOLD_WINDOWS
    settings.adaptiveThreshWinSizeStep = THRESHOLD_WINDOWS[1] - THRESHOLD_WINDOWS[0]
    settings.minMarkerPerimeterRate = MIN_PERIMETER
    settings.perspectiveRemovePixelPerCell = 8
    settings.perspectiveRemoveIgnoredMarginPerCell = 0.3
    settings.errorCorrectionRate = 1.0
    return cv2.aruco.ArucoDetector(_printed(ids), settings)


def _detected(grey: Pixels, scale: float, ids: tuple[int, ...]) -> dict[int, Floats]:
    """Detect markers in a grey picture, with their corners times ``scale``. Ids found twice are left out."""
    corners, found, _ = _detector(ids).detectMarkers(grey)
    names = [] if found is None else [ids[place] for place in np.asarray(found).reshape(-1)]
    return {
        name: (np.asarray(at, np.float64).reshape(4, 2) + 0.5) * scale - 0.5
        for name, at in zip(names, corners, strict=True)
        if names.count(name) == 1
    }


def _one_sheet(found: Mapping[int, Floats]) -> bool:
    """Return whether the markers can be of one sheet: rotated alike, of similar size, and in their order."""
    if not found:
        return False
    tops = [at[1] - at[0] for _, at in sorted(found.items())]
    along = np.array([top / np.linalg.norm(top) for top in tops])
    areas = [_area(at) for at in found.values()]
    middles = np.array([at.mean(axis=0) for _, at in sorted(found.items())])
    return bool(
        (along @ along.T).min() > 0.8 and 0 < max(areas) < 4 * min(areas) and (len(found) < 3 or _area(middles) > 0)
    )


def _area(corners: Floats) -> float:
    """Return a polygon's area, positive if its corners are clockwise on screen."""
    x, y = corners.T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


def _refined(grey: Pixels, corners: Floats) -> Floats:
    """Refine corners to a fraction of a pixel, within half a cell, where the marker's pattern begins."""
    reach = max(2, int(np.sqrt(_area(corners)) / CELLS * 0.6))
    until = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 30, 0.01)
    start = corners.reshape(-1, 1, 2).astype(np.float32)
    there = np.asarray(cv2.cornerSubPix(grey, start, (reach, reach), (-1, -1), until), np.float64).reshape(-1, 2)
    # A corner that diverged is less accurate than its detection.
    return np.where(np.linalg.norm(there - corners, axis=1, keepdims=True) <= reach, there, corners)


def _whites(pixels: Pixels, corners: Floats) -> NDArray[np.uint8]:
    """Sample the paper around a marker, half a cell from its edge: (n, 3) uint8."""
    cells = np.array([[0, 0], [CELLS, 0], [CELLS, CELLS], [0, CELLS]], np.float32)
    matrix = cv2.getPerspectiveTransform(cells, corners.astype(np.float32))
    along = np.arange(0, CELLS, 0.25)
    low, high = np.full_like(along, -0.6), np.full_like(along, CELLS + 0.6)
    ring = np.concatenate(
        [np.stack(side, axis=1) for side in ((along, low), (along, high), (low, along), (high, along))]
    )
    spots = np.rint(_transformed(np.asarray(matrix, np.float64), ring)).astype(int)
    rows, columns = pixels.shape[:2]
    inside = (spots >= 0).all(axis=1) & (spots[:, 0] < columns) & (spots[:, 1] < rows)
    colours: NDArray[np.uint8] = pixels[spots[inside, 1], spots[inside, 0]]
    return colours


def _fitted(start: Floats, there: Floats) -> SheetPlacement:
    """Fit the simplest placement that explains the corners: similarity, affine or perspective."""
    x, y = start.T
    none, one = np.zeros_like(x), np.ones_like(x)
    # Least squares for a, b, right, down of the similarity and a to f of the affinity; rows are x, then y equations.
    turned = np.concatenate([np.stack([x, -y, one, none], 1), np.stack([y, x, none, one], 1)])
    sheared = np.concatenate([np.stack([x, y, one, none, none, none], 1), np.stack([none, none, none, x, y, one], 1)])
    wanted = there.T.ravel()
    a, b, right, down = np.linalg.lstsq(turned, wanted, rcond=None)[0]
    affine = np.linalg.lstsq(sheared, wanted, rcond=None)[0].reshape(2, 3)
    tilted, _ = cv2.findHomography(start, there, 0)
    fits = [
        _placement(np.array([[a, -b, right], [b, a, down], [0, 0, 1]]), start, there, 4),
        _placement(np.vstack([affine, [0, 0, 1]]), start, there, 6),
    ]
    if tilted is not None:
        fits.append(_placement(np.asarray(tilted, np.float64), start, there, 8))
    least = min(fit.residual for fit in fits)
    return next(fit for fit in fits if fit.residual <= max(MODEL_TOLERANCE * least, NUMERICAL_RESIDUAL))


def _placement(matrix: Floats, start: Floats, there: Floats, freedoms: int) -> SheetPlacement:
    missed = _transformed(matrix, start) - there
    return SheetPlacement(matrix, float(np.sqrt((missed**2).sum() / (missed.size - freedoms))))


def _transformed(matrix: Floats, points: Floats) -> Floats:
    """Transform points (n, 2) by a (3, 3) matrix."""
    wide = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    carried: Floats = wide[:, :2] / wide[:, 2:]
    return carried

"""The four printed markers around the throwing area: where they lie in a picture, and how white their paper is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.paper.layout import MARKER_MM
from hardware.camera import Pixels

Floats = NDArray[np.float64]

IDS = (0, 1, 2, 3)
"""The markers of the tray's sheet in OpenCV's DICT_4X4_50: top left, top right, bottom right, bottom left. Any two of
them differ in seven cells or more, however they are turned."""

CELLS = 6
"""Cells on a marker's side, its black border included."""

DETECTED_AT = 640
"""Pixels. Wider pictures are searched at this width at first, and their corners then refined at full size. Larger
finds smaller markers and takes longer."""

WINDOWS = (7, 31)
"""Pixels at DETECTED_AT: around each pixel black is told from white within these. The small one follows shadows, the
large one holds blurred markers together; six windows from 5 to 45 took three times as long and found no more."""

SMALLEST = 0.06
"""Least outline of a marker as a share of the picture's width: sides of 10 pixels at DETECTED_AT. Smaller ones cannot
be read, and looking for them takes time in textured pictures."""

FORGIVEN = 1
"""Cells that may be misread in a marker. The four differ in seven, so one is safe. Drawn sheets of 32 pixels a marker,
blurred by 1.5 pixels, lost one marker in seven with 0, none with 1; two would let more chance patterns in."""

FEWEST = 3
"""Markers that have to be found, twelve corners of sixteen: one may lie under a stick. With fewer a bent corner would
go unnoticed."""

AGREE = 0.75
"""Pixels in a picture DETECTED_AT wide, in proportion elsewhere. When the corners miss their common placement by more,
the marker that fits worst is left out: something lies across its edge. Higher follows a sheet that is bent. On drawn
sheets in noise and dim light they miss it by 0.1 to 0.3."""

SIMPLER = 1.25
"""The placement with the fewest freedoms is taken whose residual is at most this many times the least. Higher smooths
more noise away and follows a tilted camera less."""

WHITE = 250
"""Brightness from which a channel counts as clipped: JPEG and sharpening pull whites a little below 255."""

CLIPPED = 0.2
"""Share of white pixels that may be clipped before their median says nothing about the light. Half of them pull the
median itself; noise alone clips a few of a white that is only bright."""

NOTHING = 1e-3
"""Pixels of residual that are put down to arithmetic: far below what any corner is found to."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Markers:
    """The sheet's markers in one picture: three or four, or fewer where that was asked for.

    corners: by id, (4, 2) float64, x and y in that picture's pixels: the black square's top left, top right, bottom
        right and bottom left as printed.
    white: by id, (3,) float64 blue-green-red, the median of the white paper on and around the marker.
    clipped: share of that white at which a channel is full.
    width: of the picture, in pixels.
    """

    corners: Mapping[int, Floats]
    white: Mapping[int, Floats]
    clipped: float
    width: int

    @property
    def scale(self) -> float:
        """Pixels in a millimetre, the middle of the markers', if the sheet was printed at its true size."""
        sides = [np.sqrt(_area(corners)) for corners in self.corners.values()]
        return float(np.median(sides)) / MARKER_MM


@dataclass(frozen=True, slots=True, eq=False)
class Placement:
    """Where a taught picture lies in the present one.

    matrix: (3, 3) float64, carries the taught picture's pixels to the present one's. Its last row is 0, 0, 1 when the
        sheet was only shifted, turned or brought nearer.
    residual: by how many of the present picture's pixels a corner's x or y misses it, as a standard deviation.
    """

    matrix: Floats
    residual: float

    def shift(self, width: int, height: int) -> float:
        """Furthest that a corner of a picture of this size is carried, in pixels."""
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
        return float(np.linalg.norm(_carried(self.matrix, corners) - corners, axis=1).max())


@cache
def patterns() -> tuple[tuple[tuple[bool, ...], ...], ...]:
    """The four markers in the order of IDS: rows of cells, True where black, the border included."""
    drawn = (cv2.aruco.generateImageMarker(_printed(), place, CELLS) for place in range(len(IDS)))
    return tuple(tuple(tuple(bool(cell < 128) for cell in row) for row in picture) for picture in drawn)


def find(pixels: Pixels, *, fewest: int = FEWEST) -> Markers | None:
    """The sheet's markers in a picture; None when fewer than that are there, or they do not lie as one sheet's."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY).astype(np.uint8, copy=False)
    width = grey.shape[1]
    scale = max(1.0, width / DETECTED_AT)
    small = grey
    if scale > 1:
        size = (DETECTED_AT, round(grey.shape[0] / scale))
        small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
    found = _detected(small, scale)
    if 0 < len(found) < FEWEST and scale > 1:
        found = {**_detected(grey, 1.0), **found}
    if len(found) < fewest or not _one_sheet(found):
        return None
    corners = {marker: _refined(grey, found[marker]) for marker in sorted(found)}
    samples = {marker: _whites(pixels, at) for marker, at in corners.items()}
    return Markers(
        corners=corners,
        white={marker: np.median(colours, axis=0) for marker, colours in samples.items()},
        clipped=float(np.mean(np.concatenate(list(samples.values())).max(axis=1) >= WHITE)),
        width=width,
    )


def where(taught: Markers, now: Markers) -> Placement | None:
    """Where the taught picture lies in the present one; None when no three markers of both agree.

    Each picture's own pixels count, so the two may differ in size.
    """
    shared = [marker for marker in taught.corners if marker in now.corners]
    tries = [[shared]] if len(shared) >= FEWEST else []
    if len(shared) > FEWEST:
        tries.append([[marker for marker in shared if marker != out] for out in shared])
    for attempt in tries:
        fits = [
            _fitted(*(np.concatenate([side.corners[marker] for marker in trusted]) for side in (taught, now)))
            for trusted in attempt
        ]
        best = min(fits, key=lambda placement: placement.residual)
        if best.residual <= AGREE * now.width / DETECTED_AT:
            return best
    return None


def white_ratio(taught: Markers, now: Markers) -> Floats | None:
    """How many times brighter the paper is now, (3,) float64 blue-green-red; None where either white is clipped."""
    shared = [marker for marker in taught.white if marker in now.white]
    if not shared or max(taught.clipped, now.clipped) > CLIPPED:
        return None
    ratios = np.array([now.white[marker] / np.maximum(taught.white[marker], 1) for marker in shared])
    middle: Floats = np.median(ratios, axis=0)
    return middle


@cache
def _printed() -> Any:  # OpenCV's dictionaries have no type that both its versions know
    """Our four markers alone: fewer to compare with, and none of another sheet's is taken for one of ours."""
    every = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return cv2.aruco.Dictionary(every.bytesList[list(IDS)], CELLS - 2, FORGIVEN)


def _detector() -> Any:
    """A detector of our markers. Made for each picture, because one is not promised to serve several threads."""
    settings = cv2.aruco.DetectorParameters()
    settings.adaptiveThreshWinSizeMin, settings.adaptiveThreshWinSizeMax = WINDOWS
    settings.adaptiveThreshWinSizeStep = WINDOWS[1] - WINDOWS[0]
    settings.minMarkerPerimeterRate = SMALLEST
    settings.perspectiveRemovePixelPerCell = 8
    settings.perspectiveRemoveIgnoredMarginPerCell = 0.3
    settings.errorCorrectionRate = 1.0
    return cv2.aruco.ArucoDetector(_printed(), settings)


def _detected(grey: Pixels, scale: float) -> dict[int, Floats]:
    """The markers of a grey picture by id, their corners times ``scale``. An id seen twice is left out."""
    corners, ids, _ = _detector().detectMarkers(grey)
    names = [] if ids is None else [IDS[place] for place in np.asarray(ids).reshape(-1)]
    return {
        name: (np.asarray(at, np.float64).reshape(4, 2) + 0.5) * scale - 0.5
        for name, at in zip(names, corners, strict=True)
        if names.count(name) == 1
    }


def _one_sheet(found: Mapping[int, Floats]) -> bool:
    """True when there are markers, turned alike, of like size, that lie around a middle in their order."""
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
    """Of a polygon, positive when its corners go clockwise on screen."""
    x, y = corners.T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


def _refined(grey: Pixels, corners: Floats) -> Floats:
    """The corners to a fraction of a pixel. Looks no further than half a cell, where the marker's pattern begins."""
    reach = max(2, int(np.sqrt(_area(corners)) / CELLS * 0.6))
    until = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 30, 0.01)
    start = corners.reshape(-1, 1, 2).astype(np.float32)
    there = np.asarray(cv2.cornerSubPix(grey, start, (reach, reach), (-1, -1), until), np.float64).reshape(-1, 2)
    # A corner that ran away had nothing to hold on to; where it was detected is nearer the truth.
    return np.where(np.linalg.norm(there - corners, axis=1, keepdims=True) <= reach, there, corners)


def _whites(pixels: Pixels, corners: Floats) -> NDArray[np.uint8]:
    """Colours of the paper around a marker, half a cell from its black edge: (n, 3) uint8."""
    cells = np.array([[0, 0], [CELLS, 0], [CELLS, CELLS], [0, CELLS]], np.float32)
    matrix = cv2.getPerspectiveTransform(cells, corners.astype(np.float32))
    along = np.arange(0, CELLS, 0.25)
    low, high = np.full_like(along, -0.6), np.full_like(along, CELLS + 0.6)
    ring = np.concatenate(
        [np.stack(side, axis=1) for side in ((along, low), (along, high), (low, along), (high, along))]
    )
    spots = np.rint(_carried(np.asarray(matrix, np.float64), ring)).astype(int)
    rows, columns = pixels.shape[:2]
    inside = (spots >= 0).all(axis=1) & (spots[:, 0] < columns) & (spots[:, 1] < rows)
    colours: NDArray[np.uint8] = pixels[spots[inside, 1], spots[inside, 0]]
    return colours


def _fitted(start: Floats, there: Floats) -> Placement:
    """The simplest placement that explains the corners: shifted, turned and scaled; sheared; or seen from elsewhere."""
    x, y = start.T
    none, one = np.zeros_like(x), np.ones_like(x)
    # Unknowns a, b, right, down of the first and a to f of the second, by least squares; rows are x then y equations.
    turned = np.concatenate([np.stack([x, -y, one, none], 1), np.stack([y, x, none, one], 1)])
    sheared = np.concatenate([np.stack([x, y, one, none, none, none], 1), np.stack([none, none, none, x, y, one], 1)])
    wanted = there.T.ravel()
    a, b, right, down = np.linalg.lstsq(turned, wanted, rcond=None)[0]
    affine = np.linalg.lstsq(sheared, wanted, rcond=None)[0].reshape(2, 3)
    tilted, _ = cv2.findHomography(start, there, 0)
    fits = [
        _judged(np.array([[a, -b, right], [b, a, down], [0, 0, 1]]), start, there, 4),
        _judged(np.vstack([affine, [0, 0, 1]]), start, there, 6),
    ]
    if tilted is not None:
        fits.append(_judged(np.asarray(tilted, np.float64), start, there, 8))
    least = min(fit.residual for fit in fits)
    return next(fit for fit in fits if fit.residual <= max(SIMPLER * least, NOTHING))


def _judged(matrix: Floats, start: Floats, there: Floats, freedoms: int) -> Placement:
    missed = _carried(matrix, start) - there
    return Placement(matrix, float(np.sqrt((missed**2).sum() / (missed.size - freedoms))))


def _carried(matrix: Floats, points: Floats) -> Floats:
    """Points (n, 2) through a (3, 3) matrix."""
    wide = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    carried: Floats = wide[:, :2] / wide[:, 2:]
    return carried

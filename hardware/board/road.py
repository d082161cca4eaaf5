"""Locate the spaces of a board in the empty picture, and rectify patches of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import ProfileUnusable
from companion.i18n import _
from companion.printing.board_plan import HEIGHT_MM, SPACE_MM, WIDEST_MM, BoardPlan, lay_out
from hardware.cameras.camera import Pixels
from hardware.registration.board_markers import BOARD_IDS
from hardware.registration.markers import DetectedMarkers, Floats, find_markers

PITCH = 20
"""Pixels of a patch along one space. More shows smaller pieces, and costs time in proportion to its square."""

MARGIN = 0.5
"""Spaces that a patch shows beyond its own on every side: pieces that rest on a line belong to both neighbours."""

MAX_ACROSS = 5.5
"""Longest side of a space across the road, in lengths along it; longer ones are scaled down to save time."""

MAX_MARKER_RESIDUAL = 0.02
"""Share of a marker's distance from the next by which the printed corners may miss the plan. A bent or a
badly glued sheet reaches 0.01."""


@dataclass(frozen=True, slots=True, eq=False)
class SpacePatches:
    """Rectified patches of all spaces, of one size. The road runs to the right, away from Jade's base.

    maps: (spaces, rows, columns, 2) float32, x and y in pixels of the empty picture.
    """

    maps: NDArray[np.float32]

    @property
    def shape(self) -> tuple[int, int, int]:
        """Spaces, rows and columns."""
        spaces, rows, columns, _two = self.maps.shape
        return spaces, rows, columns

    def sample(self, pixels: Pixels, placement: Floats | None = None) -> Pixels:
        """Return the patches, (spaces, rows, columns, 3) uint8. ``placement`` maps the empty picture to this one."""
        spaces, rows, columns = self.shape
        at = self.maps.reshape(spaces * rows, columns, 2)
        if placement is not None:
            at = np.asarray(cv2.perspectiveTransform(at, placement), np.float32)
        x, y = (np.ascontiguousarray(at[..., part]) for part in (0, 1))
        seen = cv2.remap(pixels, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(seen, np.uint8).reshape(spaces, rows, columns, 3)


@dataclass(frozen=True, slots=True, eq=False)
class RoadGeometry:
    """The spaces in the empty picture.

    quads: (spaces, 4, 2) float64, the corners of each space, looking from Jade's base along the road: left and right
        at Jade's end, then left and right at Obsidian's.
    """

    quads: Floats

    @classmethod
    def between(cls, corners: Sequence[tuple[float, float]], spaces: int) -> RoadGeometry:
        """Divide a straight road evenly.

        corners: of the first and last space, in the order of ``quads``. Left and right may be exchanged."""
        there = np.array(corners, np.float64)
        if there.shape != (4, 2):
            raise ProfileUnusable(_("The highway has four corners; {count} were given.", count=len(corners)))
        # A camera never sees a board mirrored, so exchanged corners can be put right.
        orders = ([0, 1, 2, 3], [1, 0, 3, 2], [0, 1, 3, 2], [1, 0, 2, 3])
        there = next((there[order] for order in orders if _is_clockwise(there[order])), there[:0])
        if not len(there):
            raise ProfileUnusable(
                _(
                    "These four corners do not go round a highway. Name them as seen from Jade's base along the "
                    "highway: at Jade's end left and right, then at Obsidian's end left and right."
                )
            )
        flat = np.array([[0, 0], [0, 1], [spaces, 0], [spaces, 1]], np.float32)
        matrix = cv2.getPerspectiveTransform(flat, there.astype(np.float32))
        steps = np.arange(spaces)
        unit = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], np.float64)
        cells = np.asarray(unit[None] + np.stack([steps, np.zeros(spaces)], axis=1)[:, None], np.float64)
        quads = cv2.perspectiveTransform(cells.reshape(1, -1, 2), matrix.astype(np.float64)).reshape(-1, 4, 2)
        return cls(np.asarray(quads, np.float64))

    @classmethod
    def printed(cls, empty: Pixels, spaces: int) -> RoadGeometry | None:
        """Find a printed board by its markers; None if the picture shows too few of them."""
        road = _printed(find_markers(empty, ids=BOARD_IDS), spaces)
        if road is not None:
            return road
        # Markers only a dozen pixels wide are detected only in an enlarged picture.
        larger = cv2.resize(empty, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC).astype(np.uint8)
        road = _printed(find_markers(larger, ids=BOARD_IDS), spaces)
        return None if road is None else road.scaled(0.5)

    @property
    def spaces(self) -> int:
        return len(self.quads)

    @property
    def pitch(self) -> float:
        """Median length of a space along the road, in pixels of the empty picture."""
        along = (self.quads[:, 2:] - self.quads[:, :2]).reshape(-1, 2)
        return float(np.median(np.linalg.norm(along, axis=1)))

    @property
    def across(self) -> float:
        """Width of a space across the road, relative to its length along it."""
        across = (self.quads[:, 1::2] - self.quads[:, ::2]).reshape(-1, 2)
        return float(np.median(np.linalg.norm(across, axis=1))) / self.pitch

    def scaled(self, scale: float) -> RoadGeometry:
        """The same road in the picture scaled by that factor."""
        return RoadGeometry((self.quads + 0.5) * scale - 0.5)

    def mask(self, shape: tuple[int, ...]) -> NDArray[np.uint8]:
        """Draw the road into a picture of that shape: 255 where it is, else 0."""
        mask = np.zeros(shape, np.uint8)
        for quad in self.quads:
            cv2.fillConvexPoly(mask, np.rint(quad[[0, 2, 3, 1]]).astype(np.int32), 255)
        return mask

    def patches(self) -> SpacePatches:
        """Make the patches, with MARGIN spaces around each."""
        across = min(self.across, MAX_ACROSS)
        columns, rows = round(PITCH * (1 + 2 * MARGIN)), round(PITCH * (across + 2 * MARGIN))
        x = (np.arange(columns) + 0.5) / PITCH - MARGIN
        y = ((np.arange(rows) + 0.5) / PITCH - MARGIN) / across
        grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(1, -1, 2).astype(np.float32)
        unit = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], np.float32)
        maps = [
            cv2.perspectiveTransform(grid, cv2.getPerspectiveTransform(unit, quad.astype(np.float32)))
            for quad in self.quads
        ]
        return SpacePatches(np.stack(maps).reshape(self.spaces, rows, columns, 2).astype(np.float32))


def scaling(scale: float) -> Floats:
    """The matrix from the pixels of a picture to those of the picture scaled by that factor."""
    shift = (scale - 1) / 2
    return np.array([[scale, 0, shift], [0, scale, shift], [0, 0, 1]])


def _is_clockwise(corners: Floats) -> bool:
    """Return whether a quad, in the order of ``RoadGeometry.quads``, is convex and not mirrored."""
    sides = np.diff(corners[[0, 2, 3, 1, 0, 2]], axis=0)
    return bool((sides[:-1, 0] * sides[1:, 1] - sides[:-1, 1] * sides[1:, 0]).min() > 0)


def _printed(markers: DetectedMarkers | None, spaces: int) -> RoadGeometry | None:
    """Fit the plan of a printed board to its markers. A straight board may be printed with wider spaces."""
    if markers is None:
        return None
    here = [marker for marker in BOARD_IDS if marker in markers.corners]
    seen = np.concatenate([markers.corners[marker] for marker in here])

    def fitted(plan: BoardPlan) -> tuple[float, Floats]:
        boxes = [plan.markers[BOARD_IDS.index(marker)] for marker in here]
        printed = np.array(
            [
                [[box.left, box.top], [box.right, box.top], [box.right, box.bottom], [box.left, box.bottom]]
                for box in boxes
            ]
        ).reshape(-1, 2)
        matrix, _inliers = cv2.findHomography(printed, seen, 0)
        missed = cv2.perspectiveTransform(printed.reshape(1, -1, 2), matrix)[0] - seen
        return float(np.sqrt((missed**2).mean())), np.asarray(matrix, np.float64)

    widths = np.arange(SPACE_MM - 4, WIDEST_MM + 0.25, 0.25)
    plans = (
        [lay_out(spaces)]
        if lay_out(spaces).way.value == "winding"
        else [lay_out(spaces, space_mm=float(width)) for width in widths]
    )
    fits = [fitted(plan) for plan in plans]
    best = min(range(len(plans)), key=lambda at: fits[at][0])
    residual, matrix = fits[best]
    top, bottom = cv2.perspectiveTransform(np.array([[[0, 0], [0, HEIGHT_MM]]]), matrix)[0]
    side = float(np.linalg.norm(bottom - top))
    if residual > MAX_MARKER_RESIDUAL * side:
        return None
    plan = plans[best]
    corners = []
    for space in plan.spaces:
        box = space.box
        near, far = (box.left, box.right) if space.towards == 1 else (box.right, box.left)
        left, right = (box.top, box.bottom) if space.towards == 1 else (box.bottom, box.top)
        corners += [(near, left), (near, right), (far, left), (far, right)]
    there = cv2.perspectiveTransform(np.array([corners], np.float64), matrix)
    return RoadGeometry(np.asarray(there, np.float64).reshape(-1, 4, 2))

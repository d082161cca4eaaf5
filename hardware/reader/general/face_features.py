"""Straightens a lot's upper face, and describes it by features that may distinguish the faces."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.reader.general.empty_tray import LIGHT, Scene
from hardware.reader.lots import LONG
from hardware.reader.sticks.bars import Bar
from hardware.reader.tray_moves import Floats

ROWS, LONGEST = 20, 200
"""Rows that a face is straightened to, and most columns. More shows thinner marks and costs time in proportion."""

MARGIN = (0.06, 0.12)
"""Shares of length and width at a lot's edges that are not looked at: side faces, shadows, errors of the outline."""

PARTS = 4
"""Parts from the middle of a lot to its ends, or its rim, that are described on their own."""

SPOTS = (1.5, 3.0)
"""Radii in rows of the spots that are looked for."""

INNER = 0.7
"""Share of a lot from its middle in which spots are marks. More takes dark edges for them."""

BURNT = 247.0
"""Grey level from which all channels are burnt out."""


@dataclass(frozen=True, slots=True, eq=False)
class FaceCrop:
    """A straightened face: (ROWS, columns, 3) float32 in Lab. shown: where it can be seen, bool.

    share : visible share of the face. glare: share of the visible part that is burnt out.
    """

    lab: Floats
    shown: NDArray[np.bool_]
    share: float
    glare: float


def straightened(scene: Scene, bar: Bar, visible: NDArray[np.bool_], reference: Floats) -> FaceCrop:
    """The face of the lot at ``bar``, in the light of the empty tray that was taught.

    Parameters
    ----------
    visible : (rows, columns) bool, the pixels of the working size that show the lot
    reference : (3,) mean colour of the empty tray when it was taught
    """
    columns = int(np.clip(round(ROWS * bar.length / bar.width), ROWS, LONGEST))
    inner = np.array([(1 - 2 * MARGIN[0]) * bar.length, (1 - 2 * MARGIN[1]) * bar.width])
    (cos, sin), step = bar.along, inner / [columns, ROWS]
    across = np.array([[cos * step[0], -sin * step[1]], [sin * step[0], cos * step[1]]])
    start = np.array([bar.x, bar.y]) - across @ [(columns - 1) / 2, (ROWS - 1) / 2]
    small = np.hstack([across, start[:, None]])
    large = np.hstack([across * scene.factor, ((start + 0.5) * scene.factor - 0.5)[:, None]])
    size = (columns, ROWS)
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    given = cv2.warpAffine(scene.given, large, size, flags=how, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    seen = cv2.warpAffine(visible.astype(np.uint8), small, size, flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP)
    column, row = int(np.clip(bar.x, 0, visible.shape[1] - 1)), int(np.clip(bar.y, 0, visible.shape[0] - 1))
    around = scene.bare[max(0, row - LIGHT) : row + LIGHT + 1, max(0, column - LIGHT) : column + LIGHT + 1]
    local = np.clip(around.mean() / max(float(scene.mean.mean()), 1.0), 0.5, 2.0)
    even = given * (reference / np.maximum(scene.mean, 1.0) / local).astype(np.float32)
    lab = cv2.cvtColor(np.clip(even / 255, 0, 1), cv2.COLOR_BGR2LAB)
    # The outermost pixels blend with the background.
    shown = cv2.erode(np.asarray(seen, np.uint8), np.ones((3, 3), np.uint8), borderValue=1) > 0
    glare = (given.min(axis=2) > BURNT)[shown].mean() if shown.any() else 0.0
    return FaceCrop(np.asarray(lab, np.float32), shown, float(shown.mean()), float(glare))


def features(crop: FaceCrop) -> Floats:
    """Orientation-independent features of a face: (n,) float32. Raises ValueError if the crop shows nothing."""
    if not crop.shown.any():
        raise ValueError("nothing of this face can be seen")
    lab, shown = crop.lab, crop.shown
    pixels = lab[shown]
    middle = np.median(pixels, axis=0)
    off = np.linalg.norm(lab - middle, axis=2)
    darker = middle[0] - lab[..., 0]
    whole = cv2.erode(shown.astype(np.uint8), np.ones((3, 3), np.uint8), borderValue=1) > 0
    energy = [_energy(lab, whole, axis) for axis in (0, 1)]
    part = _parts(lab.shape[1])
    along = []
    for number in range(PARTS):
        here = shown & (part == number)
        along += [*(np.mean(lab[here], axis=0) if here.any() else middle), off[here].mean() if here.any() else 0.0]
    far = [float((off[shown] > limit).mean()) for limit in (10, 20)]
    dark = float((darker[shown] > 12).mean())
    lightness = np.percentile(pixels[:, 0], (4, 10, 90))
    strange = np.percentile(off[shown], (75, 90, 96))
    spots = _spots(lab, shown)
    return np.array(
        [*pixels.mean(axis=0), *pixels.std(axis=0), *energy, *along, *far, dark, *lightness, *strange, *spots],
        np.float32,
    )


def _spots(lab: Floats, shown: NDArray[np.bool_]) -> list[float]:
    """How much the darkest, the palest and the most coloured spot of each size differ from what lies around them."""
    weight = shown.astype(np.float32)
    seen = lab * weight[..., None]
    inner = shown & _is_inner(lab.shape[1])
    if not inner.any():
        return [0.0] * 3 * len(SPOTS)
    found = []
    for size in SPOTS:
        near, wide = (
            cv2.GaussianBlur(seen, (0, 0), by) / (cv2.GaussianBlur(weight, (0, 0), by)[..., None] + 1e-3)
            for by in (size, 2 * size)
        )
        apart = (near - wide)[inner]
        found += [-apart[:, 0].min(), apart[:, 0].max(), np.linalg.norm(apart[:, 1:], axis=1).max()]
    return [float(one) for one in found]


def _is_inner(columns: int) -> NDArray[np.bool_]:
    """Where a spot is not the edge of the lot or of its shadow, (ROWS, columns)."""
    across, along = np.mgrid[0:ROWS, 0:columns]
    far = np.abs(along - (columns - 1) / 2) / (columns / 2)
    side = np.abs(across - (ROWS - 1) / 2) / (ROWS / 2)
    return np.asarray(np.hypot(far, side) < INNER if columns < LONG * ROWS else side < INNER, np.bool_)


def _parts(columns: int) -> NDArray[np.int_]:
    """Number of the part that each pixel lies in, (ROWS, columns): along a stick, in rings of equal area on others."""
    across, along = np.mgrid[0:ROWS, 0:columns]
    far = np.abs(along - (columns - 1) / 2) / (columns / 2)
    if columns < LONG * ROWS:
        far = far**2 + ((across - (ROWS - 1) / 2) / (ROWS / 2)) ** 2
    return np.asarray(np.minimum(far * PARTS, PARTS - 1), np.int_)


def _energy(lab: Floats, shown: NDArray[np.bool_], axis: int) -> float:
    step = np.linalg.norm(np.diff(lab, axis=axis), axis=2)
    there = shown[1:] & shown[:-1] if axis == 0 else shown[:, 1:] & shown[:, :-1]
    return float(step[there].mean()) if there.any() else 0.0


def distance(one: FaceCrop, other: FaceCrop) -> float:
    """Distance between two faces in Lab, in the orientation in which they are most alike."""
    lab = other.lab
    if lab.shape != one.lab.shape:
        lab = np.asarray(cv2.resize(lab, one.lab.shape[1::-1], interpolation=cv2.INTER_AREA), np.float32)
    if not one.shown.any():
        return float("inf")
    ways = (lab, lab[::-1], lab[:, ::-1], lab[::-1, ::-1])
    own = one.lab[one.shown]
    return min(_trimmed(own - way[one.shown]) for way in ways)


def _trimmed(apart: Floats) -> float:
    """Mean length of these vectors, (n, 3), excluding the longest fifth."""
    lengths = np.sqrt(np.einsum("nc,nc->n", apart, apart))
    most = max(1, int(0.8 * len(lengths)))
    return float(np.partition(lengths, most - 1)[:most].mean())

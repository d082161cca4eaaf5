"""The printed sheet under the lots: a picture of it, turned back to how it lay when the reader was taught."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.referee.events import Lot
from companion.words import _
from hardware.camera import Pixels
from hardware.lots import blobs
from hardware.markers import CLIPPED, FEWEST, Floats, Markers, find, where

STILL = 0.002
"""Share of the picture's width by which the sheet may be out of place and its picture is left as it is: between one and
three pixels, which the tray's own texture corrects. Lower resamples every picture, and blurs it a little."""

FURTHEST = 0.08
"""Share of the picture's width from which the sheet has moved too far to be followed. Between the two the picture is
turned back: five degrees move a corner by 0.055. Higher follows bigger knocks, of which ever less is in the picture."""

ELSEWHERE = 0.02
"""Share of the picture's width by which a marker may be out of place where too few are seen to turn the picture back.
The tray's own texture is followed no further."""

PEEPS = 0.1
"""Share of a lot's area from which a thing at the edge of what is seen may be part of a lot. Lower takes a sliver of
the table for one, higher overlooks a lot's tip."""


BRINK = 0.0125
"""Share of the picture's width: a thing that comes so near to what is not seen may go on there. The last pixels before
an edge of the paper hide a change. Higher asks about lots that only lie near."""


UNLIKE = 0.4
"""How much brighter or darker than most of the picture a place may be, as a natural logarithm, and still tell of the
light. Higher takes lots for light, lower loses the edge of a shadow."""

COARSE, NEAR = 16, 4.0
"""Pixels of the squares by which light is told, and from how many squares around. More is swayed less by noise and by
things, and follows a shadow's edge less."""


@dataclass(frozen=True, slots=True, eq=False)
class Straight:
    """A picture as the camera that was taught would have taken it.

    pixels: of the taught picture's size; what the camera did not see there is filled from the taught picture.
    back: (3, 3) float64, from these pixels to those of the picture given.
    unseen: (rows, columns) uint8, 255 where it was filled; None where nothing was.
    """

    pixels: Pixels
    back: Floats
    unseen: NDArray[np.uint8] | None = None

    def returned(self, lot: Lot) -> Lot:
        """The lot where it lies in the picture given."""
        if self.unseen is None:
            return lot
        along = np.radians(lot.angle)
        points = np.array([[lot.x, lot.y], [lot.x + np.cos(along), lot.y + np.sin(along)], *lot.outline])
        middle, tip, *outline = cv2.perspectiveTransform(points.reshape(1, -1, 2), self.back).reshape(-1, 2).tolist()
        angle = float(np.degrees(np.arctan2(tip[1] - middle[1], tip[0] - middle[0]))) % 180
        return replace(lot, x=middle[0], y=middle[1], angle=angle, outline=tuple((x, y) for x, y in outline))

    def cuts(self, changed: NDArray[np.uint8], lot_area: float) -> bool:
        """True when something new reaches what was not seen, so that there may be more of it.

        changed: 255 where something is new, at any size. lot_area: of a lot, in pixels of that.
        """
        if self.unseen is None:
            return False
        rows, columns = changed.shape
        hidden = cv2.resize(self.unseen, (columns, rows), interpolation=cv2.INTER_AREA) > 0
        reach = 2 * round(BRINK * columns) + 1
        brink = cv2.dilate(hidden.astype(np.uint8), np.ones((reach, reach), np.uint8))
        new = np.where(hidden, 0, changed).astype(np.uint8)
        for blob in blobs(new, least_area=PEEPS * lot_area, thinnest=0.1 * np.sqrt(lot_area)):
            x, y = np.rint(np.array(blob.outline)).astype(int).T
            if brink[np.clip(y, 0, rows - 1), np.clip(x, 0, columns - 1)].any():
                return True
        return False


class Sheet:
    """The sheet in the empty picture, if there is one. Safe to share between threads: nothing in it changes."""

    def __init__(self, empty: Pixels) -> None:
        self._empty = empty
        self._coarse = _coarse(empty)
        self._taught = find(empty)

    def straighten(self, pixels: Pixels) -> Straight | None:
        """The picture, of the empty one's size, turned back; None when the sheet has moved too far.

        Without a sheet the picture is left as it is; and where fewer than three of its markers can be seen, unless
        those lie elsewhere.
        """
        rows, columns = self._empty.shape[:2]
        as_it_is = Straight(pixels, np.eye(3))
        now = find(pixels, fewest=1) if self._taught is not None else None
        if self._taught is None or now is None:
            return as_it_is
        placement = where(self._taught, now)
        if placement is None:
            return None if _elsewhere(self._taught, now) else as_it_is
        shift = placement.shift(columns, rows) / columns
        if shift <= STILL:
            return as_it_is
        if shift > FURTHEST:
            return None
        size, back = (columns, rows), cv2.WARP_INVERSE_MAP
        whole = np.full((rows, columns), 255, np.uint8)
        covers = cv2.warpPerspective(whole, placement.matrix, size, flags=cv2.INTER_NEAREST | back)
        turned = cv2.warpPerspective(pixels, placement.matrix, size, flags=cv2.INTER_LINEAR | back)
        straight, unseen = (np.asarray(one, np.uint8) for one in (turned, cv2.bitwise_not(covers)))
        hidden = np.flatnonzero(unseen)
        if hidden.size:
            down, across = np.divmod(hidden, columns)
            light = self._light(straight, unseen)[down // COARSE, across // COARSE]
            filled = np.minimum(self._empty.reshape(-1, 3)[hidden] * light, 255)
            straight.reshape(-1, 3)[hidden] = filled.astype(np.uint8)
        return Straight(straight, placement.matrix, unseen)

    def _light(self, straight: Pixels, unseen: NDArray[np.uint8]) -> NDArray[np.float32]:
        """How many times brighter than the empty picture what was seen nearby is, for each square of COARSE pixels."""
        known = (_coarse(unseen) == 0).astype(np.float32)
        ratio = np.log((_coarse(straight) + 2) / (self._coarse + 2))
        usual = np.median(ratio[known > 0], axis=0)
        # A thing in the tray is no light. Where nothing near tells of the light, all of the picture does.
        alike = known * (np.abs(ratio - usual).max(axis=2) < UNLIKE)
        near, far = (cv2.GaussianBlur(part, (0, 0), NEAR) for part in (alike[..., None] * ratio, alike))
        return np.asarray(np.exp((near + 1e-3 * usual) / (far[..., None] + 1e-3)), np.float32)


def remark(empty: Pixels) -> str:
    """What the empty picture tells of the printed sheet, as a sentence for those who calibrate; empty without one."""
    seen = find(empty, fewest=1)
    if seen is None:
        return ""
    count = len(seen.corners)
    return (
        _trouble(seen)
        or f"The camera sees {count} of the sheet's four black squares, at {seen.scale:.1f} pixels a millimetre."
    )


def trouble(empty: Pixels) -> str:
    """What is better put right about the printed sheet before going on; empty where all is well, or there is none."""
    seen = find(empty, fewest=1)
    return "" if seen is None else _trouble(seen)


def _trouble(seen: Markers) -> str:
    count = len(seen.corners)
    if count < FEWEST:
        return _(
            "The camera sees only {count} of the sheet's four black squares. Let it see them all, and calibrate again.",
            count=count,
        )
    if seen.clipped > CLIPPED:
        return _("The sheet's paper is burnt out white. Dim the light, or shade it, and calibrate again.")
    return ""


def _coarse(picture: Pixels) -> NDArray[np.float32]:
    """The means of the picture's squares of COARSE pixels; those at its end may be cut short."""
    rows, columns = (-(-side // COARSE) for side in picture.shape[:2])
    return cv2.resize(picture, (columns, rows), interpolation=cv2.INTER_AREA).astype(np.float32)


def _elsewhere(taught: Markers, now: Markers) -> bool:
    """True when most of the markers that both show lie in another place."""
    away = [
        np.linalg.norm((now.corners[marker] - taught.corners[marker]).mean(axis=0))
        for marker in now.corners
        if marker in taught.corners
    ]
    return bool(away) and float(np.median(away)) > ELSEWHERE * now.width

"""The four lots found in the pictures that the reader is taught with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.errors import ProfileUnusable, TrayMoved
from companion.i18n import N_, _
from companion.referee.events import Face
from hardware.cameras.camera import Pixels
from hardware.reader.lots import LONG, Blob, Outlines, Shape, blobs, outlined
from hardware.reader.tray import Difference, Mask, Tray

LOTS = 4

SPREAD_STICK, SPREAD_KERNEL = 1.15, 1.6
"""Longest over shortest outline of one set's eight pictures of a lot. Sticks are cut to one length; kernels differ, and
their shadows lengthen them. Higher lets a thing that is no lot be taught as one."""

SPECK = 0.4
"""Share of a lot's area under which a fifth thing in a calibration picture is overlooked."""

GAPS = (1, 5, 9, 13)
"""Widths in pixels of the cracks that are closed in lots that look much like the tray; the least that makes eight lots
alike wins. Wider joins lots that lie close together, which are then not four."""

SMALLEST_LOT = 0.0002
"""Least area of a lot, as a share of the picture's. Below about 250 pixels of a 1280 x 960 picture no mark shows."""


NEAR = 0.25
"""Largest distance of a lot's outline from its stated place, as a share of its length. Higher mistakes a
neighbour for it, lower loses a lot whose outline has changed slightly."""


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A picture beyond the calibration's, of the same size, and which face is up of some lots that lie free in it.

    lots: (x, y, face), the places in the picture's pixels.
    """

    picture: Pixels
    lots: tuple[tuple[float, float, Face], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Further:
    """A lot whose face is known, in a picture beyond the calibration's."""

    seen: Difference
    blob: Blob
    face: Face


@dataclass(frozen=True, slots=True)
class Contrast:
    """How far a taught lot is from the tray at x, y, as the median over its pixels of what a Difference calls apart."""

    x: int
    y: int
    apart: float

    def is_lost(self, seen: Difference) -> bool:
        """Whether this picture's noise exceeds the contrast."""
        return bool(seen.least[self.y, self.x] > self.apart)


@dataclass(frozen=True, slots=True, eq=False)
class Taught:
    """An empty tray, and its four lots with one face up in one picture and the other face up in another.

    shape: a single lot's outline, in pixels of the size the reader works at.
    seen: the two pictures against the empty tray, the marked one first.
    four: the outlines of the lots in each of them.
    more: lots in other pictures. They are used for the faces only, not for outlines.
    """

    tray: Tray
    shape: Shape
    seen: tuple[Difference, Difference]
    four: tuple[tuple[Blob, ...], tuple[Blob, ...]]
    more: tuple[Further, ...] = ()


def teach(
    empty: Pixels,
    marked: Pixels,
    plain: Pixels,
    shown: Sequence[Shown] = (),
    outlines: Outlines | None = None,
) -> Taught:
    """Find the lots in three pictures: the empty tray, all four lots marked side up, and all four plain side up.

    shown: later pictures. outlines: in pixels of the size the reader works at, if they are known.
    Raises ProfileUnusable, with advice, if a picture does not show this.
    """
    tray = Tray(empty)
    seen = {name: _compare(tray, picture, name) for name, picture in ((N_("marked"), marked), (N_("plain"), plain))}
    found = _same_four(seen) if outlines is None else _told_fours(seen, outlines)
    everything = found["marked"] + found["plain"]
    shape = Shape(
        *(float(np.median([getattr(blob, part) for blob in everything])) for part in ("length", "width", "area"))
    )
    more = tuple(further for one in shown for further in _further(tray, shape, one))
    return Taught(tray, shape, (seen["marked"], seen["plain"]), (tuple(found["marked"]), tuple(found["plain"])), more)


def check_four(empty: Pixels, picture: Pixels) -> None:
    """Raise ProfileUnusable, with advice, unless the picture shows four single lots in the tray of the empty one."""
    _fours(_compare(Tray(empty), picture, "marked"), "marked")


def contrasts(taught: Taught) -> tuple[Contrast, ...]:
    """The contrast of each of the eight lots."""
    return tuple(_contrast(seen, blob) for seen, four in zip(taught.seen, taught.four, strict=True) for blob in four)


def _contrast(seen: Difference, blob: Blob) -> Contrast:
    inside = cv2.fillPoly(np.zeros_like(seen.changed), [np.array(blob.outline)], 255) > 0
    return Contrast(round(blob.x), round(blob.y), float(np.median(seen.apart[inside])))


def _further(tray: Tray, shape: Shape, shown: Shown) -> Iterator[Further]:
    """The lots of a later picture whose outlines lie where they were said to be; the others are passed over."""
    seen = tray.difference(shown.picture)
    if seen is None:
        return
    free = [blob for mask in (seen.changed, seen.solid) for blob in _largest(mask) if _is_single(blob, shape)]
    for x, y, face in shown.lots:
        at = ((x + 0.5) / seen.scale - 0.5, (y + 0.5) / seen.scale - 0.5)
        near = [blob for blob in free if np.hypot(blob.x - at[0], blob.y - at[1]) < NEAR * shape.length]
        if near:
            yield Further(seen, min(near, key=lambda blob: np.hypot(blob.x - at[0], blob.y - at[1])), face)


def _is_single(blob: Blob, shape: Shape) -> bool:
    """Whether an outline is one lot's, by the measure that the calibration's are held to."""
    loose = SPREAD_STICK if shape.is_long else SPREAD_KERNEL
    longer, wider, larger = blob.length / shape.length, blob.width / shape.width, blob.area / shape.area
    return 1 / loose <= longer <= loose and wider <= 2 and 1 / 2 <= larger <= 2 and not blob.at_border


def _size(picture: Pixels) -> str:
    return f"{picture.shape[1]} x {picture.shape[0]}"


def _compare(tray: Tray, picture: Pixels, name: str) -> Difference:
    if picture.shape != tray.empty.shape:
        raise ProfileUnusable(
            _(
                "The {name} picture is {size} and the empty one {empty}: take all three with one camera setting.",
                name=_(name),
                size=_size(picture),
                empty=_size(tray.empty),
            )
        )
    difference = tray.difference(picture)
    if difference is None:
        raise TrayMoved(
            _(
                "The {name} picture does not show the tray of the empty one: keep camera and tray where they are.",
                name=_(name),
            )
        )
    return difference


def _same_four(seen: dict[str, Difference]) -> dict[str, list[Blob]]:
    """The four lots of both pictures, by the masks in which all eight outlines are most alike."""
    fours = {name: _fours(difference, name) for name, difference in seen.items()}
    best = min(
        ({"marked": one, "plain": other} for one in fours["marked"] for other in fours["plain"]),
        key=lambda pair: _spread(pair["marked"] + pair["plain"]),
    )
    if _spread(best["marked"] + best["plain"]) > 1:
        raise ProfileUnusable(
            _(
                "The lots of the marked picture and those of the plain one differ in size: "
                "use the same four lots, and keep hands and other things out of the pictures."
            )
        )
    return best


def _told_fours(seen: dict[str, Difference], outlines: Outlines) -> dict[str, list[Blob]]:
    """The four lots of both pictures, where they are said to be."""
    return {
        name: [outlined(one, difference.changed.shape) for one in four]
        for (name, difference), four in zip(seen.items(), outlines, strict=True)
    }


def _fours(difference: Difference, name: str) -> list[list[Blob]]:
    """The four lots of one picture, by each mask that shows them."""
    tries = [_largest(_mended(mask, gap)) for gap in GAPS for mask in (difference.changed, difference.solid)]
    fours = [found[:LOTS] for found in tries if _is_four(found)]
    if not fours:
        raise ProfileUnusable(
            _(
                "Four lots of one size were not found in the {name} picture (things found: {count}): lay all "
                "four apart from each other and from the rim, nothing else in view, on a tray whose colour differs "
                "from theirs.",
                name=_(name),
                count=len(tries[0]),
            )
        )
    return fours


def _mended(mask: Mask, gap: int) -> Mask:
    near = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (gap, gap))
    return mask if gap == 1 else cv2.morphologyEx(mask, cv2.MORPH_CLOSE, near).astype(np.uint8)


def _largest(mask: Mask) -> list[Blob]:
    rows, columns = mask.shape
    return blobs(mask, least_area=SMALLEST_LOT * rows * columns, thinnest=columns / 250)


def _is_four(found: list[Blob]) -> bool:
    """Whether the four largest objects are of one size and inside the picture, and the rest is much smaller."""
    if len(found) < LOTS or any(blob.at_border for blob in found[:LOTS]) or _spread(found[:LOTS]) > 1:
        return False
    return len(found) == LOTS or found[LOTS].area < SPECK * found[LOTS - 1].area


def _spread(found: list[Blob]) -> float:
    """The variation among outlines, as a share of the maximum within one set."""
    areas, lengths = [blob.area for blob in found], [blob.length for blob in found]
    thick = [blob.width for blob in found]
    loose = SPREAD_KERNEL if np.median(lengths) < LONG * np.median(thick) else SPREAD_STICK
    return max(max(areas) / min(areas) / 2, max(lengths) / min(lengths) / loose)

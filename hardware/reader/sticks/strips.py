"""Straightens a stick's upper face into a strip, and measures distances between strips."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.reader.sticks.bars import Bar
from hardware.reader.tray import Difference, Floats, Mask, lab

STRIP = (8, 72)
"""Rows and columns of a strip. More show thinner marks; the time is proportional to their number."""

MIDDLE = (0.85, 0.97)
"""Share of a stick's width and length that is used: beyond it are its sides and the shadow below."""

SHIFT = 2
"""Largest shift of a strip in columns, because an outline's ends are blurred. More lets bands match their
neighbours."""

SLIP = 8
"""Largest shift in columns where a stick's end was lost in a shadow: a ninth of a stick. More asks about marks that
repeat."""

GAIN = 1.25
"""How much lighter or darker a strip may be than the one it is compared with (in Lab, about 1.8 times the light), for
shade that the empty picture does not show. More takes dark paint for wood in shadow."""

SHADED = 1
"""Width, in cells, of the ignored rim beside whatever covers a stick: it is in shade, or shows the side of the cover.
More leaves too little of a stick in a heap."""

NUDGES = ((2.0, 0.0), (0.0, 2.0), (1.0, 0.0), (0.0, 1.0))
"""Pixels across and degrees by which a bar is moved to match its face."""

STRETCH = 8
"""Columns compared together along a strip: a ninth of a stick. More overlooks the end of another stick, less takes a
knot for one."""

WHITE = 245.0
"""Grey level from which all three channels are overexposed."""


@dataclass(frozen=True, slots=True, eq=False)
class Strip:
    """A stick's upper face, upright: Lab float32.

    lights: (2, rows, columns, 3), in the light of its place, and as if the tray were evenly lit.
    open: (rows, columns) bool, True where nothing covers it.
    glare: share of the open face that is burnt out to white.
    """

    lights: Floats
    open: NDArray[np.bool_]
    glare: float


def unroll(seen: Difference, bar: Bar, level: float, covered: Mask | None = None) -> Strip:
    """Straighten the face of the stick at ``bar``. ``level`` is the tray's light around the taught sticks.

    covered: above 0 where something may cover the stick; by default nowhere.
    """
    rows, columns = STRIP
    cos, sin = bar.along
    u = ((np.arange(columns) + 0.5) / columns - 0.5) * MIDDLE[1] * bar.length
    v = (((np.arange(rows) + 0.5) / rows - 0.5) * MIDDLE[0] * bar.width)[:, None]
    map_x = (bar.x + u * cos - v * sin).astype(np.float32)
    map_y = (bar.y + u * sin + v * cos).astype(np.float32)
    here = cv2.remap(seen.relit, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    light = cv2.remap(seen.light, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    height, width = seen.light.shape
    free = (map_x >= 0) & (map_x <= width - 1) & (map_y >= 0) & (map_y <= height - 1)
    if covered is not None:
        free &= cv2.remap(covered, map_x, map_y, cv2.INTER_NEAREST) == 0
    even = here / np.clip(light / level, 0.3, 3.0)[..., None]
    both = np.stack([cv2.GaussianBlur(lab(np.asarray(one, np.float32)), (0, 0), 1) for one in (here, even)])
    burnt = (here[..., 0] > WHITE) & (here[..., 1] > WHITE) & (here[..., 2] > WHITE)
    glare = float(burnt[free].mean()) if free.any() else 1.0
    return Strip(both.astype(np.float32), free, glare)


@dataclass(frozen=True, slots=True, eq=False)
class _Match:
    """The match of a strip with a taught one: mean distance of the open cells, after lightening by ``gain``.

    way: index of the shift in ``_Shifted``.
    lengths, masks: (rows, columns - 2 SHIFT), each cell's distance, and 1 where it is valid, as shifted.
    """

    distance: float
    gain: float
    way: int
    lengths: Floats
    masks: Floats

    @property
    def off(self) -> Floats:
        """The cells' distances, (rows, columns), upright."""
        return self._upright(self.lengths)

    @property
    def valid(self) -> Floats:
        """1 where a cell of the strip is valid, (rows, columns), upright."""
        return self._upright(self.masks)

    def _upright(self, cells: Floats) -> Floats:
        turned, by = divmod(self.way, 2 * SHIFT + 1)
        whole = np.zeros(STRIP, np.float32)
        whole[:, by : by + cells.shape[1]] = cells
        return whole[::-1, ::-1] if turned else whole


class Strips:
    """The two taught faces of a set of sticks. Stateless between pictures."""

    def __init__(self, marked: Sequence[Strip], plain: Sequence[Strip]) -> None:
        self._taught = (tuple(marked), tuple(plain))

    def apart(self, strip: Strip, *, by: int = SHIFT, but: Strip | None = None) -> tuple[float, float]:
        """Distances in Lab units from the nearest taught marked strip and from the nearest plain one.

        Measured on the open parts of the strip, SHADED cells away from whatever covers it.

        by: largest shift along the strip in columns, SHIFT or more.
        but: a taught strip to leave out.
        """
        turned = _turned(strip, by)
        marked, plain = (
            min((_matched(turned, taught) for taught in face if taught is not but), key=_distance)
            for face in self._taught
        )
        return marked.distance, plain.distance

    def stretches(self, strip: Strip) -> tuple[Floats, Floats]:
        """Distances of every STRETCH columns from the nearest taught marked strip and from the nearest plain one.

        (n,) each, in the light that fits the whole strip best. Stretches less than half open are left out.
        """
        turned = _turned(strip)
        near = min((_matched(turned, taught) for face in self._taught for taught in face), key=_distance)
        marked, plain = (
            min((_matched(turned, taught, near.gain) for taught in face), key=_distance) for face in self._taught
        )
        valid = marked.valid * plain.valid
        along = np.ones(STRETCH)
        cells = np.convolve(valid.sum(axis=0), along, "valid")
        enough = cells >= STRETCH * STRIP[0] / 2
        sums = (np.convolve((one.off * valid).sum(axis=0), along, "valid") for one in (marked, plain))
        first, second = ((one[enough] / cells[enough]).astype(np.float32) for one in sums)
        return first, second


def aligned(
    seen: Difference, bar: Bar, level: float, covered: Mask, faces: Strips
) -> tuple[Strip, tuple[float, float]]:
    """Refine a bar's place so that its face fits a taught one best. Returns the strip and its distances."""
    best = unroll(seen, bar, level, covered)
    far = faces.apart(best)
    for across, turn in NUDGES:
        for sign in (1, -1):
            for _ in range(2):
                tried = bar.moved(across=sign * across, turn=sign * turn)
                strip = unroll(seen, tried, level, covered)
                apart = faces.apart(strip)
                if min(apart) > 0.97 * min(far):
                    break
                bar, best, far = tried, strip, apart
    return best, far


class _Shifted(NamedTuple):
    """A strip in one light, in both directions and shifted by up to so many columns.

    strips, bare: (n, rows, columns - 2 SHIFT, 3), all of it, and with 0 where it is not open.
    masks: 1 where it is open, (n, rows, columns - 2 SHIFT). cells, power: how many are open, at least 1, and the sum of
    their squares, (n,) each.
    """

    strips: Floats
    bare: Floats
    masks: Floats
    cells: Floats
    power: Floats


def _shifted(one: Floats, inside: NDArray[np.bool_], by: int) -> _Shifted:
    beyond, width = by - SHIFT, STRIP[1] - 2 * SHIFT
    longer = np.pad(one, ((0, 0), (beyond, beyond), (0, 0)))
    clear = np.pad(inside, ((0, 0), (beyond, beyond)))
    first = range(2 * by + 1)
    strips = np.stack([strip[:, at : at + width] for strip in (longer, longer[::-1, ::-1]) for at in first])
    opened = [mask[:, at : at + width] for mask in (clear, clear[::-1, ::-1]) for at in first]
    masks = np.stack(opened).astype(np.float32)
    bare = strips * masks[..., None]
    cells = np.maximum(masks.sum(axis=(1, 2)), 1)
    return _Shifted(strips, bare, masks, cells, np.einsum("nijc,nijc->n", bare, strips))


_distance = attrgetter("distance")


def _turned(strip: Strip, by: int = SHIFT) -> list[_Shifted]:
    """The strip in either light."""
    clear = cv2.erode(strip.open.astype(np.uint8), np.ones((3, 3), np.uint8), iterations=SHADED) > 0
    return [_shifted(lights, clear if clear.any() else strip.open, by) for lights in strip.lights]


def _matched(turned: list[_Shifted], taught: Strip, gain: float | None = None) -> _Match:
    """Match the open parts of a strip with a taught one, in the light, direction and shift that fit best.

    gain: lightness to add to the strip; the best fit by default.
    """
    return min((_fitted(one, lights, gain) for one, lights in zip(turned, taught.lights, strict=True)), key=_distance)


def _fitted(seen: _Shifted, other: Floats, gain: float | None) -> _Match:
    """Match in one light."""
    target = other[:, SHIFT : STRIP[1] - SHIFT]
    if gain is None:
        along = np.einsum("nijc,ijc->n", seen.bare, target)
        gains = np.clip(along / np.maximum(seen.power, 1e-3), 1 / GAIN, GAIN)
    else:
        gains = np.full(len(seen.strips), gain)
    apart = seen.strips * gains[:, None, None, None].astype(np.float32) - target
    lengths = np.sqrt(np.einsum("nijc,nijc->nij", apart, apart)) * seen.masks
    distances = lengths.sum(axis=(1, 2)) / seen.cells
    best = int(distances.argmin())
    return _Match(float(distances[best]), float(gains[best]), best, lengths[best], seen.masks[best])

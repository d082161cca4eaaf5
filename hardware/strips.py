"""What a stick's upper face looks like, unrolled along its length, and how far two such looks are apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.bars import Bar
from hardware.tray import Difference, Floats, Mask, lab

STRIP = (8, 72)
"""Rows and columns a stick is unrolled to; finer sees thinner marks and costs time in proportion."""

MIDDLE = (0.85, 0.97)
"""Share of a stick's width and length that is looked at: its edges are side faces and the shadow below."""

SHIFT = 2
"""Columns by which a strip may lie off, because an outline's ends are blurred. More lets bands slip onto others."""

GAIN = 1.25
"""A look may be this much lighter or darker than what it is compared with (in Lab, about 1.8 times the light), for
shade that the empty picture does not know. More lets dark paint pass for wood in shadow."""

SHADED = 1
"""Cells beside what lies on a stick that tell nothing of its face: they lie in its shade, or show its side. More leaves
too little of a stick in a heap."""

NUDGES = ((2.0, 0.0), (0.0, 2.0), (1.0, 0.0), (0.0, 1.0))
"""Pixels across and degrees by which a bar is moved to make its face fit."""

WHITE = 245.0
"""Grey level from which all three channels are burnt out."""


@dataclass(frozen=True, slots=True, eq=False)
class Strip:
    """A stick's upper face, upright: Lab float32.

    lights: (2, rows, columns, 3), as lit where it lies, and as it would be if the tray were evenly lit.
    open: (rows, columns) bool, where nothing lies on it.
    glare: share of the open face that is burnt out to white.
    """

    lights: Floats
    open: NDArray[np.bool_]
    glare: float


def unroll(seen: Difference, bar: Bar, level: float, covered: Mask | None = None) -> Strip:
    """The face of the stick in the place ``bar``. ``level`` is the tray's light where the sticks were taught.

    covered: above 0 where something may lie on it; nowhere unless given.
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


class Strips:
    """The two taught faces of a set of sticks. Judges strips; keeps nothing of them."""

    def __init__(self, marked: Sequence[Strip], plain: Sequence[Strip]) -> None:
        self._taught = (tuple(marked), tuple(plain))

    def apart(self, strip: Strip, *, but: Strip | None = None) -> tuple[float, float]:
        """Distances in Lab units from the nearest taught marked strip and from the nearest plain one.

        Measured where the strip lies open, and SHADED cells away from what lies on it.

        but: a taught strip to leave out, to judge it by the others.
        """
        clear = cv2.erode(strip.open.astype(np.uint8), np.ones((3, 3), np.uint8), iterations=SHADED) > 0
        shifted = [_shifted(lights, clear if clear.any() else strip.open) for lights in strip.lights]
        marked, plain = (
            min(
                _distance(*turned, taught.lights[light])
                for taught in strips
                if taught is not but
                for light, turned in enumerate(shifted)
            )
            for strips in self._taught
        )
        return marked, plain


def aligned(
    seen: Difference, bar: Bar, level: float, covered: Mask, faces: Strips
) -> tuple[Strip, tuple[float, float]]:
    """The strip of a bar pushed and turned a little to where its face fits a taught one best, and its distances."""
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


def _shifted(one: Floats, inside: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """A strip both ways round and pushed along by up to SHIFT columns: (14, rows, columns - 2 SHIFT, 3), and 1 where
    it lies open, without the last axis."""
    last = STRIP[1] - SHIFT
    shifts = range(-SHIFT, SHIFT + 1)
    strips = [strip[:, SHIFT + by : last + by] for strip in (one, one[::-1, ::-1]) for by in shifts]
    masks = [mask[:, SHIFT + by : last + by] for mask in (inside, inside[::-1, ::-1]) for by in shifts]
    return np.stack(strips), np.stack(masks).astype(np.float32)


def _distance(strips: Floats, masks: Floats, other: Floats) -> float:
    """Mean distance of two strips where the first lies open, turned, shifted and lit as fits best."""
    target = other[:, SHIFT : STRIP[1] - SHIFT]
    bare = strips * masks[..., None]
    along = np.einsum("nijc,ijc->n", bare, target)
    scale = np.clip(along / np.maximum(np.einsum("nijc,nijc->n", bare, strips), 1e-3), 1 / GAIN, GAIN)
    apart = strips * scale[:, None, None, None].astype(np.float32) - target
    lengths = np.sqrt(np.einsum("nijc,nijc->nij", apart, apart)) * masks
    return float((lengths.sum(axis=(1, 2)) / np.maximum(masks.sum(axis=(1, 2)), 1)).min())

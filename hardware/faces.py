"""What a lot's face looks like, and how far two looks are apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.lots import Blob, Shape
from hardware.tray import Difference, Floats, Mask

STRIP = (12, 96)
"""Rows and columns a stick is unrolled to; finer sees thinner marks and costs time in proportion."""

SHIFT = 3
"""Columns by which a strip may lie off, because an outline's ends are blurred. More lets bands slip onto others."""

PATCH = 32
"""Side of the square a kernel is turned in, in pixels."""

GAIN = 1.25
"""A look may be this much lighter or darker than what it is compared with (in Lab, about 1.8 times the light), for
shade that the empty picture does not know. More lets dark paint pass for wood in shadow."""

SMALL_GAIN = 1.1
"""The same for kernels, which are small enough to lie in one light."""

NOISE = 3.0
"""Lab units by which a kernel's colours differ for no reason; keeps a chance agreement among four from deciding."""

BARE_ENOUGH = 0.4
"""Least share of a kernel and its shadow that the mask without shadow has to keep to be trusted. Higher judges shadow
as part of the face, lower judges a burnt face by its brightest corner."""

SHARES = np.linspace(5, 95, 13)
"""The percentiles that stand for a kernel's colours."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A lot's upper face, upright: Lab float32.

    lights: (2, rows, columns, 3), as lit where it lies, and as it would be if the tray were evenly lit.
    inside: (rows, columns) bool, where the face is.
    glare: share of the face that is burnt out to white.
    extent: area of the whole lot in pixels, with its shadow and without.
    """

    lights: Floats
    inside: NDArray[np.bool_]
    glare: float
    extent: tuple[float, float]


def look(seen: Difference, blob: Blob, shape: Shape, level: float, open_part: Mask | None = None) -> Look:
    """The face of the lot whose outline is ``blob``. ``level`` is the tray's light where the lots were taught.

    open_part: 255 where nothing else may lie on it, in a heap of sticks; everywhere unless given.
    """
    if shape.is_long:
        rows, columns = STRIP
        # The edges of the outline are shadow and side faces; the middle is the face.
        across, along, softness = 0.7 * shape.width, 0.96 * blob.length, 1.0
    else:
        rows = columns = PATCH
        across = along = 1.1 * shape.length
        softness = 0.8
    turned = np.radians(blob.angle)
    cos, sin = float(np.cos(turned)), float(np.sin(turned))
    u = ((np.arange(columns) + 0.5) / columns - 0.5) * along
    v = (((np.arange(rows) + 0.5) / rows - 0.5) * across)[:, None]
    map_x = (blob.x + u * cos - v * sin).astype(np.float32)
    map_y = (blob.y + u * sin + v * cos).astype(np.float32)

    def sample(picture: Floats) -> Floats:
        return cv2.remap(picture, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)

    here = sample(seen.relit)
    light = np.clip(sample(seen.light) / level, 0.3, 3.0)
    inside = np.ones((rows, columns), np.bool_)
    if open_part is not None:
        inside = sample(open_part.astype(np.float32)) > 250
    if not shape.is_long:
        inside = _face(sample(seen.solid.astype(np.float32)), sample(seen.changed.astype(np.float32)))
    both = np.stack([_lab(here, softness), _lab(here / light[..., None], softness)])
    glare = float((here[inside].min(axis=1) > 245).mean()) if inside.any() else 1.0
    around = np.zeros_like(seen.solid)
    cv2.fillPoly(around, [np.array(blob.box).round().astype(np.int32)], 255)
    if open_part is not None:
        around &= open_part
    extent = float((seen.changed & around > 0).sum()), float((seen.solid & around > 0).sum())
    return Look(both, inside, glare, extent)


def _face(solid: Floats, changed: Floats) -> NDArray[np.bool_]:
    """The kernel in the middle of its square, without its rim; by the mask without shadow if that leaves enough."""
    bare, whole = solid > 127, changed > 127
    kernel = bare if bare.sum() >= BARE_ENOUGH * whole.sum() else whole
    # Light thrown onto the tray leaves spurs, which are no part of it.
    trimmed = cv2.morphologyEx(kernel.astype(np.uint8), cv2.MORPH_OPEN, np.ones((7, 7), np.uint8))
    outlines, _ = cv2.findContours(trimmed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    ours = np.zeros((PATCH, PATCH), np.uint8)
    if outlines:
        # Its hull, because a dark dot or a burnt corner looks like a shadow.
        hull = cv2.convexHull(max(outlines, key=lambda outline: float(cv2.contourArea(outline))))
        cv2.drawContours(ours, [hull], -1, 1, cv2.FILLED)
    kept: NDArray[np.bool_] = cv2.erode(ours, np.ones((5, 5), np.uint8), borderValue=0) > 0
    return kept if kept.sum() >= 20 else ours > 0


def _lab(picture: Floats, softness: float) -> Floats:
    scaled = np.clip(picture, 0, 255).astype(np.float32) / 255
    return cv2.GaussianBlur(cv2.cvtColor(scaled, cv2.COLOR_BGR2LAB), (0, 0), softness).astype(np.float32)


class Faces:
    """The two taught faces of a kind of lot. Judges looks; keeps nothing of them."""

    def __init__(self, marked: Sequence[Look], plain: Sequence[Look], shape: Shape) -> None:
        self._taught = (tuple(marked), tuple(plain))
        self._long = shape.is_long
        self._weights = [] if self._long else [self._telling(light) for light in range(2)]

    def apart(self, face: Look, *, but: Look | None = None) -> tuple[float, float]:
        """Distances in Lab units from the nearest taught marked look and from the nearest plain one.

        but: a taught look to leave out, to judge it by the others.
        """
        measures = [self._measure(face, light) for light in range(2)]
        marked, plain = (
            min(measure(taught) for taught in looks if taught is not but for measure in measures)
            for looks in self._taught
        )
        return marked, plain

    def _measure(self, face: Look, light: int) -> Callable[[Look], float]:
        """The distance from ``face`` in one of its two lights; what the other look has no part in is done once."""
        if self._long:
            strips = _shifted(face.lights[light], face.inside)
            return lambda taught: _strips_apart(strips, taught.lights[light])
        colours, turned = _colours(face, light), _turned(face.lights[light], face.inside)
        weights = self._weights[light]
        # A dot needs both to stand out: it is a few dark pixels, and they lie together.
        return lambda taught: (
            (
                _colours_apart(colours, _colours(taught, light), weights)
                + _patches_apart(turned, taught.lights[light], taught.inside)
            )
            / 2
        )

    def _telling(self, light: int) -> Floats:
        """How much each percentile and colour tells the faces apart, against how much it differs within one face."""
        marked, plain = (np.stack([_colours(one, light) for one in looks]) for looks in self._taught)
        between = (marked.mean(axis=0) - plain.mean(axis=0)) ** 2
        within = (marked.var(axis=0) + plain.var(axis=0)) / 2
        weights = between / (within + NOISE**2)
        return np.asarray(0.3 + 0.7 * weights / max(float(weights.mean()), 1e-6), np.float32)


def _shifted(one: Floats, inside: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """A strip both ways round and pushed along by up to SHIFT columns: (14, rows, columns - 2 SHIFT, 3), and 1 where
    it lies open, without the last axis."""
    last = STRIP[1] - SHIFT
    shifts = range(-SHIFT, SHIFT + 1)
    strips = [strip[:, SHIFT + by : last + by] for strip in (one, one[::-1, ::-1]) for by in shifts]
    masks = [mask[:, SHIFT + by : last + by] for mask in (inside, inside[::-1, ::-1]) for by in shifts]
    return np.stack(strips), np.stack(masks).astype(np.float32)


def _strips_apart(shifted: tuple[Floats, Floats], other: Floats) -> float:
    """Mean distance of two strips where the first lies open, turned, shifted and lit as fits best."""
    strips, masks = shifted
    target = other[:, SHIFT : STRIP[1] - SHIFT]
    bare = strips * masks[..., None]
    along = np.einsum("nijc,ijc->n", bare, target)
    scale = np.clip(along / np.maximum(np.einsum("nijc,nijc->n", bare, strips), 1e-3), 1 / GAIN, GAIN)
    apart = strips * scale[:, None, None, None].astype(np.float32) - target
    lengths = np.sqrt(np.einsum("nijc,nijc->nij", apart, apart)) * masks
    return float((lengths.sum(axis=(1, 2)) / np.maximum(masks.sum(axis=(1, 2)), 1)).min())


def _colours(one: Look, light: int) -> Floats:
    """The colours of a face wherever they are: (13, 3) percentiles of L, a and b."""
    face = one.lights[light]
    return np.asarray(np.percentile(face[one.inside] if one.inside.any() else face.reshape(-1, 3), SHARES, axis=0))


def _colours_apart(one: Floats, other: Floats, weights: Floats) -> float:
    scale = np.clip((weights * one * other).sum() / (weights * one * one).sum(), 1 / SMALL_GAIN, SMALL_GAIN)
    return float(np.sqrt((weights * (scale * one - other) ** 2).sum(axis=1)).mean())


def _turned(one: Floats, inside: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """A face in every turn of 15 degrees, (24, rows, columns, 3), and 1 where it is, (24, rows, columns)."""
    faces, masks = [], []
    for turn in range(0, 360, 15):
        matrix = cv2.getRotationMatrix2D((PATCH / 2 - 0.5, PATCH / 2 - 0.5), turn, 1)
        faces.append(cv2.warpAffine(one, matrix, (PATCH, PATCH), borderMode=cv2.BORDER_REPLICATE))
        masks.append(cv2.warpAffine(inside.astype(np.uint8), matrix, (PATCH, PATCH)))
    return np.stack(faces).astype(np.float32), np.stack(masks).astype(np.float32)


def _patches_apart(turned: tuple[Floats, Floats], other: Floats, other_inside: NDArray[np.bool_]) -> float:
    """Mean distance of two faces where they overlap, after the turn that fits best."""
    faces, masks = turned
    common = masks * other_inside
    shared = common.sum(axis=(1, 2))
    enough = shared >= 0.6 * min(float(masks[0].sum()), float(other_inside.sum()))
    if not enough.any() or not shared.any():
        return 100.0  # nothing alike: as far as white is from black
    ours, common, shared = faces[enough], common[enough], np.maximum(shared[enough], 1)
    along = np.einsum("nijc,ijc,nij->n", ours, other, common, optimize=True)
    scale = np.clip(
        along / np.einsum("nijc,nijc,nij->n", ours, ours, common, optimize=True), 1 / SMALL_GAIN, SMALL_GAIN
    )
    apart = ours * scale[:, None, None, None].astype(np.float32) - other
    return float(((np.sqrt(np.einsum("nijc,nijc->nij", apart, apart)) * common).sum(axis=(1, 2)) / shared).min())

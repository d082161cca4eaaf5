"""Pixel-wise evidence for the taught sticks against the tray and its shadow."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.reader.taught_lots import Taught
from hardware.reader.tray import Difference, Floats, lab

SURE = 2.0
"""Largest log-odds of one pixel. Higher lets a few bright pixels outweigh a faint stick, lower lets noise outweigh
it."""

BIN = 4.0
"""Size of a cell of the colour table in Lab units: a few times the noise. Coarser mixes paint with shadow, finer leaves
gaps."""

SOFT = ((-2, 0.06), (-1, 0.24), (0, 0.4), (1, 0.24), (2, 0.06))
"""Kernel that blurs the table along each axis, by one cell."""

LIGHTS = tuple((light, float(np.exp(-(((light - 1) / 0.15) ** 2) / 2))) for light in np.linspace(0.75, 1.3, 12))
"""How much darker or lighter than it was taught a lot may be, because it is raised, tilted or nearer to the lamp, and
how likely that is."""

DARKEST = 0.28
"""Smallest share of the light left in a shadow. Lower takes dark paint for shadow, higher takes deep shadows for
paint."""

TINT = 0.1
"""Share of the tray's chroma by which objects beside a shadow may tint it."""

GLOW = 0.1
"""Share of the sticks' chroma that is reflected into the shadows beside them."""

PRIOR = {"stick": 0.08, "tray": 0.85, "shadow": 0.05, "other": 0.02}
"""Prior shares of the changed pixels. They have little effect: the densities differ by far more."""

NOISE_LEAST = 1.0
"""Smallest noise assumed, in Lab units; compression alone causes that much."""

EDGE_L, EDGE_AB = 0.35, 0.15
"""Noise added per Lab unit a pixel of brightness gradient in the empty tray: a third of a pixel of misalignment."""

ANYWHERE = 1 / (100 * 200 * 200 * 0.3)
"""Density of an unknown colour: uniform over all of Lab that a camera can show."""


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """Pixel-wise evidence for sticks.

    odds: (rows, columns) float32, -SURE..SURE, above 0 where a stick explains the colour better than tray or shadow.
    foreign: (rows, columns) bool, True where neither explains it.
    """

    odds: Floats
    foreign: NDArray[np.bool_]


class StickColours:
    """The colours of a set's sticks, both faces together, as a density over Lab."""

    def __init__(self, taught: Taught) -> None:
        counts = np.zeros((26, 64, 64), np.float64)
        paint: list[Floats] = []
        for seen, four in zip(taught.seen, taught.four, strict=True):
            inside = np.zeros(seen.changed.shape, np.uint8)
            for blob in four:
                slim = cv2.boxPoints(((blob.x, blob.y), (blob.length - 5, max(blob.width - 5, 3)), blob.angle))
                cv2.fillPoly(inside, [slim.round().astype(np.int32)], 255)
            face = np.asarray(seen.soft[inside > 0], np.float32)
            for light, likely in LIGHTS:
                cells = _cells(lab((face * np.float32(light))[None])[0].T)
                counts += likely * np.bincount(cells, minlength=counts.size).reshape(counts.shape)
            paint.append(lab(face[None])[0])
        for axis in range(3):
            counts = np.sum([share * np.roll(counts, by, axis) for by, share in SOFT], axis=0)
        self._density = (counts / counts.sum() / BIN**3).astype(np.float32).reshape(-1)

        colourful = np.concatenate(paint)
        self.tint = GLOW * float(np.percentile(np.hypot(colourful[:, 1], colourful[:, 2]), 90))
        """How much light from the sticks beside it may tint a shadow, in Lab units."""

    def density(self, colours: Floats) -> Floats:
        """The density at each of (3, n) Lab colours: (n,)."""
        return np.asarray(self._density[_cells(colours)], np.float32)


def weigh(seen: Difference, colours: StickColours) -> Evidence:
    """Weigh every pixel that changed and its neighbours; all others count as tray."""
    near = cv2.dilate(seen.changed, np.ones((7, 7), np.uint8)) > 0
    sample = seen.colour[2::4, 2::4] - seen.bare_colour[2::4, 2::4]
    noise = np.maximum(NOISE_LEAST, 1.4826 * np.median(np.abs(sample), axis=(0, 1))).astype(np.float32)
    odds = np.full(near.shape, -SURE, np.float32)
    foreign = np.zeros(near.shape, np.bool_)
    spots = np.flatnonzero(near)
    if spots.size:
        odds.reshape(-1)[spots], foreign.reshape(-1)[spots] = _weighed(seen, spots, noise, colours)
    return Evidence(odds, foreign)


def _weighed(
    seen: Difference, spots: NDArray[np.intp], noise: Floats, colours: StickColours
) -> tuple[Floats, NDArray[np.bool_]]:
    """Odds and foreign mask of the pixels with these indices."""

    # Channel by channel, because NumPy is slow along an axis of three.
    def channels(picture: Floats) -> Floats:
        return np.ascontiguousarray(picture.reshape(-1, 3)[spots].T)

    now, empty, colour, bare = (channels(one) for one in (seen.soft, seen.bare, seen.colour, seen.bare_colour))
    doubt = np.hypot(
        noise[:, None], np.array([[EDGE_L], [EDGE_AB], [EDGE_AB]], np.float32) * seen.slope.reshape(-1)[spots]
    )
    squares = _total(np.asarray(((colour - bare) / doubt) ** 2, np.float32))
    # Heavy tails, because textures are never registered exactly.
    tray = np.exp(-squares / 2) + 0.02 / 27 * np.exp(-squares / 18)
    tray /= (2 * np.pi) ** 1.5 * doubt[0] * doubt[1] * doubt[2]
    light = np.clip((_total(now) + 3) / (_total(empty) + 3), 0.05, 1)
    dimmed = np.ascontiguousarray(lab(np.ascontiguousarray((empty * light).T)[None])[0].T)
    tint = TINT * np.hypot(bare[1], bare[2]) + colours.tint + NOISE_LEAST
    tinted = np.stack([doubt[0], np.hypot(doubt[1], tint), np.hypot(doubt[2], tint)])
    likely = np.exp(-_total(((colour - dimmed) / tinted) ** 2) / 2) / (2 * np.pi * tinted[1] * tinted[2])
    deep = np.exp(-((np.maximum(DARKEST - light, 0) / 0.04) ** 2) / 2)
    shadow = deep * likely / np.maximum((1 - DARKEST) * bare[0], 10)
    stick = PRIOR["stick"] * colours.density(colour)
    rest = PRIOR["tray"] * tray + PRIOR["shadow"] * shadow
    foreign = PRIOR["other"] * ANYWHERE > np.maximum(stick, rest)
    odds = np.clip(np.log((stick + 1e-12) / (rest + 1e-12)), -SURE, SURE)
    return np.where(foreign, 0, odds).astype(np.float32), foreign


def _total(channels: Floats) -> Floats:
    return np.asarray(channels[0] + channels[1] + channels[2], np.float32)


def _cells(colours: Floats) -> NDArray[np.intp]:
    """Table index of each of (3, n) Lab colours."""
    light = np.clip(colours[0] / BIN, 0, 25).astype(np.intp)
    green, blue = (np.clip((colours[axis] + 128) / BIN, 0, 63).astype(np.intp) for axis in (1, 2))
    return np.asarray((light * 64 + green) * 64 + blue, np.intp)

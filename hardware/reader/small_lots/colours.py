"""Classifies pixels as lot or tray by the lots' colours and the tray's colours in light and shade."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.reader.tray import Floats, Mask

FOOT = 12.0
"""Grey levels added before the logarithm. Higher makes noise in dark places count less; lower resolves finer steps
between dark colours."""

STEP = 0.12
"""Side of a cell of the colour histogram, as a natural logarithm: 12 % of the light. Finer cells separate closer
colours but need more taught pixels."""

CELLS = 31
"""Cells per channel: from black to 1.6 times the lightest grey level."""

DARKEST = float(np.log(FOOT))

UNHEARD = -np.log(3.5**3)
"""Log density of an object of unknown colours: all cells are equally likely."""

SURPRISE = 1.5
"""How much less likely such an object is than a lot, as a natural logarithm. Lower takes speckles of light for objects,
higher overlooks game pieces."""

EVENLY = (0.15, 0.2, 0.3, 0.2, 0.15)
"""Probability that a lot is lit 2, 1, 0, 1 and 2 cells darker to brighter than it was taught."""

TINGED = 0.03
"""Additional uncertainty of the tint in the deepest shade. Higher loses dark lots in it."""

FIRST_SURPRISE = 1.0
"""SURPRISE before the lots' colours are known, when every lot is of unknown colours."""

SPOTS = 0.1
"""Smallest part of a lot, as a share of its largest part. Lower takes stray light for a part of the lot."""

DEEPER = 0.15
"""How much deeper shade may be than beside the taught lots, as a natural logarithm. Higher takes the dark rim of a
burnt face for shadow, lower a change of the lamp for an object."""

ROUNDS = 5
"""Rounds of learning the colours from the areas found with them. The areas no longer change after four."""

SHADE_EDGE = 0.06
"""Softness of that limit, as a natural logarithm."""

LEAST_NOISE = 0.045
"""Smallest uncertainty of the tray's tint, as a natural logarithm: JPEG stores colour at half the resolution of
light."""

CERTAIN = 8.0
"""Log-odds at which a pixel's evidence is capped, so that no pixel outweighs its neighbours."""


def logarithms(pixels: Floats) -> Floats:
    """Logarithms of colours, so that a change of light is a shift."""
    return np.log(np.maximum(pixels, 0) + np.float32(FOOT)).astype(np.float32)


def brightness(colours: Floats) -> Floats:
    """Mean of the three channels: (rows, columns) from (rows, columns, 3)."""
    # NumPy's mean is seventy times slower along an axis of three.
    return np.asarray(cv2.transform(colours, np.full((1, 3), 1 / 3, np.float32)), np.float32)


def cells(colours: Floats) -> tuple[NDArray[np.int64], ...]:
    """Histogram indices of colours, (..., 3) logarithms."""
    at = np.clip(np.rint((colours - np.float32(DARKEST)) / np.float32(STEP)), 0, CELLS - 1).astype(np.int64)
    return at[..., 0], at[..., 1], at[..., 2]


def density(colours: Floats) -> Floats:
    """Log density of colours like these, (n, 3) logarithms, under varying light: (CELLS, CELLS, CELLS)."""
    flat = np.zeros((CELLS, CELLS, CELLS), np.float32)
    np.add.at(flat, cells(colours), 1)
    spread = np.zeros_like(flat)
    for shift, share in zip(range(-2, 3), EVENLY, strict=True):
        spread += share * _lit(flat, shift)
    for _ in range(3):
        spread = np.ascontiguousarray(np.moveaxis(spread, 0, 2))
        soft = cv2.GaussianBlur(
            spread.reshape(CELLS, CELLS * CELLS), (1, 7), sigmaX=0.01, sigmaY=1.0, borderType=cv2.BORDER_CONSTANT
        )
        spread = soft.reshape(CELLS, CELLS, CELLS).astype(np.float32)
    return np.asarray(np.log(spread / (max(float(spread.sum()), 1e-6) * STEP**3) + 1e-12), np.float32)


def _lit(counts: Floats, shift: int) -> Floats:
    """The counts shifted to light that is ``shift`` cells brighter."""
    there = np.zeros_like(counts)
    low, high = max(shift, 0), CELLS + min(shift, 0)
    inner = counts[low - shift : high - shift, low - shift : high - shift, low - shift : high - shift]
    there[low:high, low:high, low:high] = inner
    return there


@dataclass(frozen=True, slots=True, eq=False)
class Near:
    """A full-size crop of a picture: logarithms of its colours and of the empty tray's.

    left, top: the crop's corner in the picture.
    colours, tray: (rows, columns, 3).
    """

    left: int
    top: int
    colours: Floats
    tray: Floats


@dataclass(frozen=True, slots=True, eq=False)
class LotColours:
    """Colour model of lots against a tray, learnt from the lots.

    lots: density of their colours, or None before they are known.
    deepest: deepest shade beside lots, the logarithm of a share of light.
    tint: change of colour per unit of shade, (3,).
    noise: uncertainty of the tray's tint, as a natural logarithm.
    """

    lots: Floats | None
    deepest: float
    tint: Floats
    noise: float

    def odds(self, near: Near) -> tuple[Floats, NDArray[np.bool_]]:
        """Log-odds that each pixel belongs to an object and not the tray, and a mask of lot colours.

        Both (rows, columns).
        """
        # Channel by channel, because NumPy is slow along an axis of three.
        share = cv2.split(near.colours - near.tray)
        light = (share[0] + share[1] + share[2]) / np.float32(3)
        dark = np.maximum(-light, 0)
        tint = sum((one - light - dark * np.float32(tinted)) ** 2 for one, tinted in zip(share, self.tint, strict=True))
        depth = np.clip(dark / 1.6, 0, 1)
        unsure = self.noise + TINGED * depth
        beyond = np.maximum(light, 0) / (self.noise + 0.01) + np.maximum(self.deepest - light, 0) / SHADE_EDGE
        bare = -0.5 * tint / unsure**2 - 0.5 * beyond**2 - 2 * np.log(unsure) - np.log(3.2 * np.pi)
        strange = UNHEARD - (FIRST_SURPRISE if self.lots is None else SURPRISE)
        known = np.full(light.shape, strange, np.float32)
        own = np.zeros(light.shape, np.bool_)
        if self.lots is not None:
            lot = self.lots[cells(near.colours)]
            own = lot > UNHEARD - SURPRISE
            known = np.logaddexp(lot, known)
        odds = np.clip(known - bare, -CERTAIN, CERTAIN).astype(np.float32)
        return cv2.GaussianBlur(odds, (0, 0), 1.0).astype(np.float32), own


def learn(pieces: Sequence[Sequence[tuple[Near, Mask]]]) -> tuple[LotColours, list[list[Mask]]]:
    """Learn the colours of lots from pictures in which they lie apart. Also returns each lot's mask, 1 inside.

    pieces: for each face, a crop around each of its lots and a rough mask of the lot.
    """
    colours = LotColours(None, float(np.log(0.25)), np.zeros(3, np.float32), max(LEAST_NOISE, _noise(pieces)))
    found: list[list[Mask]] = []
    for number in range(ROUNDS):
        seen = [[colours.odds(near)[0] > 0 for near, _ in face] for face in pieces]
        found = [
            [piece(odds, rough) for odds, (_, rough) in zip(things, face, strict=True)]
            for things, face in zip(seen, pieces, strict=True)
        ]
        inside = [
            near.colours[_inner(mask) & odds]
            for things, masks, face in zip(seen, found, pieces, strict=True)
            for odds, mask, (near, _) in zip(things, masks, face, strict=True)
        ]
        deepest, tint = max(
            (_shade([near for near, _ in face], masks) for face, masks in zip(pieces, found, strict=True)),
            key=lambda shade: shade[0],
        )
        # Only ever deeper: otherwise a hull that includes some shade would find less of it outside, and grow.
        deepest = deepest - DEEPER if number == 0 else min(deepest - DEEPER, colours.deepest)
        colours = replace(colours, lots=density(np.concatenate(inside)), deepest=deepest, tint=tint)
    return colours, found


def piece(mask: NDArray[np.bool_], rough: Mask) -> Mask:
    """The convex hull, 1 inside, of ``mask`` near ``rough``: a lot is round, but its colour mask has holes."""
    near = cv2.dilate(rough, np.ones((5, 5), np.uint8))
    parts = cv2.morphologyEx((mask & (near > 0)).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    outlines, _ = cv2.findContours(parts, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    whole = np.zeros(mask.shape, np.uint8)
    if outlines:
        areas = [float(cv2.contourArea(outline)) for outline in outlines]
        kept = [one for one, area in zip(outlines, areas, strict=True) if area >= SPOTS * max(areas)]
        cv2.fillConvexPoly(whole, cv2.convexHull(np.concatenate(kept)), 1)
    return whole


def _inner(mask: Mask) -> NDArray[np.bool_]:
    inner: NDArray[np.bool_] = cv2.erode(mask, np.ones((3, 3), np.uint8)) > 0
    return inner


def _shade(nears: Sequence[Near], masks: Sequence[Mask]) -> tuple[float, Floats]:
    """Typical deepest shade beside lots, and its tint.

    A face that looks like shade would be mistaken for it, so the face with the lighter shade is used.
    """
    deepest, shares = [], []
    for near, mask in zip(nears, masks, strict=True):
        side = max(5, round(0.4 * float(np.sqrt(mask.sum()))) | 1)
        ring = cv2.dilate(mask, np.ones((side, side), np.uint8)) - cv2.dilate(mask, np.ones((5, 5), np.uint8)) > 0
        share = cv2.blur(near.colours - near.tray, (3, 3))[ring]
        if len(share):
            deepest.append(float(np.percentile(share.mean(axis=-1), 2)))
            shares.append(share)
    if not deepest:
        return 0.0, np.zeros(3, np.float32)
    share = np.concatenate(shares)
    dark = -share.mean(axis=-1)
    share, dark = share[dark > 0.1], dark[dark > 0.1]
    if len(dark) < 50:
        return float(np.median(deepest)), np.zeros(3, np.float32)
    tint = ((share + dark[:, None]) * dark[:, None]).sum(axis=0) / (dark**2).sum()
    return float(np.median(deepest)), tint.astype(np.float32)


def _noise(pieces: Sequence[Sequence[tuple[Near, Mask]]]) -> float:
    """Deviation of the bare tray's tint from the empty picture's, far from the lots."""
    tints = []
    for face in pieces:
        for near, _ in face:
            share = near.colours - near.tray
            edge = np.concatenate([share[:3].reshape(-1, 3), share[-3:].reshape(-1, 3)])
            tints.append(np.abs(edge - edge.mean(axis=-1, keepdims=True)).ravel())
    return 2.0 * float(np.median(np.concatenate(tints))) * 1.48

"""Pixel-wise appearance models of the empty road and of both sides' pieces."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.board.road import PITCH
from hardware.cameras.camera import Pixels

Planes = NDArray[np.float32]

LIGHTNESS = 0.6
"""Weight of a difference in lightness relative to colour: shade changes lightness most. Lower confuses black and grey
pieces."""

MIN_CHANGE = 11.0
"""Distance from the empty place, in weighted CIELAB, from which something lies there. Lower takes shadows for
pieces, higher misses pieces of the board's colour."""

PROTOTYPES = 6
"""Colours that stand for one side's pieces: lit, shaded, shining."""

SHADED, SHADED_RARITY = 0.78, 2.0
"""Share of its colour that the shaded side of a piece keeps, and its rarity. Lower shares take dark pieces for shaded
ones."""

NOISE, PIECE_NOISE = 4.0, 7.0
"""Least standard deviation of an empty place and of a piece, in weighted CIELAB."""

SHADOW_DOUBT = 0.35
"""Share of a change that counts although it may be a shadow. Lower takes black pieces for shadow, higher shadow for
pieces."""

FOREIGN = 4.0
"""Standard deviations from which something is neither the empty place nor a piece."""

MAX_TINT, MAX_SHADE = 0.35, 1.3
"""Natural logarithms by which the light on two spaces may differ in tint and in strength. Higher takes painted spaces
for lit ones."""

MIN_SHADE = 0.12
"""Natural logarithm of a difference in light that is too small to matter."""

FOOT = np.float32(4)
"""Grey levels added before logarithms are taken, so that black says little."""

DARKEST_SHADOW = 0.35
"""Share of the light that is left in the deepest shadow. Lower takes black pieces for shadow."""


@dataclass(frozen=True, slots=True, eq=False)
class PixelEvidence:
    """The evidence of each pixel; all arrays (spaces, rows, columns) float32.

    empty, jade, obsidian, foreign: the probabilities that it shows the board, a piece of that side, or anything else;
    they add up to 1. change: distance from the empty place. tint: the same, allowing for a shadow.
    """

    empty: Planes
    jade: Planes
    obsidian: Planes
    foreign: Planes
    change: Planes
    tint: Planes


class EmptyRoad:
    """The patches of the empty board, (spaces, rows, columns, 3). Immutable."""

    def __init__(self, patches: Pixels) -> None:
        self.shape = spaces, rows, columns = patches.shape[:3]
        near = np.ones((3, 3), np.uint8)
        there = lab(patches.reshape(spaces * rows, columns, 3)).reshape(patches.shape)
        # Every colour within one pixel, because registration is no more accurate than that.
        low, high = (
            np.stack([change(patch, near) for patch in there]).reshape(spaces * rows, columns, 3)
            for change in (cv2.erode, cv2.dilate)
        )
        self._low, self._high, self._middle = low, high, (low[..., 0] + high[..., 0]) / 2
        self._brightness = np.log(np.stack([_local(patch) for patch in patches]) + FOOT)

    def distance(self, now: Planes) -> tuple[Planes, Planes]:
        """Return the distances of colours, (spaces * rows, columns, 3) from ``lab``, from the empty board's.

        The second array allows for a new shadow.
        """
        apart = np.maximum(np.maximum(self._low - now, now - self._high), 0)
        whole = np.sqrt(np.einsum("...i,...i->...", apart, apart))
        left = np.clip(now[..., 0] / np.maximum(self._middle, 1), DARKEST_SHADOW, 1)[..., None]
        apart = np.maximum(np.maximum(self._low * left - now, now - self._high * left), 0)
        darkest = self._low[..., 0] * DARKEST_SHADOW
        apart[..., 0] = np.maximum(np.maximum(darkest - now[..., 0], now[..., 0] - self._high[..., 0]), 0)
        return whole, np.sqrt(np.einsum("...i,...i->...", apart, apart))

    def light(self, taught: NDArray[np.bool_]) -> Planes:
        """Return the brightness of each place relative to the taught ones, as natural logarithms.

        On a board of one colour, a darker place is in the shade. On a painted board the light is unknown, given as 0.
        """
        ratio = self._brightness - self._brightness[taught].mean(axis=0)
        unknown = (np.ptp(ratio, axis=-1) > MAX_TINT) | (np.abs(ratio).max(axis=-1) > MAX_SHADE)
        ratio[unknown] = 0
        return np.asarray(ratio, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class PieceColours:
    """The colours of one side's pieces.

    prototypes: (n, 3) float32, weighted CIELAB. rarity: (n,), a penalty for rare colours, added to the
        squared distance in units of the squared spread. spread: standard deviation about the nearest prototype.
    """

    prototypes: Planes
    rarity: Planes
    spread: float

    @classmethod
    def of(cls, samples: Planes) -> PieceColours:
        """Learn from (n, 3) colours, from ``lab``."""
        until = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 20, 0.5)
        cv2.setRNGSeed(1)
        clusters = min(PROTOTYPES, len(samples))
        blank = np.zeros((len(samples), 1), np.int32)
        _tight, labels, middles = cv2.kmeans(samples, clusters, blank, until, 2, cv2.KMEANS_PP_CENTERS)
        nearest = labels.reshape(-1).astype(np.intp)
        shares = np.bincount(nearest, minlength=clusters) / len(samples)
        apart = np.linalg.norm(samples - middles[nearest], axis=1)
        rarity = -2 * np.log(np.maximum(shares, 1e-3) / shares.max())
        # The shaded side of a piece was not taught from every direction.
        common = shares > 0.15
        prototypes = np.concatenate([middles, middles[common] * SHADED])
        rarity = np.concatenate([rarity, rarity[common] + SHADED_RARITY])
        spread = max(PIECE_NOISE, float(np.sqrt((apart**2).mean())))
        return cls(prototypes.astype(np.float32), rarity.astype(np.float32), spread)

    def extended(self, more: PieceColours) -> PieceColours:
        """Return these colours and others."""
        prototypes = np.concatenate([self.prototypes, more.prototypes])
        return PieceColours(prototypes, np.concatenate([self.rarity, more.rarity]), self.spread)

    def distance(self, now: Planes) -> Planes:
        """Return how far colours (..., 3) are from the nearest prototype, in standard deviations."""
        best = np.full(now.shape[:-1], np.inf, np.float32)
        for prototype, rarity in zip(self.prototypes, self.rarity, strict=True):
            apart = now - prototype
            best = np.minimum(best, np.einsum("...i,...i->...", apart, apart) + rarity * np.float32(self.spread**2))
        return np.asarray(np.sqrt(best) / np.float32(self.spread), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class BoardAppearance:
    """The empty road and both sides' pieces.

    sides: Jade's and Obsidian's. light: for each, the light of every place relative to where its pieces were taught.
    noise: standard deviation of an empty place.
    """

    road: EmptyRoad
    sides: tuple[PieceColours, PieceColours]
    light: tuple[Planes, Planes]
    noise: float

    def weigh(self, patches: Pixels) -> PixelEvidence:
        """Return the evidence of patches in the light of the empty picture."""
        spaces, rows, columns, _three = patches.shape
        now = lab(patches.reshape(spaces * rows, columns, 3))
        change, tint = (plane.reshape(-1) for plane in self.road.distance(now))
        # Most of a road is empty, so only the rest is compared with the pieces.
        differs = np.flatnonzero(change > self.noise)
        colours, pixels = now.reshape(-1, 3)[differs], patches.reshape(-1, 3)[differs]
        shadowed = np.minimum(change[differs], tint[differs] + SHADOW_DOUBT * change[differs])
        scores = np.empty((4, len(differs)), np.float32)
        scores[0] = -0.5 * (shadowed / self.noise) ** 2
        for at, (side, light) in enumerate(zip(self.sides, self.light, strict=True), 1):
            away = side.distance(colours)
            here = light.reshape(-1, 3)[differs]
            shaded = np.flatnonzero(np.maximum(np.maximum(*np.abs(here[:, :2]).T), np.abs(here[:, 2])) > MIN_SHADE)
            if len(shaded):
                relit = np.clip((pixels[shaded] + FOOT) * np.exp(-here[shaded]) - FOOT + 0.5, 0, 255)
                there = side.distance(lab(relit.astype(np.uint8)[None])[0])
                away[shaded] = np.minimum(away[shaded], there)
            scores[at] = -0.5 * away**2 - np.log(side.spread / self.noise)
        scores[3] = -0.5 * FOREIGN**2
        scores = np.exp(scores - scores.max(axis=0))
        scores /= scores.sum(axis=0)
        planes = np.zeros((4, change.size), np.float32)
        planes[0] = 1
        planes[:, differs] = scores
        return PixelEvidence(*(plane.reshape(patches.shape[:3]) for plane in (*planes, change, tint)))


def lab(pixels: Pixels) -> Planes:
    """Convert (rows, columns, 3) blue-green-red to weighted CIELAB, float32."""
    planes = cv2.cvtColor(pixels, cv2.COLOR_BGR2LAB).astype(np.float32)
    planes[..., 0] *= LIGHTNESS / 2.55
    planes[..., 1:] -= 128
    return np.asarray(planes, np.float32)


def _local(patch: Pixels) -> Planes:
    """Return the typical colour around each pixel, ignoring lines and grain."""
    middle = cv2.medianBlur(patch, 2 * (PITCH // 4) + 1)
    return np.asarray(cv2.blur(middle, (3, 3)), np.float32)

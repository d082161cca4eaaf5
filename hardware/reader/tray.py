"""Detect objects in the tray by comparing a picture with that of the empty tray."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.cameras.camera import Pixels
from hardware.reader.lighting import Compared, Light
from hardware.reader.picture_noise import grain, smoothed
from hardware.reader.tray_moves import WORKING, Move, TrayMoves, shrunk

Floats = NDArray[np.float32]
Mask = NDArray[np.uint8]

NOISE_TIMES = 3.0
"""A pixel has changed when it differs this many times the picture's own median difference at its brightness. Raising
it loses faint lots (bare wood on bare wood), lowering it turns noise into specks. At 4.5 the
plain sticks on the oak box fell apart, at 3 they hold together."""

GRAINY = 1.3
"""Median difference in Lab units from which a picture is smoothed over wider squares, until it is below, or the square
a third of a stick wide. Lower blurs more pictures, higher lets noise drown faint lots in dim light."""

LEAST_CHANGE = 1.5
"""And at least this much in Lab units, for pictures without noise. Raising it loses lots of the tray's own colour."""

EDGE_DOUBT = 0.35
"""Lab units forgiven per unit of brightness slope (Lab a pixel): about a third of a pixel of misplacement. More
hides lots along strong edges, less draws the tray's rim as a thing."""

SHADOW_DARKEST = 0.3
SHADOW_TINT = 0.16
"""A shadow keeps between this share and all of the light, and tints it by less than SHADOW_TINT (share of the
channel). Wider limits call dark paint a shadow, narrower ones call a coloured shadow a thing. Lots whose paint looks
like a shadow are found by the mask that keeps shadows."""


NEUTRAL, EVEN = 0.1, 0.3
"""Where all colours changed alike to within the first share, and half of the pixels alike to within the second,
another light falls on the tray and nothing lies on it. Shadows drawn over the labelled throws reach 0.08 and 0.24; of
the hands in them each has 0.2 and more or 0.5 and more. Higher takes hands for light, lower the edge of somebody's
shadow for a hand."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Difference:
    """A picture compared with the empty tray, at the working size: at most WORKING columns.

    All are (rows, columns), pictures (rows, columns, 3) blue-green-red, in the light of the empty picture.

    changed: uint8, 255 on new objects, their shadows included.
    solid: the same without likely shadows.
    apart: float32, distance of each pixel from the empty tray, in Lab units.
    least: float32, threshold of that distance above the picture's noise.
    relit: float32, the picture. soft: the same, smoothed as much as its noise asks for.
    bare: float32, the empty tray, laid where the tray is now, and as smooth.
    colour, bare_colour: float32, the last two in Lab.
    light: float32, local brightness of the empty tray, 1 on average.
    slope: float32, gradient of the empty tray's brightness, in Lab units per pixel.
    scale: pixels of the given picture per pixel of the working size.
    moves: the tray's placements.
    """

    changed: Mask
    solid: Mask
    apart: Floats
    least: Floats
    relit: Floats
    soft: Floats
    bare: Floats
    colour: Floats
    bare_colour: Floats
    light: Floats
    slope: Floats
    scale: float
    moves: Sequence[Move]

    def is_other_light(self, where: NDArray[np.bool_]) -> bool:
        """Whether nothing but the light has changed there."""
        change = np.log(self.soft[where] + 1) - np.log(self.bare[where] + 1)
        colours = np.median(change, axis=0)
        lighter = float(colours.mean())
        off = float(np.median(np.abs(change.mean(axis=-1) - lighter)))
        return bool(max(colours.std() / NEUTRAL, off / EVEN) < abs(lighter))


@dataclass(frozen=True, slots=True, eq=False)
class _Way:
    """A picture against one placement of the empty tray; the parts as in a Difference."""

    score: Floats
    relit: Floats
    soft: Floats
    bare: Floats
    colour: Floats
    bare_colour: Floats
    slope: Floats

    def where(self, other_explains: NDArray[np.uint8], other: _Way) -> _Way:
        """This comparison, replaced by the other wherever that explains the picture better."""
        parts = ((getattr(self, part.name), getattr(other, part.name)) for part in fields(self))
        return _Way(*(np.asarray(cv2.copyTo(two, other_explains, one.copy()), np.float32) for one, two in parts))


class Tray:
    """The empty tray, as it was when the reader was taught. Safe to share between threads: nothing in it changes."""

    def __init__(self, empty: Pixels) -> None:
        self.empty = empty
        self.scale = max(1.0, empty.shape[1] / WORKING)
        self._small = shrunk(empty)
        self.shape = self._small.shape[:2]
        self._tray_moves = TrayMoves(self._small)
        self._unit = max(3, round(self.shape[1] / 250) | 1)
        self._light = Light(self._small)
        self._grain = grain(empty)

    def difference(self, pixels: Pixels) -> Difference | None:
        """Compare ``pixels``, of the empty picture's shape, with the empty tray; None if the tray is not found.

        A nudged tray moves relative to the table, so up to two placements of the empty picture are tried, and each
        pixel uses the one that explains its neighbourhood better.
        """
        small = shrunk(smoothed(pixels, self._grain))
        moves = self._tray_moves.found(small)
        if not moves:
            return None
        placed = [self._placed(move) for move in moves]
        beside = [self._light.compared(small, there) for there in placed]
        table = self._light.straightened(beside[0])
        if table is not None:
            small = cv2.LUT(small, table).astype(np.uint8)
            beside = [self._light.compared(small, there) for there in placed]
        ways = [self._against(small, *how) for how in zip(moves, placed, beside, strict=True)]
        way = ways[0]
        if len(ways) == 2:
            first, second = (cv2.blur(way.score, (9, 9)) for way in ways)
            way = ways[0].where((second < first).astype(np.uint8), ways[1])
        least = _least(way.score, way.bare_colour[..., 0])
        strength = np.asarray(way.score / least, np.float32)
        changed = cv2.morphologyEx(_changed(strength), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)).astype(np.uint8)
        solid = changed.copy()
        there = changed > 0
        solid[there] = np.where(_shadow(way.soft[there], way.bare[there]), 0, 255)
        light = cv2.blur(cv2.cvtColor(way.bare, cv2.COLOR_BGR2GRAY), (4 * self._unit + 1, 4 * self._unit + 1))
        return Difference(
            changed=changed,
            solid=cv2.morphologyEx(solid, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)).astype(np.uint8),
            apart=way.score,
            least=least,
            relit=way.relit,
            soft=way.soft,
            bare=way.bare,
            colour=way.colour,
            bare_colour=way.bare_colour,
            light=np.asarray(light / max(float(light.mean()), 1.0), np.float32),
            slope=way.slope,
            scale=self.scale,
            moves=moves,
        )

    def _placed(self, move: NDArray[np.float64]) -> Pixels:
        """The empty tray's picture, laid as ``move`` says."""
        placed = cv2.warpAffine(self._small, move, self.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(placed, np.uint8)

    def _against(self, small: Pixels, move: NDArray[np.float64], placed: Pixels, beside: Compared) -> _Way:
        """The picture against the empty one laid as ``move`` says."""
        gain = self._light.gain(beside)
        relit = np.asarray(cv2.divide(small, gain, dtype=cv2.CV_32F), np.float32)
        for side in (self._unit, self._unit + 2, self._unit + 4):
            soft, bare = (
                np.asarray(cv2.blur(one, (side, side)), np.float32) for one in (relit, placed.astype(np.float32))
            )
            if np.median(colour_distance(lab(soft[::4, ::4]), lab(bare[::4, ::4]))) < GRAINY:
                break
        colour, bare_colour = lab(soft), lab(bare)
        score = colour_distance(colour, bare_colour)
        slope = _slope(bare_colour[..., 0])
        score = np.maximum(score - EDGE_DOUBT * slope, 0)
        taught = cv2.warpAffine(np.ones(self.shape, np.uint8), move, self.shape[::-1])
        score[taught == 0] = 0
        return _Way(np.asarray(score, np.float32), relit, soft, bare, colour, bare_colour, slope)


def lab(pixels: Pixels | Floats) -> Floats:
    """Lab as float32: L 0..100, a and b about -128..127."""
    scaled = np.clip(pixels, 0, 255, dtype=np.float32)
    scaled *= np.float32(1 / 255)
    return np.asarray(cv2.cvtColor(scaled, cv2.COLOR_BGR2LAB), np.float32)


def colour_distance(colour: Floats, bare_colour: Floats) -> Floats:
    """Distance of each pixel from the empty tray's, in Lab; a change of lightness alone counts half."""
    apart = colour - bare_colour
    score = cv2.magnitude(cv2.magnitude(0.5 * apart[..., 0], apart[..., 1]), apart[..., 2])
    return np.asarray(score, np.float32)


def _slope(lightness: Floats) -> Floats:
    """Gradient magnitude of the lightness, in Lab units per pixel."""
    soft = cv2.GaussianBlur(lightness, (0, 0), 1)
    across = cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=1 / 8)
    return np.asarray(cv2.dilate(cv2.magnitude(across, down), np.ones((3, 3), np.uint8)), np.float32)


def _least(score: Floats, lightness: Floats) -> Floats:
    """Threshold of the difference above the noise at each pixel's brightness."""
    bins = np.clip(lightness / 10, 0, 9).astype(np.uint8)
    sample, sampled = score[1::3, 1::3], bins[1::3, 1::3]
    overall = float(np.median(sample))
    cuts = np.zeros(256, np.float32)  # as many as OpenCV looks up in
    for brightness in range(10):
        there = sample[sampled == brightness]
        noise = max(overall, float(np.median(there)) if there.size > 60 else 0.0)
        cuts[brightness] = max(LEAST_CHANGE, NOISE_TIMES * noise)
    return np.asarray(cv2.LUT(bins, cuts), np.float32)


def _changed(strength: Floats) -> Mask:
    """255 where the picture changed, grown from where it changed clearly."""
    weak = (strength > 1).astype(np.uint8)
    _, labels = cv2.connectedComponents(weak, connectivity=8)
    keep = np.zeros(int(labels.max()) + 1, np.uint8)
    keep[labels[strength > 2]] = 255
    keep[0] = 0
    grown: Mask = keep[labels]
    return grown


def _shadow(seen: Floats, bare: Floats) -> NDArray[np.bool_]:
    """Mask, (n,), of the (n, 3) pixels that look like the empty tray in less light."""
    # Channel by channel, because NumPy is slow along an axis of three.
    blue, green, red = ((seen + 2) / (bare + 2)).T
    middle = (blue + green + red) / 3
    most, least = np.maximum(np.maximum(blue, green), red), np.minimum(np.minimum(blue, green), red)
    tint = np.maximum(most - middle, middle - least) / np.maximum(middle, 0.05)
    dimmer: NDArray[np.bool_] = (middle > SHADOW_DARKEST) & (middle < 1.0) & (tint < SHADOW_TINT)
    return dimmer

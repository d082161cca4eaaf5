"""Renders a tray and four casting sticks as a small camera above them would see them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.cameras.camera import Pixels

Plane = NDArray[np.float32]
Box = tuple[int, int, int, int]

STICK_LENGTH = 0.205
STICK_WIDTH = 0.0265
"""Size of a stick. All lengths here are fractions of the picture's width."""

TRAY_CENTRE = (0.5, 0.372)
TRAY_HALF = (0.345, 0.262)
"""Centre and half sides of the tray's floor."""
RIM = 0.024
TILT = 1.6
"""Degrees by which the tray is rotated."""

# Blue, green, red in average light.
_FELT = (92.0, 112.0, 74.0)
_WALNUT = (52.0, 74.0, 108.0)
_TABLE = (168.0, 182.0, 190.0)
_WOOD = (142.0, 184.0, 212.0)
_BURNT = (40.0, 46.0, 56.0)

# Direction of the light, which comes from the upper left.
_LIGHT = (-0.55, -0.83)


@dataclass(frozen=True, slots=True, kw_only=True)
class StickPose:
    """Pose of one stick at one moment.

    x, y: centre, as fractions of the picture's width.
    angle: long axis in degrees, clockwise on screen from +x.
    roll: degrees about the long axis; 0 is how it will come to rest.
    height: distance from the felt, as a fraction of the picture's width.
    marked: whether the marked face is up at roll 0.
    """

    x: float
    y: float
    angle: float
    marked: bool
    roll: float = 0.0
    height: float = 0.0


def _colour(shown: tuple[float, float, float]) -> Plane:
    return np.array(shown, dtype=np.float32)


def _blurred(plane: Plane, sigma: float) -> Plane:
    """Blur a plane by ``sigma`` pixels; wide blurs are computed on a smaller copy."""
    rows, columns = plane.shape
    if sigma < 6:
        return np.asarray(cv2.GaussianBlur(plane, (0, 0), sigma), dtype=np.float32)
    small = cv2.resize(plane, (columns // 4 + 1, rows // 4 + 1), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), sigma / 4)
    return np.asarray(cv2.resize(small, (columns, rows)), dtype=np.float32)


def _step(distance: Plane, soft: float) -> Plane:
    """Return 1 inside, 0 outside, and a ramp of ``soft`` pixels in between. distance: signed, negative inside."""
    return np.asarray(np.clip(0.5 - distance / soft, 0, 1), dtype=np.float32)


def _smooth_noise(random: np.random.Generator, shape: tuple[int, int], cell: tuple[float, float]) -> Plane:
    """Return noise of about unit variance with features of ``cell`` (rows, columns) pixels."""
    rows, columns = (max(2, round(side / step) + 2) for side, step in zip(shape, cell, strict=True))
    coarse = random.standard_normal((rows, columns), dtype=np.float32)
    return np.asarray(cv2.resize(coarse, shape[::-1], interpolation=cv2.INTER_CUBIC), dtype=np.float32)


def _rounded_box(x: Plane, y: Plane, half: tuple[float, float], corner: float) -> Plane:
    """Return the signed distance to a box with rounded corners around the origin, negative inside."""
    dx, dy = np.abs(x) - (half[0] - corner), np.abs(y) - (half[1] - corner)
    outside = np.hypot(np.maximum(dx, 0), np.maximum(dy, 0))
    return np.asarray(outside + np.minimum(np.maximum(dx, dy), 0) - corner, dtype=np.float32)


class Tabletop:
    """The scene: table, tray, light and the looks of the sticks, which are always the same.

    Rendering keeps no state; noise comes from the generator given to ``expose``.
    """

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        random = np.random.default_rng(1909)
        self._lit = self._light()
        self._empty = self._scenery(random) * self._lit[..., None]
        # Larger than the picture, so that each frame can take its noise from another offset.
        grain = random.standard_normal((height + 64, width + 64, 3), dtype=np.float32)
        grain = np.asarray(cv2.GaussianBlur(grain, (0, 0), 0.6), dtype=np.float32)
        self._grain = grain / grain.std()
        looks = np.random.default_rng(32)
        self._sticks = [{marked: self._stick(looks, marked) for marked in (False, True)} for _ in range(4)]

    def scene(
        self,
        sticks: Sequence[Sequence[StickPose]],
        *,
        exposure: float = 1.0,
        tint: tuple[float, float, float] = (1.0, 1.0, 1.0),
        paint: Callable[[Plane, Plane], None] | None = None,
    ) -> Plane:
        """Render the sticks in the scene, before the sensor's noise.

        Parameters
        ----------
        sticks : sequence of sequences of StickPose
            For each stick, lowest first, its poses while the shutter was open: one if it lay still.
        exposure : float
            Brightness, 1 on average.
        tint : tuple of float
            Brightness of blue, green and red, 1 on average.
        paint : callable, optional
            Draws more on the scene, given its light, (height, width).

        Returns
        -------
        scene : (height, width, 3) float32 array
            Grey levels in blue-green-red, not clipped.
        """
        canvas = self._empty.copy()
        for look, poses in zip(self._sticks, sticks, strict=False):
            self._paint(canvas, look, poses)
        if paint is not None:
            paint(canvas, self._lit)
        canvas *= np.array(tint, dtype=np.float32) * np.float32(exposure)
        return canvas

    def expose(self, scene: Plane, random: np.random.Generator, *, noise: float = 1.8) -> Pixels:
        """Add noise to a rendered scene.

        Parameters
        ----------
        scene : (height, width, 3) float32 array
            What ``scene`` returned.
        random : numpy.random.Generator
            Source of the noise.
        noise : float
            Standard deviation in grey levels.

        Returns
        -------
        pixels : (height, width, 3) uint8 array
        """
        y, x = (int(start) for start in random.integers(0, 64, 2))
        grain = self._grain[y : y + self.height, x : x + self.width]
        return np.asarray(cv2.addWeighted(scene, 1.0, grain, noise, 0.0, dtype=cv2.CV_8U), dtype=np.uint8)

    def _grid(self) -> tuple[Plane, Plane]:
        """Return each pixel's x and y relative to the tray's centre and along its sides, in pixels."""
        y, x = np.mgrid[0 : self.height, 0 : self.width].astype(np.float32)
        x, y = x - TRAY_CENTRE[0] * self.width, y - TRAY_CENTRE[1] * self.width
        cos, sin = np.cos(np.radians(TILT)), np.sin(np.radians(TILT))
        return (x * cos + y * sin).astype(np.float32), (y * cos - x * sin).astype(np.float32)

    def _light(self) -> Plane:
        """Return the illumination: a lamp at the upper left, and vignetting."""
        y, x = np.mgrid[0 : self.height, 0 : self.width].astype(np.float32) / self.width
        lamp = 1.10 - 0.20 * np.hypot(x - 0.18, y - 0.05)
        lens = 1.0 - 0.28 * ((x - 0.5) ** 2 + (y - 0.375) ** 2)
        return np.asarray(lamp * lens, dtype=np.float32)

    def _scenery(self, random: np.random.Generator) -> Plane:
        """Render table, tray and the tray's shadows as (height, width, 3), without illumination."""
        shape = (self.height, self.width)
        unit = self.width / 1280
        x, y = self._grid()
        half = (TRAY_HALF[0] * self.width, TRAY_HALF[1] * self.width)
        rim = RIM * self.width
        floor = _rounded_box(x, y, half, 14 * unit)
        tray = _rounded_box(x, y, (half[0] + rim, half[1] + rim), 26 * unit)
        drop = _rounded_box(x - 12 * unit, y - 18 * unit, (half[0] + rim, half[1] + rim), 30 * unit)
        speckle = random.standard_normal(shape, dtype=np.float32)
        blotch = _smooth_noise(random, shape, (90 * unit, 90 * unit))
        table = _colour(_TABLE) * (1 + 0.016 * speckle + 0.012 * blotch)[..., None]
        table *= (1 - 0.42 * _step(drop, 34 * unit))[..., None]

        fibres = cv2.GaussianBlur(speckle, (0, 0), 1.4 * unit) * 2.6
        felt = _colour(_FELT) * (1 + 0.030 * fibres + 0.018 * blotch)[..., None]
        # The rim shades the felt along its upper and left sides.
        shade = _rounded_box(x - 9 * unit, y - 14 * unit, half, 14 * unit)
        felt *= (1 - 0.40 * (1 - _step(shade, 20 * unit)) - 0.10 * _step(-floor - 10 * unit, 22 * unit))[..., None]

        along = _smooth_noise(random, shape, (3 * unit, 160 * unit))
        across = _smooth_noise(random, shape, (160 * unit, 3 * unit))
        lengthwise = np.abs(y) - half[1] > np.abs(x) - half[0]
        walnut = _colour(_WALNUT) * (1 + 0.09 * np.where(lengthwise, along, across))[..., None]
        # The rim's rounded top slopes outwards at its outer edge and inwards at its inner one.
        outward = np.clip((floor + tray) / rim, -1, 1)
        facing = np.where(lengthwise, np.sign(y) * _LIGHT[1], np.sign(x) * _LIGHT[0])
        walnut *= (1 + 0.30 * outward**3 * facing)[..., None]

        edge = 1.6 * unit
        inside, within = _step(floor, edge)[..., None], _step(tray, edge)[..., None]
        scenery = table * (1 - within) + within * (walnut * (1 - inside) + felt * inside)
        return np.asarray(scenery, dtype=np.float32)

    def _stick(self, random: np.random.Generator, marked: bool) -> Plane:
        """Render one face of a stick along +x at twice the picture's scale: blue, green, red, coverage."""
        length, width = (round(2 * side * self.width) for side in (STICK_LENGTH, STICK_WIDTH))
        margin = 4
        shape = (width + 2 * margin, length + 2 * margin)
        y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
        u, v = (x - (shape[1] - 1) / 2) / (length / 2), (y - (shape[0] - 1) / 2) / (width / 2)
        # Slightly tapered towards rounded ends, and uneven as if whittled.
        whittled = 0.02 * _smooth_noise(random, (1, shape[1]), (1, length / 5))
        rounded = np.sqrt(np.clip(1 - np.maximum(0, np.abs(u) - 0.90) ** 2 / 0.10**2, 0, 1))
        waist = (1 - 0.14 * u**2 + whittled) * rounded
        cover = np.clip((waist - np.abs(v)) * width / 2 / 1.5 + 0.5, 0, 1)
        cover *= np.abs(u) <= 1

        fine = _smooth_noise(random, shape, (2.2, length / 3))
        broad = _smooth_noise(random, shape, (width / 4, length / 1.5))
        tone = 1 + 0.035 * random.standard_normal()
        colour: NDArray[np.floating[Any]] = _colour(_WOOD) * (tone + 0.035 * fine + 0.035 * broad)[..., None]
        if marked:
            # Five bands burnt across the stick, each slightly crooked and paler at its edges.
            ink = np.zeros(shape, np.float32)
            for centre in (-0.80, -0.40, 0.0, 0.40, 0.80):
                crooked = centre + random.normal(0, 0.012) + random.normal(0, 0.012) * v
                crooked = crooked + 0.005 * _smooth_noise(random, shape, (width / 5, length))
                ink = np.maximum(ink, _step((np.abs(u - crooked) - 0.095) * length / 2, 5.0))
            ink *= 0.93 + 0.04 * broad.clip(-1, 1)
            colour = colour * (1 - ink[..., None]) + _colour(_BURNT) * (1 + 0.10 * fine)[..., None] * ink[..., None]
        worn = 1 - 0.16 * np.clip(np.abs(v) / np.maximum(waist, 0.05), 0, 1) ** 6
        return np.dstack([colour * worn[..., None], cover * 255]).astype(np.float32)

    def _paint(self, canvas: Plane, look: dict[bool, Plane], poses: Sequence[StickPose]) -> None:
        """Draw one stick and its shadow on the canvas."""
        moving = len(poses) > 1
        box = self._box(poses)
        if box is None:
            return
        left, top, right, bottom = box
        lit = self._lit[top:bottom, left:right, None]
        ground = canvas[top:bottom, left:right]
        layers = [self._layer(look, pose, box, 1 if moving else 2) for pose in poses]
        layer: Plane = np.asarray(np.mean(layers, axis=0), dtype=np.float32) if moving else layers[0]
        cover: Plane = layer[..., 3] / np.float32(255)

        unit = self.width / 1280
        height = sum(pose.height for pose in poses) / len(poses) * self.width
        away = 3.5 * unit + 0.8 * height
        shift = np.array([[1, 0, -_LIGHT[0] * away], [0, 1, -_LIGHT[1] * away]])
        moved = np.asarray(cv2.warpAffine(cover, shift, (right - left, bottom - top)), dtype=np.float32)
        cast = _blurred(moved, 2.4 * unit + 0.35 * height)
        near = _blurred(cover, 7 * unit + 0.5 * height)
        ground *= (1 - 0.42 * cast)[..., None]
        ground *= (1 - 0.20 * near)[..., None]
        ground *= (1 - cover)[..., None]
        ground += layer[..., :3] * lit

    def _box(self, poses: Sequence[StickPose]) -> Box | None:
        """Return the part of the picture that the stick and its shadow can touch, or None if they are outside."""
        reach = (STICK_LENGTH / 2 + 0.035 + max(pose.height for pose in poses)) * self.width
        xs, ys = [pose.x * self.width for pose in poses], [pose.y * self.width for pose in poses]
        left, top = max(0, int(min(xs) - reach)), max(0, int(min(ys) - reach))
        right, bottom = min(self.width, int(max(xs) + reach)), min(self.height, int(max(ys) + reach))
        return (left, top, right, bottom) if right - left > 1 and bottom - top > 1 else None

    def _layer(self, look: dict[bool, Plane], pose: StickPose, box: Box, finer: int) -> Plane:
        """Render the stick within the box: premultiplied colour and coverage, (rows, columns, 4), 0..255.

        finer: supersampling, 2 for smooth edges, 1 where motion blurs them anyway.
        """
        left, top, right, bottom = box
        tipped = np.cos(np.radians(pose.roll))
        face = look[pose.marked if tipped >= 0 else not pose.marked]
        rows, columns = face.shape[:2]
        along = np.array([np.cos(np.radians(pose.angle)), np.sin(np.radians(pose.angle))])
        across = np.array([-along[1], along[0]])
        # The side that faces the light is brighter.
        slope = np.linspace(-1, 1, rows, dtype=np.float32)[:, None] ** 3
        bright = 1 + 0.10 * slope * float(across @ np.array(_LIGHT)) - 0.25 * (1 - abs(tipped))
        cover = face[..., 3:] / 255
        premultiplied = np.dstack([face[..., :3] * bright[..., None] * cover, face[..., 3]]).astype(np.float32)
        # A stick looks larger closer to the lens, and thinner on its edge than on its face.
        scale = finer * 0.5 * (1 + 1.2 * pose.height)
        thin = max(abs(tipped), 0.35)
        centre = np.array([pose.x * self.width - left, pose.y * self.width - top]) * finer
        turn = np.column_stack([along * scale, across * scale * thin])
        origin = centre - turn @ np.array([(columns - 1) / 2, (rows - 1) / 2]) + (finer - 1) / 2
        size = ((right - left) * finer, (bottom - top) * finer)
        layer = cv2.warpAffine(premultiplied, np.column_stack([turn, origin]), size)
        if finer > 1:
            layer = cv2.resize(layer, (right - left, bottom - top), interpolation=cv2.INTER_AREA)
        return np.asarray(layer, dtype=np.float32)


@lru_cache(maxsize=4)
def tabletop(width: int, height: int) -> Tabletop:
    """Return the scene in that size, from a cache: rendering it takes half a second, and cameras are opened again."""
    return Tabletop(width, height)

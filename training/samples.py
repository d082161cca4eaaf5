"""Training samples: crops of pictures with the target of each pixel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.cameras.camera import Pixels
from hardware.reader.detection.detector import network_input
from hardware.reader.detection.empty_tray import EmptyTray
from training.composing.examples import STRANGER, Composer, Example
from training.rendered_sets import LOTS, NEW_THINGS, RenderedSet

Plane = NDArray[np.float32]

LOT, OTHER = 1, 2
"""The classes of a pixel besides 0, the tray or what lay there before: a lot, and anything else that is new."""

CROP = 160
"""Pixels of a crop's side, as the network sees it."""

USUAL_WIDTH, SMALLEST = 10.0, 0.5
"""Width of a lot in pixels that the network sees, and how far pictures are shrunk for it at most."""

WANDER, ANY_SCALE = (0.7, 1.4), 0.15
"""Limits by which that width varies, and share of crops in which it is left to chance altogether."""

WEIGHTS = np.array([1.0, 2.0, 4.0], np.float32)
"""What background, lots and other things weigh. Other things are rare."""

NOISE, NOISY = (4.0, 14.0), 0.2
"""Limits of strong noise in grey levels, and the share of crops that have it. The others have less."""

SEAM = 4.0
"""What pixels weigh where two lots meet."""


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """A crop: network input, and (rows, columns) classes, weights, inside, and (2, rows, columns) along.

    directed : 1 where the direction counts.
    """

    seen: Plane
    classes: NDArray[np.int64]
    weights: Plane
    inside: Plane
    along: Plane
    directed: Plane


def scale_for(width: float) -> float:
    """Scale at which the network sees pictures with lots of that width in pixels."""
    return float(np.clip(USUAL_WIDTH / width, SMALLEST, 1.0))


@dataclass(frozen=True, slots=True)
class Source:
    """One picture of a rendered set. image: its labels."""

    one: RenderedSet
    image: dict[str, Any]

    def example(self) -> Example | None:
        """The picture with its labels, or None if the tray is not found."""
        pixels = self.one.picture(self.image["file"])
        bare = EmptyTray(self.one.picture(self.one.images("empty")[0]["file"])).aligned(pixels)
        if bare is None:
            return None
        values = self.one.mask(self.image)
        mask = np.where(np.isin(values, LOTS), values, 0).astype(np.uint8)
        mask[np.isin(values, NEW_THINGS)] = STRANGER
        angles = np.full(6, np.nan)
        if self.one.kind == "sticks":
            for lot in self.image["objects"]:
                angles[lot["mask_value"]] = lot["angle_deg"]
        quads = [np.array(lot["quad_px"], np.float32) for lot in self.image["objects"]]
        width = float(np.median([min(cv2.minAreaRect(quad)[1]) for quad in quads])) if quads else USUAL_WIDTH
        return Example(pixels=pixels, bare=np.round(bare).astype(np.uint8), mask=mask, angles=angles, width=width)


class Stream:
    """An endless stream of samples, half of them from composed pictures.

    Pictures are kept for a while and cropped again and again, because making one costs more than training on it.
    """

    def __init__(self, composer: Composer, random: np.random.Generator, kept: int = 160) -> None:
        self._composer, self._random, self._kept = composer, random, kept
        self._composed: list[Example] = []
        self._rendered: list[Example] = []
        self._sources: list[Source] = []

    def add(self, one: RenderedSet) -> None:
        """Add a set."""
        self._composer.add(one)
        images = one.images("throw", "calibration_marked", "calibration_plain")
        self._sources += [Source(one, image) for image in images]

    def batch(self, count: int) -> list[Sample]:
        """Draw ``count`` samples, after adding a fresh rendered or composed picture."""
        for _ in range(1 if len(self._composed) > count and len(self._rendered) > count else 4 * count):
            if self._random.random() < 0.5:
                self._keep(self._composed, self._composer.example())
            else:
                self._keep(self._rendered, self._sources[self._random.integers(len(self._sources))].example())
        return [self._cropped((self._composed, self._rendered)[number % 2]) for number in range(count)]

    def _keep(self, pool: list[Example], example: Example | None) -> None:
        if example is None:
            return
        if len(pool) < self._kept:
            pool.append(example)
        else:
            pool[int(self._random.integers(len(pool)))] = example

    def _cropped(self, pool: list[Example]) -> Sample:
        return crop(pool[int(self._random.integers(len(pool)))], self._random)


def crop(example: Example, random: np.random.Generator) -> Sample:
    """A random crop of the picture, rotated, mirrored, relit and with added noise."""
    scale = scale_for(example.width) * random.uniform(*WANDER)
    if random.random() < ANY_SCALE:
        scale = random.uniform(SMALLEST, 1.2)
    scale = min(scale, 1.25)
    turn = random.uniform(0, 2 * np.pi) if random.random() < 0.5 else random.integers(4) * np.pi / 2
    flip = -1 if random.random() < 0.5 else 1
    middle = _middle(example.mask, random)
    matrix = scale * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ np.diag([flip, 1])
    move = np.hstack([matrix, (np.array([CROP / 2, CROP / 2]) - matrix @ middle)[:, None]])

    left, top, right, bottom = _surroundings(middle, scale, example.mask.shape)
    pixels, bare = (one[top:bottom, left:right] for one in (example.pixels, example.bare))
    if scale < 0.8:
        pixels, bare = (np.asarray(cv2.GaussianBlur(one, (0, 0), 0.35 / scale), np.uint8) for one in (pixels, bare))
    near = move.copy()
    near[:, 2] += matrix @ (left, top)
    seen, empty = (
        cv2.warpAffine(one, near, (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
        for one in (pixels, bare)
    )
    mask = cv2.warpAffine(example.mask, move, (CROP, CROP), flags=cv2.INTER_NEAREST)
    seen, empty = _otherwise_lit(np.asarray(seen, np.uint8), np.asarray(empty, np.uint8), random)
    angles = np.radians(example.angles)
    ways = matrix @ np.stack([np.cos(angles), np.sin(angles)]) / scale
    return _targets(
        network_input(seen, empty), np.asarray(mask, np.uint8), np.arctan2(ways[1], ways[0]), example.width * scale
    )


def _targets(seen: Plane, mask: Pixels, angles: NDArray[np.float64], width: float) -> Sample:
    classes = np.where(mask == STRANGER, OTHER, np.where(mask > 0, LOT, 0)).astype(np.int64)
    weights = WEIGHTS[classes]
    inside = np.zeros(mask.shape, np.float32)
    along = np.zeros((2, *mask.shape), np.float32)
    directed = np.zeros(mask.shape, np.float32)
    touched = np.zeros(mask.shape, np.uint8)
    for value in LOTS:
        own = (mask == value).astype(np.uint8)
        if not own.any():
            continue
        far = cv2.distanceTransform(own, cv2.DIST_L2, 3)
        inside = np.maximum(inside, np.clip(far / max(0.5 * width, 1.5), 0, 1) * own)
        touched += np.asarray(cv2.dilate(own, np.ones((3, 3), np.uint8)), np.uint8)
        if np.isfinite(angles[value]):
            along[:, own > 0] = [[np.cos(2 * angles[value])], [np.sin(2 * angles[value])]]
            directed += own
    weights = np.where(touched > 1, SEAM, weights).astype(np.float32)
    return Sample(seen, classes, weights, inside.astype(np.float32), along, directed)


def _middle(mask: NDArray[np.uint8], random: np.random.Generator) -> NDArray[np.float64]:
    """A random crop centre: near a lot or another object, or sometimes anywhere."""
    rows, columns = mask.shape
    things = np.flatnonzero(mask[::4, ::4])
    if not len(things) or random.random() < 0.2:
        return np.array([random.uniform(0, columns), random.uniform(0, rows)])
    row, column = divmod(int(things[random.integers(len(things))]), mask[::4, ::4].shape[1])
    return np.array([4 * column, 4 * row]) + random.uniform(-60, 60, 2)


def _surroundings(middle: NDArray[np.float64], scale: float, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    reach = CROP / scale * 0.72 + 4
    low = np.clip(middle - reach, 0, np.array(shape[1::-1]) - 8).astype(int)
    high = np.clip(middle + reach, low + 8, shape[1::-1]).astype(int)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _otherwise_lit(seen: Pixels, empty: Pixels, random: np.random.Generator) -> tuple[Plane, Plane]:
    """Relight both pictures, and add shadows, uneven light and noise to the first one only."""
    gamma, gains = np.exp(random.normal(0, 0.15)), np.exp(random.normal(0, 0.12, 3))
    levels = 255 * (np.arange(256)[:, None] / 255) ** gamma * gains
    curve = levels.astype(np.float32)[None]
    lit, bare = (np.asarray(cv2.LUT(one, curve), np.float32) for one in (seen, empty))
    light = np.ones((CROP, CROP), np.float32)
    if random.random() < 0.3:
        light += np.float32(random.normal(0, 0.1)) * _ACROSS + np.float32(random.normal(0, 0.1)) * _DOWN
    if random.random() < 0.25:
        light *= _shade(random)
    lit *= light[..., None] * np.exp(random.normal(0, 0.03, 3)).astype(np.float32)
    strength = random.uniform(*NOISE) if random.random() < NOISY else random.uniform(0, NOISE[0])
    for one, share in ((lit, 0.7), (bare, 0.5)):
        if random.random() < share:
            one += np.float32(strength) * _grain(random)
    if random.random() < 0.1:
        lit = np.asarray(cv2.GaussianBlur(lit, (0, 0), random.uniform(0.4, 1.0)), np.float32)
    return np.clip(lit, 0, 255, out=lit), np.clip(bare, 0, 255, out=bare)


_DOWN, _ACROSS = np.mgrid[-1 : 1 : CROP * 1j, -1 : 1 : CROP * 1j].astype(np.float32)


def _grain(random: np.random.Generator) -> Plane:
    """Noise of one grey level, (CROP, CROP, 3), half of the time as coarse as cameras that smooth it leave it."""
    grain = random.standard_normal((CROP, CROP, 3), np.float32)
    if random.random() < 0.5:
        grain = np.asarray(cv2.GaussianBlur(grain, (0, 0), random.uniform(0.4, 1.2)), np.float32)
        grain /= grain.std()
    return grain


def _shade(random: np.random.Generator) -> Plane:
    """A shadow or a patch of sun with a hard or a soft edge, as a share of the light."""
    turn, far, edge = random.uniform(0, 2 * np.pi), random.uniform(-0.8, 0.8), random.uniform(0.005, 0.15)
    way = np.float32(np.cos(turn)) * _ACROSS + np.float32(np.sin(turn)) * _DOWN - np.float32(far)
    if random.random() < 0.5:
        way = np.minimum(way, np.float32(random.uniform(0.1, 0.8)) - way)
    strength = random.uniform(0.1, 0.55) if random.random() < 0.75 else -random.uniform(0.1, 0.5)
    return np.asarray(1 - strength / (1 + np.exp(np.clip(-4 * way / edge, -30, 30))), np.float32)

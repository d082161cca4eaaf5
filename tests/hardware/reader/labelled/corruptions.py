"""Corruptions of a picture: other light, another lens, noise, compression, shadows, a moved camera."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Spoiler:
    """One way to spoil a picture.

    strengths: from next to nothing to the most that is asked of the reader, and for some a step beyond.
    asked: how many of them the reader is asked to bear; the rest show where it ends.
    """

    name: str
    unit: str
    strengths: tuple[float, ...]
    spoil: Callable[[Pixels, float], Pixels]
    asked: int = 99


def gamma(pixels: Pixels, power: float) -> Pixels:
    """Another exposure curve. Values below 1 brighten, above 1 darken; black and white stay."""
    table = np.round(255 * (np.arange(256) / 255) ** power).astype(np.uint8)
    return np.asarray(table[pixels])


def exposure(pixels: Pixels, gain: float) -> Pixels:
    """Brightness multiplied by this factor; what exceeds white is clipped."""
    return _clipped(pixels.astype(np.float32) * gain)


def warmth(pixels: Pixels, amount: float) -> Pixels:
    """More red and less blue by this share; a negative share is colder."""
    return _clipped(pixels.astype(np.float32) * np.array([1 - amount, 1.0, 1 + amount], np.float32))


def greenness(pixels: Pixels, amount: float) -> Pixels:
    """More green, as under old fluorescent tubes; a negative share is more purple."""
    return _clipped(pixels.astype(np.float32) * np.array([1 - amount / 2, 1 + amount, 1 - amount / 2], np.float32))


def blur(pixels: Pixels, sigma: float) -> Pixels:
    """Gaussian blur with this sigma in pixels."""
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), sigma), np.uint8)


def noise(pixels: Pixels, sigma: float) -> Pixels:
    """Sensor noise of this many grey levels, slightly correlated between neighbours as after demosaicing."""
    grain = np.random.default_rng(11).standard_normal(pixels.shape, dtype=np.float32)
    grain = np.asarray(cv2.GaussianBlur(grain, (0, 0), 0.5), np.float32)
    return _clipped(pixels + grain * np.float32(sigma / grain.std()))


def jpeg(pixels: Pixels, quality: float) -> Pixels:
    """JPEG compression at this quality."""
    done, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, round(quality)])
    assert done
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def soft_shadow(pixels: Pixels, depth: float) -> Pixels:
    """A person in front of the lamp: a third of the picture loses this share of its light, with a broad edge."""
    return _slanting(pixels, depth, softness=0.05)


def hard_shadow(pixels: Pixels, depth: float) -> Pixels:
    """The same with a sharp edge, as from a bare lamp or the sun."""
    return _slanting(pixels, depth, softness=0.003)


def shadow_anywhere(pixels: Pixels, random: np.random.Generator) -> tuple[Pixels, str]:
    """A band of shadow somewhere, of any width, turn, depth up to half of the light and softness, tinted a little."""
    rows, columns = pixels.shape[:2]
    across, down = np.meshgrid(np.linspace(-0.5, 0.5, columns), np.linspace(-0.5, 0.5, rows))
    turn, begins = random.uniform(0, 2 * np.pi), random.uniform(-0.45, 0.3)
    width = float(random.choice([random.uniform(0.03, 0.15), random.uniform(0.15, 0.4), 2.0]))
    softness, depth = 10 ** random.uniform(-3, -0.9), random.uniform(0.02, 0.5)
    tint = 1 + random.uniform(-0.1, 0.1, 3)
    place = np.cos(turn) * across + np.sin(turn) * down - begins
    return _shaded(pixels, place, width, depth * tint, softness), f"shadow of {depth:.2f}, softness {softness:.3f}"


def by_chance(pixels: Pixels, random: np.random.Generator) -> tuple[Pixels, str]:
    """Spoiled in one way, in three pictures of ten in two, and what was done: shadows anywhere in four of ten, else one
    of SPOILERS with any strength that is asked for."""
    done = []
    for _ in range(1 + (random.random() < 0.3)):
        if random.random() < 0.4:
            pixels, what = shadow_anywhere(pixels, random)
        else:
            spoiler = SPOILERS[random.integers(len(SPOILERS))]
            asked = spoiler.strengths[: spoiler.asked]
            strength = random.uniform(min(asked), max(asked))
            pixels, what = spoiler.spoil(pixels, strength), f"{spoiler.name} {strength:.3g} {spoiler.unit}"
        done.append(what)
    return pixels, " and ".join(done)


def rotation(pixels: Pixels, degrees: float) -> Pixels:
    """The camera turned about its axis."""
    rows, columns = pixels.shape[:2]
    turn = cv2.getRotationMatrix2D((columns / 2, rows / 2), degrees, 1.0)
    return _moved(pixels, np.asarray(turn, np.float64))


def shift(pixels: Pixels, share: float) -> Pixels:
    """The picture moved by this share of its width, to the right and less far down."""
    columns = pixels.shape[1]
    return _moved(pixels, np.array([[1, 0, 0.9 * share * columns], [0, 1, 0.44 * share * columns]]))


def _clipped(pixels: NDArray[np.float32]) -> Pixels:
    return np.clip(np.round(pixels), 0, 255).astype(np.uint8)


def _moved(pixels: Pixels, matrix: NDArray[np.float64]) -> Pixels:
    size = pixels.shape[1::-1]
    return np.asarray(
        cv2.warpAffine(pixels, matrix, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT), np.uint8
    )


def _slanting(pixels: Pixels, depth: float, softness: float) -> Pixels:
    """A shadow through the middle of the tray, across the lots."""
    rows, columns = pixels.shape[:2]
    across, down = np.meshgrid(np.linspace(0, 1, columns), np.linspace(0, 1, rows))
    return _shaded(pixels, 0.8 * across + 0.6 * down - 0.55, 0.3, depth, softness)


def _shaded(
    pixels: Pixels, place: NDArray[np.float64], width: float, depth: float | NDArray[np.float64], softness: float
) -> Pixels:
    """A band of shadow where ``place`` is 0 to ``width``, one depth or one for each colour."""
    band = step(place, softness) * step(width - place, softness)
    return _clipped(pixels.astype(np.float32) * (1 - depth * band[..., None]).astype(np.float32))


def step(distance: NDArray[Any], softness: float) -> NDArray[np.float64]:
    """A smooth step from 0 to 1 at distance 0, a few times ``softness`` wide."""
    return np.asarray(1 / (1 + np.exp(-np.clip(distance / softness, -40, 40))))


SPOILERS = (
    Spoiler("gamma", "", (0.6, 0.7, 0.8, 0.9, 1.1, 1.2, 1.4, 1.6), gamma),
    Spoiler("exposure", "times", (0.5, 0.7, 0.85, 1.15, 1.3), exposure),
    Spoiler("warmth", "", (-0.2, -0.12, -0.06, 0.06, 0.12, 0.2), warmth),
    Spoiler("greenness", "", (-0.1, 0.1), greenness),
    Spoiler("blur", "px", (0.7, 1.0, 1.5, 2.0, 3.0), blur),
    Spoiler("noise", "levels", (3, 6, 10, 15, 20), noise),
    Spoiler("JPEG", "quality", (70, 40, 20), jpeg, asked=2),
    Spoiler("soft shadow", "share", (0.05, 0.1, 0.15, 0.3, 0.45), soft_shadow),
    Spoiler("hard shadow", "share", (0.05, 0.1, 0.15, 0.3, 0.45), hard_shadow),
    Spoiler("rotation", "degrees", (-5, -3, -1, 0.5, 1, 2, 3, 4, 5), rotation),
    Spoiler("shift", "share", (-0.03, -0.01, 0.003, 0.005, 0.01, 0.02, 0.03), shift),
)
"""All that the reader has to bear without misreading; how much of it can still be read is another matter."""

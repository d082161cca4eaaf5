"""The labelled clips of throws, and variations of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from hardware.cameras.camera import Frame, Pixels
from hardware.cameras.picture_files import load_picture
from hardware.tracking.settling import SettlingDetector
from tests.grain import grain

FPS = 30
SLACK_S = 0.1
"""Seconds by which rest may be detected before its label: the last pixel of v3 takes three frames."""
SOON_S = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Clip:
    """Frames with their times in seconds, and the empty tray.

    rests_at: seconds at which all is at rest and the hand is gone; None if that never happens.
    """

    name: str
    frames: list[tuple[Pixels, float]]
    empty: Pixels
    rests_at: float | None

    def check(self) -> tuple[str, float]:
        """Return what is wrong with the detected rest, or empty; and its delay in seconds."""
        settling = SettlingDetector(self.empty)
        rises, before = [], False
        for pixels, at in self.frames:
            settled = settling.update(Frame(pixels, at)) and not settling.is_untouched
            if settled and not before:
                rises.append(at)
            before = settled
        if self.rests_at is None:
            return f"settled at {rises[0]:.2f} s" if rises else "", 0.0
        if not rises:
            return "never", 0.0
        late = rises[0] - self.rests_at
        wrong = "early" if late < -SLACK_S - 1e-6 else "late" if late > SOON_S + 1e-6 else ""
        return wrong or ("more than once" if len(rises) > 1 else ""), late


def clips(folder: Path) -> list[tuple[str, int]]:
    """Return the names of the labelled clips, and the number of frames with a hand in view."""
    path = folder / "labels.json"
    sequences = json.loads(path.read_text())["sequences"] if path.is_file() else []
    return [(one["id"], sum(frame["hand_in_view"] for frame in one["frames"])) for one in sequences]


def clip(folder: Path, name: str) -> Clip:
    """Load a labelled clip."""
    facts = next(one for one in json.loads((folder / "labels.json").read_text())["sequences"] if one["id"] == name)
    frames = [(load_picture(folder / name / Path(one["file"]).name), one["t"]) for one in facts["frames"]]
    empty = load_picture(folder / name / "empty.jpg")
    return Clip(name, frames, empty, facts["frames"][facts["first_settled_frame"]]["t"])


Change = Callable[[Pixels, float, int], Pixels]
"""Changes a picture, given its time in seconds and its number."""


def flicker(pixels: Pixels, at: float, _: int) -> Pixels:
    """A lamp at 50 Hz that dims by 8 %, seen by a global shutter."""
    return _times(pixels, 1 + 0.08 * np.sin(2 * np.pi * 100.3 * at))


def bands(pixels: Pixels, at: float, _: int) -> Pixels:
    """A lamp at 60 Hz, seen by a rolling shutter that takes 30 ms."""
    rows = np.arange(len(pixels)) / len(pixels) * 0.03
    return _times(pixels, 1 + 0.08 * np.sin(2 * np.pi * 120.3 * (at + rows))[:, None, None])


def noise(pixels: Pixels, _: float, number: int) -> Pixels:
    """A dark room: noise of 6 grey levels."""
    return np.asarray(np.clip(pixels + grain(number, 6, pixels.shape), 0, 255), np.uint8)


def shake(pixels: Pixels, _: float, number: int) -> Pixels:
    """Shifts by up to half a pixel, as when someone leans on the table."""
    right, down = np.random.default_rng(number).uniform(-0.5, 0.5, 2)
    return _shifted(pixels, right, down)


def shift(pixels: Pixels, _: float, __: int) -> Pixels:
    """The camera was bumped by 7 pixels since the calibration."""
    return _shifted(pixels, 4, 6)


def contrast(pixels: Pixels, _: float, __: int) -> Pixels:
    """Another contrast than during the calibration."""
    return np.asarray(255 * (pixels / 255.0) ** 1.5, np.uint8)


def dim(pixels: Pixels, _: float, __: int) -> Pixels:
    """Half the light, and warmer."""
    return _times(pixels, np.array([0.45, 0.5, 0.55]))


CHANGES: dict[str, Change] = {one.__name__: one for one in (flicker, bands, noise, shake, shift, contrast, dim)}


def changed(film: Clip, change: str) -> Clip:
    """Apply a change to every frame."""
    frames = [(CHANGES[change](pixels, at, number), at) for number, (pixels, at) in enumerate(film.frames)]
    return replace(film, name=f"{film.name} {change}", frames=frames)


def slowed(film: Clip, step: int, first: int = 0) -> Clip:
    """Keep every ``step``-th frame only."""
    return replace(film, name=f"{film.name} {FPS // step} fps", frames=film.frames[first::step])


def turned(film: Clip, quarters: int) -> Clip:
    """Rotate the clip, as seen from another side of the table."""
    frames = [(np.rot90(pixels, quarters).copy(), at) for pixels, at in film.frames]
    return replace(
        film, name=f"{film.name} turned {90 * quarters}", frames=frames, empty=np.rot90(film.empty, quarters).copy()
    )


def held(film: Clip, number: int, seconds: float = 8.0) -> Clip:
    """Play up to a frame with a hand in view, and freeze there."""
    start = film.frames[number][1]
    noises = [grain(seed, 1.5, film.empty.shape) for seed in range(8)]
    frozen = [np.asarray(np.clip(film.frames[number][0] + one, 0, 255), np.uint8) for one in noises]
    frames = film.frames[:number] + [(frozen[more % 8], start + more / FPS) for more in range(round(seconds * FPS))]
    return replace(film, name=f"{film.name} held at {number}", frames=frames, rests_at=None)


def taken_back(film: Clip, number: int) -> Clip:
    """Play up to a frame and back again, so that nothing comes to rest."""
    there = [pixels for pixels, _ in film.frames[: number + 1]]
    frames = [(pixels, place / FPS) for place, pixels in enumerate(there + there[-2::-1])]
    return replace(film, name=f"{film.name} back from {number}", frames=frames, rests_at=None)


def thinned(film: Clip) -> Clip:
    """Drop half of the frames at random, and delay the others by up to 30 ms."""
    chance = np.random.default_rng(3)
    frames = [(pixels, at + chance.uniform(0, 0.03)) for pixels, at in film.frames if at < 0.1 or chance.random() < 0.5]
    return replace(film, name=f"{film.name} thinned", frames=frames)


def variations(film: Clip, in_view: int) -> Iterator[Clip]:
    """Yield all variations. in_view: number of frames with a hand in view."""
    yield film
    for step, first in ((2, 0), (2, 1), (3, 0), (3, 1), (3, 2)):
        yield slowed(film, step, first)
    for change in CHANGES:
        yield changed(film, change)
        yield changed(slowed(film, 3), change)
    for quarters in (1, 2):
        yield turned(film, quarters)
    yield thinned(film)
    for number in (12, 18, in_view - 1):
        yield taken_back(film, number)
    for number in (3, 9, 15, 20, in_view - 3):
        yield held(film, number)
        yield slowed(held(film, number), 3)


def _times(pixels: Pixels, gain: object) -> Pixels:
    return np.asarray(np.clip(pixels * np.asarray(gain), 0, 255), np.uint8)


def _shifted(pixels: Pixels, right: float, down: float) -> Pixels:
    move = np.array([[1.0, 0.0, right], [0.0, 1.0, down]])
    return cv2.warpAffine(pixels, move, pixels.shape[1::-1], borderMode=cv2.BORDER_REFLECT).astype(np.uint8)

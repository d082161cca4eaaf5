"""Learns the face matcher's weights over many sets, from true outlines with simulated fitting errors."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.reader.general.empty_tray import EmptyTray
from hardware.reader.general.face_features import FaceCrop, features, straightened
from hardware.reader.general.face_matcher import FaceWeights, comparison
from hardware.reader.lots import LONG
from hardware.reader.sticks.bars import Bar
from hardware.reader.tray_moves import Floats
from training.rendered_sets import LOTS, RenderedSet

SHIFT, SIZE, TURN = (0.02, 0.06), (0.02, 0.06), 0.15
"""Standard deviations of a fit's errors: along and across as shares of length and width, the same of its size, and
its turn in widths over lengths. Taught outlines have half of these."""

RIDGE, STEPS, RATE = 2e-3, 4000, 0.3
"""Strength of the pull towards small weights, and how the logistic regression is fitted."""

LEAST_SHOWN = 0.45
"""Share of a face that is seen from which it is learnt from."""


@dataclass(frozen=True, slots=True, eq=False)
class FaceSample:
    """A face whose truth is known. sign: 1 marked, -1 plain."""

    name: str
    crop: FaceCrop
    sign: int


@dataclass(frozen=True, slots=True, eq=False)
class SetFaces:
    """The taught crops of a set and the faces of its throws."""

    number: int
    kind: str
    is_validation: bool
    marked: tuple[FaceCrop, ...]
    plain: tuple[FaceCrop, ...]
    thrown: tuple[FaceSample, ...]


def set_faces(one: RenderedSet, random: np.random.Generator, tries: int = 2) -> SetFaces | None:
    """All faces of a set, each thrown one with ``tries`` different errors; None if its pictures do not teach."""
    empty = one.picture(one.images("empty")[0]["file"])
    tray = EmptyTray(empty)
    reference = tray.small[::4, ::4].mean(axis=(0, 1)).astype(np.float32)
    taught = []
    for role in ("calibration_marked", "calibration_plain"):
        crops = _faces(one, one.images(role)[0], tray, reference, random, 0.5, 1)
        if len(crops) != 4:
            return None
        taught.append(tuple(crop.crop for crop in crops))
    thrown = [face for image in one.images("throw") for face in _faces(one, image, tray, reference, random, 1.0, tries)]
    return SetFaces(one.number, one.kind, one.is_validation, taught[0], taught[1], tuple(thrown))


def _faces(
    one: RenderedSet,
    image: dict[str, object],
    tray: EmptyTray,
    reference: Floats,
    random: np.random.Generator,
    error: float,
    tries: int,
) -> list[FaceSample]:
    pixels = one.picture(str(image["file"]))
    scene = tray.scene(pixels)
    if scene is None:
        return []
    values = cv2.resize(one.mask(image), scene.small.shape[1::-1], interpolation=cv2.INTER_NEAREST)
    found = []
    for lot in image["objects"]:  # type: ignore[attr-defined]
        if lot["face_up"] == "edge" or lot["mask_value"] not in LOTS:
            continue
        if lot["visible_frac"] < LEAST_SHOWN or lot["mark_region_visible_frac"] < LEAST_SHOWN:
            continue
        for number in range(tries):
            bar = _erring(_bar(lot, tray.scale), random, error)
            crop = straightened(scene, bar, values == lot["mask_value"], reference)
            if crop.share > LEAST_SHOWN / 2:
                name = f"{image['file']} {lot['id']}"
                found.append(FaceSample(name, crop, 1 if lot["face_up"] == "marked" else -1))
                if error < 1 and number == 0:
                    break
    return found


def _bar(lot: dict[str, object], scale: float) -> Bar:
    """The smallest bar around a lot's true outline, at the working size."""
    outline = np.array(lot["quad_px"] if lot["length_px"] else lot["outline_px"], np.float32)
    (x, y), (one, other), turned = cv2.minAreaRect(outline)
    bar = Bar(x, y, turned, one, other) if one >= other else Bar(x, y, turned + 90, other, one)
    return Bar(
        (bar.x + 0.5) / scale - 0.5, (bar.y + 0.5) / scale - 0.5, bar.angle, bar.length / scale, bar.width / scale
    )


def _erring(bar: Bar, random: np.random.Generator, error: float) -> Bar:
    far, wide, off, size = random.normal(0, error, 2), random.normal(0, error, 2), random.normal(0, error), SIZE
    turn = np.degrees(TURN * bar.width / bar.length * off) if bar.length > LONG * bar.width else 5 * off
    moved = bar.moved(along=far[0] * SHIFT[0] * bar.length, across=far[1] * SHIFT[1] * bar.width, turn=float(turn))
    return replace(
        moved, length=bar.length * (1 + wide[0] * size[0]), width=bar.width * (1 + max(-0.2, wide[1] * size[1]))
    )


def noise_of(sets: Sequence[SetFaces]) -> Floats:
    """Variation of each feature within one face: the median over sets."""
    spreads = [
        np.stack([features(crop) for crop in side]).std(axis=0) for one in sets for side in (one.marked, one.plain)
    ]
    return np.asarray(np.median(spreads, axis=0), np.float32)


def compared(one: SetFaces, noise: Floats) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(n, features) comparisons of a set's thrown faces, and their signs."""
    sides = tuple(np.stack([features(crop) for crop in side]) for side in (one.marked, one.plain))
    rows = [comparison(face.crop, one.marked, one.plain, (sides[0], sides[1]), noise) for face in one.thrown]
    return np.array(rows, np.float64), np.array([face.sign for face in one.thrown], np.float64)


def fitted(rows: NDArray[np.float64], signs: NDArray[np.float64], weights: NDArray[np.float64]) -> Floats:
    """Logistic weights that are never negative: no comparison may speak for the other face."""
    learnt = np.full(rows.shape[1], 0.1)
    signed = rows * signs[:, None]
    for _ in range(STEPS):
        wrong = weights / (1 + np.exp(np.clip(signed @ learnt, -30, 30)))
        learnt = np.maximum(learnt + RATE * (signed.T @ wrong / weights.sum() - RIDGE * learnt), 0)
    return np.asarray(learnt, np.float32)


def learn_faces(sets: Sequence[SetFaces]) -> FaceWeights:
    """The weights that tell the faces of all sets; each set counts alike."""
    noise = noise_of(sets)
    pairs = [compared(one, noise) for one in sets if one.thrown]
    rows, signs = np.concatenate([pair[0] for pair in pairs]), np.concatenate([pair[1] for pair in pairs])
    each = np.concatenate([np.full(len(pair[1]), 1 / len(pair[1])) for pair in pairs])
    return FaceWeights(noise, fitted(rows, signs, each))


def save(weights: FaceWeights, path: Path) -> None:
    """Save the weights in the format that the product loads."""
    stored = {name: [round(float(value), 5) for value in getattr(weights, name)] for name in ("noise", "weights")}
    path.write_text(json.dumps(stored) + "\n", encoding="ascii")

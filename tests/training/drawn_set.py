"""A small rendered set: four sticks drawn on a speckled tray, with the generator's labels and masks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.cameras.camera import Pixels
from training.rendered_sets import RenderedSet

ROWS, COLUMNS = 240, 320
LENGTH, WIDTH = 90.0, 12.0
WOOD, PAINT, HAND = (150, 205, 235), (40, 40, 190), (122, 156, 205)
HAND_AT = ((COLUMNS, 120), 40)
APART = ((70.0, 60.0, 20.0), (230.0, 60.0, 160.0), (90.0, 180.0, 75.0), (220.0, 170.0, 40.0))
CROSSED = ((100.0, 100.0, 20.0), (100.0, 100.0, 100.0), (230.0, 60.0, 160.0), (220.0, 170.0, 40.0))

Place = tuple[float, ...]
"""Middle in pixels, degrees clockwise, and width as a share of a lot's where that is not 1."""


def drawn_set(folder: Path, number: int = 1) -> RenderedSet:
    """Write a set below the folder: the pictures that teach, a throw apart, a crossed one, and one with a hand."""
    name = f"r{number:05d}"
    (folder / name).mkdir(parents=True)
    tray = speckled(number)
    images = [{"file": _saved(folder, f"{name}/empty.jpg", tray), "role": "empty"}]
    for seed, (file, role, lie, faces, hand) in enumerate(
        (
            ("cal_marked", "calibration_marked", APART, "1111", False),
            ("cal_plain", "calibration_plain", APART, "0000", False),
            ("t01", "throw", APART, "1010", False),
            ("t02", "throw", CROSSED, "1100", False),
            ("t03", "throw", APART, "0001", True),
        )
    ):
        pixels = laid(tray, lie, faces, hand=hand, seed=seed)
        images.append(_labelled(folder, f"{name}/{file}", role, pixels, lie, faces, hand=hand))
    corners = [[4, 4], [COLUMNS - 4, 4], [COLUMNS - 4, ROWS - 4], [4, ROWS - 4]]
    labels = {
        "id": name,
        "kind": "sticks",
        "style": "painted",
        "camera": {"tray_floor_outline_px": corners},
        "images": images,
    }
    (folder / name / "set.json").write_text(json.dumps(labels))
    return RenderedSet(folder / name, labels)


def speckled(seed: int) -> Pixels:
    """An empty tray with texture for the alignment."""
    bare = np.random.default_rng(seed).normal((95, 120, 70), 12, (ROWS, COLUMNS, 3))
    return _as_pixels(cv2.GaussianBlur(bare, (0, 0), 1.2))


def laid(tray: Pixels, lie: Sequence[Place], faces: str, *, hand: bool = False, seed: int = 0) -> Pixels:
    """The tray with sticks, lowest first, marked side up where ``faces`` has a 1, and the camera's noise."""
    pixels = tray.copy()
    for place, face in zip(lie, faces, strict=True):
        cv2.fillPoly(pixels, [_corners(place)], PAINT if face == "1" else WOOD)
    if hand:
        cv2.circle(pixels, *HAND_AT, HAND, -1)
    return _as_pixels(pixels + np.random.default_rng(seed).normal(0, 2, pixels.shape))


def _labelled(
    folder: Path, name: str, role: str, pixels: Pixels, lie: Sequence[Place], faces: str, *, hand: bool
) -> dict[str, Any]:
    mask = np.zeros((ROWS, COLUMNS), np.uint8)
    objects = []
    crossed = lie is CROSSED
    for number, (place, face) in enumerate(zip(lie, faces, strict=True)):
        cv2.fillPoly(mask, [_corners(place)], number + 1)
        seen = 0.85 if crossed and number == 0 else 1.0
        objects.append(
            {
                "id": number,
                "mask_value": number + 1,
                "center_px": place[:2],
                "angle_deg": place[2],
                "length_px": LENGTH,
                "outline_px": _corners(place).tolist(),
                "quad_px": _corners(place).tolist(),
                "face_up": "marked" if face == "1" else "plain",
                "tilt_deg": 0.0,
                "visible_frac": seen,
                "mark_region_visible_frac": seen,
                "touching": [1 - number] if crossed and number < 2 else [],
                "leaning": False,
                "on_edge": False,
                "outside_tray": False,
            }
        )
    if hand:
        cv2.circle(mask, *HAND_AT, 10, -1)
    cv2.imwrite(str(folder / f"{name}.mask.png"), mask)
    return {
        "file": _saved(folder, f"{name}.jpg", pixels),
        "mask": f"{name}.mask.png",
        "role": role,
        "readable": True,
        "count_marked_up": faces.count("1"),
        "flags": {"touching": crossed, "overlapping": crossed, "hand": hand, "tray_nudged": False},
        "objects": objects,
        "others": [{"class": "hand", "mask_value": 10}] if hand else [],
    }


def _corners(place: Place) -> NDArray[np.int32]:
    x, y, angle = place[:3]
    wide = WIDTH * (place[3] if len(place) > 3 else 1.0)
    return np.round(cv2.boxPoints(((x, y), (LENGTH, wide), angle))).astype(np.int32)


def _as_pixels(values: NDArray[Any]) -> Pixels:
    return np.clip(np.round(values), 0, 255).astype(np.uint8)


def _saved(folder: Path, name: str, pixels: Pixels) -> str:
    cv2.imwrite(str(folder / name), pixels)
    return name

"""Lays lots on a tray as a reader is taught with them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from hardware.composing.cutouts import Pixels, Plane, TrayScene
from hardware.composing.painting import PlacedLot, painted, placed
from training.composing.arrangement import arrange
from training.composing.throws import side_of, taken

TRIES = 60
"""Arrangements that are tried for each picture."""

FINER = 4
"""How much finer than in pixels outlines are traced."""


@dataclass(frozen=True, slots=True, eq=False)
class LaidSet:
    """The pictures with which a set of lots is taught.

    pictures : the empty tray, and all lots marked and all plain side up.
    outlines : (n, 2) pixels, of the lots in the marked and in the plain picture.
    """

    pictures: tuple[Pixels, Pixels, Pixels]
    outlines: tuple[tuple[Plane, ...], tuple[Plane, ...]]


def laid_set(scene: TrayScene, random: np.random.Generator) -> LaidSet | None:
    """Lay four of the scene's lots on its tray, marked and plain; None if they do not fit into it.

    Raises ValueError if none of them was seen from one side.
    """
    sides = [_taught(scene, random, marked=marked) for marked in (True, False)]
    if sides[0] is None or sides[1] is None:
        return None
    (marked, marked_outlines), (plain, plain_outlines) = sides[0], sides[1]
    empty = np.clip(np.round(scene.empty), 0, 255).astype(np.uint8)
    return LaidSet((empty, marked, plain), (marked_outlines, plain_outlines))


def _taught(scene: TrayScene, random: np.random.Generator, *, marked: bool) -> tuple[Pixels, tuple[Plane, ...]] | None:
    """A picture of all lots with that side up, and their outlines."""
    lots = [side_of(scene, lot, random, marked=marked) for lot in range(4)]
    poses = next((poses for _ in range(TRIES) if (poses := arrange(scene, "apart", lots, random)) is not None), None)
    if poses is None:
        return None
    layers = [placed(scene.empty.shape, cut, pose) for cut, pose in zip(lots, poses, strict=True)]
    return painted(scene, layers, taken("", random), random), tuple(_outline(layer) for layer in layers)


def _outline(layer: PlacedLot) -> Plane:
    fine = cv2.resize(layer.alpha, None, fx=FINER, fy=FINER, interpolation=cv2.INTER_LINEAR)
    contours, _ = cv2.findContours((fine > 0.5).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    corner = np.array([layer.left, layer.top])
    return np.asarray((max(contours, key=cv2.contourArea)[:, 0] + 0.5) / FINER - 0.5 + corner, np.float32)

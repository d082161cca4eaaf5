"""Draws sets of lots of any make and mark on a tray: many more kinds than can be rendered."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from hardware.composing.cutouts import Pixels, Plane, TrayScene
from hardware.composing.painting import painted, placed
from training.composing.arrangement import arrange
from training.composing.lot_make import LotMake
from training.composing.throws import taken

STICKS = 0.55
"""Share of sets that are sticks."""

STICK_WIDTH, STICK_PROPORTION, SMALL_WIDTH = (8.0, 17.0), (6.0, 15.0), (9.0, 22.0)
"""Limits of a stick's width in pixels, of its length over its width, and of a small lot's width."""

LONGEST, SHORTEST = 0.6, 4.5
"""Length of a stick: at most a share of the tray's shorter side, and at least a multiple of its width."""

TRIES = 60
"""Arrangements that are tried for each picture."""


@dataclass(frozen=True, slots=True, eq=False)
class DrawnSet:
    """Drawn lots in a tray, from which throws can be composed.

    pictures : the empty tray, and all lots marked and all plain side up; as a reader is taught.
    outlines : (n, 2) pixels, of the lots in the marked and in the plain picture.
    """

    scene: TrayScene
    pictures: tuple[Pixels, Pixels, Pixels]
    outlines: tuple[tuple[Plane, ...], tuple[Plane, ...]]


def drawn_set(scene: TrayScene, random: np.random.Generator) -> DrawnSet | None:
    """Draw a set of lots on that scene's tray; None if they do not fit into it."""
    make = _make(scene, random)
    if make is None:
        return None
    cuts = tuple(make.cut(lot, random, marked=marked) for lot in range(4) for marked in (True, False))
    scene = replace(scene, is_long=make.is_long, cuts=cuts)
    sides = [_taught(scene, make, random, marked=marked) for marked in (True, False)]
    if sides[0] is None or sides[1] is None:
        return None
    (marked, marked_outlines), (plain, plain_outlines) = sides[0], sides[1]
    empty = np.clip(np.round(scene.empty), 0, 255).astype(np.uint8)
    return DrawnSet(scene, (empty, marked, plain), (marked_outlines, plain_outlines))


def _make(scene: TrayScene, random: np.random.Generator) -> LotMake | None:
    """A random make of lots whose size suits the tray."""
    if random.random() < STICKS:
        room = float(np.ptp(scene.floor, axis=0).min())
        width = float(random.uniform(*STICK_WIDTH))
        length = min(width * float(random.uniform(*STICK_PROPORTION)), LONGEST * room)
        return LotMake(length, width, random, is_long=True) if length >= SHORTEST * width else None
    width = float(random.uniform(*SMALL_WIDTH))
    length = width * float(random.choice((1.0, 1.0, random.uniform(1.05, 1.6))))
    return LotMake(length, width, random, is_long=False)


def _taught(
    scene: TrayScene, make: LotMake, random: np.random.Generator, *, marked: bool
) -> tuple[Pixels, tuple[Plane, ...]] | None:
    """A picture of all lots with that side up, and their outlines."""
    lots = [cut for cut in scene.cuts if cut.marked is marked]
    poses = next((poses for _ in range(TRIES) if (poses := arrange(scene, "apart", lots, random)) is not None), None)
    if poses is None:
        return None
    layers = [placed(scene.empty.shape, cut, pose) for cut, pose in zip(lots, poses, strict=True)]
    picture = painted(scene, layers, taken("", random), random)
    return picture, tuple(make.outline(cut, pose) for cut, pose in zip(lots, poses, strict=True))

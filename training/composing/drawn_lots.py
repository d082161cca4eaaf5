"""Draws sets of lots of any make and mark on a tray: many more kinds than can be rendered."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hardware.composing.cutouts import TrayScene
from training.composing.lot_make import LotMake

STICKS = 0.55
"""Share of sets that are sticks."""

STICK_WIDTH, STICK_PROPORTION, SMALL_WIDTH = (8.0, 17.0), (6.0, 15.0), (9.0, 22.0)
"""Limits of a stick's width in pixels, of its length over its width, and of a small lot's width."""

LONGEST, SHORTEST = 0.6, 4.5
"""Length of a stick: at most a share of the tray's shorter side, and at least a multiple of its width."""


def drawn_lots(tray: TrayScene, random: np.random.Generator) -> TrayScene | None:
    """That tray with four lots that are drawn; None if the tray is too small for them."""
    make = _make(tray, random)
    if make is None:
        return None
    cuts = tuple(make.cut(lot, random, marked=marked) for lot in range(4) for marked in (True, False))
    return replace(tray, is_long=make.is_long, cuts=cuts)


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

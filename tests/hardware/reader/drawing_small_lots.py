"""Drawn pictures of a tray with kernels, beans, coins or cubes, with known truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.cameras.camera import Pixels
from tests.grain import grain

ROWS, COLUMNS = 720, 960
SIZE = 34.0
"""A lot's length in pixels."""

TABLE, FELT, SHADE = (96, 120, 150), (92, 104, 70), 0.5
LAMP = (-0.6, -0.8)
APART = ((300.0, 220.0, 20.0), (620.0, 240.0, 140.0), (330.0, 480.0, 250.0), (600.0, 500.0, 75.0))
"""Places of four lots with room between them: x, y and turn in degrees."""

Plane = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Small:
    """A lot: where its middle lies in pixels, its turn in degrees clockwise, which of a set of four (or more) it is."""

    x: float
    y: float
    turn: float
    marked: bool
    number: int = 0
    edge: bool = False


def four(marked: int, places: Sequence[tuple[float, float, float]] = APART) -> list[Small]:
    """Four lots, the first ``marked`` of them marked side up."""
    return [Small(x, y, turn, number < marked, number) for number, (x, y, turn) in enumerate(places)]


def scene(
    kind: str, lots: Sequence[Small] = (), *, noise: int = 0, light: float = 1.0, others: Sequence[str] = ()
) -> Pixels:
    """The tray with lots of a kind: kernels, dotted kernels, beans, coins, cubes, twins.

    others: what else is there, of "token", "hand".
    """
    picture = _bare().copy()
    # What lies higher in the list lies lower in the tray.
    for lot in lots:
        _lay(picture, *_lot(kind, lot), lot.x, lot.y)
    if "token" in others:
        y, x = _grid(70)
        _lay(picture, np.full((70, 70, 3), (150.0, 60.0, 160.0)), np.clip(28 - np.hypot(x, y), 0, 1), 470.0, 350.0)
    if "hand" in others:
        for row in (300, 350, 400):
            cv2.line(picture, (COLUMNS, row + 30), (COLUMNS - 90, row), (120, 150, 205), 36, cv2.LINE_AA)
    noisy = cv2.GaussianBlur(picture, (0, 0), 0.8) * light + grain(noise, 1.5, picture.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def calibration(kind: str) -> tuple[Pixels, Pixels, Pixels]:
    """The empty tray, all marked and all plain."""
    return scene(kind, noise=1), scene(kind, four(4), noise=2), scene(kind, four(0), noise=3)


@cache
def _bare() -> Plane:
    """The tray on its table, without noise."""
    weave = np.random.default_rng(3)
    picture = np.broadcast_to(np.array(TABLE, float), (ROWS, COLUMNS, 3)).copy()
    picture[60:-60, 120:-120] = FELT
    picture *= 1 + 0.05 * cv2.GaussianBlur(weave.normal(size=(ROWS, COLUMNS, 1)), (0, 0), 1.0)[..., None]
    picture *= 1.08 - 0.16 * np.linspace(0, 1, COLUMNS)[None, :, None]
    return picture


def _grid(side: int) -> tuple[Plane, Plane]:
    y, x = np.mgrid[0:side, 0:side] - (side - 1) / 2.0
    return y.astype(np.float64), x.astype(np.float64)


def _lot(kind: str, lot: Small) -> tuple[Plane, Plane]:
    """A lot's colours, (side, side, 3), and where it covers what is below, 0..1."""
    random = np.random.default_rng(100 + lot.number)
    y, x = _grid(61)
    turned = np.radians(lot.turn)
    # A lot that is turned over shows its outline in a mirror.
    u = (x * np.cos(turned) + y * np.sin(turned)) / (SIZE / 2)
    v = (y * np.cos(turned) - x * np.sin(turned)) / (SIZE / 2) * (-1 if lot.marked else 1)
    if lot.edge:
        v = v * 2.1
    grow = random.uniform(0.94, 1.06)
    u, v = u / grow, v / grow
    blotch = cv2.GaussianBlur(np.random.default_rng(lot.number).normal(size=u.shape), (0, 0), 3) * 3
    if kind in ("kernels", "dotted kernels", "twins"):
        bend = random.uniform(-0.08, 0.08)
        distance = np.maximum(np.abs(v + bend * u) * 1.15 - 0.32 * (u + 0.75), np.abs(u) - 0.75) - 0.25
        colour: Any = np.array([40.0, 165.0, 215.0])
    elif kind == "beans":
        distance = np.hypot(u, (v + 0.18 * u**2) * 1.5) - 0.95
        colour = np.array([60.0, 50.0, 120.0])
    elif kind == "coins":
        distance, colour = np.hypot(u, v) - 0.9, np.array([120.0, 165.0, 185.0])
    else:
        distance, colour = np.maximum(np.abs(u), np.abs(v)) - 0.72, np.array([180.0, 205.0, 215.0])
    cover = np.clip(0.5 - distance * SIZE / 2, 0, 1)
    face = np.broadcast_to(colour, (*u.shape, 3)) * (1 + 0.06 * blotch)[..., None]
    if lot.marked:
        dark = np.array([45.0, 42.0, 40.0])
        if kind == "kernels":
            burnt = (blotch > -0.8)[..., None]
            face = np.where(burnt, dark, face)
        elif kind == "dotted kernels":
            face = np.where((np.hypot(u - 0.1, v - 0.1) < 0.33)[..., None], dark, face)
        elif kind == "beans":
            face = np.where((np.hypot(u - 0.1, v * 1.3) < 0.45)[..., None], (190.0, 215.0, 225.0), face)
        elif kind == "coins":
            face = np.where((np.hypot(u, v) < 0.75)[..., None], (70.0, 60.0, 200.0), face)
        elif kind == "cubes":
            cross = (np.abs(np.abs(u) - np.abs(v)) < 0.2) & (np.maximum(np.abs(u), np.abs(v)) < 0.55)
            face = np.where(cross[..., None], dark, face)
    # A dome that falls off to its rim, and the lamp's reflection.
    slope = np.clip(1 + distance / 0.9, 0, 1) ** 3
    shading = 1 + 0.35 * slope * (x * LAMP[0] + y * LAMP[1]) / np.maximum(np.hypot(x, y), 1) - 0.1 * slope
    gloss = 55 * np.exp(-((x - 6 * LAMP[0]) ** 2 + (y - 6 * LAMP[1]) ** 2) / 12)
    if kind == "coins":
        gloss = 0 * gloss
    return face * shading[..., None] + gloss[..., None], cover


def _lay(picture: Plane, colours: Plane, cover: Plane, x: float, y: float) -> None:
    """Put a thing and its shadow on what is there."""
    side, room = cover.shape[0], cover.shape[0] + 40
    left, top = int(x) - room // 2, int(y) - room // 2
    there = picture[top : top + room, left : left + room]
    shift = np.array([[1, 0, x - left - (side - 1) / 2], [0, 1, y - top - (side - 1) / 2]])
    thrown = shift - [[0, 0, 7 * LAMP[0]], [0, 0, 7 * LAMP[1]]]
    shade = cv2.GaussianBlur(cv2.warpAffine(cover, thrown, (room, room)), (0, 0), 2.0)
    there *= (1 - (1 - SHADE) * shade)[..., None]
    over = cv2.warpAffine(cover, shift, (room, room))[..., None]
    there *= 1 - over
    there += over * cv2.warpAffine(colours, shift, (room, room), borderMode=cv2.BORDER_REPLICATE)

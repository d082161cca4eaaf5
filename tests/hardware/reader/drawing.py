"""Drawn pictures of a tray with sticks, with known truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from hardware.cameras.camera import Pixels
from hardware.reader.throw_reader import ThrowReader
from tests.grain import grain

ROWS, COLUMNS = 480, 640
LENGTH, WIDTH = 150, 18
TABLE, FELT, WOOD, PAINT = (70, 110, 150), (80, 120, 60), (150, 190, 220), (30, 30, 35)
WORN = (110, 135, 150)
"""Paint that has seen many games: no longer plainly dark, and not yet gone."""


@dataclass(frozen=True, slots=True)
class Stick:
    """A stick's centre in pixels, its turn in degrees clockwise, and whether three painted bands lie up."""

    x: float
    y: float
    turn: float = 0.0
    marked: bool = False
    length: float = LENGTH


APART = ((200.0, 130.0, 5.0), (430.0, 150.0, 60.0), (210.0, 300.0, 150.0), (420.0, 330.0, 0.0))
"""Places of four sticks with room between them: x, y and turn."""


def four(marked: int) -> list[Stick]:
    """Four sticks apart, the first ``marked`` of them marked side up."""
    return [Stick(x, y, turn, number < marked) for number, (x, y, turn) in enumerate(APART)]


def tray(
    sticks: Sequence[Stick] = (),
    *,
    hand: tuple[int, int] | None = None,
    nudged: tuple[int, int] = (0, 0),
    light: float = 1.0,
    noise: int = 0,
    paint: Sequence[float] = PAINT,
) -> Pixels:
    """The tray on its table. ``hand``: where its fingers end, from the right. ``noise``: the seed of the noise."""
    table, felt = _cloths()
    picture = table.copy()
    right, down = nudged
    picture[50 + down : 430 + down, 80 + right : 560 + right] = felt[50:430, 80:560]
    for stick in sticks:
        _lay(picture, stick, paint)
    if hand is not None:
        cv2.line(picture, hand, (COLUMNS + 40, hand[1] + 60), (120, 150, 205), 50, cv2.LINE_AA)
        cv2.line(picture, (hand[0] + 10, hand[1] + 30), (COLUMNS + 40, hand[1] + 80), (110, 140, 195), 50, cv2.LINE_AA)
    noisy = picture.astype(np.float32) * light + grain(noise, 1.5, picture.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


@cache
def calibration() -> tuple[Pixels, Pixels, Pixels]:
    """The empty tray, all marked and all plain. Not to be written to."""
    pictures = tray(noise=1), tray(four(4), noise=2), tray(four(0), noise=3)
    for pixels in pictures:
        pixels.flags.writeable = False
    return pictures


@cache
def taught_reader() -> ThrowReader:
    """The reader of these sticks, taught once for all tests of a process."""
    return ThrowReader.calibrate(*calibration())


@cache
def _cloths() -> tuple[Pixels, Pixels]:
    """The table and the tray's felt, each over the whole picture."""
    weave = np.random.default_rng(7).normal(0, 4, (ROWS, COLUMNS, 1))
    return _soft(np.array(TABLE, float) + weave), _soft(np.array(FELT, float) + weave[::-1])


def _soft(picture: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Pixels:
    return cv2.GaussianBlur(np.clip(picture, 0, 255).astype(np.uint8), (0, 0), 0.8).astype(np.uint8)


def _lay(picture: Pixels, stick: Stick, paint: Sequence[float]) -> None:
    """Draw the stick with a thin shadow below it, smooth at its edges."""
    _bar(picture, (stick.x + 2, stick.y + 2), stick.turn, stick.length, WIDTH, tuple(0.6 * part for part in FELT))
    _bar(picture, (stick.x, stick.y), stick.turn, stick.length, WIDTH, WOOD)
    if stick.marked:
        along = np.radians(stick.turn)
        for place in (-0.3, 0.0, 0.3):
            x = stick.x + place * stick.length * float(np.cos(along))
            y = stick.y + place * stick.length * float(np.sin(along))
            _bar(picture, (x, y), stick.turn, 14, WIDTH, paint)


def _bar(
    picture: Pixels,
    centre: tuple[float, float],
    turn: float,
    length: float,
    width: float,
    colour: Sequence[float],
) -> None:
    corners = cv2.boxPoints((centre, (length, width), turn))
    cv2.fillConvexPoly(picture, (corners * 16).round().astype(np.int32), tuple(colour), cv2.LINE_AA, 4)

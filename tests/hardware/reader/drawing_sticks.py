"""Heaps of sticks, drawn in the order in which they lie, so that what lies on top is known.

Each stick throws a soft shadow on what is below it and has a dark and a light long edge, as wood has in light from one
side. The tray below is the one of ``drawing``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.cameras.camera import Pixels
from hardware.reader.bars import Bar, Ends
from tests.grain import grain
from tests.hardware.reader.drawing import APART, COLUMNS, LENGTH, PAINT, ROWS, WIDTH, WOOD, tray

SHADE, DEEP = 0.35, 4.0
"""How much light the drawn shadows take away at most, and how far off they fall and how soft they are, in pixels."""

EDGES = (0.6, 1.2)
"""How light the two long edges of a stick are beside its face."""

RIM = 1.6
"""How wide they are, in pixels."""

SQUARE = Ends(0.0)
"""The ends of the drawn sticks."""


class Mark(Enum):
    """What the marked faces of a set show, as the parts of the length that are painted, from -0.5 to 0.5."""

    BANDS = ((-0.35, -0.25), (-0.05, 0.05), (0.25, 0.35))
    HALF = ((0.0, 0.5),)
    WHOLE = ((-0.5, 0.5),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    """A stick in a heap: middle in pixels, degrees clockwise, whether its mark lies up, and its size."""

    x: float
    y: float
    turn: float = 0.0
    marked: bool = False
    length: float = LENGTH
    width: float = WIDTH

    @property
    def bar(self) -> Bar:
        """The bar that the stick covers."""
        return Bar(self.x, self.y, self.turn, self.length, self.width)


def apart(marked: int) -> list[Laid]:
    """Four sticks that do not touch, the first ``marked`` of them marked side up."""
    return [Laid(x=x, y=y, turn=turn, marked=number < marked) for number, (x, y, turn) in enumerate(APART)]


def touching(marked: int) -> list[Laid]:
    """Two sticks apart, and two of which one lies against the other's side."""
    leaning = Laid(x=425, y=353, turn=10, marked=marked > 0)
    return [*(stick for number, stick in enumerate(apart(marked)) if number != 1), leaning]


def heap(
    sticks: Sequence[Laid],
    *,
    mark: Mark = Mark.BANDS,
    edges: tuple[float, float] = EDGES,
    light: float = 1.0,
    noise: int = 1,
) -> Pixels:
    """The sticks in the tray, the first at the bottom, each in the dark of those above it. ``noise``: its seed."""
    picture = tray(noise=99).astype(np.float32)
    for stick in sticks:
        dim(picture, shadow(stick.bar))
        _lay(picture, stick, mark, edges)
    soft = cv2.GaussianBlur(picture, (0, 0), 0.7) * light
    return np.asarray(np.clip(soft + grain(noise, 1.2, picture.shape), 0, 255), np.uint8)


def taught(mark: Mark = Mark.BANDS) -> tuple[Pixels, Pixels, Pixels]:
    """The calibration pictures of these sticks: empty tray, four marked, four plain."""
    return heap([], noise=2), heap(apart(4), mark=mark, noise=3), heap(apart(0), mark=mark, noise=4)


def shadow(bar: Bar) -> NDArray[np.float32]:
    """The share of the light that reaches each pixel beside a stick: (ROWS, COLUMNS)."""
    dark = SQUARE.mask(replace(bar, x=bar.x + DEEP, y=bar.y + DEEP), (ROWS, COLUMNS)).astype(np.float32)
    return np.asarray(1 - SHADE * cv2.GaussianBlur(dark, (0, 0), DEEP / 2), np.float32)


def dim(picture: NDArray[np.float32], light: NDArray[np.float32]) -> None:
    """Multiply the picture by these shares of light."""
    picture *= light[..., None]


def _lay(picture: NDArray[np.float32], stick: Laid, mark: Mark, edges: tuple[float, float]) -> None:
    cos, sin = stick.bar.along

    def part(first: float, last: float, low: float, high: float, colour: Sequence[float]) -> None:
        """Fill a part of the face, given in shares of its length and width from its middle."""
        at = [(first, low), (last, low), (last, high), (first, high)]
        along, across = np.array(at).T * [[stick.length], [stick.width]]
        corners = np.stack([stick.x + along * cos - across * sin, stick.y + along * sin + across * cos], axis=1)
        cv2.fillConvexPoly(picture, (corners * 16).round().astype(np.int32), tuple(colour), cv2.LINE_AA, 4)

    coloured = [(-0.5, 0.5, WOOD)] + [(*place, PAINT) for place in (mark.value if stick.marked else ())]
    for first, last, colour in coloured:
        part(first, last, -0.5, 0.5, colour)
        for side, lightness in zip((-1, 1), edges, strict=True):
            rim = [lightness * channel for channel in colour]
            part(first, last, 0.5 * side, 0.5 * side - side * RIM / stick.width, rim)

"""Pictures of printed sheets as a camera sees them, with known geometry, and the words on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.printing.tray_plan import PAPERS, Box, PaperSheet
from companion.printing.tray_sheet import draw_tray
from hardware.cameras.camera import Pixels
from hardware.registration.markers import marker_patterns
from tests.grain import grain

Floats = NDArray[np.float64]
TABLE, WOOD, PAINT = (60, 90, 120), (150, 190, 220), (30, 30, 35)
FINE = 12
"""Pixels per millimetre of the rendered sheet."""

OUTSIDE_IN = 3
"""Each pixel of the camera is the mean of a square with this side."""


@cache
def printed(paper: str = "a4", *, tinted: bool = True) -> Pixels:
    """The sheet, rendered at FINE pixels per millimetre."""
    pdfium = pytest.importorskip("pypdfium2", reason="draws the sheets")
    page = pdfium.PdfDocument(draw_tray(PAPERS[paper], marker_patterns(), tinted=tinted))[0]
    picture: Pixels = page.render(scale=FINE * 25.4 / 72).to_numpy()[..., :3].astype(np.uint8)
    return picture


@dataclass(frozen=True, slots=True)
class Words:
    """The words on a page. boxes: of each run of letters, in millimetres right and down from the paper's corner."""

    text: str
    boxes: tuple[Box, ...]

    def overlaps(self) -> list[tuple[Box, Box]]:
        """Pairs of runs that lie on each other by more than two neighbouring letters do."""
        pairs = combinations((box.grown(-0.3) for box in self.boxes), 2)
        return [
            (one, other)
            for one, other in pairs
            if one.left < other.right and other.left < one.right and one.top < other.bottom and other.top < one.bottom
        ]


def words(pdf: bytes) -> list[Words]:
    """The words on each page."""
    pdfium = pytest.importorskip("pypdfium2", reason="draws the sheets")
    found = []
    for page in pdfium.PdfDocument(pdf):
        drawn, high, mm = page.get_textpage(), page.get_height(), 25.4 / 72
        sides = (drawn.get_rect(number) for number in range(drawn.count_rects()))
        boxes = (Box(left * mm, (high - top) * mm, right * mm, (high - low) * mm) for left, low, right, top in sides)
        found.append(Words(drawn.get_text_range(), tuple(boxes)))
    return found


@dataclass(frozen=True, slots=True)
class Stick:
    """A craft stick: its centre in millimetres of the sheet, its angle in degrees clockwise, and its upper face."""

    x: float
    y: float
    turn: float
    marked: bool = False


APART = ((80.0, 60.0, 10.0), (215.0, 70.0, 35.0), (90.0, 130.0, 160.0), (205.0, 135.0, 0.0))
"""Places of four separate sticks: x, y and angle."""


def four(marked: int) -> list[Stick]:
    """Four separate sticks, the first ``marked`` of them marked side up."""
    return [Stick(*place, number < marked) for number, place in enumerate(APART)]


def laid(paper: Pixels, sticks: Sequence[Stick]) -> Pixels:
    """The sheet with sticks on it, each with a narrow shadow."""
    picture = paper.copy()
    for stick in sticks:
        _bar(picture, stick.x + 1, stick.y + 1, stick.turn, 114, (75, 86, 72))
        _bar(picture, stick.x, stick.y, stick.turn, 114, WOOD)
        if stick.marked:
            along = np.radians(stick.turn)
            for place in (-34, 0, 34):
                x, y = stick.x + place * np.cos(along), stick.y + place * np.sin(along)
                _bar(picture, float(x), float(y), stick.turn, 9, PAINT)
    return picture


def _bar(picture: Pixels, x: float, y: float, turn: float, length: float, colour: tuple[int, int, int]) -> None:
    corners = cv2.boxPoints(((x * FINE, y * FINE), (length * FINE, 10 * FINE), turn))
    cv2.fillConvexPoly(picture, (corners * 16).round().astype(np.int32), colour, cv2.LINE_AA, 4)


def overhead(
    sheet: PaperSheet,
    *,
    scale: float = 4.0,
    size: tuple[int, int] = (1280, 960),
    aside: tuple[float, float] = (0, 0),
    tilt: tuple[float, float] = (0, 0),
    turn: float = 0.0,
) -> Floats:
    """The (3, 3) homography from millimetres of the sheet to pixels of a camera 450 mm above it.

    scale: pixels per millimetre below the camera. aside: offset of the sheet to the right and down, in millimetres.
    tilt, turn: degrees by which the sheet is tilted about the picture's axes, and rotated in it.
    """
    away, angles = 450.0, np.radians([*tilt, turn])
    turned = np.eye(3)
    for axis, angle in zip(np.eye(3), angles, strict=True):
        turned = turned @ np.asarray(cv2.Rodrigues(axis * angle)[0])
    lens = np.array([[scale * away, 0, (size[0] - 1) / 2], [0, scale * away, (size[1] - 1) / 2], [0, 0, 1]])
    middle = np.array([[1, 0, -sheet.width / 2], [0, 1, -sheet.height / 2], [0, 0, 1]])
    place: Floats = lens @ np.column_stack([turned[:, 0], turned[:, 1], [*aside, away]]) @ middle
    return place


def seen(
    paper: Pixels,
    place: Floats,
    *,
    size: tuple[int, int] = (1280, 960),
    light: float | tuple[float, float, float] = 0.8,
    blur: float = 1.0,
    noise: int = 0,
) -> Pixels:
    """The camera's picture of the sheet, (rows, columns, 3) uint8, blue-green-red.

    light: brightness as a share of white, or of each colour. blur: sigma in pixels. noise: the seed of noise of 4 grey
    levels.
    """
    finer = np.array([[OUTSIDE_IN, 0, (OUTSIDE_IN - 1) / 2], [0, OUTSIDE_IN, (OUTSIDE_IN - 1) / 2], [0, 0, 1]])
    to_millimetres = np.array([[1 / FINE, 0, 0.5 / FINE], [0, 1 / FINE, 0.5 / FINE], [0, 0, 1]])
    smooth = cv2.GaussianBlur(paper, (0, 0), 1.0)
    large = (size[0] * OUTSIDE_IN, size[1] * OUTSIDE_IN)
    wide = cv2.warpPerspective(smooth, finer @ place @ to_millimetres, large, borderValue=TABLE)
    picture = cv2.GaussianBlur(cv2.resize(wide, size, interpolation=cv2.INTER_AREA), (0, 0), blur)
    noisy: Pixels = np.clip(picture * light + grain(noise, 4, picture.shape), 0, 255).astype(np.uint8)
    return noisy


def carried(matrix: Floats, points: Floats) -> Floats:
    """Transform points of shape (n, 2) by a (3, 3) homography."""
    wide = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    flat: Floats = wide[:, :2] / wide[:, 2:]
    return flat

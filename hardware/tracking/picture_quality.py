"""How good a picture of the tray is, in figures: focus, light, and whether it shows what the reader was taught."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.doctor.sight import Fit, Sight
from companion.errors import PictureUnusable
from companion.referee.events import ThrowUnreadable
from hardware.agreeing import Reader
from hardware.camera import Pixels
from hardware.markers import find

WIDTH = 640
"""Columns at which all is measured: what a phone is shown, and what the reader seeks lots in."""

REBLUR = 1.0
"""Pixels by which the picture is blurred once more to see how much its edges lose by that. Wider averages noise away
and lets neighbouring edges meddle."""

STRONG = 0.001
"""Share of the pixels, those of the steepest brightness, by which focus is told. More takes in soft shadows, which are
no edges: at 0.01 an empty tray blurred by 4 pixels seemed blurred by 5.5. Fewer leaves it to a handful of pixels."""

LEVEL = 2.0
"""Levels a pixel of brightness from which there is an edge at all. A cap on the lens stays below; photographs have 30
to 60, and 4 to 10 where they are blurred beyond use."""

RISE = 2.56
"""Widths of a blur's bell from a tenth to nine tenths of an edge."""

MIDDLE = 0.5
"""Share of the picture's width and height in its middle that is taken for the tray. More takes in the table around."""

BLOCKS = (3, 4)
"""Rows and columns of parts whose medians tell how even the light is: wider than a stick, which then counts little."""

BRIGHT = 0.9
"""Share of the pixels that are darker than the brightness told. A dark cloth fills most of a picture, and bright things
in it still tell how much light there is; lower takes the cloth for darkness, higher a lamp's reflection for light."""

WHITE = 250
"""Brightness from which a channel is burnt out."""


def inspect(pixels: Pixels, reader: Reader | None) -> Sight:
    """What that picture tells, in figures. reader: taught the tray and its lots, if anybody was."""
    rows, columns = pixels.shape[:2]
    shrunk = small(pixels)
    middle = _middle(shrunk)
    grey = cv2.cvtColor(middle, cv2.COLOR_BGR2GRAY)
    seen = find(pixels, fewest=1)
    fit, things = _fit(pixels, reader) if reader else (None, None)
    return Sight(
        width=columns,
        height=rows,
        edge=edge_width(shrunk),
        brightness=float(np.quantile(cv2.cvtColor(shrunk, cv2.COLOR_BGR2GRAY), BRIGHT)),
        burnt=float(np.mean(middle.max(axis=2) >= WHITE)),
        evenness=evenness(grey),
        markers=0 if seen is None else len(seen.corners),
        things=things,
        fit=fit,
    )


def inspect_jpeg(jpeg: bytes) -> Sight:
    """What a picture tells that phones are shown, without reading it."""
    pixels = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert pixels is not None
    return inspect(pixels.astype(np.uint8), None)


def edge_width(pixels: Pixels) -> float | None:
    """How many pixels of a picture 640 wide an edge takes from dark to light; None where it shows no edge.

    It depends neither on what the picture shows nor on how bright that is: the picture is blurred once more, and the
    sharper an edge was, the more of its slope it loses by that (the re-blur ratio of Zhuo and Sim, Defocus map
    estimation from a single image, 2011).
    """
    grey = cv2.cvtColor(small(pixels), cv2.COLOR_BGR2GRAY).astype(np.float32)
    once, again = _slope(grey), _slope(cv2.GaussianBlur(grey, (0, 0), REBLUR))
    steepest = once >= np.quantile(once, 1 - STRONG)
    if float(np.median(once[steepest])) < LEVEL:
        return None
    ratio = float(np.median(once[steepest] / np.maximum(again[steepest], 1e-3)))
    return RISE * REBLUR / float(np.sqrt(max(ratio**2 - 1, 1e-3)))


def evenness(grey: NDArray[Any]) -> float:
    """The darkest part's brightness as a share of the brightest's, 0..1."""
    parts = [
        float(np.median(part)) for row in np.array_split(grey, BLOCKS[0]) for part in np.array_split(row, BLOCKS[1], 1)
    ]
    return (min(parts) + 1) / (max(parts) + 1)


def small(pixels: Pixels) -> Pixels:
    """The picture at WIDTH columns, unless it is smaller."""
    rows, columns = pixels.shape[:2]
    if columns <= WIDTH:
        return pixels
    return cv2.resize(pixels, (WIDTH, round(rows * WIDTH / columns)), interpolation=cv2.INTER_AREA).astype(np.uint8)


def _middle(pixels: Pixels) -> Pixels:
    rows, columns = pixels.shape[:2]
    top, left = round(rows * (1 - MIDDLE) / 2), round(columns * (1 - MIDDLE) / 2)
    return pixels[top : rows - top, left : columns - left]


def _slope(grey: NDArray[Any]) -> NDArray[np.float32]:
    """How steep the brightness is at each pixel, in levels a pixel."""
    across = cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=1 / 8)
    return np.asarray(cv2.magnitude(across, down), np.float32)


def _fit(pixels: Pixels, reader: Reader) -> tuple[Fit, int | None]:
    try:
        answer = reader.read(pixels)
    except PictureUnusable:
        return Fit.OTHER_SIZE, None
    if isinstance(answer, ThrowUnreadable) and answer.reason == "moved":
        return Fit.MOVED, None
    return Fit.FITS, len(answer.lots)

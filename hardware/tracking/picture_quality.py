"""Measure the quality of a picture of the tray: focus, light, and whether it fits the calibration."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.doctor.camera_checks import DARK, PictureQuality, ProfileFit, focus, light
from companion.doctor.finding import FindingState
from companion.errors import PictureUnusable
from companion.referee.events import ThrowUnreadable
from hardware.cameras.camera import Pixels
from hardware.registration.markers import find_markers
from hardware.registration.sheet_registration import SheetRegistration
from hardware.registration.tray_moves import TrayMoves, shrunk
from hardware.tracking.consensus import PictureReader

WIDTH = 640
"""Columns at which everything is measured, as in the previews and in the reader's search for lots."""

REBLUR_SIGMA = 1.0
"""Sigma in pixels of the second blur. Higher averages noise, but mixes neighbouring edges."""

EDGE_SHARE = 0.001
"""Share of the pixels, those with the steepest gradients, by which focus is measured. More includes soft shadows: at
0.01 an empty tray blurred by 4 pixels seemed blurred by 5.5. Fewer relies on a handful of pixels."""

MIN_GRADIENT = 2.0
"""Grey levels per pixel from which there is an edge at all. With a cap on the lens there is none; photographs have 30
to 60, and 4 to 10 if they are blurred beyond use."""

EDGE_RISE = 2.56
"""Width of a Gaussian-blurred edge from 10 % to 90 %, in sigmas."""

TRAY_SHARE = 0.5
"""Share of the picture's width and height, in its middle, that is taken for the tray. More includes the table."""

BLOCKS = (3, 4)
"""Rows and columns of blocks whose medians are compared for the evenness of the light. They are wider than a stick."""

BRIGHTNESS_QUANTILE = 0.9
"""Quantile of the grey levels that is the picture's brightness. Lower takes a dark cloth for darkness, higher a lamp's
reflection for light."""

CLIPPED = 250
"""Level from which a channel is clipped."""


def measure_quality(pixels: Pixels, reader: PictureReader | None) -> PictureQuality:
    """Measure a picture.

    Parameters
    ----------
    pixels : (rows, columns, 3) uint8 array
        Blue, green, red, of any size.
    reader : PictureReader or None
        The calibrated reader, if there is one.
    """
    rows, columns = pixels.shape[:2]
    shrunk = small(pixels)
    middle = _middle(shrunk)
    grey = cv2.cvtColor(middle, cv2.COLOR_BGR2GRAY)
    seen = find_markers(pixels, min_markers=1)
    fit, things = _reading(pixels, reader) if reader else (None, None)
    return PictureQuality(
        width=columns,
        height=rows,
        edge=edge_width(shrunk),
        brightness=float(np.quantile(cv2.cvtColor(shrunk, cv2.COLOR_BGR2GRAY), BRIGHTNESS_QUANTILE)),
        burnt=float(np.mean(middle.max(axis=2) >= CLIPPED)),
        evenness=evenness(grey),
        markers=0 if seen is None else len(seen.corners),
        things=things,
        fit=fit,
    )


def measure_jpeg(jpeg: bytes, empty: Pixels | None) -> PictureQuality:
    """Measure a preview, without reading it. empty: the tray as it was taught, if it was."""
    decoded = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert decoded is not None
    pixels = decoded.astype(np.uint8)
    quality = measure_quality(pixels, None)
    if empty is None or quality.edge is None or quality.brightness < DARK:
        return quality
    return replace(quality, fit=preview_fit(pixels, empty))


def preview_fit(pixels: Pixels, empty: Pixels) -> ProfileFit:
    """Return whether a picture, which may be smaller, shows the tray where the taught one does."""
    there = shrunk(empty)
    rows, columns = there.shape[:2]
    if abs(pixels.shape[0] * columns / pixels.shape[1] - rows) > 2:
        return ProfileFit.OTHER_SIZE
    now = cv2.resize(pixels, (columns, rows), interpolation=cv2.INTER_AREA).astype(np.uint8)
    straight = SheetRegistration(there).register(now)
    if straight is None or not TrayMoves(there).found(straight.pixels):
        return ProfileFit.MOVED
    return ProfileFit.FITS


def quality_hints(pixels: Pixels) -> tuple[str, ...]:
    """Say what could be better about a picture's light and focus, in sentences for whoever places the camera."""
    quality = measure_quality(pixels, None)
    found = (light(quality), focus(quality))
    return tuple(one.says for one in found if one.state in (FindingState.ERROR, FindingState.WARNING))


def edge_width(pixels: Pixels) -> float | None:
    """Measure how sharp a picture is.

    The result depends neither on the scene nor on its brightness: the sharper an edge, the more its gradient decreases
    when it is blurred again (the re-blur ratio of Zhuo and Sim, Defocus map estimation from a single image, 2011).

    Parameters
    ----------
    pixels : (rows, columns, 3) uint8 array
        Blue, green, red, of any size.

    Returns
    -------
    width : float or None
        Pixels from dark to light at the sharpest edges, at WIDTH columns; None if there are no edges.
    """
    grey = cv2.cvtColor(small(pixels), cv2.COLOR_BGR2GRAY).astype(np.float32)
    once, again = _gradient(grey), _gradient(cv2.GaussianBlur(grey, (0, 0), REBLUR_SIGMA))
    steepest = once >= np.quantile(once, 1 - EDGE_SHARE)
    if float(np.median(once[steepest])) < MIN_GRADIENT:
        return None
    ratio = float(np.median(once[steepest] / np.maximum(again[steepest], 1e-3)))
    return EDGE_RISE * REBLUR_SIGMA / float(np.sqrt(max(ratio**2 - 1, 1e-3)))


def evenness(grey: NDArray[Any]) -> float:
    """Return the brightness of the darkest block as a share of the brightest, 0..1. grey: (rows, columns) array."""
    parts = [
        float(np.median(part)) for row in np.array_split(grey, BLOCKS[0]) for part in np.array_split(row, BLOCKS[1], 1)
    ]
    return (min(parts) + 1) / (max(parts) + 1)


def small(pixels: Pixels) -> Pixels:
    """Scale a picture down to WIDTH columns, unless it is smaller."""
    rows, columns = pixels.shape[:2]
    if columns <= WIDTH:
        return pixels
    return cv2.resize(pixels, (WIDTH, round(rows * WIDTH / columns)), interpolation=cv2.INTER_AREA).astype(np.uint8)


def _middle(pixels: Pixels) -> Pixels:
    rows, columns = pixels.shape[:2]
    top, left = round(rows * (1 - TRAY_SHARE) / 2), round(columns * (1 - TRAY_SHARE) / 2)
    return pixels[top : rows - top, left : columns - left]


def _gradient(grey: NDArray[Any]) -> NDArray[np.float32]:
    """Return the magnitude of the gradient in grey levels per pixel."""
    across = cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=1 / 8)
    return np.asarray(cv2.magnitude(across, down), np.float32)


def _reading(pixels: Pixels, reader: PictureReader) -> tuple[ProfileFit, int | None]:
    try:
        answer = reader.read(pixels)
    except PictureUnusable:
        return ProfileFit.OTHER_SIZE, None
    if isinstance(answer, ThrowUnreadable) and answer.reason == "moved":
        return ProfileFit.MOVED, None
    return ProfileFit.FITS, len(answer.lots)

"""Load and encode picture files."""

from __future__ import annotations

import io
import struct
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, UnidentifiedImageError

from companion.errors import PictureUnusable
from companion.referee.events import Picture
from hardware.cameras.camera import Pixels

FORMATS = ("JPEG", "PNG", "WEBP", "BMP", "TIFF")

MIN_SIDE = 64
"""Pixels. In a smaller picture of a tray, a lot is only a few pixels wide."""

MAX_PIXELS = 51_000_000
"""Columns times rows: the largest pictures that phones take. Decoding one takes 0.2 to 0.6 s and 150 MB. The limit is
checked against the header, because a file of a few kilobytes can claim a thousand times as much."""

MAX_FILE_BYTES = 100_000_000
"""Far above any camera's still. Reading a larger file could fill a Pi's memory."""

PREVIEW_WIDTH, PREVIEW_QUALITY = 640, 70
"""Columns and JPEG quality of live pictures, about 30 kB each. Larger ones arrive late on a busy network."""

EVIDENCE_QUALITY = 85
"""JPEG quality of stored readings, about 200 kB at 1280 x 960. Lower blurs the marks; higher fills the SD card."""

_DECODER_ERRORS = (OSError, SyntaxError, ValueError, TypeError, LookupError, ArithmeticError, EOFError, struct.error)
"""What Pillow raises for malformed files, depending on the format and on the damage."""


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Name the file where its picture turns out to be unusable."""
    try:
        yield
    except PictureUnusable as error:
        raise PictureUnusable(f"{path}: {error}") from error


def load_picture(path: Path) -> Pixels:
    """Load a picture file in 8-bit BGR.

    The EXIF orientation is applied. Greyscale, 16-bit, CMYK and transparent pictures are converted.

    Parameters
    ----------
    path : Path
        A JPEG, PNG, WebP, BMP or TIFF file of at least MIN_SIDE pixels a side and at most MAX_PIXELS in all.

    Returns
    -------
    pixels : (rows, columns, 3) uint8 array
        Blue, green, red.

    Raises
    ------
    PictureUnusable
        If the file is missing, too large or too small, damaged, cut short, or not a picture.
    """
    if path.is_dir():
        raise PictureUnusable(f"{path} is a folder, not a picture.")
    if not path.exists():
        raise PictureUnusable(f"There is no picture {path}.")
    if not path.is_file() or path.stat().st_size > MAX_FILE_BYTES:
        raise PictureUnusable(f"{path} is not a picture file.")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise PictureUnusable(f"{path} cannot be read: {error.strerror}.") from error
    if not data:
        raise PictureUnusable(f"{path} is empty.")
    damaged = f"{path} is damaged or cut short: copy or take the picture again."
    try:
        # Pillow also warns, about broken metadata for example; all that matters here is the pixels.
        with warnings.catch_warnings(action="ignore"):
            _check_size(path, data)
            _check_complete(data)
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except PictureUnusable:
        raise
    except UnidentifiedImageError as error:
        raise PictureUnusable(f"{path} is not a picture that can be read: use JPEG, PNG, WebP, BMP or TIFF.") from error
    except (*_DECODER_ERRORS, cv2.error) as error:
        raise PictureUnusable(damaged) from error
    if pixels is None:
        raise PictureUnusable(damaged)
    return pixels.astype(np.uint8, copy=False)


def preview_jpeg(pixels: Pixels) -> bytes:
    """Encode a live picture for phones, at most PREVIEW_WIDTH columns wide."""
    rows, columns = pixels.shape[:2]
    if columns > PREVIEW_WIDTH:
        size = (PREVIEW_WIDTH, round(rows * PREVIEW_WIDTH / columns))
        pixels = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
    return _jpeg(pixels, PREVIEW_QUALITY)


def encode_picture(pixels: Pixels) -> Picture:
    """Encode a picture at full size, to be stored with its reading."""
    rows, columns = pixels.shape[:2]
    return Picture(jpeg=_jpeg(pixels, EVIDENCE_QUALITY), width=columns, height=rows)


def save_picture(path: Path, pixels: Pixels) -> None:
    """Write a picture as JPEG into a folder, created if missing. Raises PictureUnusable if it cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encode_picture(pixels).jpeg)
    except OSError as error:
        raise PictureUnusable(f"{path} cannot be written: {error.strerror or error}.") from error


def _check_size(path: Path, data: bytes) -> None:
    """Read the header only. Raises PictureUnusable, and what Pillow raises for a header it cannot read."""
    too_large = f"more than can be read: at most {MAX_PIXELS // 1_000_000} million pixels, and 1280 x 960 are enough."
    try:
        with Image.open(io.BytesIO(data), formats=FORMATS) as picture:
            columns, rows = picture.size
    except Image.DecompressionBombError as error:
        raise PictureUnusable(f"{path} has {too_large}") from error
    if columns * rows > MAX_PIXELS:
        raise PictureUnusable(f"{path} has {columns} x {rows} pixels, {too_large}")
    if min(columns, rows) < MIN_SIDE:
        raise PictureUnusable(f"{path} is {columns} x {rows} pixels, too small: {MIN_SIDE} a side are needed.")


def _check_complete(data: bytes) -> None:
    """Raise unless all of the picture is there. OpenCV alone fills what is missing with grey."""
    with Image.open(io.BytesIO(data), formats=FORMATS) as picture:
        picture.verify()  # compares a PNG's checksums
    with Image.open(io.BytesIO(data), formats=FORMATS) as picture:
        # An eighth of the size is enough to read all of a JPEG's data, and takes a third of the time.
        picture.draft("L", (picture.width // 8, picture.height // 8))
        picture.load()


def _jpeg(pixels: Pixels, quality: int) -> bytes:
    encoded, jpeg = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert encoded, f"JPEG cannot hold an array of shape {pixels.shape}"
    return jpeg.tobytes()

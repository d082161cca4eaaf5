"""Picture files in, evidence out: one kind of pixels, whatever the file was."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from companion.errors import PictureUnusable
from companion.referee.events import Picture
from hardware import picture_headers
from hardware.camera import Pixels

LEAST_SIDE = 64
"""Pixels. A tray in a smaller picture has lots of a few pixels; nothing could be read from it."""

MOST_PIXELS = 51_000_000
"""Columns times rows, as the file declares them before it is opened: the largest that telephones take. Decoding that
many takes 0.2 to 0.6 s and 150 MB; a few kilobytes can claim a thousand times as much."""

LARGEST_FILE = 100_000_000
"""Bytes. Far above any camera's still; a larger file is no picture of a tray, and would fill a Pi's memory."""

LIVE_WIDTH, LIVE_QUALITY = 640, 70
"""Of a live picture: some 30 kB as JPEG. Larger or better ones come late over a busy network."""

EVIDENCE_QUALITY = 85
"""JPEG quality of kept evidence: marks stay plain at some 200 kB for 1280 x 960. Higher fills the card faster."""


def load_picture(path: Path) -> Pixels:
    """The picture in a file as 8-bit blue-green-red, turned upright if the file says how.

    Grey, 16-bit, CMYK and transparent pictures are converted. Raises PictureUnusable, saying what is wrong, for
    everything that is not a whole picture of at least LEAST_SIDE pixels a side.
    """
    if path.is_dir():
        raise PictureUnusable(f"{path} is a folder, not a picture.")
    if not path.exists():
        raise PictureUnusable(f"There is no picture {path}.")
    if not path.is_file() or path.stat().st_size > LARGEST_FILE:
        raise PictureUnusable(f"{path} is not a picture file.")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise PictureUnusable(f"{path} cannot be read: {error.strerror}.") from error
    if not data:
        raise PictureUnusable(f"{path} is empty.")
    try:
        declared = picture_headers.size(data)
    except picture_headers.CutShort as error:
        raise PictureUnusable(f"{path} is cut short: copy or take the picture again.") from error
    except picture_headers.Damaged as error:
        raise PictureUnusable(f"{path} is damaged: copy or take the picture again.") from error
    if declared is None:
        raise PictureUnusable(f"{path} is not a picture that can be read: JPEG, PNG, WebP, BMP and TIFF can.")
    columns, rows = declared
    if columns * rows > MOST_PIXELS:
        raise PictureUnusable(
            f"{path} is {columns} x {rows} pixels, more than can be read: {MOST_PIXELS // 1_000_000} million are the "
            "most, and 1280 x 960 are enough."
        )
    if min(columns, rows) < LEAST_SIDE:
        raise PictureUnusable(
            f"{path} is {columns} x {rows} pixels, too small to read: {LEAST_SIDE} a side are needed."
        )
    try:
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise PictureUnusable(f"{path} is damaged: copy or take the picture again.") from error
    if pixels is None:
        raise PictureUnusable(f"{path} is damaged, or of a kind that cannot be read: take it as JPEG or PNG.")
    return pixels.astype(np.uint8, copy=False)


def small_jpeg(pixels: Pixels) -> bytes:
    """The picture as a phone shows it while it is looked at."""
    rows, columns = pixels.shape[:2]
    if columns > LIVE_WIDTH:
        size = (LIVE_WIDTH, round(rows * LIVE_WIDTH / columns))
        pixels = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
    done, jpeg = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, LIVE_QUALITY])
    assert done, f"JPEG cannot hold an array of shape {pixels.shape}"
    return jpeg.tobytes()


def encode(pixels: Pixels) -> Picture:
    """The picture as JPEG, to keep beside what was read from it."""
    done, jpeg = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, EVIDENCE_QUALITY])
    assert done, f"JPEG cannot hold an array of shape {pixels.shape}"
    return Picture(jpeg=jpeg.tobytes(), width=pixels.shape[1], height=pixels.shape[0])

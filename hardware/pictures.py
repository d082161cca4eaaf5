"""Picture files in, evidence out: one kind of pixels, whatever the file was."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from companion.errors import PictureUnusable
from companion.referee.events import Picture
from hardware.camera import Pixels

LEAST_SIDE = 64
"""Pixels. A tray in a smaller picture has lots of a few pixels; nothing could be read from it."""

LARGEST_FILE = 100_000_000
"""Bytes. Far above any camera's still; a larger file is no picture of a tray, and would fill a Pi's memory."""

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
    if _is_cut_short(data):
        raise PictureUnusable(f"{path} is cut short: copy or take the picture again.")
    try:
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise PictureUnusable(f"{path} is too large or damaged to be read as a picture.") from error
    if pixels is None:
        raise PictureUnusable(f"{path} is not a picture that can be read: JPEG and PNG can.")
    if min(pixels.shape[:2]) < LEAST_SIDE:
        raise PictureUnusable(
            f"{path} is {pixels.shape[1]} x {pixels.shape[0]} pixels, too small to read: "
            f"{LEAST_SIDE} a side are needed."
        )
    return pixels.astype(np.uint8, copy=False)


def _is_cut_short(data: bytes) -> bool:
    """True for a JPEG or PNG without its end. Decoders fill the missing part with grey instead of refusing."""
    if data.startswith(b"\xff\xd8"):
        # A thumbnail near the beginning has an end of its own, so only an end in the second half counts.
        return data.rfind(b"\xff\xd9") < len(data) // 2
    return data.startswith(b"\x89PNG") and b"IEND" not in data


def encode(pixels: Pixels) -> Picture:
    """The picture as JPEG, to keep beside what was read from it."""
    done, jpeg = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, EVIDENCE_QUALITY])
    assert done, f"JPEG cannot hold an array of shape {pixels.shape}"
    return Picture(jpeg=jpeg.tobytes(), width=pixels.shape[1], height=pixels.shape[0])

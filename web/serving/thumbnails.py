"""Small versions of throw pictures for a phone's first view. An enlarged picture is sent in full."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO

from PIL import Image

WIDTH = 640
"""Pixels that a light picture is wide, at least, where the kept one is wider: twice what a phone shows of it."""
QUALITY = 45
"""Of JPEG: some 20 kB a picture. Higher is heavier than the whole page may be, lower blurs the marks."""
KEPT = 8
"""Pictures that stay made, for all the phones that ask for the same one. Each takes some 20 kB, and its source 200."""


@lru_cache(maxsize=KEPT)
def lighter(jpeg: bytes) -> bytes:
    """Scale a picture to a half, a quarter or an eighth, but to no less than WIDTH."""
    with Image.open(BytesIO(jpeg)) as picture:
        if picture.width < 2 * WIDTH:
            return jpeg
        # The decoder scales down by itself, in a fifth of the time of a full decoding.
        picture.draft("RGB", (WIDTH, WIDTH * picture.height // picture.width))
        light = BytesIO()
        picture.save(light, "JPEG", quality=QUALITY)
    return light.getvalue()

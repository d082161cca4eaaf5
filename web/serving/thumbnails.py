"""The pictures of throws, made light enough for a phone's first view; whoever enlarges one gets it as it was kept."""

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
    """The same picture at a half, a quarter or an eighth of its size, as far as that leaves it WIDTH wide."""
    with Image.open(BytesIO(jpeg)) as picture:
        if picture.width < 2 * WIDTH:
            return jpeg
        # The decoder itself leaves out what is too fine, in a fifth of the time that all of it would take.
        picture.draft("RGB", (WIDTH, WIDTH * picture.height // picture.width))
        light = BytesIO()
        picture.save(light, "JPEG", quality=QUALITY)
    return light.getvalue()

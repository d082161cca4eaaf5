"""Checks of the pictures that a phone sends."""

from __future__ import annotations

from io import BytesIO

from PIL import Image

from companion.errors import PictureUnusable
from companion.i18n import _

LARGEST_PICTURE = 3 * 1024**2
"""Bytes of a picture. The page sends at most 2048 x 1536 pixels, which take 1.5 MB with much noise."""
LEAST_SIDE, MOST_SIDE = 64, 2560
"""Pixels. Smaller shows no lots, and larger takes longer to read and shows no more of them."""


def check_picture(jpeg: bytes) -> None:
    """Raise PictureUnusable unless that is a whole JPEG picture of a size that can be read."""
    try:
        with Image.open(BytesIO(jpeg), formats=("JPEG",)) as picture:
            if not (min(picture.size) >= LEAST_SIDE and max(picture.size) <= MOST_SIDE):
                raise PictureUnusable(
                    _(
                        "The picture is {width} x {height} pixels; each side may have {least} to {most}.",
                        width=picture.width,
                        height=picture.height,
                        least=LEAST_SIDE,
                        most=MOST_SIDE,
                    )
                )
            # An eighth of the size is enough to read all of its data, and takes a third of the time.
            picture.draft("L", (picture.width // 8, picture.height // 8))
            picture.load()
    except PictureUnusable:
        raise
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise PictureUnusable(_("That is no JPEG picture, or only a part of one.")) from error

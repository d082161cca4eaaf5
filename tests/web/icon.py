"""Draws the page's icon for phones that take no SVG. ``python -m tests.web.icon`` writes it into web/static/images."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw

STATIC = Path(__file__).parents[2] / "web" / "static" / "images"
SIZES = (180, 192, 512)
"""Pixels a side: for a home screen of one maker, of the others, and for a screen while the page opens."""
FINER = 8
"""How many times larger it is drawn than shown, for smooth edges."""
NIGHT, JADE, MAIZE = "#17161c", "#2b9a74", "#f4b731"


def draw(size: int) -> Image.Image:
    """The icon, that many pixels a side: the shapes of favicon.svg, in 32 units, on a ground without corners.

    All of it lies within the middle four fifths, so that a phone may cut it to a circle.
    """
    unit = size * FINER / 32
    picture = Image.new("RGB", (size * FINER, size * FINER), NIGHT)
    pen = ImageDraw.Draw(picture)

    def scaled(*numbers: float) -> list[float]:
        # A little smaller than in the SVG, around the middle.
        return [(16 + (number - 16) * 0.84) * unit for number in numbers]

    for grown, fill in ((1, MAIZE), (-1, JADE)):
        pen.ellipse(scaled(4 - grown, 9 - grown, 18 + grown, 23 + grown), fill=fill)
    for further, fill in ((1.4, MAIZE), (-1.4, NIGHT)):
        pen.polygon(scaled(22, 8 - further, 28 + further, 16, 22, 24 + further, 16 - further, 16), fill=fill)
    return picture.resize((size, size), Image.Resampling.BOX).quantize(64)


if __name__ == "__main__":
    for size in SIZES:
        draw(size).save(STATIC / f"icon-{size}.png", optimize=True)

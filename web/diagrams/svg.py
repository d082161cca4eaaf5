"""An SVG drawn shape by shape: pieces, stacks, arrows and words, in classes for the page's colours."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from companion.rules.unit import Side

WIDTH = 320
"""Of a drawing, in its units: pixels on a narrow phone."""
CARVED = 6.0
"""Radius from which a piece has its carved lines, as on the board; in a smaller one they would run together."""

JADE, OBSIDIAN = Side.JADE, Side.OBSIDIAN


def traced(*parts: str | float) -> str:
    """Format a path or a list of points from letters and numbers.

    >>> traced("M", 1, 2.5, "H", 30 / 7)
    'M 1 2.5 H 4.286'
    """
    return " ".join(part if isinstance(part, str) else f"{part:.4g}" for part in parts)


class Drawing:
    """An SVG of the page's width that grows by one shape at a time. y grows downwards."""

    def __init__(self, title: str, height: float) -> None:
        view = f"0 0 {WIDTH} {height:g}"
        self.root = ET.Element("svg", {"class": "drawing", "viewBox": view, "role": "img", "fill": "none"})
        ET.SubElement(self.root, "title").text = title

    def text(self) -> str:
        return ET.tostring(self.root, encoding="unicode")

    def shape(self, tag: str, kind: str, **attributes: str | float) -> None:
        given = {"class": kind, "stroke": "currentColor", "stroke-width": 1.5, **attributes}
        written = {
            name.replace("_", "-"): f"{value:.4g}" if isinstance(value, int | float) else value
            for name, value in given.items()
        }
        ET.SubElement(self.root, tag, written)

    def box(self, kind: str, x: float, y: float, width: float, height: float, round_by: float = 3) -> None:
        self.shape("rect", kind, x=x, y=y, width=width, height=height, rx=round_by)

    def line(self, kind: str, way: str, width: float = 2) -> None:
        self.shape("path", kind, d=way, stroke_width=width, stroke_linecap="round", stroke_linejoin="round")

    def note(
        self, x: float, y: float, words: str, size: float = 12, anchor: str = "middle", kind: str = "note"
    ) -> None:
        """Words with their baseline at y."""
        given = {"class": kind, "x": f"{x:.4g}", "y": f"{y:.4g}", "font-size": f"{size:g}"}
        ET.SubElement(self.root, "text", given | {"text-anchor": anchor, "fill": "currentColor"}).text = words

    def piece(self, side: Side, x: float, y: float, radius: float = 8, *, captive: bool = False) -> None:
        kind = side.value + (" captive" if captive else "")
        size = radius * 0.85 if captive else radius
        if side is JADE:
            self.shape("circle", kind, cx=x, cy=y, r=size)
        else:
            size *= 1.15
            tips = traced(x, y - size, x + size, y, x, y + size, x - size, y)
            self.shape("polygon", kind, points=tips, fill="currentColor")
        if size >= CARVED and not captive:
            self._carve(side, x, y, size)
        if captive:
            bar = traced("M", x - radius * 0.7, y + radius * 0.7, "L", x + radius * 0.7, y - radius * 0.7)
            self.line("casing", bar, 3.5)
            self.line("bar", bar, 1.8)

    def _carve(self, side: Side, x: float, y: float, size: float) -> None:
        if side is JADE:
            self.shape("circle", "carved", cx=x, cy=y, r=size * 0.45, stroke_width=1.2)
            return
        left, right = x - size * 0.3, x + size * 0.3
        facets = traced("M", x, y - size, "L", left, y - size * 0.3, x, y, right, y - size * 0.3, "Z")
        self.line("carved edge", facets, 1)

    def stack(self, side: Side, x: float, y: float, own: int, captives: int, radius: float = 8) -> None:
        """A unit, its top piece in front; its captives lie under it, to be seen below."""
        under = [(side.other, True)] * captives + [(side, False)] * (own - 1)
        step = radius * 1.5
        for depth, (whose, captive) in zip(range(len(under), 0, -1), under, strict=True):
            self.piece(whose, x, y + depth * step, radius, captive=captive)
        self.piece(side, x, y, radius)

    def arrow(self, way: str, tip: tuple[float, float], towards: str, *, dashed: bool = False) -> None:
        """A path that ends at ``tip``, with a head that points up, down, left or right."""
        self.shape("path", "way", d=way, stroke_width=2.5, **({"stroke_dasharray": "5 4"} if dashed else {}))
        x, y = tip
        dx, dy = {"right": (1, 0), "left": (-1, 0), "down": (0, 1), "up": (0, -1)}[towards]
        corners = ((3, 0), (-6, 5), (-6, -5))
        head = traced(*(at for a, b in corners for at in (x + a * dx - b * dy, y + a * dy + b * dx)))
        self.shape("polygon", "head", points=head, fill="currentColor", stroke_width=1)

    def hop(self, start: float, end: float, y: float, words: str = "") -> None:
        """An arc from one x to another above y, with words over its middle."""
        high = 12 + min(abs(end - start) / 10, 6)
        top = y - high * 1.33
        self.arrow(traced("M", start, y, "C", start, top, end, top, end, y), (end, y - 2), "down")
        if words:
            self.note((start + end) / 2, y - high - 4, words)

    def cross(self, x: float, y: float, size: float = 7) -> None:
        path = traced("M", x - size, y - size, "l", 2 * size, 2 * size, "m", 0, -2 * size, "l", -2 * size, 2 * size)
        self.line("cross casing", path, 6)
        self.line("cross", path, 3)

    def star(self, x: float, y: float) -> None:
        tips = (0, -9, 2.6, -3.4, 8.7, -2.7, 4.2, 1.5, 5.4, 7.5, 0, 4.5, -5.4, 7.5, -4.2, 1.5, -8.7, -2.7, -2.6, -3.4)
        placed = (at + (y if index % 2 else x) for index, at in enumerate(tips))
        self.shape("polygon", "star", points=traced(*placed), fill="currentColor")

    def flame(self, x: float, y: float, size: float = 1) -> None:
        """A flame with its base at y."""
        bends = (
            (-7, 0, -9, -5, -7, -10),
            (1, 2, 2, 2, 3, 2),
            (-1, -5, 1, -9, 4, -12),
            (0, 5, 3, 7, 5, 10),
            (3, 5, 1, 10, -5, 10),
        )
        path = " ".join(traced("c", *(at * size for at in bend)) for bend in bends)
        path = f"{traced('M', x, y)} {path} Z"
        self.shape("path", "fire", d=path, fill="currentColor", stroke_linejoin="round")

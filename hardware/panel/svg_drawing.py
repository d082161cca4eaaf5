"""Draw an SVG file shape by shape."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as ET

Point = tuple[float, float]
"""x and y in the drawing's units; y points down."""

INK, SOFT, PAPER = "#1d1b18", "#5b5549", "#ffffff"


class SvgDrawing:
    """An SVG drawing on white paper. Later shapes cover earlier ones."""

    def __init__(self) -> None:
        self._root = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img"})

    def begin(self, width: float, height: float, title: str) -> None:
        """Set the size and the title, and fill the background."""
        self._root.set("viewBox", f"0 0 {width:g} {height:g}")
        self._root.set("font-family", "DejaVu Sans, Verdana, sans-serif")
        ET.SubElement(self._root, "title").text = title
        self._shape("rect", x=0, y=0, width=width, height=height, fill=PAPER)

    def to_svg(self) -> str:
        """Return the file's content."""
        ET.indent(self._root, " ")
        return ET.tostring(self._root, encoding="unicode") + "\n"

    def box(self, x: float, y: float, width: float, height: float, fill: str, radius: float) -> None:
        """Draw a box with rounded corners."""
        self._shape("rect", x=x, y=y, width=width, height=height, rx=radius, fill=fill, stroke=INK, stroke_width=1.5)

    def dot(self, x: float, y: float, radius: float, fill: str) -> None:
        self._shape("circle", cx=x, cy=y, r=radius, fill=fill, stroke=INK, stroke_width=1.5)

    def wire(self, points: Sequence[Point], colour: str) -> None:
        """Draw a wire, with a white edge that sets it off from the wires it crosses."""
        self.line(points, PAPER, 6)
        self.line(points, colour)

    def line(self, points: Sequence[Point], colour: str = INK, width: float = 2.4) -> None:
        joined = " ".join(f"{x:g},{y:g}" for x, y in points)
        self._shape("polyline", points=joined, fill="none", stroke=colour, stroke_width=width, stroke_linejoin="round")

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        anchor: str = "start",
        fill: str = INK,
        weight: str = "normal",
    ) -> None:
        """Write text with its baseline at y."""
        self._shape("text", text, x=x, y=y, font_size=size, text_anchor=anchor, fill=fill, font_weight=weight)

    def _shape(self, tag: str, text: str | None = None, **attributes: str | float) -> None:
        written = {
            name.replace("_", "-"): value if isinstance(value, str) else f"{value:g}"
            for name, value in attributes.items()
        }
        ET.SubElement(self._root, tag, written).text = text

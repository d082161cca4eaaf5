"""An SVG file drawn shape by shape, on white paper: it is looked at in a browser, and printed."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as ET

Point = tuple[float, float]
"""Right and down, in the drawing's units."""

INK, SOFT, PAPER = "#1d1b18", "#5b5549", "#ffffff"


class Drawing:
    """An SVG that grows by one shape at a time; later shapes lie over earlier ones."""

    def __init__(self) -> None:
        self._root = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img"})

    def begin(self, width: float, height: float, title: str) -> None:
        """Its size, what it shows, and its white ground."""
        self._root.set("viewBox", f"0 0 {width:g} {height:g}")
        self._root.set("font-family", "DejaVu Sans, Verdana, sans-serif")
        ET.SubElement(self._root, "title").text = title
        self._shape("rect", x=0, y=0, width=width, height=height, fill=PAPER)

    def text(self) -> str:
        """The file."""
        ET.indent(self._root, " ")
        return ET.tostring(self._root, encoding="unicode") + "\n"

    def box(self, x: float, y: float, width: float, height: float, fill: str, round_by: float) -> None:
        self._shape("rect", x=x, y=y, width=width, height=height, rx=round_by, fill=fill, stroke=INK, stroke_width=1.5)

    def dot(self, x: float, y: float, radius: float, fill: str) -> None:
        self._shape("circle", cx=x, cy=y, r=radius, fill=fill, stroke=INK, stroke_width=1.5)

    def wire(self, way: Sequence[Point], colour: str) -> None:
        """A wire along these points. A white edge lets it be followed where it crosses another."""
        self.line(way, PAPER, 6)
        self.line(way, colour)

    def line(self, way: Sequence[Point], colour: str = INK, width: float = 2.4) -> None:
        """A line along these points."""
        points = " ".join(f"{x:g},{y:g}" for x, y in way)
        self._shape("polyline", points=points, fill="none", stroke=colour, stroke_width=width, stroke_linejoin="round")

    def note(
        self,
        x: float,
        y: float,
        words: str,
        size: float,
        anchor: str = "start",
        fill: str = INK,
        weight: str = "normal",
    ) -> None:
        """Words with their baseline at y."""
        self._shape("text", words, x=x, y=y, font_size=size, text_anchor=anchor, fill=fill, font_weight=weight)

    def _shape(self, tag: str, words: str | None = None, **attributes: str | float) -> None:
        written = {
            name.replace("_", "-"): value if isinstance(value, str) else f"{value:g}"
            for name, value in attributes.items()
        }
        ET.SubElement(self._root, tag, written).text = words

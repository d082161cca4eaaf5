"""Ornaments in the style of carved stone: slabs, bar-and-dot numerals, stepped frets, a flame, sticks, arrows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from matplotlib.patches import Circle, FancyBboxPatch, PathPatch, Polygon
from matplotlib.path import Path

from companion.printing.canvas import INK, Canvas
from companion.printing.tray_plan import Box

STONE = "#efece4"
"""Pale warm grey, 6 % ink without colour: slabs stand out from the paper, and pieces from the slabs."""

BAR_MM, DOT_MM = 11.0, 1.15
"""Length of a bar, which means five, and radius of a dot, which means one."""

FRET_MM = 12.0
"""Length of one period of the fret."""

_FRET = (
    (0, 0),
    (1, 0),
    (1, 1),
    (2, 1),
    (2, 2),
    (3, 2),
    (3, 3),
    (4, 3),
    (4, 4),
    (7, 4),
    (7, 1),
    (5, 1),
    (5, 2.6),
    (6, 2.6),
)
"""One period of the fret: four steps up, a stretch along and a hook inwards, in eighths of the period."""

_FLAME = (
    ((0.0, 0.0),),
    ((-0.55, 0.0), (-0.62, 0.45), (-0.38, 0.72)),
    ((-0.36, 0.58), (-0.28, 0.52), (-0.2, 0.5)),
    ((-0.25, 0.85), (-0.1, 1.2), (0.1, 1.5)),
    ((0.05, 1.15), (0.2, 1.0), (0.3, 0.78)),
    ((0.36, 0.88), (0.37, 0.96), (0.34, 1.08)),
    ((0.56, 0.8), (0.62, 0.35), (0.46, 0.14)),
    ((0.36, 0.02), (0.2, 0.0), (0.0, 0.0)),
)
"""A flame of unit width above its foot: the start, then Bézier curves, each with two control points and an end."""


def slab(paper: Canvas, box: Box) -> None:
    """Draw a stone slab in the box, with a carved line along its edge."""
    outer, inner = box.grown(-0.6), box.grown(-1.9)
    for edge, colour, wide, rounding in ((outer, STONE, 1.1, 2.0), (inner, "none", 0.45, 1.2)):
        paper.add(
            FancyBboxPatch(
                (edge.left, edge.top),
                edge.width,
                edge.height,
                boxstyle=f"round,pad=0,rounding_size={rounding}",
                facecolor=colour,
                edgecolor=INK,
                linewidth=wide,
            )
        )


def numeral(paper: Canvas, x: float, low: float, number: int, scale: float) -> float:
    """Draw a number in bars and dots above y = ``low``, twenties above ones. Returns the y of its upper edge."""
    tiers = [number % 20, number // 20] if number >= 20 else [number]
    for tier in tiers:
        bars, dots = divmod(tier, 5)
        if tier == 0:
            _shell(paper, x, low - 1.7 * scale, scale)
            low -= 3.4 * scale
        for _ in range(bars):
            wide, high = BAR_MM * scale, 1.9 * scale
            stone = f"round,pad=0,rounding_size={0.8 * scale}"
            paper.add(
                FancyBboxPatch((x - wide / 2, low - high), wide, high, boxstyle=stone, facecolor=INK, linewidth=0)
            )
            low -= 2.8 * scale
        for dot in range(dots):
            at = x + (dot - (dots - 1) / 2) * 2.9 * scale
            paper.add(Circle((at, low - DOT_MM * scale), DOT_MM * scale, facecolor=INK, linewidth=0))
        low -= (3.0 if dots else 0) * scale
        low -= 1.6 * scale
    return low + 1.6 * scale


def _shell(paper: Canvas, x: float, y: float, scale: float) -> None:
    """Draw the shell that means zero."""
    for wide in (4.6, 2.4):
        curve = [
            (x - wide * scale, y),
            (x, y - 2.6 * scale),
            (x + wide * scale, y),
            (x, y + 2.6 * scale),
            (x - wide * scale, y),
        ]
        codes = [Path.MOVETO, Path.CURVE3, Path.CURVE3, Path.CURVE3, Path.CURVE3]
        paper.add(PathPatch(Path(curve, codes), facecolor="none", edgecolor=INK, linewidth=0.9))


def frieze(paper: Canvas, left: float, right: float, low: float, high: float, *, mirrored: bool = False) -> None:
    """Draw a centred band of stepped frets between two lines, in whole periods."""
    rounds = max(1, int((right - left) / FRET_MM))
    start = (left + right - rounds * FRET_MM) / 2
    unit = (low - high) / 5.2
    paper.line((left, right), (low, low), 0.9)
    paper.line((left, right), (high, high), 0.9)
    for at in range(rounds):
        xs = [start + (at + (8 - x if mirrored else x) / 8) * FRET_MM for x, _ in _FRET]
        ys = [low - (0.6 + y) * unit for _, y in _FRET]
        paper.line(xs, ys, 1.3, solid_joinstyle="miter")


def flame(paper: Canvas, x: float, foot: float, high: float) -> None:
    """Draw a flame with its foot at y = ``foot`` and its tip ``high`` above it."""
    for share, colour in ((1.0, "white"), (0.52, INK)):
        size = high / 1.5 * share
        points = [(x + size * at, foot - high * 0.02 - size * up) for curve in _FLAME for at, up in curve]
        codes = [Path.MOVETO] + [Path.CURVE4] * (len(points) - 1)
        paper.add(PathPatch(Path(points, codes), facecolor=colour, edgecolor=INK, linewidth=1.4, joinstyle="round"))


def chevron(paper: Canvas, x: float, y: float, towards: tuple[int, int], *, filled: bool, size: float = 2.0) -> None:
    """Draw an arrowhead, filled for Obsidian and open for Jade. towards: (right, down), each -1, 0 or 1."""
    across, down = towards
    corners = [(-0.7, -1.0), (0.9, 0.0), (-0.7, 1.0)]
    points = [(x + size * (a * across - b * down), y + size * (a * down + b * across)) for a, b in corners]
    if filled:
        paper.add(Polygon(points, facecolor=INK, linewidth=0))
    else:
        paper.line([px for px, _ in points], [py for _, py in points], 1.2, solid_joinstyle="miter")


def arrow(paper: Canvas, way: Sequence[tuple[float, float]], *, filled: bool) -> None:
    """Draw a line through these points with an arrowhead at its end."""
    paper.line([x for x, _ in way], [y for _, y in way], 1.2, solid_joinstyle="miter")
    (before, end) = list(pairwise(way))[-1]
    across, down = (_sign(end[0] - before[0]), _sign(end[1] - before[1]))
    chevron(paper, *end, (across, down), filled=filled)


def emblem(paper: Canvas, x: float, y: float, *, jade: bool, size: float) -> None:
    """Draw Jade's ring or Obsidian's blade, as the pieces are drawn everywhere."""
    if jade:
        paper.add(Circle((x, y), size, facecolor="white", edgecolor=INK, linewidth=1.3))
        paper.add(Circle((x, y), size * 0.5, facecolor="none", edgecolor=INK, linewidth=0.8))
        return
    size *= 1.15
    paper.add(Polygon([(x, y - size), (x + size, y), (x, y + size), (x - size, y)], facecolor=INK, linewidth=0))


def sticks(paper: Canvas, left: float, top: float, marked: int, *, high: float) -> None:
    """Draw four sticks side by side, the marked ones first, with bands."""
    for at in range(4):
        x = left + at * 3.0
        stone = "round,pad=0,rounding_size=1"
        paper.add(FancyBboxPatch((x, top), 2.1, high, boxstyle=stone, facecolor="white", edgecolor=INK, linewidth=0.7))
        for band in range(3) if at < marked else ():
            paper.fill(Box(x, top + high * (0.2 + 0.24 * band), x + 2.1, top + high * (0.33 + 0.24 * band)), INK)


def gate(paper: Canvas, x: float, y: float, towards: int, *, filled: bool) -> None:
    """Draw a gate from a base onto the highway, across both edges."""
    stone = "round,pad=0,rounding_size=1.6"
    paper.add(FancyBboxPatch((x - 4, y - 5.5), 8, 11, boxstyle=stone, facecolor="white", edgecolor=INK, linewidth=1.1))
    chevron(paper, x, y, (towards, 0), filled=filled, size=2.6)


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)

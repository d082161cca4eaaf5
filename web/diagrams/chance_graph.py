"""The graph of the win chance over the turns of a game, with an area for each side."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from companion.advice.review.review_summary import MomentKind
from companion.i18n import _
from companion.referee.snapshots.review_view import MomentView, ReviewView
from web.diagrams.svg import WIDTH, Drawing, traced

HEIGHT = 132
SIDE, TOP = 8.0, 6.0
"""Room beside the first and the last turn, and above and below the chances 1 and 0."""
APART = 17.0
"""Between the numbers of two moments, so that each can be read."""

LONGEST = 34
"""Letters of a name that fit into the graph."""


def place(turn: float, chance: float, turns: int) -> tuple[float, float]:
    """The point of Jade's chance after that many turns; a half turn is after the throw."""
    return SIDE + (WIDTH - 2 * SIDE) * turn / turns, TOP + (HEIGHT - 2 * TOP) * (1 - chance)


def graph(review: ReviewView, at: int) -> str:
    """The SVG. Jade's area is below, Obsidian's above; the moments are numbered, and a line marks turn ``at``."""
    turns = len(review.turns)
    jade, obsidian = (_short(side.name) for side in review.sides)
    whole = Drawing(_("How likely {name} was to win, turn by turn", name=jade), HEIGHT)
    whole.root.set("class", "drawing chances")
    way = [place(0, review.start, turns)]
    for turn in review.turns:
        thrown = turn.thrown if turn.side == "jade" else 1 - turn.thrown
        way += [place(turn.turn - 0.5, thrown, turns), place(turn.turn, turn.jade, turns)]
    whole.shape("rect", "theirs", x=0, y=0, width=WIDTH, height=HEIGHT, rx=6, stroke_width=0)
    corners = [(0.0, way[0][1]), *way, (WIDTH, way[-1][1]), (WIDTH, HEIGHT), (0.0, HEIGHT)]
    whole.shape("polygon", "ours", points=_points(corners), stroke_width=0)
    middle = place(0, 0.5, turns)[1]
    whole.shape("path", "middle", d=traced("M", 0, middle, "H", WIDTH), stroke_dasharray="3 4", stroke_width=1)
    whole.shape("polyline", "course", points=_points(way), stroke_width=2.5, stroke_linejoin="round")
    whole.note(SIDE, TOP + 13, obsidian, 13, "start", "name")
    whole.note(SIDE, HEIGHT - TOP - 5, jade, 13, "start", "name")
    x, y = place(at, review.turns[at - 1].jade if at else review.start, turns)
    cursor = ET.SubElement(whole.root, "g", {"class": "cursor"})
    ET.SubElement(cursor, "line", {"x1": f"{x:.5g}", "x2": f"{x:.5g}", "y1": "0", "y2": str(HEIGHT)})
    ET.SubElement(cursor, "circle", {"cx": f"{x:.5g}", "cy": f"{y:.5g}", "r": "5"})
    _number(whole, review)
    return whole.text()


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def _points(corners: Sequence[tuple[float, float]]) -> str:
    return traced(*(at for corner in corners for at in corner))


def _number(whole: Drawing, review: ReviewView) -> None:
    """The moments' numbers at the turns they were, moved aside where they would cover each other."""
    before = 0.0
    for number, moment in enumerate(review.moments, 1):
        left = len(review.moments) - number
        x, y = _decided(moment, review)
        x = min(max(x, before + APART, SIDE + 1), WIDTH - SIDE - 1 - left * APART)
        y = min(max(y, TOP + 4), HEIGHT - TOP - 4)
        before = x
        badge = ET.SubElement(whole.root, "g", {"class": "moment"})
        ET.SubElement(badge, "circle", {"cx": f"{x:.4g}", "cy": f"{y:.4g}", "r": "8"})
        words = {"x": f"{x:.4g}", "y": f"{y + 4:.4g}", "font-size": "12", "text-anchor": "middle"}
        ET.SubElement(badge, "text", words).text = str(number)


def _decided(moment: MomentView, review: ReviewView) -> tuple[float, float]:
    turn, turns = review.turns[moment.turn - 1], len(review.turns)
    if moment.kind is MomentKind.CHOICE:
        return place(turn.turn, turn.jade, turns)
    return place(turn.turn - 0.5, turn.thrown if turn.side == "jade" else 1 - turn.thrown, turns)

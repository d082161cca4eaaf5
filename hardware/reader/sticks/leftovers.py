"""Detects other objects besides four sticks: hands, more sticks, game pieces."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.referee.events import Face, Lot
from hardware.reader.lots import reaching
from hardware.reader.sticks.bars import Bar, Ends
from hardware.reader.sticks.evidence import SURE, Evidence
from hardware.reader.sticks.heap import Heap
from hardware.reader.tray import Difference

REACHING = 1.5
"""Area at the picture's border, in sticks and with its shadow, from which an object is a hand and not a stick that
rolled away."""

LEFT = 0.12
"""Largest unexplained area in one piece, in sticks."""

FRAGMENT = 0.25
"""Share of LEFT from which a separate piece is remembered: two in a line may be the visible parts of one stick. Lower
takes specks for such pieces."""

WHOLE = 0.6
"""Share of LEFT from which a piece is taken for another stick."""

DOUBTFUL = 1.0
"""Log-odds below 0 that may still be a stick of nearly the tray's colour. Higher takes shadows for hidden sticks, lower
overlooks the sticks that are hardest to see."""

STUB = 0.45
"""Share of a stick's length below which a separate object is a die or another game piece. Higher overlooks half of a
stick whose other half has the tray's colour."""

BROAD = 1.5
"""Width, in sticks, from which a separate object at the picture's border is a hand and not a stick that is half
outside."""

RIM = 2.0
"""Pixels around a stick that belong to it, because its edge is blurred."""

CRACK = 0.5
"""Largest gap between the bands of a stick that is hard to see, as a share of a stick's width."""


def without_hands(seen: Difference, evidence: Evidence, size: Bar) -> tuple[Evidence, bool]:
    """Remove intrusions from the border from the evidence. Also returns whether there is one."""
    hands = reaching(seen, REACHING * size.length * size.width)
    if not hands.any():
        return evidence, False
    things = ((evidence.odds > 0) | evidence.foreign).astype(np.uint8)
    _, labels = cv2.connectedComponents(cv2.morphologyEx(things, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)))
    reached = np.isin(labels, _at_rim(labels)) & hands
    away = cv2.dilate(reached.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    return Evidence(np.where(away, -SURE, evidence.odds).astype(np.float32), evidence.foreign & ~away), True


def unexplained(evidence: Evidence, way: Heap, size: Bar, ends: Ends, faintest: float) -> tuple[list[Lot], str | None]:
    """The objects that the sticks do not explain: further sticks, and why the throw is doubtful, or None."""
    cover = ends.cover((bar.widened(RIM) for bar in way.bars), evidence.odds.shape)
    maybe = np.where(evidence.foreign, faintest, evidence.odds) + DOUBTFUL
    rest = ((cover == 0) & (maybe > 0)).astype(np.uint8)
    rest = cv2.morphologyEx(rest, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)).astype(np.uint8)
    crack = round(CRACK * size.width) | 1
    rest = cv2.morphologyEx(rest, cv2.MORPH_CLOSE, np.ones((crack, crack), np.uint8)).astype(np.uint8)
    rest[cover > 0] = 0
    outlines, _ = cv2.findContours(rest, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    full = size.length * size.width * (faintest + DOUBTFUL)
    enough, least = LEFT * full, FRAGMENT * LEFT * full
    touched = cv2.dilate(cover, np.ones((5, 5), np.uint8))
    more: list[Lot] = []
    fragments: list[tuple[NDArray[np.int32], float]] = []
    doubt = None
    for outline in outlines:
        if (cv2.contourArea(outline) + len(outline)) * (SURE + DOUBTFUL) < least:
            continue
        piece = np.zeros_like(rest)
        cv2.drawContours(piece, [outline], -1, 1, cv2.FILLED)
        weight = float(maybe[piece > 0].sum())
        if weight < least:
            continue
        points = outline.reshape(-1, 2).astype(np.int32)
        (x, y), (one, other), angle = cv2.minAreaRect(outline)
        free = not touched[points[:, 1], points[:, 0]].any()
        at_rim = bool(_at_rim(piece).size)
        broad, short = min(one, other) > BROAD * size.width, max(one, other) < STUB * size.length
        if free and short and not at_rim:
            fragments.append((points, weight))
        if weight < enough or (free and (broad if at_rim else short)):
            continue
        if weight > WHOLE * full:
            bar = Bar(x, y, angle if one > other else angle + 90, max(one, other), min(one, other))
            more.append(_unknown(bar))
            doubt = doubt or "count"
        else:
            doubt = "leaning" if free and not at_rim and doubt != "touching" else "touching"
    for (here, one_weight), (there, other_weight) in combinations(fragments, 2):
        if one_weight + other_weight > enough and _in_line(np.concatenate([here, there]), size):
            doubt = doubt or "count"
    return more, doubt


def _in_line(points: NDArray[np.int32], size: Bar) -> bool:
    """Whether the points fit inside a stick's outline."""
    _, (one, other), _ = cv2.minAreaRect(points)
    return min(one, other) < BROAD * size.width and max(one, other) < size.length


def _at_rim(labels: NDArray[Any]) -> NDArray[Any]:
    """The labels of the components that touch the picture's border."""
    rim = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
    return rim[rim > 0]


def _unknown(bar: Bar) -> Lot:
    return Lot(x=bar.x, y=bar.y, angle=float(bar.angle % 180), face=Face.UNKNOWN, confidence=0.0, outline=bar.corners())

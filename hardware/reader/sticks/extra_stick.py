"""Detects an extra stick, below others or so close beside one that they seem to be one stick."""

from __future__ import annotations

from hardware.reader.sticks.bars import Bar, Ends
from hardware.reader.sticks.heap import Heap, search
from hardware.reader.tray import Floats, Mask

BESIDE = 0.12
"""Sticks, of the faintest taught, that one stick more may explain where it lies beside or under one of those found. Of
the labelled throws that are read, one reaches 0.075 and most 0; a drawn stick of which a half looks out along another
0.2 and more. Lower asks where a stick's rim is blurred, higher overlooks a stick that lies along another."""

ROOM = 0.2
"""The same for one stick more lying anywhere, the others making room for it. Lower takes the rims of badly fitted
sticks for another, higher overlooks one of several side by side or across: labelled throws of four gain up to 0.16, 99
in 100 heaps of four composed anew up to 0.17."""

ACROSS, TURNS = (-0.8, -0.5, -0.25, 0.0, 0.25, 0.5, 0.8), (-10.0, -5.0, 0.0, 5.0, 10.0)
"""How far off a stick found another is tried, in widths, and by how many degrees turned. What lies farther off or more
across is found as a piece that nothing explains."""


def beside(odds: Floats, found: Heap, size: Bar, ends: Ends, faintest: float) -> bool:
    """Whether a stick beside or under the found ones would explain evidence that they leave unexplained."""
    cover, rest = _left(odds, found, ends)
    enough = BESIDE * faintest * size.length * size.width
    if rest < enough:
        return False
    tries = (bar.moved(across=off * bar.width, turn=turn) for bar in found.bars for off in ACROSS for turn in TURNS)
    return any(ends.weight(tried, odds, cover) > enough for tried in tries)


def one_more(odds: Floats, found: Heap, size: Bar, ends: Ends, faintest: float) -> Heap | None:
    """The arrangement with one more stick, if it explains the picture better; else None."""
    _, rest = _left(odds, found, ends)
    if rest < ROOM * faintest * size.length * size.width:
        return None
    heaps = search(odds, size, ends, len(found.bars) + 1, faintest)
    return heaps[0] if heaps and heaps[0].explained - found.explained > ROOM * faintest else None


def _left(odds: Floats, found: Heap, ends: Ends) -> tuple[Mask, float]:
    """The mask of the sticks, and the sum of positive odds outside it."""
    cover = ends.cover(found.bars, odds.shape)
    return cover, float(odds[(cover == 0) & (odds > 0)].sum())

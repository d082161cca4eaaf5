"""Detects an extra stick under others, or so close beside one that the two look like one."""

from __future__ import annotations

from hardware.reader.sticks.bars import Bar, Ends, Sums
from hardware.reader.sticks.heap import Heap, search
from hardware.reader.tray import Floats, Mask

BESIDE = 0.12
"""Evidence, in faintest taught sticks, from which there is another stick beside or under one of those found. In
labelled throws that are read it reaches 0.075 once and is mostly 0; a drawn stick half visible along another has 0.2
and more. Lower asks where a stick's rim is blurred, higher overlooks a stick that lies along another."""

ROOM = 0.2
"""The same for another stick anywhere, after the others were fitted again. Lower takes the rims of badly fitted sticks
for another one, higher overlooks one of several side by side or crossing: labelled throws of four gain up to 0.16, 99
of 100 newly composed heaps of four up to 0.17."""

ACROSS, TURNS = (-0.8, -0.5, -0.25, 0.0, 0.25, 0.5, 0.8), (-10.0, -5.0, 0.0, 5.0, 10.0)
"""Offsets from a found stick at which another is tried, in widths, and its rotations in degrees. A stick farther away,
or rotated more, is found as an unexplained piece."""


def beside(odds: Floats, found: Heap, size: Bar, ends: Ends, faintest: float) -> bool:
    """Whether a stick beside or under the found ones would explain evidence that they leave unexplained."""
    cover, rest = _left(odds, found, ends)
    enough = BESIDE * faintest * size.length * size.width
    if rest < enough:
        return False
    tries = (bar.moved(across=off * bar.width, turn=turn) for bar in found.bars for off in ACROSS for turn in TURNS)
    sums = Sums(odds)
    return any(ends.weight(tried, sums, cover) > enough for tried in tries)


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

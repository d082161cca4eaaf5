"""One answer from several pictures of the same throw at rest, so that no single picture is believed."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from companion.referee.events import Lot, ThrowSeen, ThrowUnreadable
from hardware.camera import Pixels

LOOKS = 2
"""Readings of different pictures that have to agree. More catches rarer slips and makes players wait: on a small
machine one reading of a heap takes seconds. Movement between them is looked for in every small frame besides."""

PLACE = 0.006
"""Share of the picture's width by which a lot's centre may differ between two pictures of the same rest: half a
stick's width. Lower takes noise in an outline for movement, higher lets two lots be taken for each other."""


Answer = ThrowSeen | ThrowUnreadable


class Reader(Protocol):
    """Says what a picture of a throw shows, or why it will not say."""

    def read(self, pixels: Pixels) -> Answer: ...


class Agreeing:
    """Shows a reader picture after picture of one rest, until it said the same often enough or contradicted itself."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._said: list[ThrowSeen] = []

    def look(self, pixels: Pixels) -> Answer | None:
        """The answer, or None while another picture of the same rest is wanted.

        A first picture that cannot be read is the answer at once. Where a later one says something else, the reason
        is ``differs``. Either way the next picture begins anew. A reading that stands has the places of the last
        picture and the least confidence of all. Raises PictureUnusable as the reader does.
        """
        said = self._reader.read(pixels)
        before, self._said = self._said, []
        if not before and isinstance(said, ThrowUnreadable):
            return said
        if isinstance(said, ThrowUnreadable) or any(not _agree(said, one, pixels.shape[1]) for one in before):
            return ThrowUnreadable(reason="differs", lots=said.lots)
        if len(before) + 1 < LOOKS:
            self._said = [*before, said]
            return None
        return replace(said, confidence=min(one.confidence for one in (*before, said)))

    def forget(self) -> None:
        """The next picture is of another rest."""
        self._said = []


def _agree(one: ThrowSeen, other: ThrowSeen, width: int) -> bool:
    """Whether both see the same faces at the same places of a picture that many pixels wide."""
    left = list(other.lots)
    for lot in one.lots:
        twin = next((old for old in left if _same(lot, old, PLACE * width)), None)
        if twin is None:
            return False
        left.remove(twin)
    return not left and one.marked == other.marked


def _same(lot: Lot, old: Lot, reach: float) -> bool:
    return lot.face is old.face and abs(lot.x - old.x) <= reach and abs(lot.y - old.y) <= reach

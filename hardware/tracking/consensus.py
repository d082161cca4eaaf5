"""Combine readings of several pictures of a throw at rest, so that no single picture is trusted."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from companion.referee.events import Lot, ThrowSeen, ThrowUnreadable
from hardware.cameras.camera import Pixels

READINGS_NEEDED = 2
"""Readings of different pictures that have to agree. More catches rarer errors, but a small machine needs seconds for
one heap. Movement in between is detected in every small frame as well."""

MAX_SHIFT = 0.006
"""Share of the picture's width by which a lot's centre may differ between two pictures: half a stick's width. Lower
takes noise in an outline for movement, higher confuses neighbouring lots."""


Reading = ThrowSeen | ThrowUnreadable


class PictureReader(Protocol):
    """Reads pictures of throws."""

    def read(self, pixels: Pixels) -> Reading:
        """Read a picture, or say why it cannot be read. Raises PictureUnusable for a picture of another size."""
        ...


class Consensus:
    """Reads pictures of one throw at rest until enough of them agree, or two differ."""

    def __init__(self, reader: PictureReader) -> None:
        self._reader = reader
        self._agreed: list[ThrowSeen] = []

    def add(self, pixels: Pixels) -> Reading | None:
        """Read another picture of the same rest.

        Parameters
        ----------
        pixels : (rows, columns, 3) uint8 array
            Blue, green, red.

        Returns
        -------
        reading : ThrowSeen, ThrowUnreadable or None
            None if another picture is needed. If the first picture cannot be read, its reading. If a later one differs
            from those before, a ThrowUnreadable with the reason ``differs``. Else the last reading, with the least
            confidence of all. Any reading starts over.

        Raises
        ------
        PictureUnusable
            As the reader does.
        """
        reading = self._reader.read(pixels)
        before, self._agreed = self._agreed, []
        if not before and isinstance(reading, ThrowUnreadable):
            return reading
        if isinstance(reading, ThrowUnreadable) or any(not _agree(reading, one, pixels.shape[1]) for one in before):
            return ThrowUnreadable(reason="differs", lots=reading.lots, reading_id=reading.reading_id)
        if len(before) + 1 < READINGS_NEEDED:
            self._agreed = [*before, reading]
            return None
        return replace(reading, confidence=min(one.confidence for one in (*before, reading)))

    def reset(self) -> None:
        """Start over, because the next picture is of another rest."""
        self._agreed = []


def _agree(one: ThrowSeen, other: ThrowSeen, width: int) -> bool:
    """Return whether both readings have the same faces at the same places. width: of the pictures, in pixels."""
    left = list(other.lots)
    for lot in one.lots:
        twin = next((old for old in left if _is_same(lot, old, MAX_SHIFT * width)), None)
        if twin is None:
            return False
        left.remove(twin)
    return not left and one.marked == other.marked


def _is_same(lot: Lot, old: Lot, reach: float) -> bool:
    return lot.face is old.face and abs(lot.x - old.x) <= reach and abs(lot.y - old.y) <= reach

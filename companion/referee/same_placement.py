"""Compare the placement of lots in two pictures."""

from __future__ import annotations

from companion.referee.events import Lot


def same_placement(lots: tuple[Lot, ...], before: tuple[Lot, ...]) -> bool:
    """Whether the lots lie where they lay before, so that nobody has thrown, whatever moved in the meantime.

    A new throw comes to rest within 12 pixels and 8 degrees of the old one once in millions of throws; a camera on a
    shaken table moves less.
    """
    return len(lots) == len(before) and all(any(_alike(lot, old) for old in before) for lot in lots)


def _alike(lot: Lot, old: Lot) -> bool:
    turned = abs(lot.angle - old.angle) % 180
    near = abs(lot.x - old.x) <= 12 and abs(lot.y - old.y) <= 12
    return near and lot.face is old.face and min(turned, 180 - turned) <= 8

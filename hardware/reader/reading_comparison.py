"""Compares two readings of one throw, lot by lot."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.referee.events import Face, Lot, ThrowSeen, ThrowUnreadable
from hardware.reader.lots import LONG
from hardware.reader.taught_lots import LOTS

OF_FACES = frozenset({"covered", "glare", "unclear"})
"""Reasons of a reader that may be certain of four lots and doubt only their faces."""

SAME_PLACE, SAME_TURN = 0.8, 15.0
"""Furthest that two readers may place one lot apart, as a share of its width, and turn it, in degrees, if it is long.
Higher takes neighbours for one lot, lower overlooks that the readers contradict each other."""


def sees_four(answer: ThrowSeen | ThrowUnreadable) -> bool:
    """Whether a reading is certain of four lots that lie flat, though perhaps not of their faces."""
    return isinstance(answer, ThrowSeen) or (answer.reason in OF_FACES and len(answer.lots) == LOTS)


def contradict(some: Sequence[Lot], others: Sequence[Lot]) -> bool:
    """Whether one reading has a lot as marked and the other as plain."""
    known = [lot for lot in some if lot.face is not Face.UNKNOWN]
    return any(is_same_lot(lot, other) and lot.face is not other.face for lot in known for other in others)


def certain_lots(lots: Sequence[Lot]) -> list[Lot]:
    """Those of which the face is known."""
    return [lot for lot in lots if lot.face is not Face.UNKNOWN and lot.confidence > 0]


def hides_a_face(lots: Sequence[Lot]) -> bool:
    """Whether one of these certainly does not show its face."""
    return any(lot.confidence == 0 for lot in lots)


def confirms(other: ThrowSeen | ThrowUnreadable, read: ThrowSeen) -> bool:
    """Whether another reading found just the lots that this one read, and contradicts none of their faces."""
    same = len(other.lots) == len(read.lots) and not unmatched(other.lots, read.lots)
    return same and not contradict(other.lots, read.lots)


def overrules(answer: ThrowSeen | ThrowUnreadable, read: ThrowSeen) -> bool:
    """Whether a reader knows a face otherwise than another one read it, or found a fifth stick within a width of the
    four."""
    return contradict(answer.lots, read.lots) or _finds_more_beside(answer.lots, read.lots)


def unmatched(some: Sequence[Lot], others: Sequence[Lot]) -> list[Lot]:
    """Lots of one reading for which the other has none; each of these counts once."""
    left, free = [], list(others)
    for one in some:
        own = next((lot for lot in free if is_same_lot(one, lot)), None)
        if own is None:
            left.append(one)
        else:
            free.remove(own)
    return left


def is_same_lot(one: Lot, other: Lot) -> bool:
    """Whether two readings found the same lot. Outlines are of the taught size."""
    turned = abs((one.angle - other.angle + 90) % 180 - 90)
    near = np.hypot(one.x - other.x, one.y - other.y) < SAME_PLACE * _sides(other)[1]
    return bool(near and (turned < SAME_TURN or not _is_stick(other)))


def _finds_more_beside(found: Sequence[Lot], four: Sequence[Lot]) -> bool:
    """Whether a reading found as many sticks as these or more, and one that is none of these within a width of them."""
    return len(found) >= len(four) and any(
        _gap(one, lot) < _sides(lot)[1] for one in unmatched(found, four) for lot in four
    )


def _gap(one: Lot, other: Lot) -> float:
    """Distance between two lots' outlines, in pixels; 0 if they overlap."""
    first, second = (np.array(lot.outline, np.float32) for lot in (one, other))
    if cv2.intersectConvexConvex(first, second)[0] > 0:
        return 0.0
    return min(
        -cv2.pointPolygonTest(around, (float(x), float(y)), measureDist=True)
        for points, around in ((first, second), (second, first))
        for x, y in points
    )


def _is_stick(lot: Lot) -> bool:
    longer, width = _sides(lot)
    return longer >= LONG * width


def _sides(lot: Lot) -> tuple[float, float]:
    """Length and width of the lot's outline."""
    width, longer = sorted(cv2.minAreaRect(np.array(lot.outline, np.float32))[1])
    return longer, width

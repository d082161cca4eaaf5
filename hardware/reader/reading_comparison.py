"""Compares two readings of one throw, lot by lot."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.referee.events import Face, Lot, ThrowSeen, ThrowUnreadable
from companion.rules.odds import LOTS
from hardware.reader.lots import LONG

OF_FACES = frozenset({"covered", "glare", "unclear"})
"""Reasons of a reader that may be certain of four lots and doubt only their faces."""

SAME_PLACE, SAME_TURN = 0.8, 15.0
"""Furthest that two readers may place one lot apart, as a share of its width, and turn it, in degrees, if it is long.
Higher takes neighbours for one lot, lower overlooks that the readers contradict each other."""

NEAR = 1.5
"""How much larger a lot is drawn to see whether it lies against another. Higher believes in sticks that lie alone and
that only one reader sees."""


def sees_four(answer: ThrowSeen | ThrowUnreadable) -> bool:
    """Whether a reading is certain that its four lots are there.

    It may doubt their faces, or see something beside four that it knows.
    """
    if isinstance(answer, ThrowSeen):
        return True
    if len(answer.lots) != LOTS or answer.reason == "touching":
        return False
    return answer.reason in OF_FACES or len(certain_lots(answer.lots)) == LOTS


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


def agrees(other: ThrowSeen | ThrowUnreadable, read: ThrowSeen) -> bool:
    """Whether another reading comes to the same count, or found just these lots and contradicts none of their faces."""
    if isinstance(other, ThrowSeen):
        return other.marked == read.marked
    same = len(other.lots) == len(read.lots) and not unmatched(other.lots, read.lots)
    return same and not contradict(other.lots, read.lots)


def takes_two_for_one(other: ThrowSeen | ThrowUnreadable, read: ThrowSeen) -> bool:
    """Whether another reading found all but one of these lots, which lies against another, and contradicts no face."""
    missed = unmatched(read.lots, other.lots)
    if len(missed) != 1 or unmatched(other.lots, read.lots) or contradict(other.lots, read.lots):
        return False
    own, *others = (np.array(lot.outline, np.float32) for lot in (*missed, *other.lots))
    middle = own.mean(axis=0)
    near = (middle + NEAR * (own - middle)).astype(np.float32)
    return any(cv2.intersectConvexConvex(near, outline)[0] > 0 for outline in others)


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


def _is_stick(lot: Lot) -> bool:
    longer, width = _sides(lot)
    return longer >= LONG * width


def _sides(lot: Lot) -> tuple[float, float]:
    """Length and width of the lot's outline."""
    width, longer = sorted(cv2.minAreaRect(np.array(lot.outline, np.float32))[1])
    return longer, width

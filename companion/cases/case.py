"""A picture of a throw with its reading and its true faces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256

from pydantic import TypeAdapter

from companion.referee.events import Face, Lot, ThrowSeen, ThrowUnreadable
from companion.referee.labelled_reading import LabelledReading, true_faces


class Outcome(StrEnum):
    """How a reading compares with the truth: right, asked the players, or wrong."""

    RIGHT = "right"
    ASKED = "asked"
    MISREAD = "misread"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One labelled reading.

    id: unique; equal for equal pictures.
    at: time of the reading, in UTC.
    sticks: name of the set of lots. calibration: name of the calibration's folder.
    picture: file name beside the case: a PNG of the frame that was read, or else a JPEG of it.
    read: the count that was read, None if the reader asked. reason: why it asked; empty if it did not.
    lots: the lots that it detected, in pixels of the picture, with the faces that it read.
    marked: the true count. faces: the true face of each lot; unknown if the count does not determine it.
    sequence: its place in the order in which the cases were kept; 0 if an older version kept it.
    """

    id: str
    at: str
    sticks: str
    calibration: str
    picture: str
    read: int | None
    reason: str
    confidence: float
    lots: tuple[Lot, ...]
    marked: int
    faces: tuple[Face, ...]
    sequence: int = field(default=0, compare=False)

    @property
    def outcome(self) -> Outcome:
        """How the reader did."""
        return outcome(self.read, self.marked)

    @property
    def teaches(self) -> bool:
        """Whether the reader can learn from it: its trouble was the faces, and some true faces are known.

        For other reasons players were asked to spread the lots or to throw again, so their count may not be that of
        the picture.
        """
        wanting = self.outcome is Outcome.MISREAD or self.reason in FACE_REASONS
        return wanting and bool(set(self.faces) - {Face.UNKNOWN})


FACE_REASONS = frozenset({"unclear", "glare"})
"""Reasons for which the reader asks although it has detected the lots."""

CASE_JSON = TypeAdapter(Case)
"""Reads and writes the JSON of a case."""


def outcome(read: int | None, marked: int) -> Outcome:
    """Compare a count, or None if the reader asked, with the true count.

    >>> outcome(None, 3), outcome(2, 3)
    (<Outcome.ASKED: 'asked'>, <Outcome.MISREAD: 'misread'>)
    """
    if read is None:
        return Outcome.ASKED
    return Outcome.RIGHT if read == marked else Outcome.MISREAD


_RANK = {Outcome.MISREAD: 0, Outcome.ASKED: 1, Outcome.RIGHT: 2}


def gains(before: Sequence[Outcome], now: Sequence[Outcome]) -> bool:
    """Whether some readings are better now, and none is worse.

    >>> gains([Outcome.ASKED, Outcome.RIGHT], [Outcome.RIGHT, Outcome.ASKED])
    False
    """
    steps = [_RANK[one] - _RANK[then] for then, one in zip(before, now, strict=True)]
    return min(steps) >= 0 and max(steps) > 0


def count(reading: ThrowSeen | ThrowUnreadable) -> int | None:
    """The count that was read; None if the reader asked."""
    return reading.marked if isinstance(reading, ThrowSeen) else None


def case_id(labelled: LabelledReading) -> str:
    """The id of a labelled reading's case."""
    return f"{labelled.number}-{sha256(labelled.jpeg).hexdigest()[:6]}"


def case_from(labelled: LabelledReading, *, sticks: str, calibration: str, exact: bool) -> Case:
    """Make a case of a labelled reading. exact: whether its picture is the frame that was read, not a JPEG of it."""
    reading = labelled.reading
    return Case(
        id=case_id(labelled),
        at=labelled.at,
        sticks=sticks,
        calibration=calibration,
        picture="picture.png" if exact else "picture.jpg",
        read=count(reading),
        reason=reading.reason if isinstance(reading, ThrowUnreadable) else "",
        confidence=reading.confidence if isinstance(reading, ThrowSeen) else 0.0,
        lots=reading.lots,
        marked=labelled.marked,
        faces=true_faces(reading.lots, labelled.marked, labelled.faces),
    )

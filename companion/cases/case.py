"""A picture of a throw, what the reader said of it, and what it truly shows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from pydantic import TypeAdapter

from companion.referee.events import Face, Lot, ThrowSeen, ThrowUnreadable
from companion.referee.verdict import Verdict, true_faces


class Outcome(StrEnum):
    """How an answer compares with the truth: the right count, a question to the players, or a wrong count."""

    RIGHT = "right"
    ASKED = "asked"
    MISREAD = "misread"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One reading whose true count the players told.

    id: what it is called; the same for the same picture.
    at: when it was read, in UTC.
    sticks: what the set of lots is called. calibration: the folder's name for what the reader had been taught.
    picture: its file's name, beside the case: a PNG where the very picture that was read is kept, else a JPEG of it.
    read: the count that was read, None where the reader asked. reason: why it asked; empty where it read.
    lots: what it found, in pixels of the picture, with the faces it took them for.
    marked: the true count. faces: the true face of each of the lots; unknown where the count alone does not tell.
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

    @property
    def outcome(self) -> Outcome:
        """How the reader did then."""
        return outcome(self.read, self.marked)

    @property
    def teaches(self) -> bool:
        """Whether the reader may learn from it: the faces were its trouble, and some of them are known.

        Where it asked for another reason players were told to spread the lots, or to throw again: what they counted
        then need not be what the picture shows.
        """
        wanting = self.outcome is Outcome.MISREAD or self.reason in OF_FACES
        return wanting and bool(set(self.faces) - {Face.UNKNOWN})


OF_FACES = frozenset({"unclear", "glare"})
"""Why the reader asks where it has found the lots."""

SPELLING = TypeAdapter(Case)
"""A case as the JSON it is kept in, and back."""


def outcome(read: int | None, marked: int) -> Outcome:
    """How a count, None for a question, compares with the true one.

    >>> outcome(None, 3), outcome(2, 3)
    (<Outcome.ASKED: 'asked'>, <Outcome.MISREAD: 'misread'>)
    """
    if read is None:
        return Outcome.ASKED
    return Outcome.RIGHT if read == marked else Outcome.MISREAD


def count(reading: ThrowSeen | ThrowUnreadable) -> int | None:
    """The count that was read, None where the reader asked."""
    return reading.marked if isinstance(reading, ThrowSeen) else None


def name_of(verdict: Verdict) -> str:
    """The id of the case that a verdict makes."""
    return f"{verdict.number}-{sha256(verdict.jpeg).hexdigest()[:6]}"


def case_of(verdict: Verdict, *, sticks: str, calibration: str, exact: bool) -> Case:
    """The case that a verdict makes. exact: whether its picture is kept as it was read, and not as JPEG."""
    reading = verdict.reading
    return Case(
        id=name_of(verdict),
        at=verdict.at,
        sticks=sticks,
        calibration=calibration,
        picture="picture.png" if exact else "picture.jpg",
        read=count(reading),
        reason=reading.reason if isinstance(reading, ThrowUnreadable) else "",
        confidence=reading.confidence if isinstance(reading, ThrowSeen) else 0.0,
        lots=reading.lots,
        marked=verdict.marked,
        faces=true_faces(reading.lots, verdict.marked, verdict.faces),
    )

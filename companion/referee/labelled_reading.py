"""A reading of the camera with the true count from the players."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.referee.events import Face, Lot, ThrowSeen, ThrowUnreadable
from companion.rules.odds import LOTS


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledReading:
    """A reading and the true count of its throw.

    number, at: the event that brought the reading, and its time in UTC. reading: without its picture.
    jpeg: the picture.
    marked: the count that the players accepted. faces: of the reading's lots, if a person labelled each; else empty.
    """

    number: int
    at: str
    reading: ThrowSeen | ThrowUnreadable
    jpeg: bytes = field(repr=False)
    marked: int
    faces: tuple[Face, ...] = ()


def true_faces(lots: tuple[Lot, ...], marked: int, labels: tuple[Face, ...] = ()) -> tuple[Face, ...]:
    """The true face of each lot as far as the true count determines it; UNKNOWN for the others.

    labels: the faces if a person labelled each. Otherwise all faces follow from a count of 0 or 4, and the faces the
    reader left open follow if the count leaves one possibility for them.

    >>> lot = lambda face: Lot(x=0, y=0, angle=0, face=face, confidence=1)
    >>> seen = tuple(map(lot, (Face.MARKED, Face.PLAIN, Face.UNKNOWN, Face.PLAIN)))
    >>> [face.value for face in true_faces(seen, 2)]
    ['marked', 'plain', 'marked', 'plain']
    >>> [face.value for face in true_faces(seen, 3)]
    ['unknown', 'unknown', 'unknown', 'unknown']
    """
    unknown = (Face.UNKNOWN,) * len(lots)
    if labels:
        return labels
    if len(lots) > LOTS:
        return unknown
    if marked in (0, LOTS):
        return (Face.MARKED if marked else Face.PLAIN,) * len(lots)
    faces = tuple(lot.face for lot in lots)
    left, open_ = marked - faces.count(Face.MARKED), faces.count(Face.UNKNOWN)
    if len(lots) < LOTS or left not in (0, open_):
        return unknown
    return tuple((Face.MARKED if left else Face.PLAIN) if face is Face.UNKNOWN else face for face in faces)

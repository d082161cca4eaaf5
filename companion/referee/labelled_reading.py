"""What the players said of a reading: that it was right, that it was not, or what the camera had asked."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.referee.events import Face, Lot, ThrowSeen, ThrowUnreadable

LOTS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A reading, and the true count of the throw that it was of.

    number, at: of the event that brought the reading, and when, in UTC. reading: without its picture.
    jpeg: the picture.
    marked: the count as its players accepted it. faces: of the reading's lots, where a person told each; else empty.
    """

    number: int
    at: str
    reading: ThrowSeen | ThrowUnreadable
    jpeg: bytes = field(repr=False)
    marked: int
    faces: tuple[Face, ...] = ()


def true_faces(lots: tuple[Lot, ...], marked: int, told: tuple[Face, ...] = ()) -> tuple[Face, ...]:
    """The true face of each lot as far as the true count of all four tells; UNKNOWN for the others.

    told: the faces where a person told each of them. Else all are known of a throw with none or four marked, and those
    that the reader left open where the count leaves them one possibility beside those it was sure of.

    >>> lot = lambda face: Lot(x=0, y=0, angle=0, face=face, confidence=1)
    >>> seen = tuple(map(lot, (Face.MARKED, Face.PLAIN, Face.UNKNOWN, Face.PLAIN)))
    >>> [face.value for face in true_faces(seen, 2)]
    ['marked', 'plain', 'marked', 'plain']
    >>> [face.value for face in true_faces(seen, 3)]
    ['unknown', 'unknown', 'unknown', 'unknown']
    """
    nobody_knows = (Face.UNKNOWN,) * len(lots)
    if told:
        return told
    if len(lots) > LOTS:
        return nobody_knows
    if marked in (0, LOTS):
        return (Face.MARKED if marked else Face.PLAIN,) * len(lots)
    faces = tuple(lot.face for lot in lots)
    left, open_ = marked - faces.count(Face.MARKED), faces.count(Face.UNKNOWN)
    if len(lots) < LOTS or left not in (0, open_):
        return nobody_knows
    return tuple((Face.MARKED if left else Face.PLAIN) if face is Face.UNKNOWN else face for face in faces)

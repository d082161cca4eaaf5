"""Improves the reader by the players' corrections, only where nothing gets worse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.cases.case import Outcome, count, gains, outcome
from companion.referee.events import Face, Lot
from hardware.cameras.camera import Pixels
from hardware.reader.judge.witness import CERTAIN
from hardware.reader.lots import Shown
from hardware.reader.profile import Profile
from hardware.reader.throw_reader import ThrowReader

MOST_SHOWN = 4
"""Pictures that a profile may have beyond its calibration's, so at most 16 faces of lots. Higher follows more kinds of
light; each costs some 4 MB of memory and is compared with at every reading: with all 16 faces a heap of sticks took up
to twice as long, kernels took no longer."""

SAME = 25.0
"""Largest distance in pixels and degrees between two detections of one lot: crossing sticks differ by more, and
the same one found in the same picture by a few at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A picture with the true count from the players.

    picture: gives its pixels. marked: the true count.
    lots: what the reader found there, in the picture's pixels, each with its true face, or an unknown one.
    """

    id: str
    picture: Callable[[], Pixels]
    marked: int
    lots: tuple[Lot, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Learnt:
    """A profile that reads better than the one it was made from, and the ids of the lessons that taught it."""

    profile: Profile
    lessons: tuple[str, ...]


def answered(reader: ThrowReader, lesson: Lesson) -> Outcome:
    """The reader's outcome on that picture. Raises PictureUnusable."""
    return outcome(count(reader.read(lesson.picture())), lesson.marked)


def improved(
    profile: Profile,
    lessons: Sequence[Lesson],
    *,
    fresh: Sequence[str],
    calm: Callable[[], object] = lambda: None,
) -> Learnt | None:
    """Extend the profile with what the ``fresh`` lessons show. Returns None if that would improve nothing.

    Something is gained where a lesson is read that was not, or one is no longer misread. Nothing is accepted that does
    harm: every lesson that was read must still be read, none may become misread, and each face of the calibration must
    still be told by the others. Of several fresh lessons each is tried by itself, in the order given.

    lessons: all there are, the fresh ones among them. calm: called before each reading; it may wait for a good moment.
    """

    def outcomes(reader: ThrowReader) -> dict[str, Outcome]:
        found = {}
        for lesson in lessons:
            calm()
            found[lesson.id] = answered(reader, lesson)
        return found

    best, reader, teachers = profile, ThrowReader(profile), []
    before: dict[str, Outcome] = {}
    by_id = {lesson.id: lesson for lesson in lessons}
    for lesson in (by_id[name] for name in fresh):
        before = before or outcomes(reader)
        if before[lesson.id] is Outcome.RIGHT:
            continue
        calm()
        better = taught(best, lesson.picture(), _wanting(reader, lesson))
        if better is best:
            continue
        wiser = ThrowReader(better)
        if not _still_apart(wiser, reader):
            continue
        now = outcomes(wiser)
        if gains(list(before.values()), list(now.values())):
            best, reader, before = better, wiser, now
            teachers.append(lesson.id)
    return Learnt(profile=best, lessons=tuple(teachers)) if teachers else None


def _wanting(reader: ThrowReader, lesson: Lesson) -> tuple[Lot, ...]:
    """The lots whose true face is known but not recognised by the reader, with the faces to teach.

    Where the reader is sure and the players say otherwise, either may be wrong: such a lot is given once with each
    face, so that the reader learns to ask about similar lots, and never to repeat a mistaken correction.
    """
    found = reader.read(lesson.picture()).lots
    wanting: list[Lot] = []
    for lot in lesson.lots:
        now = _face_at(lot, found)
        if lot.face in (Face.UNKNOWN, now):
            continue
        wanting.append(lot)
        if now is not Face.UNKNOWN:
            wanting.append(replace(lot, face=Face.PLAIN if lot.face is Face.MARKED else Face.MARKED))
    return tuple(wanting)


def _face_at(lot: Lot, found: Sequence[Lot]) -> Face:
    """The face of the detected lot at the place of ``lot``; unknown if there is none."""

    def off(one: Lot) -> float:
        turned = abs((one.angle - lot.angle + 90) % 180 - 90)
        return float(np.hypot(one.x - lot.x, one.y - lot.y) + turned)

    nearest = min(found, key=off, default=None)
    return nearest.face if nearest and off(nearest) < SAME else Face.UNKNOWN


def taught(profile: Profile, picture: Pixels, lots: Sequence[Lot]) -> Profile:
    """Add a picture, and the faces of those lots in it, to a profile.

    lots: where they lie in the picture's pixels, each with its face. The same profile where there are none, or it has
    MOST_SHOWN already.
    """
    if not lots or len(profile.shown) >= MOST_SHOWN:
        return profile
    rows, columns = profile.empty.shape[:2]
    scale = picture.shape[1] / columns
    if picture.shape != profile.empty.shape:
        picture = cv2.resize(picture, (columns, rows), interpolation=cv2.INTER_AREA).astype(np.uint8)
    places = tuple(((lot.x + 0.5) / scale - 0.5, (lot.y + 0.5) / scale - 0.5, lot.angle, lot.face) for lot in lots)
    # It stays the same set of lots, whose throws are counted on.
    return replace(profile, shown=(*profile.shown, Shown(picture, places)), name=profile.sticks)


def _still_apart(better: ThrowReader, before: ThrowReader) -> bool:
    """Whether the others still tell each face of the calibration for certain, or as well as before."""
    return all(now >= min(then, CERTAIN) for now, then in zip(better.leads, before.leads, strict=True))

"""Improve the board reader by what players put right, only where nothing gets worse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.cases.case import Outcome, gains
from companion.errors import ProfileUnusable
from companion.referee.board.sightings import Top
from hardware.board.board_profile import BoardLesson
from hardware.board.board_reader import BoardReader

MOST_LESSONS = 4
"""Pictures that a profile learns from beyond the taught one. Higher follows more kinds of light, and makes the profile
larger by 2 MB each and every reading a little slower."""


def improved(reader: BoardReader, fresh: BoardLesson, known: Sequence[BoardLesson]) -> BoardReader | None:
    """Teach the pieces that ``fresh`` shows and the reader asks about. None if that would improve nothing.

    Their colours belong to their side from then on. Where the reader was sure of something else, either may be wrong,
    and nothing is learnt; nor of a space that is said to be empty: a piece that lay there after all would be
    overlooked. Nothing is accepted that does harm: the taught picture, earlier lessons and those ``known`` to be read
    right must be read no worse, and ``fresh`` right.
    """
    profile = reader.profile
    tops = reader.tops(fresh.picture)
    pieces = tuple(
        at for at, (found, true) in enumerate(zip(tops, fresh.tops, strict=True)) if true not in (found, Top.EMPTY)
    )
    asked = answered(reader, fresh) is Outcome.ASKED
    if not asked or not pieces or len(profile.lessons) >= MOST_LESSONS:
        return None
    try:
        better = BoardReader(replace(profile, lessons=(*profile.lessons, replace(fresh, pieces=pieces))))
    except ProfileUnusable:
        return None
    tests = (fresh, BoardLesson(profile.taught, Top.of_all(profile.position)), *profile.lessons, *known)
    before, now = ([answered(one, lesson) for lesson in tests] for one in (reader, better))
    return better if gains(before, now) and now[0] is Outcome.RIGHT else None


def answered(reader: BoardReader, lesson: BoardLesson) -> Outcome:
    """The reader's outcome on that picture."""
    tops = reader.tops(lesson.picture)
    if tops == lesson.tops:
        return Outcome.RIGHT
    sure = all(found in (true, Top.UNCLEAR) for found, true in zip(tops, lesson.tops, strict=True))
    return Outcome.ASKED if sure else Outcome.MISREAD

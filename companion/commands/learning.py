"""Train the reader on the cases of one calibration, by command or during a game."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from companion.cases.case import Case
from companion.cases.case_folder import CaseFolder
from companion.cases.learning_process import WAIT
from companion.cases.training_record import TrainingRecord, next_profile
from companion.errors import NotAllowed, PictureUnusable, Unknown
from companion.service.background_solve import give_way

if TYPE_CHECKING:
    from hardware.reader.learning import Lesson


def learn(folder: CaseFolder, place: Path, calm: Callable[[], object]) -> tuple[str, ...]:
    """Learn from the cases of the calibration in ``place``; returns the ids of the cases that were used.

    calm: called before each reading. Raises NotAllowed where another process learns there, Unknown where it cannot be
    written down, and ProfileUnusable where the calibration is damaged.
    """
    try:
        with FileLock(place / "lock", timeout=0):
            return _learn(folder, place, calm)
    except Timeout as error:
        raise NotAllowed("Another process learns from these cases already.") from error
    except OSError as error:
        raise Unknown(f"What is learnt cannot be kept in '{place}': {error.strerror or error}.") from error


def _learn(folder: CaseFolder, place: Path, calm: Callable[[], object]) -> tuple[str, ...]:
    from hardware.reader.learning import improved
    from hardware.reader.profile import Profile

    cases = [case for case in folder.all() if case.calibration == place.name and _usable(folder, case)]
    record = TrainingRecord.of(place)
    if not record.stands(cases):
        record = TrainingRecord()
    fresh = record.untried(cases)
    profile = Profile.load(place / record.profile)
    lessons = [_lesson(folder, case) for case in cases]
    found = improved(profile, lessons, fresh=[case.id for case in fresh], calm=calm)
    after = record.after(fresh, found.lessons if found else ())
    if found:
        after = replace(after, profile=next_profile(place))
        found.profile.save(place / after.profile)
    after.keep(place)
    return found.lessons if found else ()


def _usable(folder: CaseFolder, case: Case) -> bool:
    from hardware.cameras.picture_files import load_picture

    try:
        load_picture(folder.picture(case))
    except PictureUnusable:
        return False
    return True


def _lesson(folder: CaseFolder, case: Case) -> Lesson:
    from hardware.cameras.picture_files import load_picture
    from hardware.reader.learning import Lesson

    lots = tuple(replace(lot, face=face) for lot, face in zip(case.lots, case.faces, strict=True))
    return Lesson(id=case.id, picture=lambda: load_picture(folder.picture(case)), marked=case.marked, lots=lots)


def beside_a_game() -> Callable[[], object]:
    """Run at lowest priority and end with standard input. Calls of the result wait while told to."""
    give_way()
    go_on = Event()
    go_on.set()

    def listen() -> None:
        # Not through sys.stdin, which could then not be closed when the work is done first.
        while word := os.read(0, 1):
            if word == WAIT:
                go_on.clear()
            else:
                go_on.set()
        # Not an orderly end, which would wait for the work; nothing is in hand that could be lost.
        os._exit(0)

    Thread(target=listen, daemon=True).start()
    return go_on.wait

"""The reader of a running game: it remembers its last pictures, and can be replaced in mid-game."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cases.case import Outcome, count, outcome
from companion.cases.training_record import TrainingRecord
from companion.commands.learning import learn
from companion.errors import ProfileUnusable
from hardware.reader.profile import Profile
from hardware.tracking.swappable_reader import REMEMBERED_READINGS, SwappableReader
from tests.cases.labelled import School
from tests.hardware.reader.drawing import WORN, four, tray

WORN_THROW = tray(four(3), paint=WORN, noise=70)


@pytest.fixture
def school(tmp_path: Path) -> School:
    return School(tmp_path)


def outcome_of(reader: SwappableReader) -> Outcome:
    return outcome(count(reader.read(WORN_THROW)), 3)


@pytest.mark.slow
def test_trained_profile_is_used(school: School) -> None:
    """It is used after a reload and after a restart, until its training record is gone."""
    school.tell(tray(four(2), paint=WORN, noise=3), 2)
    before = outcome_of(school.reader)
    learnt = learn(school.folder, school.place, lambda: None)
    school.reader.reload()
    now = outcome_of(school.reader)
    restarted = outcome_of(SwappableReader(school.folder).use_calibration(school.profile, "Drawn"))
    TrainingRecord().keep(school.place)
    school.reader.reload()

    assert len(learnt) == 1
    assert (before, now, restarted, outcome_of(school.reader)) == (
        Outcome.ASKED,
        Outcome.RIGHT,
        Outcome.RIGHT,
        Outcome.ASKED,
    )


@pytest.mark.slow
def test_damaged_profile_is_not_used(school: School) -> None:
    """The reader goes on with the calibration."""
    school.tell(tray(four(2), paint=WORN, noise=3), 2)
    learn(school.folder, school.place, lambda: None)
    (school.place / TrainingRecord.of(school.place).profile / "profile.npz").write_bytes(b"damaged")
    school.reader.reload()

    assert outcome_of(school.reader) is Outcome.ASKED


@pytest.mark.slow
def test_new_calibration_is_untrained(school: School) -> None:
    """Training belongs to the calibration it was made with."""
    school.tell(tray(four(2), paint=WORN, noise=3), 2)
    learn(school.folder, school.place, lambda: None)
    darker = replace(school.profile, empty=tray(noise=99))
    other = SwappableReader(school.folder).use_calibration(darker, "Drawn")

    assert outcome_of(other) is Outcome.ASKED
    assert other.calibration != school.reader.calibration


def test_only_the_last_pictures_are_remembered(school: School) -> None:
    """Older readings have no exact picture any more, nor has an id from before a restart."""
    pictures = [tray(four(2), noise=number) for number in range(REMEMBERED_READINGS + 1)]
    ids = [school.reader.read(picture).reading_id for picture in pictures]
    sources = [school.reader.source(reading_id) for reading_id in (*ids, "")]
    pngs = [None if source is None else source.png for source in sources]

    assert [png is not None for png in pngs] == [False] + [True] * REMEMBERED_READINGS + [False]
    for png, picture in zip(pngs[1:-1], pictures[1:], strict=True):
        assert png is not None
        np.testing.assert_array_equal(cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR), picture)


def test_calibration_is_stored_with_its_cases(school: School, tmp_path: Path) -> None:
    """It is written before the first case; a failure to write it is reported."""
    reading = school.reader.read(WORN_THROW)
    nothing_yet = school.folder.path.exists()
    school.reader.source(reading.reading_id)

    assert not nothing_yet
    assert Profile.load(school.place).sticks == "Drawn"
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "cases").write_bytes(b"no folder")
    full = School(tmp_path / "full")
    reading = full.reader.read(WORN_THROW)
    with pytest.raises(ProfileUnusable, match="cannot be written"):
        full.reader.source(reading.reading_id)

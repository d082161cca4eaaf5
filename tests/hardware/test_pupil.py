"""The reader that watches a game remembers what it read, and is replaced in mid-game."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.cases.case import Outcome, count, outcome
from companion.cases.lore import Lore
from companion.commands.learning import learn
from companion.errors import ProfileUnusable
from hardware.pictures import encode
from hardware.profile import Profile
from hardware.pupil import REMEMBERED, Pupil
from tests.cases.told import School
from tests.hardware.drawing import WORN, four, tray

WORN_THROW = tray(four(3), paint=WORN, noise=70)


@pytest.fixture
def school(tmp_path: Path) -> School:
    return School(tmp_path)


def does(pupil: Pupil) -> Outcome:
    return outcome(count(pupil.read(WORN_THROW)), 3)


def test_what_was_learnt_is_used_from_then_on(school: School) -> None:
    """At once when told, and after the next start; and no more once the case it came from is forgotten."""
    school.tell(tray(four(2), paint=WORN, noise=3), 2)
    before = does(school.pupil)
    learnt = learn(school.folder, school.place, lambda: None)
    school.pupil.adopt()
    now = does(school.pupil)
    restarted = does(Pupil(school.folder).taught(school.profile, "Drawn"))
    Lore().keep(school.place)
    school.pupil.adopt()

    assert len(learnt) == 1
    assert (before, now, restarted, does(school.pupil)) == (Outcome.ASKED, Outcome.RIGHT, Outcome.RIGHT, Outcome.ASKED)


def test_what_cannot_be_loaded_is_not_used(school: School) -> None:
    """A damaged profile leaves the reader as it is."""
    school.tell(tray(four(2), paint=WORN, noise=3), 2)
    learn(school.folder, school.place, lambda: None)
    (school.place / Lore.of(school.place).profile / "profile.npz").write_bytes(b"damaged")
    school.pupil.adopt()

    assert does(school.pupil) is Outcome.ASKED


def test_another_calibration_begins_anew(school: School) -> None:
    """What was learnt belongs to the pictures it was learnt beside."""
    school.tell(tray(four(2), paint=WORN, noise=3), 2)
    learn(school.folder, school.place, lambda: None)
    darker = replace(school.profile, empty=tray(noise=99))
    other = Pupil(school.folder).taught(darker, "Drawn")

    assert does(other) is Outcome.ASKED
    assert other.calibration != school.pupil.calibration


def test_only_the_last_pictures_are_remembered(school: School) -> None:
    """An older one is left to its JPEG."""
    pictures = [tray(four(2), noise=number) for number in range(REMEMBERED + 1)]
    for picture in pictures:
        school.pupil.read(picture)
    sources = [school.pupil.source(encode(picture).jpeg) for picture in pictures]

    assert [source is not None and source.png is not None for source in sources] == [False] + [True] * REMEMBERED


def test_the_calibration_is_kept_with_its_cases(school: School, tmp_path: Path) -> None:
    """So that they can be read again with it; where that cannot be, it is said."""
    school.pupil.read(WORN_THROW)
    nothing_yet = school.folder.path.exists()
    school.pupil.source(encode(WORN_THROW).jpeg)

    assert not nothing_yet
    assert Profile.load(school.place).sticks == "Drawn"
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "cases").write_bytes(b"no folder")
    full = School(tmp_path / "full")
    full.pupil.read(WORN_THROW)
    with pytest.raises(ProfileUnusable, match="cannot be written"):
        full.pupil.source(encode(WORN_THROW).jpeg)

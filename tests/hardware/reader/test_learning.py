"""Players' corrections make the reader better, and never worse."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.cases.case import Outcome
from companion.referee.events import Face, ThrowSeen
from companion.referee.labelled_reading import true_faces
from hardware.cameras.camera import Pixels
from hardware.reader.learning import MOST_SHOWN, Lesson, answered, improved, taught
from hardware.reader.profile import Profile
from hardware.reader.throw_reader import ThrowReader
from tests.hardware.reader import drawing_small_lots
from tests.hardware.reader.drawing import WORN, Stick, four, taught_reader, tray

GONE = (130, 165, 190)
"""Paint so faint that a marked face is read as a plain one."""


@pytest.fixture(scope="module")
def profile() -> Profile:
    return taught_reader().profile


def lesson(
    reader: ThrowReader,
    name: str,
    pixels: Pixels,
    marked: int,
    faces: tuple[Face, ...] = (),
    *,
    drawn: int | None = None,
) -> Lesson:
    """A correction of this picture by the players. drawn: tells the faces from this drawing instead."""
    lots = reader.read(pixels).lots
    if drawn is not None:
        near = {(stick.x, stick.y): stick.marked for stick in four(drawn)}
        faces = tuple(
            Face.MARKED if near[min(near, key=lambda at: abs(at[0] - lot.x) + abs(at[1] - lot.y))] else Face.PLAIN
            for lot in lots
        )
    known = true_faces(lots, marked, faces)
    shown = tuple(replace(lot, face=face) for lot, face in zip(lots, known, strict=True))
    return Lesson(id=name, picture=lambda: pixels, marked=marked, lots=shown)


@pytest.fixture(scope="module")
def reader() -> ThrowReader:
    return taught_reader()


@pytest.fixture(scope="module")
def right(reader: ThrowReader) -> list[Lesson]:
    """Number of throws read correctly."""
    return [lesson(reader, f"right {marked}", tray(four(marked), noise=20 + marked), marked) for marked in (0, 2, 4)]


def test_worn_marks_are_learnt_from_one_case(profile: Profile, reader: ThrowReader, right: list[Lesson]) -> None:
    """Throws of sticks with worn paint are refused before, and read after it, whatever their count.

    Before each reading it waits for a calm moment, because throws at the table have priority.
    """
    asked = lesson(reader, "asked", tray(four(2), paint=WORN, noise=40), 2)
    others = [
        lesson(reader, f"worn {marked}", tray(four(marked), paint=WORN, noise=50 + marked), marked) for marked in (1, 3)
    ]
    calm: list[bool] = []
    found = improved(profile, [*right, asked], fresh=["asked"], calm=lambda: calm.append(True))

    assert found is not None
    assert found.lessons == ("asked",)
    assert len(calm) >= 2 * 4
    after = ThrowReader(found.profile)
    assert [answered(reader, one) for one in (asked, *others)] == [Outcome.ASKED] * 3
    assert [answered(after, one) for one in (asked, *others)] == [Outcome.RIGHT] * 3
    assert found.profile.sticks == profile.sticks


def test_where_a_sure_reading_is_put_right_the_reader_learns_to_ask(
    profile: Profile, reader: ThrowReader, right: list[Lesson]
) -> None:
    """The reader or the players may be wrong, so it asks about similar faces from then on, and about no others."""
    misread = lesson(reader, "misread", tray(four(2), paint=GONE, noise=40), 2, drawn=2)
    found = improved(profile, [*right, misread], fresh=["misread"])

    assert answered(reader, misread) is Outcome.MISREAD
    assert found is not None
    wiser = ThrowReader(found.profile)
    assert answered(wiser, misread) is Outcome.ASKED
    assert {answered(wiser, one) for one in right} == {Outcome.RIGHT}


@pytest.mark.parametrize(("drawn", "said", "others"), [(4, 0, True), (0, 4, False)])
def test_a_slip_of_a_finger_teaches_nothing(
    profile: Profile, reader: ThrowReader, right: list[Lesson], drawn: int, said: int, others: bool
) -> None:
    """A throw like the calibration's labelled with the opposite faces would blur them, alone or with other cases."""
    slip = lesson(reader, "slip", tray(four(drawn), noise=40), said)

    assert answered(reader, slip) is Outcome.MISREAD
    assert improved(profile, [*(right if others else []), slip], fresh=["slip"]) is None


def test_case_that_contradicts_an_older_one_is_not_learnt(profile: Profile, reader: ThrowReader) -> None:
    """Faces that were taught as marked cannot be taught as plain afterwards."""
    worn = tray(four(4), paint=WORN, noise=40)
    first = lesson(reader, "first", worn, 4)
    learnt = improved(profile, [first], fresh=["first"])
    assert learnt is not None
    contrary = replace(lesson(reader, "contrary", tray(four(4), paint=WORN, noise=41), 0), id="contrary")

    assert improved(learnt.profile, [first, contrary], fresh=["contrary"]) is None


def test_nothing_is_learnt_from_a_count_that_tells_no_face(profile: Profile, reader: ThrowReader) -> None:
    """Three of four worn marks: the count does not say which three."""
    picture = tray(four(2), paint=WORN, noise=40)
    unknown = replace(lesson(reader, "unknown", picture, 2), marked=3)
    unknown = replace(unknown, lots=tuple(replace(lot, face=Face.UNKNOWN) for lot in unknown.lots))

    assert improved(profile, [unknown], fresh=["unknown"]) is None


def test_a_taught_profile_is_kept_like_any_other(profile: Profile, reader: ThrowReader, tmp_path: Path) -> None:
    """After saving and loading it reads the same; the number of its pictures is limited."""
    worn = tray(four(2), paint=WORN, noise=40)
    lots = lesson(reader, "asked", worn, 2).lots
    better = taught(profile, worn, lots)
    better.save(tmp_path)
    again = Profile.load(tmp_path)
    for _ in range(MOST_SHOWN + 1):
        better = taught(better, worn, lots)

    assert again.shown[0].lots == taught(profile, worn, lots).shown[0].lots
    np.testing.assert_array_equal(again.shown[0].picture, worn)
    assert isinstance(ThrowReader(again).read(tray(four(3), paint=WORN, noise=60)), ThrowSeen)
    assert len(better.shown) == MOST_SHOWN


def test_small_lots_are_compared_with_what_was_shown_later() -> None:
    """Kernels were taught with a dot and later burnt all over: after one correction both kinds are read."""
    dotted = ThrowReader.calibrate(*drawing_small_lots.calibration("dotted kernels")).profile
    burnt = [drawing_small_lots.scene("kernels", drawing_small_lots.four(2), noise=noise) for noise in (9, 10)]
    reader = ThrowReader(dotted)
    shown = tuple(replace(lot, face=Face.MARKED) for lot in reader.read(burnt[0]).lots if lot.face is Face.UNKNOWN)
    wiser = ThrowReader(taught(dotted, burnt[0], shown))

    assert len(shown) == 2
    assert Face.UNKNOWN in {lot.face for lot in reader.read(burnt[1]).lots}
    assert sorted(lot.face for lot in wiser.read(burnt[1]).lots) == [Face.MARKED] * 2 + [Face.PLAIN] * 2
    assert len(wiser.leads) == len(reader.leads) == 8
    for marked in range(5):
        old = lesson(
            reader, "old", drawing_small_lots.scene("dotted kernels", drawing_small_lots.four(marked), noise=30), marked
        )
        assert answered(wiser, old) is Outcome.RIGHT


def test_only_the_doubtful_lot_of_a_heap_is_taught(profile: Profile, reader: ThrowReader) -> None:
    """Two crossing lots have the same middle, and each keeps its own face."""
    heap = [Stick(200, 130, 5, True), Stick(420, 330), Stick(300, 260, 40), Stick(302, 262, 130)]
    asked = lesson(reader, "asked", tray(heap, paint=WORN, noise=40), 1)
    found = improved(profile, [asked], fresh=["asked"])

    assert sorted(lot.face for lot in asked.lots) == [Face.MARKED] + [Face.PLAIN] * 3
    assert found is not None
    assert [face for _, _, _, face in found.profile.shown[0].lots] == [Face.MARKED]

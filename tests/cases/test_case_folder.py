"""A case is in its folder whole, or not at all."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.cases.case import Case, Outcome
from companion.cases.case_folder import MAX_CORRECTED, MAX_RIGHT, CaseFolder
from companion.errors import Unknown
from companion.referee.events import Face, Lot

CASE = Case(
    id="57-1a2b3c",
    at="2026-11-21T20:00:00.000+00:00",
    sticks="Beans",
    calibration="0a1b2c3d",
    picture="picture.png",
    read=None,
    reason="unclear",
    confidence=0.0,
    lots=(Lot(x=1.5, y=2.5, angle=30, face=Face.UNKNOWN, confidence=0.5, outline=((0.0, 1.0), (2.0, 3.0))),),
    marked=4,
    faces=(Face.MARKED,),
)


def numbered(number: int, *, read: int | None = None) -> Case:
    """Another case, so many minutes later."""
    at = f"2026-11-21T{number // 60:02}:{number % 60:02}:00.000+00:00"
    return replace(CASE, id=f"{number}-ffffff", at=at, read=read)


def test_a_case_comes_back_as_it_went(tmp_path: Path) -> None:
    """With its picture, and an empty folder has none."""
    folder = CaseFolder(tmp_path)
    before = folder.all()
    folder.keep(CASE, b"picture")

    assert before == []
    assert folder.all() == [CASE]
    assert folder.get(CASE.id) == CASE
    assert folder.picture(CASE).read_bytes() == b"picture"


def test_another_truth_takes_the_place_of_the_first(tmp_path: Path) -> None:
    """Players may correct themselves; what was read, and the picture, stay."""
    folder = CaseFolder(tmp_path)
    folder.keep(CASE, b"picture")
    folder.keep(replace(CASE, marked=3, faces=(Face.PLAIN,), read=2, picture="picture.jpg"), b"another")

    assert folder.all() == [replace(CASE, marked=3, faces=(Face.PLAIN,))]
    assert folder.picture(CASE).read_bytes() == b"picture"


@pytest.mark.parametrize("rest", ["", "case.json.new", "case.json"])
@pytest.mark.parametrize("first", ["", "picture.png.new", "picture.png"])
def test_a_pulled_plug_leaves_no_half_case(tmp_path: Path, first: str, rest: str) -> None:
    """Whatever had been written by then: there is no case, and the next attempt makes a whole one."""
    folder = CaseFolder(tmp_path)
    begun = folder.path / f".new-{CASE.id}"
    begun.mkdir(parents=True)
    for name in filter(None, (first, rest)):
        (begun / name).write_bytes(b"half")
    half = folder.all()
    folder.keep(CASE, b"picture")

    assert half == []
    assert folder.all() == [CASE]
    assert folder.picture(CASE).read_bytes() == b"picture"
    assert [path.name for path in folder.path.iterdir()] == [CASE.id]


def test_a_pulled_plug_while_forgetting_leaves_no_half_case(tmp_path: Path) -> None:
    """What was to go is gone, and the rest of it goes with the next."""
    folder = CaseFolder(tmp_path)
    folder.keep(CASE, b"picture")
    folder.keep(numbered(58), b"picture")
    (folder.path / CASE.id).rename(folder.path / f".old-{CASE.id}")
    left = folder.all()
    folder.forget(["58-ffffff"])

    assert left == [numbered(58)]
    assert list(folder.path.iterdir()) == []


@pytest.mark.parametrize("damage", [b"", b"{", b"{}", b"\xff"])
def test_a_damaged_case_is_passed_over(tmp_path: Path, damage: bytes) -> None:
    """The others are still there."""
    folder = CaseFolder(tmp_path)
    folder.keep(CASE, b"picture")
    folder.keep(numbered(58), b"picture")
    (folder.path / "58-ffffff" / "case.json").write_bytes(damage)

    assert folder.all() == [CASE]


@pytest.mark.parametrize(
    ("case", "teaches"),
    [
        (CASE, True),
        (replace(CASE, read=3, reason=""), True),
        (replace(CASE, read=4, reason=""), False),
        (replace(CASE, reason="touching"), False),
        (replace(CASE, faces=(Face.UNKNOWN,)), False),
    ],
)
def test_only_what_shows_faces_is_learnt_from(case: Case, teaches: bool) -> None:
    """Where players were asked to spread the lots, the picture may show another lie than the one they counted."""
    assert case.teaches is teaches


def test_forgetting_takes_the_picture_too(tmp_path: Path) -> None:
    """And an id that nothing has is said."""
    folder = CaseFolder(tmp_path)
    folder.keep(CASE, b"picture")
    folder.forget([CASE.id])

    assert list(folder.path.iterdir()) == []
    with pytest.raises(Unknown, match="57-1a2b3c"):
        folder.get(CASE.id)


def test_the_oldest_that_nothing_was_learnt_from_go_first(tmp_path: Path) -> None:
    """Cases the players had to help with, and those read right, are counted apart."""
    folder = CaseFolder(tmp_path)
    for number in range(MAX_CORRECTED + 2):
        folder.keep(numbered(number), b"picture")
    for number in range(900, 900 + MAX_RIGHT + 1):
        folder.keep(numbered(number, read=4), b"picture")

    assert folder.get("902-ffffff").outcome is Outcome.RIGHT
    assert folder.superfluous() == ["900-ffffff", "0-ffffff", "1-ffffff"]
    assert folder.superfluous(frozenset({"0-ffffff"})) == ["900-ffffff", "1-ffffff", "2-ffffff"]


def test_calibrations_go_with_their_last_case(tmp_path: Path) -> None:
    """The present one stays in any case."""
    folder = CaseFolder(tmp_path)
    folder.keep(CASE, b"picture")
    for name in (CASE.calibration, "present", "old"):
        folder.calibration(name).mkdir(parents=True)
    folder.sweep("present")

    assert [place.name for place in folder.calibrations()] == [CASE.calibration, "present"]

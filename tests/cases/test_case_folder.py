"""A case is stored completely or not at all."""

from __future__ import annotations

import json
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
    """The same case at a time that many minutes later."""
    at = f"2026-11-21T{number // 60:02}:{number % 60:02}:00.000+00:00"
    return replace(CASE, id=f"{number}-ffffff", at=at, read=read)


def test_a_case_is_read_back_unchanged(tmp_path: Path) -> None:
    """Its picture is stored with it; an empty folder has no cases."""
    folder = CaseFolder(tmp_path)
    before = folder.all()
    folder.keep(CASE, b"picture")

    assert before == []
    assert folder.all() == [CASE]
    assert folder.get(CASE.id) == CASE
    assert folder.picture(CASE).read_bytes() == b"picture"


def test_a_new_verdict_replaces_the_first(tmp_path: Path) -> None:
    """Players may change their verdict; the reading and the picture stay."""
    folder = CaseFolder(tmp_path)
    folder.keep(CASE, b"picture")
    folder.keep(replace(CASE, marked=3, faces=(Face.PLAIN,), read=2, picture="picture.jpg"), b"another")

    assert folder.all() == [replace(CASE, marked=3, faces=(Face.PLAIN,))]
    assert folder.picture(CASE).read_bytes() == b"picture"


@pytest.mark.parametrize("rest", ["", "case.json.new", "case.json"])
@pytest.mark.parametrize("first", ["", "picture.png.new", "picture.png"])
def test_a_power_cut_leaves_no_incomplete_case(tmp_path: Path, first: str, rest: str) -> None:
    """At any point of writing there is no case, and the next attempt writes a whole one."""
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


def test_a_power_cut_while_forgetting_leaves_no_incomplete_case(tmp_path: Path) -> None:
    """The case is gone, and its remaining files are removed with the next one."""
    folder = CaseFolder(tmp_path)
    folder.keep(CASE, b"picture")
    folder.keep(numbered(58), b"picture")
    (folder.path / CASE.id).rename(folder.path / f".old-{CASE.id}")
    left = folder.all()
    folder.forget(["58-ffffff"])

    assert left == [numbered(58)]
    assert list(folder.path.iterdir()) == []


@pytest.mark.parametrize("damage", [b"", b"{", b"{}", b"\xff"])
def test_a_damaged_case_is_skipped(tmp_path: Path, damage: bytes) -> None:
    """The other cases can still be read."""
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
def test_only_pictures_with_known_faces_are_learnt_from(case: Case, teaches: bool) -> None:
    """If players were asked to spread the lots, the picture may show other faces than those they counted."""
    assert case.teaches is teaches


def test_forgetting_takes_the_picture_too(tmp_path: Path) -> None:
    """An unknown id is reported."""
    folder = CaseFolder(tmp_path)
    folder.keep(CASE, b"picture")
    folder.forget([CASE.id])

    assert list(folder.path.iterdir()) == []
    with pytest.raises(Unknown, match="57-1a2b3c"):
        folder.get(CASE.id)


def test_the_oldest_cases_not_learnt_from_are_removed_first(tmp_path: Path) -> None:
    """Corrected cases and correct readings have separate limits."""
    folder = CaseFolder(tmp_path)
    for number in range(MAX_CORRECTED + 2):
        folder.keep(numbered(number), b"picture")
    for number in range(900, 900 + MAX_RIGHT + 1):
        folder.keep(numbered(number, read=4), b"picture")

    assert folder.get("902-ffffff").outcome is Outcome.RIGHT
    assert folder.superfluous() == ["900-ffffff", "0-ffffff", "1-ffffff"]
    assert folder.superfluous(frozenset({"0-ffffff"})) == ["900-ffffff", "1-ffffff", "2-ffffff"]


def test_the_case_kept_last_is_the_newest(tmp_path: Path) -> None:
    """Neither a clock that jumped back nor event numbers that begin again make it an old one."""
    folder = CaseFolder(tmp_path)
    for number in range(900, 900 + MAX_CORRECTED):
        folder.keep(numbered(number), b"picture")
    folder.keep(numbered(5), b"picture")
    folder.keep(replace(numbered(901), marked=3), b"picture")

    assert folder.all()[-1] == numbered(5)
    assert folder.superfluous() == ["900-ffffff"]


def test_cases_of_an_older_version_are_the_oldest(tmp_path: Path) -> None:
    """Their files hold no sequence, so their times order them."""
    folder = CaseFolder(tmp_path)
    for number in (7, 6, 5):
        folder.keep(numbered(number), b"picture")
    for number in (7, 6):
        file = folder.path / f"{number}-ffffff" / "case.json"
        old = json.loads(file.read_bytes())
        del old["sequence"]
        file.write_text(json.dumps(old))

    assert folder.all() == [numbered(6), numbered(7), numbered(5)]


def test_a_calibration_is_removed_with_its_last_case(tmp_path: Path) -> None:
    """The current one is always kept."""
    folder = CaseFolder(tmp_path)
    folder.keep(CASE, b"picture")
    for name in (CASE.calibration, "present", "old"):
        folder.calibration(name).mkdir(parents=True)
    folder.sweep("present")

    assert [place.name for place in folder.calibrations()] == [CASE.calibration, "present"]

"""``puluc cases`` lists the players' cases, exports them, reads them again, and deletes them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.cases.training_record import TrainingRecord
from companion.commands.cases import cases
from companion.commands.read import read
from companion.errors import Unknown
from tests.cases.labelled import School
from tests.hardware.reader.drawing import WORN, four, tray

UNCLEAR, PLAIN_THREE = tray(four(2), paint=WORN, noise=3), tray(four(3), noise=4)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> School:
    """One throw that the reader asked about, and one that it read correctly."""
    school = School(tmp_path_factory.mktemp("kept"))
    school.tell(UNCLEAR, 2, number=1)
    school.tell(PLAIN_THREE, 3, number=2)
    return school


def copy(school: School, data: Path) -> School:
    shutil.copytree(school.folder.path, data / "cases")
    return School(data)


@pytest.fixture
def school(kept: School, tmp_path: Path) -> School:
    """A copy of the cases to change."""
    return copy(kept, tmp_path / "data")


@pytest.fixture(scope="module")
def learnt(kept: School, tmp_path_factory: pytest.TempPathFactory) -> School:
    """The same cases after learning from them."""
    school = copy(kept, tmp_path_factory.mktemp("learnt"))
    assert run("learn", "--data", school.data).return_value == 0
    return school


def run(*words: str | Path, command: click.Command = cases) -> Result:
    return CliRunner().invoke(command, list(map(str, words)), standalone_mode=False)


def lines(result: Result) -> list[dict[str, Any]]:
    assert result.exception is None, result.exception
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_the_list_shows_reading_and_truth(kept: School) -> None:
    """One object a line, oldest first, with each lot's face as far as it is known; without --json, a sentence."""
    found = lines(run("list", "--data", kept.data, "--json"))
    bare = run("--data", kept.data)

    assert [(one["status"], one["read"], one["marked"], one["learnt"]) for one in found] == [
        ("asked", None, 2, False),
        ("right", 3, 3, False),
    ]
    assert sorted(lot["face"] for lot in found[0]["lots"]) == ["marked", "marked", "plain", "plain"]
    assert sorted(lot["read_face"] for lot in found[0]["lots"]) == ["plain", "plain", "unknown", "unknown"]
    assert Path(found[0]["picture"]).is_file()
    assert "asked (unclear), truly 2" in bare.stdout.splitlines()[0]


def test_run_finds_misreadings(school: School) -> None:
    """Each is read again with its own profile; a reading that contradicts the truth gives status 1."""
    school.tell(tray(four(1), noise=5), 2, number=3)
    bad = run("run", "--data", school.data, "--json")
    asked, _right, _misread = school.folder.all()
    forgotten = run("forget", asked.id, "--data", school.data)
    told = run("run", "--data", school.data)

    assert bad.return_value == 1
    assert [(one["status"], one["read"], one["then"]) for one in lines(bad)] == [
        ("asked", None, "asked"),
        ("right", 3, "right"),
        ("misread", 1, "misread"),
    ]
    assert bad.stderr.strip() == "1 right, 1 asked, 1 misread."
    assert forgotten.stderr == "Cases forgotten: 1.\n"
    assert "MISREAD" in told.stdout.splitlines()[1]


def test_run_with_another_profile(school: School, tmp_path: Path) -> None:
    """The named profile reads all cases, and without it each its own; a missing one is refused."""
    school.profile.save(tmp_path / "profile")
    asked, _right = school.folder.all()
    school.folder.forget([asked.id])

    assert run("run", "--data", school.data, "--profile", tmp_path / "profile").return_value == 0
    assert run("run", "--data", school.data).return_value == 0
    assert run("run", "--data", school.data, "--profile", tmp_path).exception is not None


def test_a_missing_picture_gives_an_error_in_its_place(school: School) -> None:
    """The other cases are read; the status is 2."""
    first, _ = school.folder.all()
    school.folder.picture(first).unlink()
    result = run("run", "--data", school.data, "--json")

    assert result.return_value == 2
    first_line, second_line = lines(result)
    assert set(first_line) == {"id", "error"}
    assert second_line["status"] == "right"


@pytest.mark.parametrize("name", ["out", "out.zip"])
def test_an_export_is_read_by_plain_tools(kept: School, tmp_path: Path, name: str) -> None:
    """Original pictures, labels as JSON, and a profile with which puluc read gives the same result."""
    run("export", tmp_path / name, "--data", kept.data)
    out = tmp_path / "out"
    if name.endswith(".zip"):
        with zipfile.ZipFile(tmp_path / name) as archive:
            archive.extractall(out)
    labels = json.loads((out / "labels.json").read_text())
    asked, right = labels["cases"]
    again = lines(run("--profile", out / right["calibration"], "--json", out / right["file"], command=read))

    assert labels["format"] == "puluc-cases-1"
    np.testing.assert_array_equal(cv2.imread(str(out / asked["file"])), UNCLEAR)
    assert (asked["marked"], asked["read"], asked["reason"]) == (2, None, "unclear")
    assert again[0]["marked"] == right["marked"] == 3


@pytest.mark.parametrize("name", ["out", "out.zip"])
def test_an_export_overwrites_nothing(kept: School, tmp_path: Path, name: str) -> None:
    """Existing files are unchanged."""
    (tmp_path / name).write_text("mine")
    result = run("export", tmp_path / name, "--data", kept.data)

    assert isinstance(result.exception, Unknown)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "mine"


def test_an_export_that_fails_leaves_nothing(kept: School, tmp_path: Path) -> None:
    """No partial export remains."""
    (tmp_path / "file").write_text("mine")
    result = run("export", tmp_path / "file" / "out", "--data", kept.data)

    assert isinstance(result.exception, Unknown)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_learning_by_command_and_forgetting(learnt: School, tmp_path: Path) -> None:
    """The learnt profile is used by run, reported by list, can be disabled, and is removed with its case."""
    school = copy(learnt, tmp_path)
    again = run("learn", "--data", school.data)
    with_it = run("run", "--data", school.data, "--json")
    without = run("run", "--data", school.data, "--taught", "--json")
    listed = lines(run("list", "--data", school.data, "--json"))
    forgotten = run("forget", listed[0]["id"], "--data", school.data)

    assert (again.return_value, with_it.return_value, without.return_value) == (1, 0, 0)
    assert [one["status"] for one in lines(with_it)] == ["right", "right"]
    assert [one["status"] for one in lines(without)] == ["asked", "right"]
    assert [one["learnt"] for one in listed] == [True, False]
    assert forgotten.exception is None
    assert [one["id"] for one in lines(run("list", "--data", school.data, "--json"))] == [listed[1]["id"]]
    assert TrainingRecord.of(school.place) == TrainingRecord()


def test_forgetting_all_restores_the_calibration(learnt: School, tmp_path: Path) -> None:
    """No case and no learnt profile is left."""
    school = copy(learnt, tmp_path)
    run("forget", "--all", "--data", school.data)

    assert school.folder.all() == []
    assert TrainingRecord.of(school.place) == TrainingRecord()
    assert sorted(path.name for path in school.place.iterdir()) == ["learnt.json", "lock", "profile.npz"]


@pytest.mark.parametrize(
    "words", [["forget"], ["forget", "--all", "1-a"], ["forget", "1-a"], ["learn", "--calibration", "none"]]
)
def test_wrong_requests_name_the_fault(kept: School, words: list[str]) -> None:
    """They change nothing."""
    before = kept.folder.all()

    assert isinstance(run(*words, "--data", kept.data).exception, Unknown | click.UsageError)
    assert kept.folder.all() == before


def test_options_before_the_word_are_refused(tmp_path: Path) -> None:
    """They would not reach the command."""
    for option in (["--data", tmp_path], ["--json"]):
        assert isinstance(run(*option, "list").exception, click.UsageError)


@pytest.mark.parametrize("words", [["run"], ["export", "out"]])
def test_without_cases_there_is_nothing_to_do(tmp_path: Path, words: list[str]) -> None:
    """The message names the folder, so that a wrong --data is noticed."""
    result = run(*words, "--data", tmp_path)

    assert isinstance(result.exception, Unknown)
    assert str(tmp_path) in str(result.exception)
    assert run("list", "--data", tmp_path).exception is None


def test_the_command_loads_no_opencv_until_it_reads() -> None:
    """This keeps listing fast."""
    code = "import sys, companion.commands.cases; sys.exit('cv2' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0

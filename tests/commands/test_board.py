"""`puluc board`: teaching and reading from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
from click.testing import CliRunner

from companion.cli import puluc

HERE = Path(__file__).parents[1] / "data" / "boards" / "b04"
LABELS = json.loads((HERE.parent / "labels.json").read_text())["sets"]


def run(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(puluc, ["board", *words], standalone_mode=False)
    status = 2 if done.exception else done.return_value or 0
    return status, done.stdout, str(done.exception or done.stderr)


def test_a_board_is_taught_and_read(tmp_path: Path) -> None:
    """Each picture gives one JSON object with the move; the exit status is that of the worst answer."""
    labels = next(one for one in LABELS if one["id"] == "b04")
    corners = [f"{x},{y}" for x, y in labels["corners"]]
    taught = ["--position", labels["position"], "--empty", str(HERE / "empty.jpg"), "--teach", str(HERE / "teach.jpg")]
    for given in (corners, [" ".join(corners)]):
        assert run("teach", *taught, "--corners", *given, "--out", str(tmp_path))[0] == 0

    picture = labels["images"][0]
    asked = ["read", "--profile", str(tmp_path), "--position", picture["before"], "--json"]
    image = str(HERE.parent / picture["file"])
    values = ",".join(map(str, picture["values"]))
    status, out, _ = run(*asked, "--values", values, image)
    answer = json.loads(out)

    assert status == 0
    assert (answer["image"], answer["status"], answer["result"]) == (image, "played", picture["result"])
    assert (answer["move"]["from"], answer["move"]["to"], answer["move"]["result"]) == (5, "home", picture["result"])
    assert [space["space"] for space in answer["spaces"]] == list(range(1, 10))
    assert answer["confidence"] > 0.5
    assert answer["ms"] > 0

    status, out, error = run(*asked, "--values", "1", image, str(tmp_path / "none.jpg"))
    answer = json.loads(out)

    assert status == 2
    assert answer["status"] == "illegal"
    assert answer["reason"].startswith("space ")
    assert "none.jpg" in error

    large = str(tmp_path / "large.jpg")
    cv2.imwrite(large, cv2.resize(cv2.imread(image), None, fx=2, fy=2))  # type: ignore[arg-type]
    status, out, error = run(*asked, "--values", values, large)

    assert (status, out) == (2, "")
    assert error.startswith(f"{large}: The picture is ")


def test_a_wrong_request_is_refused(tmp_path: Path) -> None:
    """A missing profile, an impossible value and impossible corners are each reported in one sentence."""
    asked = ["read", "--profile", str(tmp_path), "--position", "5/9/5 0:0 J", "--values"]

    assert "puluc board teach" in run(*asked, "3", "x.jpg")[2]
    assert "not a value of a throw" in run(*asked, "9", "x.jpg")[2]
    image = str(HERE / "empty.jpg")
    taught = ["teach", "--position", "4/J7O/4 0:0 J", "--empty", image, "--teach", image, "--out", str(tmp_path)]
    assert "--corners X,Y X,Y X,Y X,Y" in run(*taught, "--corners", "1,2", "3,4")[2]
    assert "not expected" in run(*taught, "--corner", "1,2")[2]

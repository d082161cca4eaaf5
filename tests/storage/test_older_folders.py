"""A data folder written by an earlier version opens with everything in it.

``data/folder-0.1`` was written by version 0.1 with the simulated camera at 320 x 240: its reader taught by phone, a
reading corrected at the table, a game played to its end and renamed, another resigned, one deleted, one unfinished;
then the service was killed, so the newest events are in the write-ahead log. ``data/folder-0.1.json`` is what that
version answered about it.
"""

from __future__ import annotations

import http.client
import json
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.service.companion_process import running_companion

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture(scope="module")
def expected() -> dict[str, Any]:
    """The answers of the version that wrote the folder."""
    return dict(json.loads((DATA / "folder-0.1.json").read_text(encoding="utf-8")))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A writable copy of the folder."""
    return shutil.copytree(DATA / "folder-0.1", tmp_path / "data")


def text(port: int, path: str) -> str:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as page:
        page.request("GET", path)
        return page.getresponse().read().decode()


def test_games_scores_sticks_and_settings_are_the_same(folder: Path, expected: dict[str, Any]) -> None:
    """Every game is the same, move by move; so are options, scores, throw counts and the table's code."""
    with running_companion(folder, "--camera", "none") as companion:
        table = companion.ask("GET", "/api/table")
        games = companion.ask("GET", "/api/games")["games"]
        scores = companion.ask("GET", "/api/scores")["scores"]
        sets = companion.ask("GET", "/api/sticks")["sets"]
        records = {number: text(companion.port, f"/api/games/{number}/record") for number in expected["records"]}
        played = companion.request("POST", "/api/throw", {"marked": 2}, code=expected["code"])

    # Options that there were not yet have their defaults.
    table["options"] = {name: table["options"][name] for name in expected["table"]["options"]}
    assert {name: table[name] for name in expected["table"]} == expected["table"]
    assert games == expected["games"]
    assert scores == expected["scores"]
    assert [{name: one[name] for name in expected["sticks"][0]} for one in sets] == expected["sticks"]
    assert records == expected["records"]
    assert companion.address.endswith(f"?code={expected['code']}")
    # The throw, and the only legal move, which the kept options play by themselves.
    assert (played[0], played[1]["number"]) == (200, expected["table"]["number"] + 2)


def test_profile_is_known_and_cases_are_listed(folder: Path, expected: dict[str, Any]) -> None:
    """The profile is still valid; each case keeps its truth and picture; passes of phones stay valid."""
    door = (folder / "door.json").read_bytes()
    with running_companion(folder, "--camera", "simulated") as companion:
        taught = companion.ask("GET", "/api/calibration")["sticks"]
    words = [sys.executable, "-m", "companion", "cases", "list", "--data", str(folder), "--json"]
    listed = subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()
    cases = [dict(json.loads(line)) for line in listed]

    assert taught == expected["taught"]
    assert [{name: one[name] for name in expected["cases"][0]} for one in cases] == expected["cases"]
    assert all((folder / one["picture"]).stat().st_size > 1000 for one in cases)
    assert (folder / "door.json").read_bytes() == door

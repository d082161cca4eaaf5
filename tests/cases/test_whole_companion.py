"""The whole companion stores a case during a game, and other commands can read it meanwhile."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.cases.case_folder import CaseFolder
from tests.service.companion_process import running_companion


def cases(data: Path, *words: str) -> tuple[int, list[dict[str, Any]]]:
    """The status and the output lines of that ``puluc cases`` command."""
    done = subprocess.run(
        [sys.executable, "-m", "companion", "cases", *words, "--data", str(data), "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.slow
def test_a_correction_at_the_table_is_a_case(tmp_path: Path) -> None:
    """A correction on the page is stored with its picture, listed during the game, and counted as misread."""
    folder = CaseFolder(tmp_path)
    with running_companion(tmp_path, "--open") as companion:
        table = companion.until(lambda table: table["phase"] == "reading" or table["unsure"])
        while table["phase"] != "reading":
            companion.ask("POST", "/api/rethrow")
            table = companion.until(lambda table: table["phase"] == "reading" or table["unsure"])
        read = table["throw"]["marked"]
        companion.ask("POST", "/api/throw", {"marked": (read + 1) % 5})
        companion.until(lambda _: bool(folder.all()))
        listed = cases(tmp_path, "list")
        run = cases(tmp_path, "run")

    assert listed[0] == 0
    assert [(one["read"], one["marked"], one["sticks"]) for one in listed[1]] == [(read, (read + 1) % 5, "simulated")]
    assert listed[1][0]["picture"].endswith(".png")
    assert run[0] == 1
    assert [(one["status"], one["read"]) for one in run[1]] == [("misread", read)]

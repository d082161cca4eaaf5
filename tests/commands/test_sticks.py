"""``puluc sticks`` prints the page's figures as text and as JSON."""

import json
from pathlib import Path

from click.testing import CliRunner

from companion.commands.record import NOBODY
from companion.commands.sticks import sticks
from companion.referee.events import ThrowEntered
from companion.referee.referee import Referee
from companion.storage.store import Store


def test_it_lists_every_set(tmp_path: Path) -> None:
    """Counts, chance, interval, and the option for advice."""
    referee = Referee(Store(tmp_path), first=NOBODY)
    for marked in (2, 3):
        referee.submit(ThrowEntered(marked))
    referee.close()
    text = CliRunner().invoke(sticks, ["--data", str(tmp_path)]).output
    one = json.loads(CliRunner().invoke(sticks, ["--data", str(tmp_path), "--json"]).output)

    assert one["counts"] == [0, 0, 1, 1, 0]
    assert f"--marked {one['advised']}" in text
    assert "Counts entered by hand" in text
    assert "2 marked:     1" in text


def test_an_unused_table_has_none(tmp_path: Path) -> None:
    """One sentence in text mode, nothing in JSON."""
    Referee(Store(tmp_path), first=NOBODY).close()

    assert "No throw" in CliRunner().invoke(sticks, ["--data", str(tmp_path)]).output
    assert CliRunner().invoke(sticks, ["--data", str(tmp_path), "--json"]).output == ""

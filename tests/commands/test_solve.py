"""``puluc solve`` and ``puluc advise`` in scripts."""

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from companion.advice.solver.ranking import Ranking
from companion.commands.solve import solve_game
from companion.commands.solve import solved as solved_table
from companion.rules.odds import FAIR
from companion.rules.variants import variant

SMALL = ("--set", "spaces=6", "--set", "pieces=2")


def puluc(*words: str, data: Path, given: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "companion", *words, "--data", str(data)]
    return subprocess.run(command, input=given, capture_output=True, text=True, timeout=200, check=False)


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("solved")
    assert puluc("solve", *SMALL, data=data).returncode == 0
    return data


def test_solve_ends_with_one_line_of_json(tmp_path: Path) -> None:
    """Its format is the contract's; a second run prints the same at once."""
    first = puluc("solve", *SMALL, "--json", data=tmp_path)
    again = puluc("solve", *SMALL, "--json", data=tmp_path)
    report, then = json.loads(first.stdout), json.loads(again.stdout)

    assert {"variant", "states", "seconds", "bytes", "error_bound"} <= report.keys()
    assert report["variant"] == "puluc"
    assert report["bytes"] == Path(report["path"]).stat().st_size
    assert 0 < report["error_bound"] < 1e-6 < report["stored_error_bound"] < 1e-5
    assert "positions" in first.stderr
    assert "ten seconds to a minute" in first.stderr
    assert "\n  0%" not in first.stderr
    assert {**report, "seconds": 0} == {**then, "seconds": 0}


def test_a_dry_run_only_tells(tmp_path: Path) -> None:
    """What the game takes, as JSON, or in words with every game that could be solved; nothing is written."""
    data = tmp_path / "none"
    told = CliRunner().invoke(solve_game, [*SMALL, "--dry-run", "--json", "--data", str(data)], standalone_mode=False)
    text = CliRunner().invoke(solve_game, ["--dry-run", "--data", str(data)], standalone_mode=False)

    answer = json.loads(told.stdout)
    assert answer["positions"] == Ranking(variant("puluc").changed({"spaces": "6", "pieces": "2"})).positions
    assert answer["table"] == 2 * answer["positions"] < answer["disk"]
    assert (told.return_value, answer["obstacle"]) == (0, None)
    assert text.stdout.startswith("Puluc: 8,202,283 positions, at most 0.5 GB of memory")
    assert "boolik           680,407,313 positions" in text.stdout
    assert not data.exists()


def test_a_stopped_solve_is_resumed(tmp_path: Path) -> None:
    """Ctrl-C gives status 1 and no traceback; the same command finishes the work."""
    words = [sys.executable, "-m", "companion", "solve", "--variant", "puluc", "--data", str(tmp_path)]
    running = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert running.stderr is not None
    assert "Ctrl-C" in running.stderr.readline()
    while not [*tmp_path.glob("tables/*.solving/done.json")]:
        assert running.poll() is None
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=60)

    assert running.returncode == 1
    assert "Traceback" not in errors
    assert "goes on" in errors
    assert not [*tmp_path.glob("tables/*.table")]


def test_an_interrupt_in_compiled_code_is_not_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupt raised within compiled code is lost there; the next step of the work handles it."""

    def deaf(*_: object, progress: Callable[[float], None]) -> None:
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        progress(0.5)
        pytest.fail("It went on.")

    monkeypatch.setattr("companion.commands.solve.solve", deaf)
    handler = signal.getsignal(signal.SIGINT)

    with pytest.raises(click.Abort):
        solved_table(variant("puluc"), FAIR, tmp_path)

    assert signal.getsignal(signal.SIGINT) is handler


def test_advise_answers_exactly_where_there_is_a_table(solved: Path) -> None:
    """The moves of puluc moves, best first, each with its chance."""
    answer = json.loads(puluc("advise", *SMALL, "--json", "1/1J3O/1 0:0 J", "2", data=solved).stdout)

    assert answer["source"] == "exact"
    assert answer["error_bound"] < 1e-5
    assert [set(move) for move in answer["moves"]] == [{"from", "to", "captures", "result", "win"}]
    wins = [move["win"] for move in answer["moves"]]
    assert wins == sorted(wins, reverse=True)
    assert answer["thrown"] == wins[0]


def test_advise_is_an_estimate_where_there_is_none(tmp_path: Path) -> None:
    """The output says so."""
    answer = json.loads(puluc("advise", *SMALL, "--json", "2/6/2 0:0 J", data=tmp_path).stdout)

    assert (answer["source"], answer["error_bound"]) == ("search", None)
    assert 0 < answer["win"] < 1
    assert "moves" not in answer


def test_advise_makes_the_table_first_on_request(tmp_path: Path) -> None:
    """This is the option --solve."""
    answer = json.loads(puluc("advise", *SMALL, "--solve", "--json", "2/6/2 0:0 J", data=tmp_path).stdout)

    assert answer["source"] == "exact"
    assert [*tmp_path.glob("tables/*.table")]


def test_advise_reads_lines_and_answers_faulty_ones_in_their_place(solved: Path) -> None:
    """Lines ask for chances before the throw or of moves; a faulty line gets an error."""
    lines = "2/6/2 0:0 J\nnonsense\n1/1J3O/1 0:0 J;4\n1/1J3O/1 0:0 J;9\n0/1J3O/1 1:0 J;4\n"
    given = puluc("advise", *SMALL, "--json", "-", data=solved, given=lines)
    first, faulty, moved, unthrown, last = map(json.loads, given.stdout.splitlines())

    assert given.returncode == 0
    assert first["source"] == "exact"
    assert "nonsense" in faulty["error"]
    assert moved["moves"]
    assert "not a value of a throw" in unthrown["error"]
    assert last["moves"]


def test_a_finished_game_is_no_estimate(tmp_path: Path) -> None:
    """Its value is certain even without a table."""
    won = json.loads(puluc("advise", *SMALL, "--json", "0/1Joo4/0 1:0 J", data=tmp_path).stdout)
    lost = json.loads(puluc("advise", *SMALL, "--json", "0/1Joo4/0 1:0 O", data=tmp_path).stdout)

    assert (won["win"], won["source"], won["error_bound"]) == (1, "exact", 0)
    assert lost["win"] == 0


def test_a_damaged_table_is_refused_by_name(solved: Path, tmp_path: Path) -> None:
    """Status 2, one line, and a remedy."""
    shutil.copytree(solved, tmp_path, dirs_exist_ok=True)
    [table] = tmp_path.glob("tables/*.table")
    table.write_bytes(table.read_bytes()[:-40])
    for words in (["advise", *SMALL, "2/6/2 0:0 J"], ["solve", *SMALL]):
        given = puluc(*words, data=tmp_path)

        assert given.returncode == 2
        assert table.name in given.stderr
        assert "puluc solve" in given.stderr
        assert len(given.stderr.splitlines()) == 1


def test_an_unsolvable_game_is_reported_in_one_line(tmp_path: Path) -> None:
    """Several owners a side, and an invalid chance."""
    owners = puluc("solve", "--variant", "aj-sayil", "--set", "players=3", data=tmp_path)
    chance = puluc("solve", "--marked", "1.5", data=tmp_path)

    assert (owners.returncode, chance.returncode) == (2, 2)
    assert "searching ahead" in owners.stderr
    assert "more than 0 and less than 1" in chance.stderr

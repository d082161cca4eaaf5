"""``puluc variants`` and ``puluc moves`` print a stable format for other programs."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.commands.rules import moves, variants
from companion.errors import CompanionError
from companion.rules.variant_fields import FIELDS
from companion.rules.variants import VARIANTS

CASES = (Path(__file__).parents[1] / "data" / "rules-cases.jsonl").read_text().splitlines()


def moves_of(*words: str, lines: str = "") -> list[dict[str, Any]]:
    """The parsed output of ``puluc moves --json``."""
    done = CliRunner().invoke(moves, ["--json", *words], input=lines, catch_exceptions=False)
    assert done.exit_code == 0
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_variants_have_every_field() -> None:
    """One object a line with all the rules, in the order of the table."""
    done = CliRunner().invoke(variants, ["--json"])
    listed = [json.loads(line) for line in done.stdout.splitlines()]

    assert [one["id"] for one in listed] == list(VARIANTS)
    assert all(list(one) == ["id", "name", "source", "rules"] and list(one["rules"]) == list(FIELDS) for one in listed)
    assert listed[0]["rules"]["values"] == [5, 1, 2, 3, 4]
    assert {one["rules"]["fire"] for one in listed} == {None, 10}


def test_moves_in_json() -> None:
    """Each move has its origin, its destination, its captures and its result."""
    assert moves_of("3/1Oj4J1O/3 0:0 O", "2") == [
        {
            "position": "3/1Oj4J1O/3 0:0 O",
            "values": [2],
            "results": ["3/1Oj4JOO/2 0:0 J", "3/1Oj4Oj2/3 0:0 J", "3/6J1O/4 1:0 J"],
            "moves": [
                {"from": "base", "to": 8, "captures": 0, "result": "3/1Oj4JOO/2 0:0 J"},
                {"from": 9, "to": 7, "captures": 1, "result": "3/1Oj4Oj2/3 0:0 J"},
                {"from": 2, "to": "home", "captures": 0, "result": "3/6J1O/4 1:0 J"},
            ],
        }
    ]


def test_moves_with_two_throws() -> None:
    """Each step names its throw and those left; a second call with those leads to the same results."""
    (first,) = moves_of("--variant", "aj-sayil", "3/19/5(J') 1:0 J", "3", "2")
    (capture,) = moves_of("--variant", "aj-sayil", "4/16Jo2/4 0:0 J", "2")
    steps = first["moves"]

    assert steps[0] == {
        "from": "field",
        "to": 17,
        "captures": 0,
        "result": "3/16J'2/5 1:0 J",
        "value": 3,
        "left": [2],
        "unit": "J'",
    }
    assert capture["results"] == ["4/14Jo4/4 0:0 O"]
    then = [moves_of("--variant", "aj-sayil", step["result"], str(step["left"][0]))[0]["results"] for step in steps]
    assert sorted({result for results in then for result in results}) == first["results"]


def test_a_custom_game() -> None:
    """``--set`` changes a rule and can be repeated."""
    (looping,) = moves_of("--set", "far_end=loop", "--set", "spaces=7", "4/5J1/5 0:0 J", "5")

    assert looping["results"] == ["3/4JJ1/5 0:0 O", "4/3J3/5 0:0 O"]


def test_a_batch_goes_on_past_faulty_lines() -> None:
    """Each line is answered in its place, the faulty ones with an error."""
    lines = "5/9/5 0:0 J;3\n5/9/x 0:0 J;3\n\n5/9/5 0:0 J\n5/9/5 0:0 J;7\n5/9/5 0:0 J;1,2\r\n5/9/5 0:0 J;\n5/9/5 0:0 O;4"
    answers = moves_of("-", lines=lines)

    assert [next(iter(answer)) for answer in answers] == ["position", *["error"] * 6, "position"]
    assert "character 5 ('x')" in str(answers[1]["error"])
    assert "write POSITION;VALUE[,VALUE]" in str(answers[2]["error"])
    assert "'7' is not a value of a throw in this game: it is one of 5, 1, 2, 3, 4" in str(answers[4]["error"])
    assert "A turn has one value in this game; 2 were given" in str(answers[5]["error"])


@pytest.mark.parametrize(
    "line",
    [b"\xff\xfe\x00", b"\x00" * 50, "\uff15/9/5 0:0 J;3".encode(), b"J" * 100_000, b"5/9/5 0:0 J;" + b"9" * 5000],
)
def test_hostile_lines_are_answered_in_one_line(line: bytes) -> None:
    """Any bytes are answered with one short error."""
    done = CliRunner().invoke(moves, ["--json", "-"], input=line + b"\n5/9/5 0:0 J;3\n", catch_exceptions=False)
    bad, good = done.stdout.splitlines()

    assert list(json.loads(bad)) == ["error"]
    assert len(bad) < 1000
    assert json.loads(good)["results"] == ["4/2J6/5 0:0 O"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["5/9/5 0:0", "3"], "at character 10 (the end)"),
        (["5/9/5 0:0 J"], "0 were given"),
        (["5/9/5 0:0 J", "three"], "'three' is not a value"),
        (["5/9/5 0:0 J", "3", "2"], "2 were given"),
        (["--set", "far_end", "5/9/5 0:0 J", "3"], "write --set FIELD=VALUE"),
        (["--set", "fire=10", "5/9/5 0:0 J", "3"], "one of the spaces 1 to 9"),
        (["-", "3"], "the values stand in the lines"),
    ],
)
def test_one_wrong_request_is_refused(words: list[str], says: str) -> None:
    """Outside a batch the error ends the command."""
    with pytest.raises(CompanionError) as refused:
        CliRunner().invoke(moves, words, catch_exceptions=False)

    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["5/9/5 0:0 J", "3"], "5/9/5 0:0 J with 3:\n  base-3: 4/2J6/5 0:0 O"),
        (["3/1J1O1Jo3/3 0:0 J", "2"], "  2-4, capturing 1: "),
        (["--variant", "bul", "--set", "fire=5", "4/3J5/5 0:0 J", "1"], "  4-5, burning 1: 4/9/5 0+1:0 O"),
        (["0/4Oojjjj4/3 1:0 J", "2"], "the game is over, Obsidian has won"),
        (["--variant", "buluc", "0/O7J/0 4:4 J", "2"], "the game is drawn"),
        (["--variant", "buluc", "0/O7J/1 4:3 J", "2"], "nothing can be moved, so the turn is passed"),
        (["--variant", "aj-sayil", "5/19/5 0:0 J", "2", "3"], "  base-2 with 2: 4/1J17/5 0:0 J, then 3"),
    ],
)
def test_without_json_it_is_readable(words: list[str], says: str) -> None:
    """The output is a list of moves, or the reason why there are none."""
    assert says in CliRunner().invoke(moves, words, catch_exceptions=False).stdout


def test_the_worked_cases_through_the_command() -> None:
    """One process for each variant, with all lines at once, as a script would run it."""
    for id in ("puluc", "aj-tiwil"):  # noqa: A001 - the field's own name
        cases = [case for case in map(json.loads, CASES) if case["variant"] == id]
        lines = "".join(f"{case['position']};{','.join(map(str, case['values']))}\n" for case in cases)
        done = subprocess.run(
            [sys.executable, "-m", "companion", "moves", "--variant", id, "--json", "-"],
            input=lines,
            capture_output=True,
            text=True,
            timeout=60,
        )

        assert (done.returncode, done.stderr) == (0, "")
        assert [json.loads(line)["results"] for line in done.stdout.splitlines()] == [case["results"] for case in cases]

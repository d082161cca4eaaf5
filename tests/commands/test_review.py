"""``puluc review``: a table for people, objects for programs, and refused requests."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from companion.advice.review.review import review
from companion.advice.review.review_summary import GradeThresholds
from companion.commands.review import json_lines, text_lines
from companion.referee.events import Resigned
from companion.referee.game_state import GameState
from companion.referee.history.game_record import export_game, parse_record
from companion.referee.history.game_summary import finished_turns, review_view, thrown_off
from companion.referee.reducer import replay
from companion.referee.referee import Referee
from companion.referee.snapshots.review_view import ReviewView
from companion.rules.unit import Side
from companion.storage.store import Store
from tests.advice.brute_force import BruteForceAdviser
from tests.advice.material_adviser import MaterialAdviser
from tests.referee.conftest import TWO_PEOPLE
from tests.referee.random_games import random_game
from tests.service.companion_process import running_companion


@pytest.fixture(scope="module")
def table() -> GameState:
    """A short game with blunders, in which one turning point is a choice."""
    return replay(enumerate(random_game(seed=0), 1))


@pytest.fixture(scope="module")
def reviewed(table: GameState) -> ReviewView:
    found = review(finished_turns(table), BruteForceAdviser(table.rules), thrown_off=thrown_off(table))
    return review_view(found, table, marked=Fraction(1, 2), grades=GradeThresholds())


@pytest.fixture
def lines(reviewed: ReviewView) -> list[dict[str, Any]]:
    return [json.loads(line) for line in json_lines(reviewed)]


def of(kind: str, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [line for line in lines if line["kind"] == kind]


def test_each_line_is_an_object_of_its_kind(lines: list[dict[str, Any]], table: GameState) -> None:
    """The game first, then every turn in order, the turning points, the players and the sides."""
    kinds = [line["kind"] for line in lines]

    assert kinds == ["game"] + ["turn"] * len(table.turns) + ["moment"] * 3 + ["player"] * 2 + ["side"] * 2
    assert [turn["turn"] for turn in of("turn", lines)] == list(range(1, len(table.turns) + 1))
    assert (lines[0]["variant"], lines[0]["winner"], lines[0]["source"]) == ("puluc", "jade", "exact")
    assert {moment["what"] for moment in of("moment", lines)} == {"throw", "choice"}


def test_the_lines_add_up(lines: list[dict[str, Any]]) -> None:
    """The JSON alone gives the same result, for each side and from turn to turn."""
    sign = {"jade": 1, "obsidian": -1}
    turns, game = of("turn", lines), lines[0]
    jade = game["start"]
    for turn in turns:
        jade += sign[turn["side"]] * (turn["luck"] - turn["loss"] + turn["correction"]) / 100
        assert jade == pytest.approx(turn["jade"], abs=1e-12)
    for side in of("side", lines):
        assert side["final"] - side["initial"] == pytest.approx(side["luck"] + side["play"], abs=1e-10)
    jade_side = of("side", lines)[0]
    own = [sum(player["luck"] for player in of("player", lines) if player["side"] == side) for side in sign]
    assert jade_side["luck"] == pytest.approx(own[0] - own[1] + 100 * (game["start"] - game["initial"]), abs=1e-10)


def test_a_bad_choice_names_the_better_one(lines: list[dict[str, Any]]) -> None:
    """Every graded turn names the better moves, in fields and in text; other choices lost little."""
    graded = [turn for turn in of("turn", lines) if turn["grade"]]

    assert [turn["grade"] for turn in graded] == ["mistake", "inaccuracy", "blunder", "blunder"]
    for turn in graded:
        assert turn["best"] != turn["moves"]
        assert turn["best_words"] in turn["choice_sentence"]
    assert all(turn["loss"] < 5 for turn in of("turn", lines) if not turn["grade"])


def test_the_table_is_readable(reviewed: ReviewView, table: GameState) -> None:
    """A line a turn, the better move under a graded one, the turning points with alternatives, and the sums."""
    text = "\n".join(text_lines(reviewed, table))

    assert text.startswith("Puluc: Mia (Jade) against Ben (Obsidian). Mia (Jade) has won.\nExact:")
    assert text.count("better: ") == 4
    assert "What decided the game:" in text
    assert text.count("What if?") == sum(moment.kind == "throw" for moment in reviewed.moments)
    assert "would have won" in text
    assert "Mia (Jade): from 50.0 to 100.0 = luck" in text
    assert "inaccuracies" in text
    longest = max(len(line) for line in text.splitlines())
    assert longest <= 160


def test_an_estimate_is_labelled() -> None:
    """Without exact chances the second line says so, and the JSON has no bound; teams are listed by player."""
    events = random_game("aj-sayil", seed=1, turns=30, jade=("Ana", "Bea"), obsidian=("Carl", "Dora"))
    table = replay(enumerate(events, 1))
    found = review_view(
        review(finished_turns(table), MaterialAdviser(), thrown_off=True),
        table,
        marked=Fraction(1, 2),
        grades=GradeThresholds(),
    )
    whole, *parts = [json.loads(line) for line in json_lines(found)]
    text = "\n".join(text_lines(found, table))

    assert "Estimates: " in text.splitlines()[1]
    assert "It is not over yet." in text
    assert "What has mattered most so far:" in text
    assert (whole["source"], whole["error_bound"], whole["winner"]) == ("search", None, None)
    players = [line["player"] for line in parts if line["kind"] == "player"]
    assert players == ["Ana", "Bea", "Carl", "Dora"]
    assert {turn["player"] for turn in parts if turn["kind"] == "turn"} == set(players)


def test_it_says_who_gave_up() -> None:
    """The end of such a game was decided by nothing that was thrown or chosen."""
    table = replay(enumerate([*random_game(seed=1, turns=6), Resigned(Side.JADE)], 1))
    found = review(finished_turns(table), MaterialAdviser(), thrown_off=thrown_off(table))
    text = "\n".join(text_lines(review_view(found, table, marked=Fraction(1, 2), grades=GradeThresholds()), table))

    assert "Mia (Jade) gave up. Ben (Obsidian) has won." in text.splitlines()[0]
    assert "What mattered most until then:" in text


def puluc(*words: str, text: str = "") -> tuple[int, str, str]:
    command = [sys.executable, "-m", "companion", "review", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, input=text)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["nowhere.txt"], "'nowhere.txt' is neither the number of a saved game nor the file of a record"),
        (["-", "--marked", "1"], "more than 0 and less than 1"),
        (["-", "--mistake", "50"], "inaccuracy, mistake and blunder must rise"),
        (["-"], "This is not a game record"),
        (["--data", "nowhere"], "No games are kept in 'nowhere'"),
    ],
)
def test_a_wrong_request_is_one_line_and_status_2(words: list[str], says: str) -> None:
    """Nothing on standard output; the line names the accepted values."""
    status, out, err = puluc(*words, text="hello\n")

    assert (status, out) == (2, "")
    assert says in err
    assert len(err.splitlines()) == 1


@pytest.mark.slow
def test_a_record_and_a_saved_game_are_reviewed(tmp_path: Path) -> None:
    """From a file or standard input; a saved game by its number, or the current one without a number."""
    record = export_game(replay(enumerate(random_game(seed=5), 1)))
    file, data = tmp_path / "game.txt", tmp_path / "data"
    file.write_text(record)
    referee = Referee(Store(data), first=TWO_PEOPLE)
    number = referee.import_game(parse_record(record)).game
    referee.close()
    asked = {
        "file": puluc(str(file), "--json", "--depth", "1", "--data", str(data)),
        "piped": puluc("-", "--json", "--depth", "1", "--data", str(data), text=record),
        "number": puluc(str(number), "--json", "--depth", "1", "--data", str(data)),
        "table": puluc("--json", "--depth", "1", "--data", str(data)),
    }

    for status, out, _ in asked.values():
        first, *_, last = map(json.loads, out.splitlines())
        assert status == 0
        assert (first["kind"], first["source"], first["winner"]) == ("game", "search", "jade")
        assert last["luck"] + last["play"] == pytest.approx(last["final"] - last["initial"], abs=1e-9)
    status, out, _ = puluc(str(file), "--depth", "1", "--data", str(data), "--blunder", "60", "--marked", "9/17")
    assert status == 0
    assert "Mia (Jade) has won." in out
    assert puluc("99", "--data", str(data))[2].strip() == "puluc: There is no saved game number 99."


@pytest.mark.slow
def test_the_companion_computes_reviews_while_it_serves(tmp_path: Path) -> None:
    """A worker of ``puluc play`` computes the requested review while requests are answered."""
    text = export_game(replay(enumerate(random_game(seed=5), 1)))
    with running_companion(tmp_path, "--camera", "none", "--buttons", "none", "--open") as companion:
        number = companion.ask("POST", "/api/records", {"text": text})["game"]
        answer = companion.ask("GET", f"/api/games/{number}/review")
        assert answer["turns"] == 5
        while answer["state"] == "thinking":
            answer = companion.ask("GET", f"/api/games/{number}/review")

    assert answer["review"]["winner"] == "jade"
    assert answer["review"]["source"] == "search"


def test_a_game_that_has_only_begun_is_refused(tmp_path: Path) -> None:
    """No turn is complete yet: the message says to play on."""
    file = tmp_path / "begun.txt"
    file.write_text(export_game(replay(enumerate(random_game(turns=0), 1))))
    status, out, err = puluc(str(file))

    assert (status, out) == (2, "")
    assert err.strip().endswith("Play a turn, then look again.")

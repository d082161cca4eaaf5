"""The report is complete, reproducible from its seed, and names what it could not measure."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.advice.report.measures import EXAMPLES, LEVELS, examples
from companion.advice.solver.ranking import Ranking
from companion.advice.solver.solved_table import SolvedTable, table_name
from companion.commands.report import report
from companion.errors import SettingsUnusable
from companion.rules.odds import FAIR
from tests.rules.games import game

SMALL = ("--set", "spaces=5", "--set", "pieces=2")


def ask(data: Path, out: str, *words: str) -> Result:
    given = (*words, *SMALL, "--games", "60", "--data", str(data), "--out", str(data / out))
    return CliRunner().invoke(report, given, standalone_mode=False, catch_exceptions=False)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the report of two games in ``one``."""
    data = tmp_path_factory.mktemp("data")
    words = ("--variant", "puluc", "--variant", "buluc", "--solve", "--json")
    answer = ask(data, "one", *words)

    assert answer.return_value == 0
    (data / "told").write_text(answer.stdout)
    return data


def test_the_report_has_every_figure(data: Path) -> None:
    """For each game: its table, its first throws, and every level against every other."""
    text = (data / "one/report.md").read_text()
    for name in ("puluc", "buluc"):
        rules = game(f"{name} spaces=5 pieces=2")
        table = SolvedTable.open(data / "tables" / table_name(rules, FAIR), rules)
        row = next(line for line in text.splitlines() if line.startswith(f"| `{name}` |"))

        assert row.split(" | ")[1:3] == [f"{table.positions:,}", f"{table.start:.3%}"]
        section = text.split(f"(`{name}`)")[1].split("\n## ")[0]
        for level in LEVELS:
            others = next(line for line in section.splitlines() if line.startswith(f"| **{level}** |"))
            assert len(re.findall(r"\d ± \d+\.\d\d %", others)) == len(LEVELS) - 1
    assert "Made by `puluc report --variant puluc --variant buluc --set spaces=5 --set pieces=2 --games 60" in text
    assert "nan" not in text


def test_every_picture_is_there(data: Path) -> None:
    """The report's pictures and no others, each a valid SVG."""
    text = (data / "one/report.md").read_text()
    shown = set(re.findall(r"\]\(([^)]+\.svg)\)", text))

    assert shown == {path.name for path in (data / "one").glob("*.svg")}
    assert {"levels.svg", "begin.svg", "luck.svg", "lengths.svg", "puluc.levels.svg"} < shown
    for name in shown:
        root = ElementTree.fromstring((data / "one" / name).read_text())  # noqa: S314 - our own file
        assert root.tag.endswith("svg")


def test_the_same_seed_makes_the_same_files(data: Path) -> None:
    """Byte for byte; another seed changes the simulated figures."""
    words = ("--variant", "puluc", "--variant", "buluc")
    ask(data, "two", *words)
    ask(data, "three", *words, "--seed", "2")

    for path in (data / "one").iterdir():
        assert (data / "two" / path.name).read_bytes() == path.read_bytes(), path.name
    assert (data / "three/report.md").read_text() != (data / "one/report.md").read_text()


def test_json_agrees_with_the_report(data: Path) -> None:
    """One object a game, and nothing else on standard output."""
    records = [json.loads(line) for line in (data / "told").read_text().splitlines()]

    assert [one["variant"] for one in records] == ["puluc", "buluc"]
    text = (data / "one/report.md").read_text()
    for one in records:
        assert f"wins **{one['start']:.4%}**" in text
        assert len(one["pairings"]) == 10
        for figure in (one["luck"], one["swing"], one["levels"]["easy"]["loss"]):
            assert f"{figure[0] * 100:.3f} ± {figure[1] * 100:.3f} points" in text
        assert one["games"] == 5 * one["games_each"] == 300


def test_a_game_without_a_table_is_named(data: Path) -> None:
    """In the report, on standard error and by the exit status; the other games are measured."""
    answer = ask(data, "lacking", "--variant", "puluc", "--variant", "culin", "--set", "players=1")
    text = (data / "lacking/report.md").read_text()

    assert answer.return_value == 1
    assert "culin: There is no table" in answer.stderr
    assert re.search(r"## Not measured\n\n- \*\*culin\*\*: There is no table.*puluc solve", text)
    assert "| `puluc` |" in text


def test_teams_with_own_pieces_are_named(data: Path) -> None:
    """They cannot be solved, so the report names them and asks for no table."""
    for words in ((), ("--solve",)):
        answer = ask(data, "teams", "--variant", "aj-sayil", "--set", "players=2", *words)

        assert answer.return_value == 1
        assert "too many positions" in answer.stderr
        assert "puluc solve" not in (data / "teams/report.md").read_text()


@pytest.mark.parametrize("out", ["/proc", "/proc/report"])
def test_a_folder_that_cannot_be_written_is_refused_first(tmp_path: Path, out: str) -> None:
    """Nothing is solved or measured for it, which can take hours."""
    with pytest.raises(SettingsUnusable, match=f"cannot be written to '{out}': "):
        ask(tmp_path, out, "--variant", "puluc", "--solve")

    assert list(tmp_path.iterdir()) == []


def test_a_report_that_cannot_be_written_is_a_refusal(data: Path) -> None:
    """So is one that was measured already, when the disk is full."""
    (data / "blocked" / "report.md").mkdir(parents=True)

    with pytest.raises(SettingsUnusable, match=r"cannot be written to '.*blocked': Is a directory"):
        ask(data, "blocked", "--variant", "puluc")


@pytest.mark.parametrize("name", ["puluc", "bul"])
def test_each_example_of_the_article_is_a_choice(name: str) -> None:
    """Every position is one of the game's, and its throw allows several moves."""
    rules = game(name)
    positions = Ranking(rules).positions
    table = SolvedTable(Path(), rules, FAIR, positions, 0.0, 0.5, np.zeros(positions, np.uint16))
    found = examples(table)

    assert found.keys() == EXAMPLES.keys()
    assert all(len(wins) > 1 for wins in found.values())
    assert found["capture"].keys() == {"base-5", "3-8", "4-9"}

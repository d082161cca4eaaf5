"""One whole game of every variant, as text that a person can check line by line."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.commands.record import record
from companion.referee.game_state import Phase
from companion.referee.history.game_record import export_game, parse_record
from companion.referee.reducer import replay
from companion.rules.variants import VARIANTS

GAMES = Path(__file__).parents[1] / "data" / "games"


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_golden_game_plays_as_written(variant: str) -> None:
    """Every turn leads to the position written after it, up to the end; a variant without a golden game fails."""
    text = (GAMES / f"{variant}.txt").read_text()
    table = replay(enumerate(parse_record(text), 1))

    assert table.game.variant == variant
    assert table.phase is Phase.OVER
    assert export_game(table) == text


def test_every_golden_game_belongs_to_a_variant() -> None:
    """The folder has no file that no test reads."""
    assert {path.stem for path in GAMES.iterdir()} == set(VARIANTS)


def run(*words: str) -> tuple[str, BaseException | None]:
    result = CliRunner().invoke(record, words, standalone_mode=False)
    return result.stdout, result.exception


def test_records_by_command(tmp_path: Path) -> None:
    """A record is checked, imported into a folder, listed, and exported unchanged."""
    golden = GAMES / "aj-sayil.txt"
    checked, _ = run("check", str(golden))
    _, fault = run("import", "--data", str(tmp_path), str(golden))
    listed, _ = run("list", "--data", str(tmp_path))
    out, _ = run("export", "--data", str(tmp_path))

    assert fault is None
    assert checked == out == golden.read_text()
    assert "Aj Sayil" in listed


def test_records_of_nothing_are_refused(tmp_path: Path) -> None:
    """A folder without games, a missing game and a file that is no record each give their own message."""
    (tmp_path / "no.txt").write_bytes(b"\xff\xfe\x00")
    run("import", "--data", str(tmp_path / "kept"), str(GAMES / "puluc.txt"))

    for words, says in (
        (("export", "--data", str(tmp_path / "none")), "No games are kept"),
        (("export", "--data", str(tmp_path / "kept"), "99"), "no saved game number 99"),
        (("check", str(tmp_path / "no.txt")), "cannot be read"),
    ):
        _, fault = run(*words)
        assert says in str(fault)

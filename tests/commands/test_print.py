"""``puluc print`` writes to the requested place and never overwrites another file."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.commands.print import printing
from companion.errors import SheetNotWritten
from tests.printing.printed import words


def puluc_print(*words: str) -> bytes:
    """Standard output of the command; raises its errors."""
    done = CliRunner().invoke(printing, words, standalone_mode=False, catch_exceptions=False)
    if done.exception:
        raise done.exception
    return done.stdout_bytes


def test_a_sheet_is_made_in_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name says what it is; a second run gives the same file, and no other file is left there."""
    monkeypatch.chdir(tmp_path)
    puluc_print("tray")
    first = Path("tray-a4.pdf").read_bytes()
    puluc_print("tray")
    puluc_print("tray", "--paper", "letter", "--plain")

    assert first.startswith(b"%PDF-")
    assert Path("tray-a4.pdf").read_bytes() == first
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tray-a4.pdf", "tray-letter-plain.pdf"]


def test_a_sheet_goes_into_a_pipe() -> None:
    """``puluc print tray --out - | lp`` prints it."""
    assert puluc_print("tray", "--out", "-").startswith(b"%PDF-")


def test_another_file_is_left_alone(tmp_path: Path) -> None:
    """A mistyped file name must not destroy anything."""
    thesis = tmp_path / "thesis.pdf"
    thesis.write_bytes(b"%PDF-1.4 years of work")

    with pytest.raises(SheetNotWritten, match="is there already and is no sheet of ours"):
        puluc_print("tray", "--out", str(thesis))

    assert thesis.read_bytes() == b"%PDF-1.4 years of work"


@pytest.mark.parametrize("where", ["nowhere/tray.pdf", "."])
def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, where: str) -> None:
    """The error also gives a remedy."""
    with pytest.raises(SheetNotWritten, match="with --out"):
        puluc_print("tray", "--out", str(tmp_path / where))

    assert not list(tmp_path.iterdir())


def test_a_board_is_made_for_the_game_that_was_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Works for a custom game, too; a second run replaces the earlier file and nothing else."""
    monkeypatch.chdir(tmp_path)
    puluc_print("board", "--variant", "a-kaakil", "--paper", "letter")
    short = puluc_print("board", "--set", "spaces=5", "--out", "-")
    puluc_print("board", "--variant", "a-kaakil", "--paper", "letter", "--way", "straight")

    assert short.startswith(b"%PDF-")
    assert [path.name for path in tmp_path.iterdir()] == ["board-a-kaakil-letter.pdf"]
    thesis = tmp_path / "board-puluc-a4.pdf"
    thesis.write_bytes(b"%PDF-1.4 years of work")
    with pytest.raises(SheetNotWritten, match="is no sheet of ours"):
        puluc_print("board")


def test_a_custom_board_replaces_no_ordinary_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules that were changed are part of its name, in any order and without characters that a shell minds."""
    monkeypatch.chdir(tmp_path)
    puluc_print("board", "--variant", "bul")
    puluc_print("board", "--variant", "bul", "--set", "spaces=5")
    puluc_print("board", "--variant", "bul", "--set", "values=5, 1,2,3,4", "--set", "far_end=bounce")
    puluc_print("board", "--variant", "bul", "--set", "far_end=bounce", "--set", "values=5, 1,2,3,4")

    assert {path.name for path in tmp_path.iterdir()} == {
        "board-bul-a4.pdf",
        "board-bul-spaces-5-a4.pdf",
        "board-bul-far_end-bounce-values-5-1-2-3-4-a4.pdf",
    }


def test_sheets_speak_the_chosen_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """English unless told; another language is part of the name, so that both sheets can lie in one folder."""
    monkeypatch.chdir(tmp_path)
    puluc_print("tray")
    puluc_print("tray", "--plain", "--language", "es")
    puluc_print("board", "--variant", "aj-sayil", "--language", "es")
    said = {path.name: words(path.read_bytes())[0].text for path in tmp_path.iterdir()}

    assert said.keys() == {"tray-a4.pdf", "tray-a4-plain-es.pdf", "board-aj-sayil-a4-es.pdf"}
    assert "Puluc tray" in said["tray-a4.pdf"]
    assert "Bandeja de Puluc" in said["tray-a4-plain-es.pdf"]
    assert "AJ SAYIL, LA HORMIGA" in said["board-aj-sayil-a4-es.pdf"]
    assert "19 casillas, 5 piezas por bando" in said["board-aj-sayil-a4-es.pdf"]


def test_wider_spaces_take_more_sheets(tmp_path: Path) -> None:
    """The output gives the number of the board's parts."""
    done = CliRunner().invoke(printing, ["board", "--space", "40", "--out", str(tmp_path / "wide.pdf")])

    assert done.exit_code == 0
    assert "in 2 parts to be glued" in done.output

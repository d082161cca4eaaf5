"""The command reports errors in one line and its outcome as an exit status."""

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from companion.cli import COMMANDS
from companion.cli import puluc as group
from companion.commands.play import play
from companion.storage.store import Store


def puluc(*words: str) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of ``python -m companion``."""
    done = subprocess.run([sys.executable, "-m", "companion", *words], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["dance"], "No such command 'dance'"),
        (["play", "--camera", "eye"], "'eye' is not a camera. Use simulated, simulated:board, pi"),
        (["play", "--variant", "chess"], "'chess' is not one of 'puluc'"),
        (["play", "--port", "99999"], "99999 is not in the range"),
        (["play", "--obsidian", "x" * 41], "A player's name can have 1 to 40 char"),
        (["play", "--buttons", "mock", "--config", "nowhere.toml"], "nowhere.toml"),
        (["play", "--camera", "simulated", "--profile", "nowhere"], "nowhere"),
        (["calibrate", "--empty", "a.jpg", "--marked", "b.jpg", "--plain", "c.jpg", "--out", "d"], "a.jpg"),
        (["read", "--profile", "nowhere", "x.jpg"], "nowhere"),
        (["read", "x.jpg"], "Missing option '--profile'"),
    ],
)
def test_a_wrong_request_is_one_line_and_status_2(tmp_path: Path, words: list[str], says: str) -> None:
    """Nothing on standard output, no traceback, and the line names the fault."""
    data = ["--data", str(tmp_path), "--port", "0"] if words[0] == "play" and "--port" not in words else []
    status, out, err = puluc(*words, *data)

    assert (status, out) == (2, "")
    lines = [line for line in err.splitlines() if not line.startswith(("INFO", "WARNING"))]
    assert len(lines) == 1
    assert says in lines[0]


LATIN = {**os.environ, "PYTHONIOENCODING": "latin-1"}


def checking_a_record(folder: Path) -> list[str]:
    """The command that checks a record in which a player has a name of many letters."""
    game, text = folder / "game.txt", Path("tests/data/games/bul.txt").read_text()
    game.write_text(text.replace("Ana", "Zoë \N{MINUS SIGN} ✓ Łuc …"), encoding="utf-8")
    return [sys.executable, "-m", "companion", "record", "check", str(game)]


def test_a_terminal_of_few_letters_is_printed_what_it_can_show(tmp_path: Path) -> None:
    """A sign that it lacks is printed as one that looks like it, or as a question mark."""
    ours, terminal = os.openpty()
    with subprocess.Popen(checking_a_record(tmp_path), stdout=terminal, stderr=subprocess.PIPE, env=LATIN) as running:
        os.close(terminal)
        assert running.stderr is not None
        assert running.stderr.read() == b""
    shown = os.read(ours, 10_000)
    os.close(ours)

    assert running.returncode == 0
    assert "Jade: Zoë - v ?uc ...\r\n".encode("latin-1") in shown


def test_what_goes_into_a_file_keeps_all_letters(tmp_path: Path) -> None:
    """It is UTF-8 whatever the terminal's letters are, so that a record is read back as it was."""
    done = subprocess.run(checking_a_record(tmp_path), capture_output=True, env=LATIN, timeout=60)

    assert (done.returncode, done.stderr) == (0, b"")
    assert "Jade: Zoë \N{MINUS SIGN} ✓ Łuc …\n".encode() in done.stdout


def test_one_camera_is_not_opened_twice() -> None:
    """Whoever names the tray's camera for the board too is told how one camera sees both."""
    done = CliRunner().invoke(play, ["--camera", "usb:0", "--board-camera", "usb:0"])

    assert done.exit_code == 2
    assert "Without --board-camera, one camera sees tray and board" in done.stderr


def test_without_arguments_it_lists_the_commands() -> None:
    """``puluc`` without arguments lists the commands."""
    status, out, err = puluc()

    assert (status, out) == (2, "")
    assert "play" in err
    assert puluc("--help")[0] == 0


def test_help_imports_no_command() -> None:
    """``puluc --help`` is fast: it loads neither the commands nor the libraries that they need."""
    script = (
        "import sys; from companion.cli import puluc; puluc.main(['--help'], standalone_mode=False); "
        "print(*sorted(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    modules = set(done.stdout.splitlines()[-1].split())

    assert not {"numpy", "pydantic", "flask", "cv2", "numba", "platformdirs"} & modules
    assert not [name for name in modules if name.startswith("companion.commands")]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_summary_that_fits(name: str) -> None:
    """No summary of a command or subcommand is truncated at 80 columns."""
    command = group.get_command(click.Context(group), name)
    assert command is not None
    assert command.name == name
    shown = [CliRunner().invoke(group, words, terminal_width=80).stdout for words in ([], ["--help"], [name, "--help"])]
    summaries = [line for text in shown for line in text.partition("Commands:")[2].splitlines()]

    assert [line for line in summaries if "..." in line or len(line) > 80] == []
    assert any(line.split()[0] == name for line in summaries if line)


def test_a_folder_in_use_is_refused(tmp_path: Path) -> None:
    """A second companion on the same folder reports the first and exits."""
    store = Store(tmp_path)
    status, out, err = puluc("play", "--camera", "none", "--port", "0", "--data", str(tmp_path))
    store.close()

    assert (status, out) == (2, "")
    assert "another companion runs on them" in err


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="only Linux lists a process's threads there")
def test_numpy_keeps_to_one_core() -> None:
    """Otherwise each reading keeps every core busy with waiting."""
    script = "import companion, numpy, os; numpy.eye(9) @ numpy.eye(9); print(len(os.listdir('/proc/self/task')))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)

    assert done.stdout.strip() == "1"

"""The installer, tried in a folder: what needs root or a network is run by hand, in tests/box."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hardware.pins import Pins

ROOT = Path(__file__).parents[1]
SYSTEMD = ROOT / "systemd"


def tried(root: Path, *words: str) -> list[str]:
    """What the installer says in that folder."""
    command = [sys.executable, "-I", str(SYSTEMD / "install.py"), "--root", str(root), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stderr == ""
    return done.stdout.splitlines()


def files(root: Path) -> dict[str, bytes]:
    """Every file there, and where every link leads."""
    return {
        path.relative_to(root).as_posix(): str(path.readlink()).encode() if path.is_symlink() else path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_symlink() or path.is_file()
    }


def test_dry_run_touches_nothing(tmp_path: Path) -> None:
    """It says each step and each command, and leaves no file behind."""
    said = tried(tmp_path, "--dry-run")

    assert files(tmp_path) == {}
    assert [line for line in said if line.startswith("*")] == [
        "* Packages of the system",
        "* The service's user, puluc, with the groups video, render and gpio",
        "* The program, in /opt/puluc",
        "* Settings in /etc/puluc, the command /usr/local/bin/puluc, the services",
        "* Start, now and at every boot",
    ]
    told = "\n".join(said)
    for word in (
        "apt-get install",
        "venv --system-site-packages",
        "systemd-sysusers",
        "systemctl restart",
        "puluc.local",
    ):
        assert word in told, word


def test_twice_is_as_good_as_once(tmp_path: Path) -> None:
    """The second time nothing is written, and the services are what the repository holds."""
    tried(tmp_path)
    once = files(tmp_path)
    said = tried(tmp_path)

    assert files(tmp_path) == once
    assert not [line for line in said if line.strip().startswith(("write ", "let ", "remove "))]
    for unit in ("puluc.service", "puluc-name.service", "puluc-off.path", "puluc-off.service"):
        assert once[f"etc/systemd/system/{unit}"] == (SYSTEMD / unit).read_bytes()
    assert once["usr/local/bin/puluc"] == b"/opt/puluc/.venv/bin/puluc"


def test_first_start_finds_settings_that_hold(tmp_path: Path) -> None:
    """The file behind the service's --config is installed, and spells out what is so without it."""
    tried(tmp_path)
    config = (SYSTEMD / "puluc.service").read_text().split("--config ")[1].split()[0]

    assert Pins.load(tmp_path / config.lstrip("/")) == Pins()


def test_update_keeps_settings_and_games(tmp_path: Path) -> None:
    """What people wrote and played stays as it is; a unit of an older version is brought up to date."""
    tried(tmp_path)
    kept = {"etc/puluc/puluc.toml": b"[lamp]\nbrightness = 1\n", "var/lib/puluc/puluc.sqlite3": b"games"}
    for name, text in kept.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(text)
    (tmp_path / "etc/systemd/system/puluc.service").write_text("old")
    tried(tmp_path)

    now = files(tmp_path)
    assert {name: now[name] for name in kept} == kept
    assert now["etc/systemd/system/puluc.service"] == (SYSTEMD / "puluc.service").read_bytes()


def test_old_environment_goes_once_the_new_one_is_in_place(tmp_path: Path) -> None:
    """The link leads to the new one, and nothing of the old one is left."""
    tried(tmp_path)
    link = tmp_path / "opt/puluc/.venv"
    (tmp_path / "opt/puluc/venv-before").mkdir()
    (tmp_path / "opt/puluc/venv-before/ready").touch()
    link.unlink()
    link.symlink_to("venv-before")
    tried(tmp_path)

    assert link.readlink() != Path("venv-before")
    assert (link / "ready").exists()
    assert not (tmp_path / "opt/puluc/venv-before").exists()


def test_interrupted_update_is_begun_anew(tmp_path: Path) -> None:
    """An environment that was not finished is never taken into use."""
    tried(tmp_path)
    (tmp_path / "opt/puluc/.venv/ready").unlink()
    said = tried(tmp_path)

    assert any("pip install" in line for line in said)
    assert (tmp_path / "opt/puluc/.venv/ready").exists()


def test_another_programs_command_is_left_alone(tmp_path: Path) -> None:
    """Neither installing nor removing touches a file that is not ours, and it is said."""
    foreign = tmp_path / "usr/local/bin/puluc"
    foreign.parent.mkdir(parents=True)
    foreign.write_text("another program")
    said = tried(tmp_path)
    tried(tmp_path, "--remove", "--data-too")

    assert foreign.read_text() == "another program"
    assert any("is something else and stays" in line for line in said)


@pytest.mark.parametrize("data_too", [False, True])
def test_removing_leaves_the_games_unless_asked(tmp_path: Path, data_too: bool) -> None:
    """All else goes; a second removal finds nothing and is no error."""
    tried(tmp_path)
    games = tmp_path / "var/lib/puluc/puluc.sqlite3"
    games.parent.mkdir(parents=True)
    games.write_bytes(b"games")
    words = ["--remove", "--data-too"] if data_too else ["--remove"]
    tried(tmp_path, *words)
    tried(tmp_path, *words)

    kept = (
        {}
        if data_too
        else {"etc/puluc/puluc.toml": (SYSTEMD / "puluc.toml").read_bytes(), "var/lib/puluc/puluc.sqlite3": b"games"}
    )
    assert files(tmp_path) == kept

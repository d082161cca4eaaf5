"""The installer, run in a folder. tests/box covers the parts that need root or a network; run it by hand."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hardware.panel.configuration import PanelConfiguration

ROOT = Path(__file__).parents[1]
SYSTEMD = ROOT / "systemd"


def installer_output(root: Path, *words: str) -> list[str]:
    """What the installer prints in that folder."""
    command = [sys.executable, "-I", str(SYSTEMD / "install.py"), "--root", str(root), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stderr == ""
    return done.stdout.splitlines()


def files(root: Path) -> dict[str, bytes]:
    """The content of every file there and the target of every link."""
    return {
        path.relative_to(root).as_posix(): str(path.readlink()).encode() if path.is_symlink() else path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_symlink() or path.is_file()
    }


def test_dry_run_touches_nothing(tmp_path: Path) -> None:
    """It prints each step and each command, and writes no file."""
    said = installer_output(tmp_path, "--dry-run")

    assert files(tmp_path) == {}
    assert [line for line in said if line.startswith("*")] == [
        "* Packages of the system",
        "* The service's user, puluc, with the groups video, render and gpio",
        "* The program, in /opt/puluc",
        "* Settings in /etc/puluc, the command /usr/local/bin/puluc, the services",
        "* Start, now and at every boot",
    ]
    for words in (
        "apt-get install",
        "venv --system-site-packages",
        "systemd-sysusers",
        "systemctl restart",
        "puluc.local",
    ):
        assert any(words in line for line in said), words


def test_only_pinned_packages_are_installed(tmp_path: Path) -> None:
    """Both pip calls are restricted: one to the hashes of the list, the other to no index at all."""
    calls = [line.split("pip install ")[1] for line in installer_output(tmp_path, "--dry-run") if "pip install" in line]
    packages, program = calls

    assert f"--require-hashes -r {ROOT}/locked/play.txt --only-binary=:all:" in packages
    assert "--no-index --no-deps --no-build-isolation" in program


def test_installing_again_changes_nothing(tmp_path: Path) -> None:
    """Nothing is written, and the installed units equal those in the repository."""
    installer_output(tmp_path)
    once = files(tmp_path)
    said = installer_output(tmp_path)

    assert files(tmp_path) == once
    assert not [line for line in said if line.strip().startswith(("write ", "link ", "remove "))]
    for unit in ("puluc.service", "puluc-name.service", "puluc-off.path", "puluc-off.service"):
        assert once[f"etc/systemd/system/{unit}"] == (SYSTEMD / unit).read_bytes()
    assert once["usr/local/bin/puluc"] == b"/opt/puluc/.venv/bin/puluc"


def test_installed_settings_are_the_defaults(tmp_path: Path) -> None:
    """The file that the service's --config names is installed and spells out the defaults."""
    installer_output(tmp_path)
    config = (SYSTEMD / "puluc.service").read_text().split("--config ")[1].split()[0]

    assert PanelConfiguration.load(tmp_path / config.lstrip("/")) == PanelConfiguration()


def test_update_keeps_settings_and_games(tmp_path: Path) -> None:
    """Settings and games stay as they are; a unit of an older version is replaced."""
    installer_output(tmp_path)
    kept = {"etc/puluc/puluc.toml": b"[lamp]\nbrightness = 1\n", "var/lib/puluc/puluc.sqlite3": b"games"}
    for name, text in kept.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(text)
    (tmp_path / "etc/systemd/system/puluc.service").write_text("old")
    installer_output(tmp_path)

    now = files(tmp_path)
    assert {name: now[name] for name in kept} == kept
    assert now["etc/systemd/system/puluc.service"] == (SYSTEMD / "puluc.service").read_bytes()


def test_old_environment_is_removed_after_an_update(tmp_path: Path) -> None:
    """The link points to the new environment, and the old one is gone."""
    installer_output(tmp_path)
    link = tmp_path / "opt/puluc/.venv"
    (tmp_path / "opt/puluc/venv-before").mkdir()
    (tmp_path / "opt/puluc/venv-before/ready").touch()
    link.unlink()
    link.symlink_to("venv-before")
    installer_output(tmp_path)

    assert link.readlink() != Path("venv-before")
    assert (link / "ready").exists()
    assert not (tmp_path / "opt/puluc/venv-before").exists()


def test_interrupted_update_starts_over(tmp_path: Path) -> None:
    """An unfinished environment is never used."""
    installer_output(tmp_path)
    (tmp_path / "opt/puluc/.venv/ready").unlink()
    said = installer_output(tmp_path)

    assert any("pip install" in line for line in said)
    assert (tmp_path / "opt/puluc/.venv/ready").exists()


def test_the_command_of_another_program_is_left_alone(tmp_path: Path) -> None:
    """Neither installing nor removing touches a file of another program; the output says so."""
    foreign = tmp_path / "usr/local/bin/puluc"
    foreign.parent.mkdir(parents=True)
    foreign.write_text("another program")
    said = installer_output(tmp_path)
    installer_output(tmp_path, "--remove", "--data-too")

    assert foreign.read_text() == "another program"
    assert any("belongs to another program" in line for line in said)


@pytest.mark.parametrize("data_too", [False, True])
def test_removing_keeps_the_games_unless_asked(tmp_path: Path, data_too: bool) -> None:
    """Everything else is removed; a second removal finds nothing and succeeds."""
    installer_output(tmp_path)
    games = tmp_path / "var/lib/puluc/puluc.sqlite3"
    games.parent.mkdir(parents=True)
    games.write_bytes(b"games")
    words = ["--remove", "--data-too"] if data_too else ["--remove"]
    installer_output(tmp_path, *words)
    installer_output(tmp_path, *words)

    kept = (
        {}
        if data_too
        else {"etc/puluc/puluc.toml": (SYSTEMD / "puluc.toml").read_bytes(), "var/lib/puluc/puluc.sqlite3": b"games"}
    )
    assert files(tmp_path) == kept

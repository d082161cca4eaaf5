from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from companion.commands.play import play
from companion.service.shutdown import poweroff_file

SYSTEMD = Path(__file__).parents[2] / "systemd"
UNITS = ("puluc.service", "puluc-name.service", "puluc-off.service")
UNIT = (SYSTEMD / "puluc.service").read_text()


def setting(key: str) -> str:
    """The only value of this key in the unit."""
    (value,) = re.findall(rf"^{key}=(.*)$", UNIT, flags=re.MULTILINE)
    return str(value)


def tool(name: str) -> str:
    """The path of a tool of systemd; skips the test if it is missing."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed (apt install systemd)")
    return found


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture(params=UNITS)
def unit(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A unit whose program exists on this machine."""
    copy = tmp_path / str(request.param)
    text = (SYSTEMD / str(request.param)).read_text()
    # Whether avahi is installed here says nothing about the unit.
    text = re.sub(r"^Requires=.*\n", "", text, flags=re.MULTILINE)
    copy.write_text(re.sub(r"^ExecStart=.*$", "ExecStart=/bin/true", text, flags=re.MULTILINE))
    return copy


def test_service_comes_back_whatever_happened() -> None:
    """After any exit it is started again, without limit; a hang counts as one."""
    assert setting("Restart") == "always"
    assert setting("StartLimitIntervalSec") == "0"
    assert setting("Type") == "notify"
    assert setting("WatchdogSec") == "30s"


def test_service_writes_only_where_it_may() -> None:
    """The games are in its state folder, and lgpio's pipe in its runtime folder."""
    assert setting("ProtectSystem") == "strict"
    assert f"--data /var/lib/{setting('StateDirectory')}" in setting("ExecStart")
    assert f"LG_WD=/run/{setting('RuntimeDirectory')}" in setting("Environment").split()


def test_two_buttons_can_switch_the_computer_off() -> None:
    """The companion creates the file that the unit waits for; systemd switches off and removes it."""
    watched = re.findall(r"^PathExists=(.*)$", (SYSTEMD / "puluc-off.path").read_text(), flags=re.MULTILINE)
    called = (SYSTEMD / "puluc-off.service").read_text()

    assert watched == [str(poweroff_file({"RUNTIME_DIRECTORY": f"/run/{setting('RuntimeDirectory')}"}))]
    assert f"ExecStart=/bin/rm -f {watched[0]}" in called
    assert "SuccessAction=poweroff" in called


def test_service_starts_with_options_the_command_knows() -> None:
    """Every option of the unit is one of ``puluc play``."""
    program, command, *options = shlex.split(setting("ExecStart"))
    names = {option.removeprefix("--").replace("-", "_") for option in options if option.startswith("--")}

    assert (program, command) == ("/opt/puluc/.venv/bin/puluc", "play")
    assert names == {"host", "port", "data", "stay", "camera", "buttons", "config"}
    assert names <= {parameter.name for parameter in play.params}


def test_systemd_finds_no_fault(unit: Path) -> None:
    """systemd prints nothing: a misspelt key is only a warning, with status 0."""
    verdict = run(tool("systemd-analyze"), "verify", str(unit))

    assert (verdict.returncode, verdict.stdout, verdict.stderr) == (0, "", "")


def test_service_is_locked_in(unit: Path) -> None:
    """systemd rates the exposure 2.5 of 10 or less."""
    verdict = run(tool("systemd-analyze"), "security", "--offline=yes", "--threshold=25", "--no-pager", str(unit))

    assert verdict.returncode == 0, verdict.stdout


def test_user_is_made_with_the_groups_of_camera_and_pins(tmp_path: Path) -> None:
    """User and groups are created where they are missing, and the user is the service's."""
    (tmp_path / "etc").mkdir()
    run(tool("systemd-sysusers"), f"--root={tmp_path}", str(SYSTEMD / "puluc.sysusers"))
    groups = (tmp_path / "etc" / "group").read_text()

    assert setting("User") == "puluc"
    for group in setting("SupplementaryGroups").split():
        assert re.search(rf"^{group}:x:\d+:puluc$", groups, flags=re.MULTILINE), groups

"""Facts about this computer, with scripted programs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from companion.doctor import probes
from companion.doctor.finding import Check, FindingState


def programs(**answers: str) -> probes.Run:
    """Stub programs by name, with their output; no others are installed."""

    def run(words: Sequence[str]) -> str | None:
        return answers.get(words[0])

    return run


def test_packages_are_found() -> None:
    """Everything needed is installed here; a missing package has its reason."""
    assert set(probes.packages(pi=False).values()) == {None}
    assert "No module named" in (probes.import_problem("no_such_package") or "")


def test_missing_packages_of_a_pi_are_listed() -> None:
    """Each missing package is listed under its usual name."""
    problems = probes.packages(pi=True)

    assert {"picamera2", "lgpio"} <= problems.keys()


def test_power_supply() -> None:
    """The firmware's bits, or None for any other output."""
    assert probes.throttling_flags(programs(vcgencmd="throttled=0x50005\n")) == 0x50005
    assert probes.throttling_flags(programs(vcgencmd="VCHI initialization failed\n")) is None
    assert probes.throttling_flags(programs()) is None


def test_temperature(tmp_path: Path) -> None:
    """Thousandths of a degree in a file; None without a file or a number in it."""
    file = tmp_path / "temp"
    assert probes.read_celsius(file) is None
    file.write_text("48312\n")
    assert probes.read_celsius(file) == 48.312
    file.write_text("hot\n")
    assert probes.read_celsius(file) is None


def test_service() -> None:
    """systemd's properties; None if it is not installed, or without systemd."""
    output = "LoadState=loaded\nActiveState=active\nSubState=running\nNRestarts=2\nStatusText=\n"

    assert (probes.service_properties(programs(systemctl=output)) or {})["NRestarts"] == "2"
    assert probes.service_properties(programs(systemctl="LoadState=not-found\nActiveState=inactive\n")) is None
    assert probes.service_properties(programs()) is None


def test_groups() -> None:
    assert probes.groups_of_user("puluc", programs(id="puluc video gpio render\n")) == {
        "puluc",
        "video",
        "gpio",
        "render",
    }


def test_writable_folder(tmp_path: Path) -> None:
    """The probe leaves no file; a folder that does not exist yet is no problem."""
    assert probes.write_problem(tmp_path) == ""
    assert list(tmp_path.iterdir()) == []
    assert probes.write_problem(tmp_path / "later") == ""
    assert probes.free_mb(tmp_path / "later" / "still") > 0


def test_folder_that_is_a_file(tmp_path: Path) -> None:
    """A file in place of the folder is refused even for root."""
    (tmp_path / "file").touch()

    assert probes.write_problem(tmp_path / "file") == "Not a directory"


def test_whole_computer(tmp_path: Path) -> None:
    """Every check of the computer has a finding on any computer."""
    found = probes.computer_findings(tmp_path, run=programs())

    assert [one.check for one in found] == [
        Check.PYTHON,
        Check.PACKAGES,
        Check.DISK,
        Check.TEMPERATURE,
        Check.POWER,
        Check.CLOCK,
        Check.SERVICE,
    ]
    assert all(isinstance(one.state, FindingState) and one.says for one in found)


def test_real_programs_are_run() -> None:
    """Returns the output; None if the program fails or is not installed."""
    assert probes.command_output(["echo", "well"]) == "well\n"
    assert probes.command_output(["false"]) is None
    assert probes.command_output(["no-such-program-here"]) is None

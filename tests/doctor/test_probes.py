"""What the computer is asked, with its answers put in its mouth."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from companion.doctor import probes
from companion.doctor.finding import Check, State


def computer_that_says(**answers: str) -> probes.Run:
    """A computer whose programs print that, and that has no others."""

    def run(words: Sequence[str]) -> str | None:
        return answers.get(words[0])

    return run


def test_packages_are_found() -> None:
    """All that the program needs is here, or it would not run; one that is not there is told as such."""
    assert set(probes.packages(pi=False).values()) == {None}
    assert "No module named" in (probes.why_not("no_such_package") or "")


def test_pi_without_its_packages_is_told() -> None:
    """Where they are missing each has its reason, under the name that people know."""
    told = probes.packages(pi=True)

    assert {"picamera2", "lgpio"} <= told.keys()


def test_power_supply() -> None:
    """The firmware's bits, and None for what is no answer of its."""
    assert probes.throttled(computer_that_says(vcgencmd="throttled=0x50005\n")) == 0x50005
    assert probes.throttled(computer_that_says(vcgencmd="VCHI initialization failed\n")) is None
    assert probes.throttled(computer_that_says()) is None


def test_temperature(tmp_path: Path) -> None:
    """Thousandths of a degree in a file; none where there is no such file, or nonsense in it."""
    file = tmp_path / "temp"
    assert probes.celsius(file) is None
    file.write_text("48312\n")
    assert probes.celsius(file) == 48.312
    file.write_text("hot\n")
    assert probes.celsius(file) is None


def test_service() -> None:
    """What systemd tells of it; None where it is not installed, or there is no systemd."""
    told = "LoadState=loaded\nActiveState=active\nSubState=running\nNRestarts=2\nStatusText=\n"

    assert (probes.unit(computer_that_says(systemctl=told)) or {})["NRestarts"] == "2"
    assert probes.unit(computer_that_says(systemctl="LoadState=not-found\nActiveState=inactive\n")) is None
    assert probes.unit(computer_that_says()) is None


def test_groups() -> None:
    assert probes.groups_of("puluc", computer_that_says(id="puluc video gpio render\n")) == {
        "puluc",
        "video",
        "gpio",
        "render",
    }


def test_folder_that_can_be_written_to(tmp_path: Path) -> None:
    """The trial leaves nothing behind; a folder that is still to be made is no fault."""
    assert probes.why_unwritable(tmp_path) == ""
    assert list(tmp_path.iterdir()) == []
    assert probes.why_unwritable(tmp_path / "later") == ""
    assert probes.free_mb(tmp_path / "later" / "still") > 0


def test_folder_that_cannot_be_written_to(tmp_path: Path) -> None:
    """A file in the folder's place, which refuses root as well."""
    (tmp_path / "file").touch()

    assert probes.why_unwritable(tmp_path / "file") == "Not a directory"


def test_whole_computer(tmp_path: Path) -> None:
    """Every check of the computer has its finding, whatever this computer is."""
    found = probes.of_computer(tmp_path, run=computer_that_says())

    assert [one.check for one in found] == [
        Check.PYTHON,
        Check.PACKAGES,
        Check.DISK,
        Check.TEMPERATURE,
        Check.POWER,
        Check.CLOCK,
        Check.SERVICE,
    ]
    assert all(isinstance(one.state, State) and one.says for one in found)


def test_programs_are_asked_for_real() -> None:
    """What one prints; None for one that fails, and for one that is not there."""
    assert probes.asked(["echo", "well"]) == "well\n"
    assert probes.asked(["false"]) is None
    assert probes.asked(["no-such-program-here"]) is None

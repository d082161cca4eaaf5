from __future__ import annotations

from datetime import UTC, datetime

import pytest

from companion.doctor import computer_checks
from companion.doctor.finding import Finding, FindingState

PLENTY = 4000


def states(*findings: Finding) -> list[FindingState]:
    """The states of the findings; each that is not fine has a remedy."""
    for one in findings:
        assert one.says
        assert bool(one.cure) is (one.state in (FindingState.WARNING, FindingState.ERROR)), one
    return [one.state for one in findings]


def test_python_that_is_new_enough() -> None:
    """Only a Raspberry Pi's environment has to see the system's packages."""
    assert states(
        computer_checks.python((3, 11, 0), 64, on_a_pi=False, sees_system=False),
        computer_checks.python((3, 13, 5), 64, on_a_pi=True, sees_system=True),
    ) == [FindingState.OK, FindingState.OK]


@pytest.mark.parametrize(
    ("version", "bits", "sees_system"), [((3, 9, 2), 64, True), ((3, 11, 2), 32, True), ((3, 11, 2), 64, False)]
)
def test_python_that_cannot_be_used(version: tuple[int, int, int], bits: int, sees_system: bool) -> None:
    """Too old, 32 bits, or without the system's packages."""
    assert states(computer_checks.python(version, bits, on_a_pi=True, sees_system=sees_system)) == [FindingState.ERROR]


def test_packages() -> None:
    """The message names those that do not load, with a reason and the command that installs them."""
    good = computer_checks.packages({"cv2": None, "picamera2": None})
    bad = computer_checks.packages({"cv2": None, "picamera2": "ModuleNotFoundError: No module named 'libcamera'"})
    ours = computer_checks.packages({"flask": "ModuleNotFoundError: No module named 'flask'"})

    assert states(good, bad, ours) == [FindingState.OK, FindingState.ERROR, FindingState.ERROR]
    assert "No module named 'libcamera'" in bad.says
    assert bad.cure == "Run: sudo apt install -y python3-picamera2"
    assert "install.py --again" in ours.cure


def test_disk() -> None:
    """Plenty, scarce, none, and a folder that is read-only."""
    assert states(
        computer_checks.disk(PLENTY, ""),
        computer_checks.disk(computer_checks.SCARCE_MB - 1, ""),
        computer_checks.disk(computer_checks.LEAST_MB - 1, ""),
        computer_checks.disk(PLENTY, "Read-only file system"),
    ) == [FindingState.OK, FindingState.WARNING, FindingState.ERROR, FindingState.ERROR]


def test_temperature() -> None:
    """Cool, warm, hot, and a computer without a sensor."""
    assert states(
        computer_checks.temperature(48.3),
        computer_checks.temperature(77),
        computer_checks.temperature(83),
        computer_checks.temperature(None),
    ) == [FindingState.OK, FindingState.WARNING, FindingState.ERROR, FindingState.SKIPPED]


def test_power() -> None:
    """The bits are those in the documentation of the Raspberry Pi's firmware."""
    assert states(
        computer_checks.power(0x0),
        computer_checks.power(0x50005),
        computer_checks.power(0x50000),
        computer_checks.power(0x8),
        computer_checks.power(None),
    ) == [FindingState.OK, FindingState.ERROR, FindingState.WARNING, FindingState.WARNING, FindingState.SKIPPED]


def test_clock() -> None:
    """A Raspberry Pi without a network shows a time in the past."""
    now, never = datetime(2026, 11, 21, 10, 0, tzinfo=UTC), datetime(1970, 1, 1, tzinfo=UTC)

    assert states(computer_checks.clock(now), computer_checks.clock(never)) == [FindingState.OK, FindingState.WARNING]

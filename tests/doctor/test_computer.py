from __future__ import annotations

from datetime import UTC, datetime

import pytest

from companion.doctor import computer
from companion.doctor.finding import Finding, State

PLENTY = 4000


def states(*findings: Finding) -> list[State]:
    """The states, each finding that asks for something also saying what."""
    for one in findings:
        assert one.says
        assert bool(one.cure) is (one.state in (State.DOUBT, State.WRONG)), one
    return [one.state for one in findings]


def test_python_that_will_do() -> None:
    """On a laptop its environment need not see the system's packages."""
    assert states(
        computer.python((3, 11, 0), 64, on_a_pi=False, sees_system=False),
        computer.python((3, 13, 5), 64, on_a_pi=True, sees_system=True),
    ) == [State.WELL, State.WELL]


@pytest.mark.parametrize(
    ("version", "bits", "sees_system"), [((3, 9, 2), 64, True), ((3, 11, 2), 32, True), ((3, 11, 2), 64, False)]
)
def test_python_that_will_not_do(version: tuple[int, int, int], bits: int, sees_system: bool) -> None:
    """Too old, of 32 bits, or blind for the camera's packages."""
    assert states(computer.python(version, bits, on_a_pi=True, sees_system=sees_system)) == [State.WRONG]


def test_packages() -> None:
    """The first that cannot be loaded is named with its reason, and what brings it."""
    good = computer.packages({"cv2": None, "picamera2": None})
    bad = computer.packages({"cv2": None, "picamera2": "ModuleNotFoundError: No module named 'libcamera'"})
    ours = computer.packages({"flask": "ModuleNotFoundError: No module named 'flask'"})

    assert states(good, bad, ours) == [State.WELL, State.WRONG, State.WRONG]
    assert "No module named 'libcamera'" in bad.says
    assert bad.cure == "Run: sudo apt install -y python3-picamera2"
    assert "install.py --again" in ours.cure


def test_disk() -> None:
    """Plenty, scarce, none, and none that can be written to."""
    assert states(
        computer.disk(PLENTY, ""),
        computer.disk(computer.SCARCE_MB - 1, ""),
        computer.disk(computer.LEAST_MB - 1, ""),
        computer.disk(PLENTY, "Read-only file system"),
    ) == [State.WELL, State.DOUBT, State.WRONG, State.WRONG]


def test_temperature() -> None:
    """Cool, warm, hot; and a computer that does not tell."""
    assert states(
        computer.temperature(48.3), computer.temperature(77), computer.temperature(83), computer.temperature(None)
    ) == [State.WELL, State.DOUBT, State.WRONG, State.SKIPPED]


def test_power() -> None:
    """What the firmware of a Raspberry Pi tells, as its documents give the bits."""
    assert states(
        computer.power(0x0), computer.power(0x50005), computer.power(0x50000), computer.power(0x8), computer.power(None)
    ) == [State.WELL, State.WRONG, State.DOUBT, State.DOUBT, State.SKIPPED]


def test_clock() -> None:
    """A Raspberry Pi that never saw a network lives in the past."""
    now, never = datetime(2026, 11, 21, 10, 0, tzinfo=UTC), datetime(1970, 1, 1, tzinfo=UTC)

    assert states(computer.clock(now), computer.clock(never)) == [State.WELL, State.DOUBT]

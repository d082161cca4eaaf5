"""Checks of the computer. Each is a function of plain values, so tests need no such computer."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from companion.doctor.finding import Check, Finding, failed, passed, skipped, warning
from companion.i18n import _

OLDEST = (3, 11)
LEAST_MB, SCARCE_MB = 50, 500
"""Free megabytes below which games cannot be saved for long, and below which some cannot be solved. A long evening
writes about 20; solving one game needs 70 for a while."""
HOT_C, TOO_HOT_C = 75.0, 80.0
"""Degrees Celsius. A Raspberry Pi slows down from 80, and severely above 85."""
BORN = 2025
"""A clock that shows an earlier year has not been set."""
APT = {
    "cv2": "sudo apt install -y libgl1 libglib2.0-0",
    "picamera2": "sudo apt install -y python3-picamera2",
    "lgpio": "sudo apt install -y python3-lgpio",
}
"""The command that installs what a package needs from the system."""

UNDER_VOLTAGE, CAPPED, THROTTLED, SOFT_LIMIT = 0x1, 0x2, 0x4, 0x8
EVER = 16
"""How far left the bits for "since the start" are from those for "now"."""


def python(version: tuple[int, int, int], bits: int, *, on_a_pi: bool, sees_system: bool) -> Finding:
    """Check the version of Python. sees_system: its environment sees the system's packages."""
    shown = ".".join(map(str, version))
    if version[:2] < OLDEST:
        return failed(
            Check.PYTHON,
            _("This is Python {version}; it needs 3.11 or newer.", version=shown),
            _("Put Raspberry Pi OS bookworm or trixie on the card."),
            version=shown,
        )
    if bits < 64:
        return failed(
            Check.PYTHON, _("This is a 32-bit system."), _("Put the 64-bit Raspberry Pi OS on the card."), version=shown
        )
    if on_a_pi and not sees_system:
        return failed(
            Check.PYTHON,
            _("The program's environment doesn't see the system's packages, so it has no camera and no pins."),
            _("Run: sudo python3 systemd/install.py --again"),
            version=shown,
        )
    return passed(Check.PYTHON, _("Python {version}, 64 bit.", version=shown), version=shown)


def packages(found: Mapping[str, str | None]) -> Finding:
    """Check that all packages load. found: for each package why it does not, or None."""
    bad = {name: why for name, why in found.items() if why is not None}
    if not bad:
        return passed(Check.PACKAGES, _("All {number} required packages load.", number=len(found)))
    name, why = next(iter(bad.items()))
    cure = APT.get(name)
    return failed(
        Check.PACKAGES,
        _("{name} can't be loaded: {why}", name=", ".join(bad), why=why),
        _("Run: {command}", command=cure or "sudo python3 systemd/install.py --again"),
        bad=bad,
    )


def disk(free_mb: int, refused: str) -> Finding:
    """Check that games can be saved. refused: why the folder cannot be written to, or empty."""
    if refused:
        return failed(
            Check.DISK,
            _("The games' folder can't be written to: {why}.", why=refused),
            _("Is the card full, worn out or read-only? Free some space, or use another card."),
            free_mb=free_mb,
        )
    more_room = _("Delete what you don't need from the card, or use a larger one.")
    if free_mb < LEAST_MB:
        return failed(
            Check.DISK,
            _("Only {number} MB are free. Soon games can't be saved.", number=free_mb),
            more_room,
            free_mb=free_mb,
        )
    if free_mb < SCARCE_MB:
        return warning(
            Check.DISK,
            _("{number} MB are free; solving some games needs more.", number=free_mb),
            more_room,
            free_mb=free_mb,
        )
    return passed(Check.DISK, _("{number} GB free.", number=f"{free_mb / 1000:.1f}"), free_mb=free_mb)


def temperature(celsius: float | None) -> Finding:
    """Check the temperature; None if nothing measures it."""
    if celsius is None:
        return skipped(Check.TEMPERATURE, _("This computer doesn't report its temperature."))
    shown = round(celsius)
    if celsius >= TOO_HOT_C:
        return failed(
            Check.TEMPERATURE,
            _("It's at {number} °C, so it's slowing down.", number=shown),
            _("Take it out of its case, or add a heat sink or a fan."),
            celsius=celsius,
        )
    if celsius >= HOT_C:
        return warning(
            Check.TEMPERATURE,
            _("It's at {number} °C; above 80 it slows down.", number=shown),
            _("Give it more air, or add a heat sink."),
            celsius=celsius,
        )
    return passed(Check.TEMPERATURE, _("{number} °C.", number=shown), celsius=celsius)


def power(throttled: int | None) -> Finding:
    """Check the power supply. throttled: the bits of ``vcgencmd get_throttled``, or None if there is none."""
    if throttled is None:
        return skipped(Check.POWER, _("Only a Raspberry Pi reports this."))
    cure = _("Use the official power supply for your Raspberry Pi, and a short cable.")
    if throttled & UNDER_VOLTAGE:
        return failed(Check.POWER, _("The power supply is too weak right now."), cure, throttled=throttled)
    if throttled & (UNDER_VOLTAGE << EVER):
        return warning(
            Check.POWER,
            _("The power supply has been too weak at times since the Pi started."),
            cure,
            throttled=throttled,
        )
    if throttled & (CAPPED | THROTTLED | SOFT_LIMIT):
        return warning(
            Check.POWER,
            _("The computer is slowing down to stay cool."),
            _("Give it more air, or add a heat sink."),
            throttled=throttled,
        )
    return passed(Check.POWER, _("No trouble since the Pi started."), throttled=throttled)


def clock(now: datetime) -> Finding:
    """Check that the clock is set: a Raspberry Pi has no battery for it and needs a network."""
    shown = now.strftime("%Y-%m-%d %H:%M")
    if now.year < BORN:
        return warning(
            Check.CLOCK,
            _("The clock says {time}, so saved games get the wrong date. Nothing else is affected.", time=shown),
            _("Connect the computer to the internet for a moment."),
            now=shown,
        )
    return passed(Check.CLOCK, _("It says {time}.", time=shown), now=shown)

"""What the computer itself tells: each check a function of facts, so that it can be tried on any."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from companion.doctor.finding import Check, Finding, doubt, skipped, well, wrong
from companion.words import _

OLDEST = (3, 11)
LEAST_MB, SCARCE_MB = 50, 500
"""Free megabytes below which it is wrong, and scarce. A long evening writes some 20, solving one game 70 for a time."""
HOT_C, TOO_HOT_C = 75.0, 80.0
"""Degrees. From 80 on a Raspberry Pi slows itself down, and above 85 by much."""
BORN = 2025
"""No clock that is right shows an earlier year."""
APT = {
    "cv2": "sudo apt install -y libgl1 libglib2.0-0",
    "picamera2": "sudo apt install -y python3-picamera2",
    "lgpio": "sudo apt install -y python3-lgpio",
}
"""What brings a package that is missing, where the companion's own environment does not."""

UNDER_VOLTAGE, CAPPED, THROTTLED, SOFT_LIMIT = 0x1, 0x2, 0x4, 0x8
EVER = 16
"""Bits of what the firmware tells: those of now, and as many places further up those of since the start."""


def python(version: tuple[int, int, int], bits: int, *, on_a_pi: bool, sees_system: bool) -> Finding:
    """Whether this Python will do. sees_system: its environment sees the system's packages."""
    shown = ".".join(map(str, version))
    if version[:2] < OLDEST:
        return wrong(
            Check.PYTHON,
            _("This is Python {version}; 3.11 or newer is needed.", version=shown),
            _("Put Raspberry Pi OS bookworm or trixie on the card."),
            version=shown,
        )
    if bits < 64:
        return wrong(
            Check.PYTHON,
            _("This system is a 32-bit one."),
            _("Put the 64-bit Raspberry Pi OS on the card."),
            version=shown,
        )
    if on_a_pi and not sees_system:
        return wrong(
            Check.PYTHON,
            _("The program's environment does not see the system's packages, and so no camera and no pins."),
            _("Run: sudo python3 systemd/install.py --again"),
            version=shown,
        )
    return well(Check.PYTHON, _("Python {version}, 64 bit.", version=shown), version=shown)


def packages(found: Mapping[str, str | None]) -> Finding:
    """Whether everything can be loaded. found: for each package why it cannot, or None."""
    bad = {name: why for name, why in found.items() if why is not None}
    if not bad:
        return well(Check.PACKAGES, _("All {number} that are needed can be loaded.", number=len(found)))
    name, why = next(iter(bad.items()))
    cure = APT.get(name)
    return wrong(
        Check.PACKAGES,
        _("{name} cannot be loaded: {why}", name=", ".join(bad), why=why),
        _("Run: {command}", command=cure or "sudo python3 systemd/install.py --again"),
        bad=bad,
    )


def disk(free_mb: int, refused: str) -> Finding:
    """Whether the games' folder can be written to. refused: why not, or empty."""
    if refused:
        return wrong(
            Check.DISK,
            _("Nothing can be written where the games are kept: {why}.", why=refused),
            _("Is the card full, worn out, or switched to read-only? Make room, or take another card."),
            free_mb=free_mb,
        )
    if free_mb < LEAST_MB:
        return wrong(
            Check.DISK,
            _("Only {number} MB are free. Soon no throw can be written down.", number=free_mb),
            _("Delete what is not needed on the card, or take a larger one."),
            free_mb=free_mb,
        )
    if free_mb < SCARCE_MB:
        return doubt(
            Check.DISK,
            _("{number} MB are free; some games are not solved with so little.", number=free_mb),
            _("Delete what is not needed on the card, or take a larger one."),
            free_mb=free_mb,
        )
    told = _("{number} GB are free, and it can be written to.", number=f"{free_mb / 1000:.1f}")
    return well(Check.DISK, told, free_mb=free_mb)


def temperature(celsius: float | None) -> Finding:
    """Whether it is too warm. None where nothing measures it."""
    if celsius is None:
        return skipped(Check.TEMPERATURE, _("This computer does not tell how warm it is."))
    shown = round(celsius)
    if celsius >= TOO_HOT_C:
        return wrong(
            Check.TEMPERATURE,
            _("It is {number} °C hot and slows down.", number=shown),
            _("Take it out of its box, or give it a heat sink or a fan."),
            celsius=celsius,
        )
    if celsius >= HOT_C:
        return doubt(
            Check.TEMPERATURE,
            _("It is {number} °C warm; from 80 on it slows down.", number=shown),
            _("Give it more air, or a heat sink."),
            celsius=celsius,
        )
    return well(Check.TEMPERATURE, _("{number} °C.", number=shown), celsius=celsius)


def power(throttled: int | None) -> Finding:
    """Whether the power supply is strong enough. throttled: the firmware's bits; None where it has none."""
    if throttled is None:
        return skipped(Check.POWER, _("Only a Raspberry Pi tells this."))
    cure = _("Use the power supply that is made for your Raspberry Pi, and a short cable.")
    if throttled & UNDER_VOLTAGE:
        return wrong(Check.POWER, _("The power supply is too weak just now."), cure, throttled=throttled)
    if throttled & (UNDER_VOLTAGE << EVER):
        return doubt(
            Check.POWER, _("The power supply was too weak at times since the start."), cure, throttled=throttled
        )
    if throttled & (CAPPED | THROTTLED | SOFT_LIMIT):
        return doubt(
            Check.POWER,
            _("The computer slows itself down just now, to keep cool."),
            _("Give it more air, or a heat sink."),
            throttled=throttled,
        )
    return well(Check.POWER, _("Strong enough ever since the start."), throttled=throttled)


def clock(now: datetime) -> Finding:
    """Whether the clock has been set: a Raspberry Pi without a network has none of its own."""
    shown = now.strftime("%Y-%m-%d %H:%M")
    if now.year < BORN:
        return doubt(
            Check.CLOCK,
            _("The clock shows {time}. Games are dated wrongly; nothing else depends on it.", time=shown),
            _("Connect the computer to a network for a moment."),
            now=shown,
        )
    return well(Check.CLOCK, _("It shows {time}.", time=shown), now=shown)

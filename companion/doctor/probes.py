"""Asks this computer what the checks want to know. Everything outside Python is reached from here alone."""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from companion.doctor import computer, table
from companion.doctor.finding import Finding
from companion.machine import on_a_pi

LOADED = ("cv2", "numpy")
PI_LOADED = ("picamera2",)
"""Packages that are tried out: they may be there and not load, where another one they were made for has changed."""
FOUND = ("flask", "waitress", "gpiozero", "pydantic", "numba", "matplotlib")
PI_FOUND = ("_lgpio",)
"""Packages that are only looked for: large ones, and lgpio's compiled half, which a hollow one of that name lacks and
which writes a file into the present folder when it is loaded."""
UNIT = "puluc.service"
PATIENCE_S = 5.0
"""Seconds that a program of the system may take to answer. One that hangs is as good as one that is not there."""
THERMAL = Path("/sys/class/thermal/thermal_zone0/temp")

Run = Callable[[Sequence[str]], str | None]
"""Answers what a command printed, or None where it failed or is not there."""


def asked(words: Sequence[str]) -> str | None:
    """What that command prints; None where it fails, hangs, or is not there."""
    program = shutil.which(words[0])
    if program is None:
        return None
    try:
        done = subprocess.run(  # noqa: S603 - our own words, and no shell
            [program, *words[1:]], capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return None if done.returncode else done.stdout


def of_computer(folder: Path, *, run: Run = asked) -> list[Finding]:
    """What the computer under the table in that folder is found to be."""
    pi = on_a_pi()
    return [
        computer.python(sys.version_info[:3], 8 * struct.calcsize("P"), on_a_pi=pi, sees_system=sees_system()),
        computer.packages(packages(pi=pi)),
        computer.disk(free_mb(folder), why_unwritable(folder)),
        computer.temperature(celsius(THERMAL)),
        computer.power(throttled(run)),
        computer.clock(datetime.now().astimezone()),
        table.service(unit(run), groups_of("puluc", run)),
    ]


def sees_system() -> bool:
    """Whether this Python sees the packages of the system's."""
    if sys.prefix == sys.base_prefix:
        return True
    with suppress(OSError):
        return "include-system-site-packages = true" in (Path(sys.prefix) / "pyvenv.cfg").read_text()
    return False


def packages(*, pi: bool) -> dict[str, str | None]:
    """For each package that is needed why it cannot be loaded, or None."""
    loaded, found = LOADED + (PI_LOADED if pi else ()), FOUND + (PI_FOUND if pi else ())
    told = {name: why_not(name) for name in loaded}
    told |= {name.lstrip("_"): None if importlib.util.find_spec(name) else "it is not there" for name in found}
    return told


def why_not(name: str) -> str | None:
    """Why that package cannot be loaded, or None."""
    try:
        importlib.import_module(name)
    # What compiled code raises where it was made for another numpy.
    except (ImportError, ValueError, OSError, AttributeError) as error:
        return f"{type(error).__name__}: {error}"
    return None


def free_mb(folder: Path) -> int:
    """Megabytes free where that folder is, or would be."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return shutil.disk_usage(folder).free // 2**20


def why_unwritable(folder: Path) -> str:
    """Why nothing can be written into that folder, tried out with a small file; empty where it can."""
    trial = folder / f"doctor-{os.getpid()}.new"
    try:
        if not folder.exists():
            return ""
        try:
            with trial.open("wb") as file:
                file.write(bytes(4096))
                file.flush()
                os.fsync(file.fileno())
        finally:
            trial.unlink(missing_ok=True)
    except OSError as error:
        return error.strerror or str(error)
    return ""


def celsius(path: Path) -> float | None:
    """How warm the processor is, or None where that is not told."""
    try:
        return int(path.read_text()) / 1000
    except (OSError, ValueError):
        return None


def throttled(run: Run) -> int | None:
    """What a Raspberry Pi's firmware tells of its power supply, as bits; None elsewhere."""
    told = run(["vcgencmd", "get_throttled"])
    with suppress(ValueError):
        return int((told or "").partition("=")[2], 16)
    return None


def unit(run: Run) -> dict[str, str] | None:
    """What systemd tells of the service, or None where there is none."""
    told = run(["systemctl", "show", UNIT, "--property=LoadState,ActiveState,SubState,NRestarts,StatusText"])
    facts = dict(line.split("=", 1) for line in (told or "").splitlines() if "=" in line)
    return facts if facts.get("LoadState") == "loaded" else None


def groups_of(user: str, run: Run) -> frozenset[str]:
    """The groups that user is in."""
    return frozenset((run(["id", "-nG", user]) or "").split())

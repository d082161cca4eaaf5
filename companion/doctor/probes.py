"""Collects from this computer what the checks need. All calls to other programs are here."""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from companion.doctor import computer_checks, table_checks
from companion.doctor.finding import Finding
from companion.service.machine import on_a_pi

LOADED = ("cv2", "numpy")
PI_LOADED = ("picamera2",)
"""Packages to import: they may be installed and fail to load, because one they were compiled against has changed."""
FOUND = ("flask", "uvicorn", "gpiozero", "pydantic", "numba", "matplotlib")
PI_FOUND = ("_lgpio",)
"""Packages that are only looked up: large ones, and lgpio's compiled module, which its stub lacks. It writes
a file into the current folder when it is imported."""
UNIT = "puluc.service"
PATIENCE_S = 5.0
"""Seconds to wait for another program. One that hangs counts as missing."""
THERMAL = Path("/sys/class/thermal/thermal_zone0/temp")

Run = Callable[[Sequence[str]], str | None]
"""Returns the output of a command, or None if it failed or is not installed."""


def command_output(words: Sequence[str]) -> str | None:
    """The output of a command; None if it fails, hangs or is not installed."""
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


def computer_findings(folder: Path, *, run: Run = command_output) -> list[Finding]:
    """Check this computer, for a table whose games are in ``folder``."""
    pi = on_a_pi()
    return [
        computer_checks.python(
            sys.version_info[:3], 8 * struct.calcsize("P"), on_a_pi=pi, sees_system=sees_system_packages()
        ),
        computer_checks.packages(packages(pi=pi)),
        computer_checks.disk(free_mb(folder), write_problem(folder)),
        computer_checks.temperature(read_celsius(THERMAL)),
        computer_checks.power(throttling_flags(run)),
        computer_checks.clock(datetime.now().astimezone()),
        table_checks.service(service_properties(run), groups_of_user("puluc", run)),
    ]


def sees_system_packages() -> bool:
    """Whether this Python sees the system's packages."""
    if sys.prefix == sys.base_prefix:
        return True
    with suppress(OSError):
        return "include-system-site-packages = true" in (Path(sys.prefix) / "pyvenv.cfg").read_text()
    return False


def packages(*, pi: bool) -> dict[str, str | None]:
    """For each required package why it cannot be imported, or None."""
    loaded, found = LOADED + (PI_LOADED if pi else ()), FOUND + (PI_FOUND if pi else ())
    problems = {name: import_problem(name) for name in loaded}
    problems |= {name.lstrip("_"): None if importlib.util.find_spec(name) else "not installed" for name in found}
    return problems


def import_problem(name: str) -> str | None:
    """Why a package cannot be imported, or None."""
    try:
        importlib.import_module(name)
    # Compiled code raises the last three if it was built for another numpy.
    except (ImportError, ValueError, OSError, AttributeError) as error:
        return f"{type(error).__name__}: {error}"
    return None


def free_mb(folder: Path) -> int:
    """Free megabytes on the disk where the folder is, or would be."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return shutil.disk_usage(folder).free // 2**20


def write_problem(folder: Path) -> str:
    """Why nothing can be written into a folder, tried with a small file; empty if it can, or if there is no folder."""
    try:
        if not folder.exists():
            return ""
        # It has no name, or one that nobody can predict, so no link can be in its place.
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        return error.strerror or str(error)
    return ""


def read_celsius(path: Path) -> float | None:
    """Temperature in the file ``path``, or None if it cannot be read."""
    try:
        return int(path.read_text()) / 1000
    except (OSError, ValueError):
        return None


def throttling_flags(run: Run) -> int | None:
    """The bits of ``vcgencmd get_throttled``; None if this is not a Raspberry Pi."""
    output = run(["vcgencmd", "get_throttled"])
    with suppress(ValueError):
        return int((output or "").partition("=")[2], 16)
    return None


def service_properties(run: Run) -> dict[str, str] | None:
    """The service's properties from systemd, or None if it is not installed."""
    output = run(["systemctl", "show", UNIT, "--property=LoadState,ActiveState,SubState,NRestarts,StatusText"])
    facts = dict(line.split("=", 1) for line in (output or "").splitlines() if "=" in line)
    return facts if facts.get("LoadState") == "loaded" else None


def groups_of_user(user: str, run: Run) -> frozenset[str]:
    """The groups of a user; empty if there is no such user."""
    return frozenset((run(["id", "-nG", user]) or "").split())

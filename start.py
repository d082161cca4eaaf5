"""Set everything up in .venv and start: ``python3 start.py [--unpinned] [options of puluc play]``.

``python3 start.py test`` runs the checks instead, with ``--coverage`` it prints which lines no test runs.
``python3 start.py words`` updates the translators' catalogues.
``--unpinned`` installs the newest packages where one that this version was tested with is not available.
"""

import hashlib
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NoReturn

from companion.service.machine import on_a_pi
from locked.packages import LIMITS, LOCKED, PackagesRefused, install_pinned, newest, pinned, project

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
WORKERS = ("-n", str((os.cpu_count() or 1) + 2), "--maxprocesses", "4", "--dist", "worksteal")
"""One worker a core, and two for while others wait; who is done takes over tests. Each may need most of a gigabyte."""
LONGEST_SET_UP_S = 1800
"""After that, whoever waits takes the lock to be broken."""
LINT = (("ruff", "check", "."), ("ruff", "format", "--check", "."), ("mypy",))
"""What .pre-commit-config.yaml runs, too."""
COMPILE = ("tests.advice.solver.compile",)
"""Before the workers start, each of which would compile the same."""
COLLECT = ("pytest", "--collect-only", "-p", "no:terminal")
"""Keeps the tests' bytecode, for the same reason. What cannot be collected is reported by the run itself."""
COMPILED = "*/advice/solver/*"
"""Compiled by numba, which cannot read code that slipcover has instrumented."""
MEASURE = ("slipcover", "--source", "companion,hardware,web", "--omit", COMPILED, "--skip-covered", "-m")


def main(words: list[str]) -> int:
    """Install what is missing, then play or test. Returns the exit status."""
    if words[:1] in (["-h"], ["--help"]):
        print(f"{__doc__}\nThe options of puluc play, once everything is set up: {BIN / 'puluc'} play --help")
        return 0
    unpinned = "--unpinned" in words
    words = [word for word in words if word != "--unpinned"]
    testing, translating = words[:1] == ["test"], words[:1] == ["words"]
    set_up("test" if testing or translating else "play", unpinned=unpinned)
    if translating:
        return subprocess.call([PYTHON, "-m", "tests.i18n.catalogues", *words[1:]], cwd=HERE)
    if not testing:
        become([PYTHON, "-m", "companion", "play", *words])
    measure = MEASURE if "--coverage" in words else ()
    tests = (*measure, "pytest", *WORKERS, *(word for word in words[1:] if word != "--coverage"))
    # On two cores, two at a time: what compiles takes as long as all the rest.
    compiling = subprocess.Popen([PYTHON, "-m", *COMPILE], cwd=HERE)
    statuses = [subprocess.call([PYTHON, "-m", *check], cwd=HERE) for check in LINT]
    subprocess.call([PYTHON, "-m", *COLLECT], cwd=HERE)
    if any([*statuses, compiling.wait()]):
        return 1
    return subprocess.call([PYTHON, "-m", *tests], cwd=HERE)


def set_up(name: str, *, unpinned: bool) -> None:
    """Make the virtual environment and install the list ``name`` into it, unless that list is installed already."""
    described = [HERE / "pyproject.toml", LIMITS, LOCKED / f"{name}.txt"]
    # Where this folder has been moved to counts as well: what is installed names the place.
    wanted = hashlib.sha256(b"".join([*(file.read_bytes() for file in described), bytes(HERE)])).hexdigest()
    stamp = VENV / f"ready-{name}"
    if is_ready(stamp, wanted):
        return
    if not os.access(VENV if VENV.exists() else HERE, os.W_OK):
        sys.exit(f"{HERE} cannot be written to by you, and everything is set up in it. Use a folder of your own.")
    with alone():
        if not is_ready(stamp, wanted):
            install(name, unpinned=unpinned)
            stamp.write_text(wanted)


def is_ready(stamp: Path, wanted: str) -> bool:
    """Whether the list that the stamp stands for is installed as it is wanted now."""
    return stamp.exists() and stamp.read_text() == wanted


@contextmanager
def alone() -> Iterator[None]:
    """Wait until no other start sets up this folder, and keep others waiting meanwhile."""
    VENV.mkdir(exist_ok=True)
    # Of all locks in the standard library, only SQLite's is the same on every system. It goes with its process.
    with closing(sqlite3.connect(VENV / "lock", timeout=0.1, isolation_level=None)) as lock:
        waits_until = 0.0
        while not lock.in_transaction:
            try:
                lock.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                    raise
                if not waits_until:
                    say("Another start is setting up this folder; waiting until it is done.")
                    waits_until = time.monotonic() + LONGEST_SET_UP_S
                elif time.monotonic() > waits_until:
                    sys.exit(
                        f"{VENV / 'lock'} stays locked. If no other start runs in this folder, put it on another disk."
                    )
        yield


def install(name: str, *, unpinned: bool) -> None:
    """Install the list ``name``, first making the virtual environment where there is none."""
    if not any(VENV.glob("ready-*")):
        # On a Pi the camera and the pins come with the system's Python packages.
        shared = ["--system-site-packages"] if on_a_pi() else []
        run(
            [sys.executable, "-m", "venv", *shared, VENV],
            "On Debian and Raspberry Pi OS: sudo apt install python3-venv",
        )
    say("Installing into .venv; the first time this takes a minute or two.")
    # Tests use a small part of what their packages hold, and Python compiles that on first use.
    lazily = ["--no-compile"] if name == "test" else []
    if install_pinned(PYTHON, [*pinned(name), *lazily], unpinned=unpinned):
        run([PYTHON, *project("-e", str(HERE))], "Remove the folder .venv and start again.")
    else:
        run([PYTHON, *newest("-e", f"{HERE}[test]" if name == "test" else str(HERE))], "Is this computer online?")
    if subprocess.run([PYTHON, "-c", "import cv2"], capture_output=True, check=False).returncode:
        say("A system library that OpenCV's windows need is missing; installing the OpenCV without windows instead.")
        uninstall = [PYTHON, "-m", "pip", "uninstall", "--quiet", "-y", "opencv-python"]
        run(uninstall, "Remove the folder .venv and start again.")
        # Both packages own the folder cv2, so the second has to write all its files again.
        again = ["--force-reinstall", "--no-deps"]
        if not install_pinned(PYTHON, [*pinned("headless"), *again], unpinned=unpinned):
            run([PYTHON, *newest("opencv-python-headless>=4.10", *again)], "Is this computer online?")
        run([PYTHON, "-c", "import cv2"], "On Debian and Raspberry Pi OS: sudo apt install libgl1 libglib2.0-0")


def run(command: list[object], cure: str) -> None:
    """Run a step of the set-up, or exit with the step that failed and what may help."""
    words = [str(word) for word in command]
    # Standard output belongs to the companion: scripts read the page's address from it.
    if subprocess.run(words, stdout=sys.stderr, cwd=HERE, check=False).returncode:
        sys.exit(f"This step failed: {' '.join(words)}\n{cure}")


def become(command: list[object]) -> NoReturn:
    """Replace this process with that command, so that signals reach it."""
    words = [str(word) for word in command]
    if os.name == "nt":
        sys.exit(subprocess.call(words))
    os.execv(words[0], words)


def say(text: str) -> None:
    """Print to the person at the keyboard."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    if sys.version_info < (3, 11):
        sys.exit(f"Puluc Companion needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    try:
        sys.exit(main(sys.argv[1:]))
    except PackagesRefused as refused:
        sys.exit(f"\n{refused}")
    except KeyboardInterrupt:
        sys.exit("\nStopped. The same command goes on from here.")

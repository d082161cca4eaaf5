"""Sets all up in .venv and starts: ``python3 start.py [options of puluc play]`` or ``python3 start.py test``.

``python3 start.py words`` brings the catalogues of sentences up to date, for translators.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

from companion.machine import on_a_pi

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
WORKERS = ("-n", "auto", "--maxprocesses", "4", "--dist", "worksteal")
"""One worker for each core, who takes over what another has not come to. Each of them may want most of a gigabyte."""
CHECKS = (("ruff", "check", "."), ("ruff", "format", "--check", "."), ("mypy",), ("pytest", *WORKERS))


def main(words: list[str]) -> int:
    """Set up what is missing, then play or test. Answers the exit status."""
    testing, translating = words[:1] == ["test"], words[:1] == ["words"]
    set_up("test" if testing or translating else "")
    if translating:
        return subprocess.call([PYTHON, "-m", "tests.catalogues", *words[1:]], cwd=HERE)
    if not testing:
        become([PYTHON, "-m", "companion", "play", *words])
    for check in CHECKS:
        extra = words[1:] if check[0] == "pytest" else []
        if status := subprocess.call([PYTHON, "-m", *check, *extra], cwd=HERE):
            return status
    return 0


def set_up(extra: str) -> None:
    """Make the virtual environment and install into it, unless that was done since what is wanted last changed."""
    lock = HERE / "locked" / f"{extra or 'play'}.txt"
    wanted = hashlib.sha256((HERE / "pyproject.toml").read_bytes() + lock.read_bytes()).hexdigest()
    stamp = VENV / f"ready-{extra or 'play'}"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    if not any(VENV.glob("ready-*")):
        # On a Pi the camera and the pins come with the system's Python packages.
        shared = ["--system-site-packages"] if on_a_pi() else []
        run(
            [sys.executable, "-m", "venv", *shared, VENV],
            "On Debian and Raspberry Pi OS: sudo apt install python3-venv",
        )
    say("Installing into .venv; the first time this takes a minute or two.")
    old = ["-c", HERE / "systemd" / "constraints-bookworm.txt"] if on_a_pi() and sys.version_info < (3, 12) else []
    install = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    # The camera of an old Raspberry Pi OS needs older packages than those that were locked.
    is_locked = not old and locked([*install, "--require-hashes", "-r", lock])
    built = ["--no-build-isolation"] if is_locked else []
    run([*install, *old, *built, "-e", f".[{extra}]" if extra else "."], "Is this computer online?")
    if subprocess.run([PYTHON, "-c", "import cv2"], capture_output=True, check=False).returncode:
        say("OpenCV's windows need libraries this computer has not got; taking the OpenCV without windows instead.")
        drop = [PYTHON, "-m", "pip", "uninstall", "--quiet", "-y", "opencv-python"]
        run(drop, "Remove the folder .venv and start again.")
        # Both own one folder, so what went with the first has to come anew.
        anew = ["--force-reinstall", "--no-deps"]
        if not is_locked or not locked([*install, *anew, "--require-hashes", "-r", HERE / "locked" / "headless.txt"]):
            run([*install, *old, *anew, "opencv-python-headless>=4.10"], "Is this computer online?")
        run([PYTHON, "-c", "import cv2"], "On Debian and Raspberry Pi OS: sudo apt install libgl1 libglib2.0-0")
    stamp.write_text(wanted)


def locked(command: list[object]) -> bool:
    """Install just the packages that this version was tested with, known by their hashes. Answers whether that went.

    Where one of them is another than it was then, it stops all; where one cannot be had, newer ones may do.
    """
    words = [str(word) for word in command]
    done = subprocess.run(words, stdout=sys.stderr, stderr=subprocess.PIPE, text=True, cwd=HERE, check=False)
    if done.returncode:
        print(done.stderr, file=sys.stderr)
        if "DO NOT MATCH THE HASHES" in done.stderr:
            sys.exit("A package is not what it was when this version was made, so it was not installed.")
        say("Not every package that this version was tested with can be had here; taking the newest that fit.")
    return not done.returncode


def run(command: list[object], cure: str) -> None:
    """Run a step of the set-up; where it fails, say which and what may help, and stop."""
    words = [str(word) for word in command]
    # Standard output belongs to the companion: scripts read the page's address from it.
    if subprocess.run(words, stdout=sys.stderr, cwd=HERE, check=False).returncode:
        sys.exit(f"This step failed: {' '.join(words)}\n{cure}")


def become(command: list[object]) -> NoReturn:
    """Go on as that command, so that signals reach it."""
    words = [str(word) for word in command]
    if os.name == "nt":
        sys.exit(subprocess.call(words))
    os.execv(words[0], words)


def say(text: str) -> None:
    """Tell the person at the keyboard."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    if sys.version_info < (3, 11):
        sys.exit(f"Puluc Companion needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    sys.exit(main(sys.argv[1:]))

"""Writes down which versions are installed, and by which hashes they are known: ``python3 tests/locking.py``.

Needs the tool ``uv`` on the path. One file for each set: what playing takes, what testing takes, and the OpenCV without
windows that takes the other's place where its libraries are missing.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCKED = ROOT / "locked"
OLDEST = "3.11"
BUILD = "hatchling>=1.27\neditables>=0.5\n"
"""What installs this program itself; it is no dependency of it."""
SETS: dict[str, list[str]] = {"play": [], "test": ["--extra", "test"]}
HEADLESS = "opencv-python-headless>=4.10\n"


def lock(name: str, source: list[str], given: str) -> None:
    """Write ``locked/NAME.txt``: every package of that set for every system and Python from 3.11 on."""
    uv = ["uv", "pip", "compile", "--universal", "--generate-hashes", "--python-version", OLDEST, "--quiet"]
    shape = ["--no-annotate", "--no-header", "--output-file", str(LOCKED / f"{name}.txt")]
    subprocess.run([*uv, *shape, *source, "-"], input=given, text=True, check=True, cwd=ROOT)


def main() -> None:
    """Lock all sets anew, at the newest versions."""
    for file in LOCKED.glob("*.txt"):
        file.unlink()
    for name, extra in SETS.items():
        lock(name, ["pyproject.toml", *extra], BUILD)
    lock("headless", [], HEADLESS)


if __name__ == "__main__":
    main()

"""Write the newest versions and their hashes into locked/: ``python3 tests/locking.py``.

Needs the tool ``uv`` on the path. Each list serves every system and Python from 3.11 on; on a Raspberry Pi with Python
3.11 it keeps within ``locked/limits.txt``.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCKED = ROOT / "locked"
OLDEST = "3.11"
BUILD = "hatchling>=1.27\neditables>=0.5\n"
"""Requirements for building this program, which does not depend on them."""
HEADLESS = "opencv-python-headless>=4.10\n"
"""Replaces opencv-python where its GUI libraries are missing."""
ELSEWHERE = "platform_machine != 'aarch64' or python_version >= '3.12'"
UNLIMITED = "".join(f"{one} ; {ELSEWHERE}\n" for one in ("numpy>=2", "opencv-python>=5", "opencv-python-headless>=5"))
"""Otherwise uv would apply the limits everywhere, because they alone are a solution for every system."""


def lock(name: str, source: list[str], given: str) -> None:
    """Write ``locked/NAME.txt``."""
    target = LOCKED / f"{name}.txt"
    # uv would otherwise prefer the versions already in the file.
    target.unlink(missing_ok=True)
    uv = ["uv", "pip", "compile", "--universal", "--generate-hashes", "--python-version", OLDEST, "--quiet"]
    shape = ["--no-annotate", "--no-header", "--output-file", str(target)]
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as unlimited:
        unlimited.write(UNLIMITED)
        unlimited.flush()
        limits = ["--constraint", str(LOCKED / "limits.txt"), "--constraint", unlimited.name]
        subprocess.run([*uv, *limits, *shape, *source, "-"], input=given, text=True, check=True, cwd=ROOT)


def main() -> None:
    """Lock all lists again at the newest versions."""
    lock("play", ["pyproject.toml"], BUILD)
    lock("test", ["pyproject.toml", "--extra", "test"], BUILD)
    lock("headless", [], HEADLESS)


if __name__ == "__main__":
    main()

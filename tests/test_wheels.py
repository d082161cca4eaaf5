"""Nothing is compiled on a Raspberry Pi: every package is a wheel or comes from the system.

Asks the package index, so it runs only with ``--wheels``.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.test_locked import BOOKWORM, PACKAGE, ROOT, TRIXIE, pins

FROM_APT = {"picamera2": "python3-picamera2", "lgpio": "python3-lgpio"}
"""Libraries of the extra ``pi``, and the package of Raspberry Pi OS with each; both releases have them."""
PLATFORMS = [f"manylinux_2_{minor}_aarch64" for minor in range(17, 37)] + ["manylinux2014_aarch64"]
"""bookworm has glibc 2.36, trixie a newer one."""


@pytest.mark.parametrize("computer", [BOOKWORM, TRIXIE], ids=["bookworm", "trixie"])
def test_every_locked_package_comes_as_a_wheel(
    computer: dict[str, str], tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    """pip finds a wheel with a locked hash for each of them, on a Pi with that Python."""
    if not pytestconfig.getoption("--wheels"):
        pytest.skip("asks the package index; run with --wheels")
    versions = pins("play", computer)
    # pip evaluates markers for the computer it runs on, so keep only the Pi's lines, without their markers.
    blocks = re.split(r"\n(?=\S)", (ROOT / "locked" / "play.txt").read_text(encoding="utf-8").strip())
    kept = [
        re.sub(r" ; [^\\]+", " ", one, count=1) for one in blocks if PACKAGE.findall(one)[0][:2] in versions.items()
    ]
    (tmp_path / "pi.txt").write_text("\n".join(kept))
    words = [sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--ignore-installed", "--report", "-"]
    words += ["--only-binary=:all:", "--no-deps", "--target", str(tmp_path), "--require-hashes"]
    # The running Python is not the Pi's either; tests/locking.py has ensured that the versions suit.
    words += [
        "--ignore-requires-python",
        "--python-version",
        computer["python_version"],
        "-r",
        str(tmp_path / "pi.txt"),
    ]
    words += [word for platform in PLATFORMS for word in ("--platform", platform)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = {
        one["metadata"]["name"]: one["download_info"]["url"].rsplit("/", 1)[1]
        for one in json.loads(done.stdout)["install"]
    }

    assert len(found) == len(versions)
    assert all(name.endswith(("aarch64.whl", "any.whl")) for name in found.values()), found


def test_packages_without_a_wheel_come_from_apt() -> None:
    """The extra for the Pi contains only packages that the installer takes from the system."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = {one.split(">")[0].split(";")[0].strip() for one in project["optional-dependencies"]["pi"]}
    installer = (ROOT / "systemd" / "install.py").read_text()

    assert named == FROM_APT.keys()
    assert all(package in installer for package in FROM_APT.values())

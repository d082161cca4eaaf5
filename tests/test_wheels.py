"""Nothing has to be compiled on a Raspberry Pi: every library comes as a wheel, or from the system's packages.

Asks the package registry, so it runs only with ``--wheels``.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FROM_APT = {"picamera2": "python3-picamera2", "lgpio": "python3-lgpio"}
"""Libraries of the extra ``pi``, and the package of Raspberry Pi OS that brings each; both releases have them."""
PLATFORMS = [f"manylinux_2_{minor}_aarch64" for minor in range(17, 37)] + ["manylinux2014_aarch64"]
"""bookworm's C library is 2.36, trixie's newer."""


@pytest.mark.parametrize(
    ("python", "constraints"), [("3.11", ()), ("3.11", ("-c", "systemd/constraints-bookworm.txt")), ("3.13", ())]
)
def test_every_library_comes_as_a_wheel(
    python: str, constraints: tuple[str, ...], tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    """pip finds wheels for all of them, and all that they need, for a Pi with that Python."""
    if not pytestconfig.getoption("--wheels"):
        pytest.skip("asks the package registry; run with --wheels")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    words = [sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--ignore-installed", "--report", "-"]
    words += ["--only-binary=:all:", "--target", str(tmp_path), "--python-version", python, *constraints]
    words += [word for platform in PLATFORMS for word in ("--platform", platform)]
    done = subprocess.run([*words, *project["dependencies"]], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    found = {
        one["metadata"]["name"]: one["download_info"]["url"].rsplit("/", 1)[1]
        for one in json.loads(done.stdout)["install"]
    }
    title = f"Python {python}{' with the constraints of bookworm' if constraints else ''}:"
    print("", title, *sorted(found.values()), sep="\n")  # noqa: T201 - the names, for who asks with -s

    assert len(found) >= len(project["dependencies"])
    assert all(name.endswith(("aarch64.whl", "any.whl")) for name in found.values()), found


def test_what_has_no_wheel_is_named_with_its_package() -> None:
    """The extra for the Pi holds nothing but what the installer takes from the system."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = {one.split(">")[0].split(";")[0].strip() for one in project["optional-dependencies"]["pi"]}
    installer = (ROOT / "systemd" / "install.py").read_text()

    assert named == FROM_APT.keys()
    assert all(package in installer for package in FROM_APT.values())

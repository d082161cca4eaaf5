"""Every package is pinned by version and hash for each supported computer."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PACKAGE = re.compile(r"^([a-z0-9-]+)==(\S+)(?: ; (.+?))? \\$", re.M)
PI = {"sys_platform": "linux", "platform_system": "Linux", "platform_machine": "aarch64"}
BOOKWORM = {**PI, "python_version": "3.11", "python_full_version": "3.11.2"}
TRIXIE = {**PI, "python_version": "3.13", "python_full_version": "3.13.5"}


def project() -> Any:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def pins(name: str, computer: Mapping[str, str]) -> dict[str, str]:
    """The version of each package in that list on that computer."""
    text = (ROOT / "locked" / f"{name}.txt").read_text(encoding="utf-8")
    found = [
        (package, version)
        for package, version, marker in PACKAGE.findall(text)
        if not marker or Marker(marker).evaluate(dict(computer))
    ]
    assert len(found) == len(dict(found)), found
    return dict(found)


@pytest.mark.parametrize("name", ["play", "test", "headless"])
def test_every_locked_package_has_its_hashes(name: str) -> None:
    """No list contains a package without a hash, or one from a URL."""
    text = (ROOT / "locked" / f"{name}.txt").read_text(encoding="utf-8")
    blocks = re.split(r"\n(?=\S)", text.strip())

    assert blocks
    for block in blocks:
        assert PACKAGE.match(block), block[:80]
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", block), block[:80]
    assert "://" not in text


@pytest.mark.parametrize("computer", [BOOKWORM, TRIXIE, {}], ids=["bookworm", "trixie", "here"])
@pytest.mark.parametrize(("name", "extras"), [("play", ()), ("test", ("test",))])
def test_every_dependency_is_locked(name: str, extras: tuple[str, ...], computer: dict[str, str]) -> None:
    """Its version satisfies pyproject.toml; if not, run ``python3 tests/locking.py``."""
    versions = pins(name, computer)
    wanted = project()["dependencies"] + [one for extra in extras for one in project()["optional-dependencies"][extra]]

    for requirement in map(Requirement, wanted):
        assert versions[canonicalize_name(requirement.name)] in requirement.specifier, requirement


@pytest.mark.parametrize("name", ["play", "test", "headless"])
def test_bookworm_keeps_the_numpy_of_its_camera_library(name: str) -> None:
    """Its packages are built for numpy 1, and opencv-python 4.12 needs numpy 2; trixie gets the newest of both."""
    limits = [Requirement(line) for line in (ROOT / "locked" / "limits.txt").read_text().splitlines() if line[0] != "#"]
    bookworm, trixie = pins(name, BOOKWORM), pins(name, TRIXIE)

    assert {one.name for one in limits} == {"numpy", "opencv-python", "opencv-python-headless"}
    for limit in limits:
        assert limit.marker is not None
        assert limit.marker.evaluate(dict(BOOKWORM))
        assert not limit.marker.evaluate(dict(TRIXIE))
        if limit.name in bookworm:
            assert bookworm[limit.name] in limit.specifier
            assert trixie[limit.name] not in limit.specifier

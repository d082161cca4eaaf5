"""What is installed is known beforehand: every package by its version and its hashes."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PACKAGE = re.compile(r"^([a-z0-9-]+)==(\S+)(?: ; (.+?))? \\$", re.M)


def project() -> Any:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.mark.parametrize("name", ["play", "test", "headless"])
def test_every_locked_package_has_its_hashes(name: str) -> None:
    """Each line of a package is followed by the hashes of its files; nothing stands there by its bare name."""
    text = (ROOT / "locked" / f"{name}.txt").read_text(encoding="utf-8")
    blocks = re.split(r"\n(?=\S)", text.strip())

    assert blocks
    for block in blocks:
        assert PACKAGE.match(block), block[:80]
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", block), block[:80]
    assert "://" not in text


@pytest.mark.parametrize(("name", "extras"), [("play", ()), ("test", ("test",))])
def test_what_is_wanted_is_locked(name: str, extras: tuple[str, ...]) -> None:
    """Every dependency is among the locked ones, in a version that will do; else run ``python3 tests/locking.py``."""
    text = (ROOT / "locked" / f"{name}.txt").read_text(encoding="utf-8")
    locked: dict[str, list[str]] = {}
    for package, version, _marker in PACKAGE.findall(text):
        locked.setdefault(package, []).append(version)
    wanted = project()["dependencies"] + [one for extra in extras for one in project()["optional-dependencies"][extra]]

    for requirement in map(Requirement, wanted):
        versions = locked[canonicalize_name(requirement.name)]
        assert all(version in requirement.specifier for version in versions), requirement

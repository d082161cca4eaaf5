"""Folders owned by another user, for tests that run as root."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

ROOT = Path(__file__).parents[2]
NOBODY = 65534


@contextmanager
def open_folder() -> Iterator[Path]:
    """A root-owned folder that other users can enter, unlike pytest's. Skips if this user is not root."""
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder to another user")
    with TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def folder_of_nobody(place: Path) -> Path:
    """A folder in ``place`` owned by another user."""
    folder = place / "theirs"
    folder.mkdir()
    os.chown(folder, NOBODY, NOBODY)
    return folder


def python(*, everyone: bool) -> list[str]:
    """A Python that can run this program; if necessary, one that every user may execute."""
    path = os.pathsep.join([str(ROOT), *(entry for entry in sys.path if entry.endswith("site-packages"))])
    user = NOBODY if everyone else None
    for program in (sys.executable, f"/usr/bin/python3.{sys.version_info.minor}"):
        words = ["/usr/bin/env", f"PYTHONPATH={path}", program]
        trial = [*words, "-c", "import companion.cli, numpy"]
        tried = subprocess.run(trial, check=False, capture_output=True, cwd="/", user=user, group=user)
        if tried.returncode == 0:
            return words
    pytest.skip("every Python here, or this folder, is for root alone")

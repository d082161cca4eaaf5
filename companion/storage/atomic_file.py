"""Files that are there whole or not at all, whenever the power goes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A file to write what shall stand at ``path``; on disk and in its place at the end, unless something is raised."""
    fresh = path.with_name(path.name + ".new")
    yield fresh
    to_disk(fresh)
    fresh.replace(path)
    if os.name == "posix":
        to_disk(path.parent)


def to_disk(path: Path) -> None:
    """Wait until that file, or the names in that folder, are on the disk. Raises OSError."""
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

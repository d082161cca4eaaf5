"""Atomic file replacement that survives a power cut."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a file to write to; on leaving, sync it and move it to ``path``, unless an exception was raised.

    Readers see the old file or the new one, never a part.
    """
    fresh = path.with_name(path.name + ".new")
    yield fresh
    to_disk(fresh)
    fresh.replace(path)
    to_disk(path.parent)


def write_private(path: Path, content: bytes) -> None:
    """Replace a file durably by one that nobody but its owner may read. Raises OSError."""
    with replacing(path) as fresh:
        fresh.unlink(missing_ok=True)
        fresh.touch(mode=0o600, exist_ok=False)
        fresh.write_bytes(content)


def to_disk(path: Path) -> None:
    """Sync a file's content, or a folder's names, to the disk. Raises OSError."""
    is_folder = path.is_dir()
    if is_folder and os.name != "posix":
        return  # only there can a folder be opened
    handle = os.open(path, os.O_RDONLY if is_folder else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

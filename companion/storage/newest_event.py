"""Records the newest event's number beside the games, so that events lost with a damaged log are noticed."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from companion.storage.restore import NEWEST


def note_newest(folder: Path, number: int) -> None:
    """Record that the event with that number is stored durably.

    The record itself is not synced, because every move would then wait for the disk twice. After a power cut it may be
    older than the games, never newer. It is left out if it cannot be written.
    """
    with suppress(OSError):
        file = os.open(folder / NEWEST, os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o644)
        try:
            # Of fixed length and within one sector, so that a disk writes all of it or nothing.
            os.write(file, b"%020d" % number)
        finally:
            os.close(file)


def noted_newest(folder: Path) -> int:
    """The number recorded last; 0 if none can be read."""
    try:
        return int((folder / NEWEST).read_bytes())
    except (OSError, ValueError):
        return 0

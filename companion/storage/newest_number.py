"""A note of the newest event's number, beside the games. Without it nobody would miss what a damaged log has lost."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from companion.storage.restore import NEWEST


def note_newest(folder: Path, number: int) -> None:
    """Note that the event of that number is stored durably.

    The note itself is not synced, or every move would wait for the disk once more. After a power cut it may be older
    than the games, never newer. Where it cannot be written there is none.
    """
    with suppress(OSError):
        file = os.open(folder / NEWEST, os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o644)
        try:
            # Always as long, and within one sector, so that a disk writes all of it or nothing.
            os.write(file, b"%020d" % number)
        finally:
            os.close(file)


def noted_newest(folder: Path) -> int:
    """The number that was noted last; 0 where none can be read."""
    try:
        return int((folder / NEWEST).read_bytes())
    except (OSError, ValueError):
        return 0

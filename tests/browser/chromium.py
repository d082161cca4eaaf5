"""The browser that the tests and benchmarks start."""

from __future__ import annotations

import os
import shutil

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The first that is installed is used. The headless shell needs less than half the processor time for a page."""
LAUNCH_OPTIONS = ("--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu")


def chromium_path() -> str | None:
    """The browser named in $CHROMIUM, else an installed one; None if there is none."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)

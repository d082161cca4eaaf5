"""camera_pi runs on the real picamera2, with only libcamera itself stubbed."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hardware.real_picamera2 import WAYS

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("picamera2") is None,
    reason="picamera2 is not installed: on a Pi it comes with apt, elsewhere pip builds it with gcc and libcap-dev",
)


@pytest.mark.parametrize("way", WAYS)
def test_on_the_real_classes(way: str) -> None:
    """Configuration, controls, capture, a loose ribbon, opening again."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.hardware.real_picamera2", way],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        cwd=Path(__file__).parents[2],
    )

    assert done.returncode == 0, done.stderr[-3000:]

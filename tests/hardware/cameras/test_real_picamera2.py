"""PiCamera on the real picamera2, with only libcamera replaced by a stub."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hardware.cameras.real_picamera2 import SCENARIOS

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("picamera2") is None,
    reason="picamera2 is not installed: on a Pi it comes with apt, elsewhere pip builds it with gcc and libcap-dev",
)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_scenario(scenario: str) -> None:
    """Configuration, controls, capture, a loose ribbon cable, opening again."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.hardware.cameras.real_picamera2", scenario],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        cwd=Path(__file__).parents[3],
    )

    assert done.returncode == 0, done.stderr[-3000:]

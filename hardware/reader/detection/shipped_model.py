"""The trained detector shipped with the reader."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from hardware.reader.detection.detector import Detector

MODEL, DIGEST = "lots.onnx", "lots.sha256"
HERE = Path(__file__).parent / "model"


@cache
def shipped_detector() -> Detector:
    """Load the detector, once. Raises ValueError if the model is not the shipped one."""
    return Detector(HERE / MODEL, (HERE / DIGEST).read_text(encoding="ascii").strip())

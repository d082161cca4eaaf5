"""The trained model shipped with the reader."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from hardware.cameras.camera import Pixels
from hardware.reader.general.detector import Detector
from hardware.reader.general.face_matcher import FaceWeights
from hardware.reader.general.general_reader import GeneralReader, TaughtLots, learn, taught_reader

MODEL, DIGEST, FACES = "lots.onnx", "lots.sha256", "faces.json"
HERE = Path(__file__).parent / "model"


def general_reader(empty: Pixels, marked: Pixels, plain: Pixels) -> GeneralReader:
    """Teach a reader with three pictures of one size. Raises ProfileUnusable if they are not sufficient."""
    return taught_reader(shipped_detector(), face_weights(), empty, marked, plain)


def taught_lots(empty: Pixels, marked: Pixels, plain: Pixels) -> TaughtLots:
    """Find the lots in three pictures of one size. Raises ProfileUnusable if they are not found."""
    return learn(shipped_detector(), empty, marked, plain)


def check_lots(empty: Pixels, picture: Pixels) -> None:
    """Raise ProfileUnusable, with advice, unless the picture shows four single lots in the tray of the empty one."""
    taught_lots(empty, picture, picture)


@cache
def face_weights() -> FaceWeights:
    """Load the face matcher's weights, once."""
    return FaceWeights.load(HERE / FACES)


@cache
def shipped_detector() -> Detector:
    """Load the detector, once. Raises ValueError if the model is not the shipped one."""
    return Detector(HERE / MODEL, (HERE / DIGEST).read_text(encoding="ascii").strip())

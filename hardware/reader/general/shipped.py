"""The trained model that is shipped with the reader."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from companion.errors import ProfileUnusable, TrayMoved
from hardware.cameras.camera import Pixels
from hardware.reader.general.detector import Detector
from hardware.reader.general.face_matcher import FaceWeights
from hardware.reader.general.general_reader import GeneralReader, learn, taught_reader

MODEL, DIGEST, FACES = "lots.onnx", "lots.sha256", "faces.json"
HERE = Path(__file__).parent / "model"


def general_reader(empty: Pixels, marked: Pixels, plain: Pixels) -> GeneralReader:
    """A reader taught with three pictures of one size. Raises ProfileUnusable where they do not teach it."""
    return taught_reader(_detector(), face_weights(), empty, marked, plain)


def learn_after(refusal: ProfileUnusable, empty: Pixels, marked: Pixels, plain: Pixels) -> GeneralReader:
    """A reader taught with pictures that did not teach the measured one. Raises that refusal where it learns nothing
    from them either.
    """
    if isinstance(refusal, TrayMoved) or not empty.shape == marked.shape == plain.shape:
        raise refusal
    try:
        return general_reader(empty, marked, plain)
    except ProfileUnusable:
        raise refusal from None


def check_four_after(refusal: ProfileUnusable, empty: Pixels, picture: Pixels) -> None:
    """Raise that refusal unless the picture shows four single lots in the tray of the empty one."""
    if isinstance(refusal, TrayMoved) or empty.shape != picture.shape:
        raise refusal
    try:
        learn(_detector(), empty, picture, picture)
    except ProfileUnusable:
        raise refusal from None


@cache
def face_weights() -> FaceWeights:
    """What tells faces apart, read once."""
    return FaceWeights.load(HERE / FACES)


@cache
def _detector() -> Detector:
    """Read once. Raises ValueError where the model is not the one that was shipped."""
    return Detector(HERE / MODEL, (HERE / DIGEST).read_text(encoding="ascii").strip())

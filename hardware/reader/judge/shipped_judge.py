"""The trained judge shipped with the reader."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

from hardware.cameras.camera import Pixels
from hardware.reader.detection.detector import Detector
from hardware.reader.detection.lot_shape import LotDetector
from hardware.reader.judge.judge_model import Model
from hardware.reader.judge.judged_reader import JudgedReader
from hardware.reader.judge.lot_judge import Describer
from hardware.reader.judge.teaching import TaughtPlaces, find_lots
from hardware.reader.lots import Shown

HERE = Path(__file__).parent / "model"
DETECTOR = Path(__file__).parents[1] / "detection" / "model" / "lots.onnx"
NETWORKS, FACTS = ("sticks.onnx", "small.onnx", "close_sticks.onnx", "close_small.onnx"), "model.json"


def judged_reader(empty: Pixels, marked: Pixels, plain: Pixels, shown: Sequence[Shown] = ()) -> JudgedReader:
    """Teach a reader with three pictures of one size. Raises ProfileUnusable if they are not sufficient.

    shown : later pictures of lots whose faces are known.
    """
    return JudgedReader(shipped_judge(), empty, marked, plain, shown=shown)


def taught_lots(empty: Pixels, marked: Pixels, plain: Pixels) -> TaughtPlaces:
    """Find the lots in three pictures of one size. Raises ProfileUnusable, with advice, if they are not found."""
    return find_lots(shipped_judge(), empty, marked, plain)


def check_lots(empty: Pixels, picture: Pixels) -> None:
    """Raise ProfileUnusable, with advice, unless the picture shows four single lots in the tray of the empty one."""
    taught_lots(empty, picture, picture)


@cache
def shipped_judge() -> Model:
    """Load the networks, once. Raises ValueError if one is not the shipped one."""
    return load_judge(HERE, shipped_detector())


@cache
def shipped_detector() -> Detector:
    """Load the detector, once. Raises ValueError if the model is not the shipped one."""
    return Detector(DETECTOR, DETECTOR.with_suffix(".sha256").read_text(encoding="ascii").strip())


def load_judge(folder: Path, detector: LotDetector) -> Model:
    """Load the judges in a folder. Raises ValueError if one does not belong to the other."""
    facts = json.loads((folder / FACTS).read_text(encoding="ascii"))
    sticks, small, close_sticks, close_small = (Describer(folder / name, facts["sha256"][name]) for name in NETWORKS)
    relations, odds = (tuple(facts[name][kind] for kind in ("sticks", "small")) for name in ("relations", "odds"))
    return Model(detector, (sticks, small), (close_sticks, close_small), relations, np.array(odds, np.float32))

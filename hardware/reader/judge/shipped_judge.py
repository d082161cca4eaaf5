"""The trained judge shipped with the reader."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from hardware.cameras.camera import Pixels
from hardware.reader.general.lot_shape import LotDetector
from hardware.reader.general.shipped_model import shipped_detector
from hardware.reader.judge.judge_model import Model
from hardware.reader.judge.judged_reader import JudgedReader
from hardware.reader.judge.lot_judge import Describer
from hardware.reader.lots import Shown

HERE = Path(__file__).parent / "model"
NETWORKS, FACTS = ("sticks.onnx", "small.onnx", "close.onnx"), "model.json"


def judged_reader(empty: Pixels, marked: Pixels, plain: Pixels, shown: Sequence[Shown] = ()) -> JudgedReader:
    """Teach a reader with three pictures of one size. Raises ProfileUnusable if they are not sufficient.

    shown : later pictures of lots whose faces are known.
    """
    return JudgedReader(shipped_judge(), empty, marked, plain, shown=shown)


@cache
def shipped_judge() -> Model:
    """Load the networks, once. Raises ValueError if one is not the shipped one."""
    return load_judge(HERE, shipped_detector())


def load_judge(folder: Path, detector: LotDetector) -> Model:
    """Load the judges in a folder. Raises ValueError if one does not belong to the other."""
    facts = json.loads((folder / FACTS).read_text(encoding="ascii"))
    sticks, small, close = (Describer(folder / name, facts["sha256"][name]) for name in NETWORKS)
    relations = (tuple(facts["relations"]["sticks"]), tuple(facts["relations"]["small"]))
    return Model(detector, (sticks, small), close, relations)

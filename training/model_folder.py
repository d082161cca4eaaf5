"""Writes the trained networks as `hardware.reader.judge.shipped_judge.load_judge` reads them."""

from __future__ import annotations

import json
from pathlib import Path

from hardware.reader.judge.shipped_judge import DESCRIBERS, FACTS
from training.judging.judge_network import Judge, export


def write_judges(sticks: Judge, small: Judge, out: Path) -> None:
    """Write both judges, and the facts about them."""
    digests = {name: export(judge.network, out / name) for name, judge in zip(DESCRIBERS, (sticks, small), strict=True)}
    relations = {
        Path(name).stem: [round(number, 6) for number in judge.relation.numbers()]
        for name, judge in zip(DESCRIBERS, (sticks, small), strict=True)
    }
    facts = {"sha256": digests, "relations": relations}
    (out / FACTS).write_text(json.dumps(facts, indent=1) + "\n", encoding="ascii")

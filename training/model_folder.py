"""Writes the trained networks as `hardware.reader.judge.shipped_judge.load_judge` reads them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from hardware.reader.judge.shipped_judge import FACTS, NETWORKS
from training.judging.judge_network import Judge, export


def write_judges(judges: Sequence[Judge], out: Path) -> None:
    """Write the judges of sticks, of small lots and of these from close by, and the facts about them."""
    digests = {name: export(judge.network, out / name) for name, judge in zip(NETWORKS, judges, strict=True)}
    relations = {
        Path(name).stem: [round(number, 6) for number in judge.relation.numbers()]
        for name, judge in zip(NETWORKS, judges, strict=True)
    }
    facts = {"sha256": digests, "relations": relations}
    (out / FACTS).write_text(json.dumps(facts, indent=1) + "\n", encoding="ascii")

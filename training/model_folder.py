"""Writes the trained networks as `hardware.reader.judge.shipped_judge.load_judge` reads them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from hardware.reader.judge.shipped_judge import FACTS, NETWORKS
from training.judging.judge_network import Judge, export
from training.judging.sample_store import SMALL, STICKS


def write_judges(judges: Sequence[Judge], out: Path) -> None:
    """Write the judges of sticks, of small lots and of these from close by, and the facts about them."""
    digests = {name: export(judge.network, out / name) for name, judge in zip(NETWORKS, judges, strict=True)}
    # Faces seen from close by are compared by what the judge of small lots has learnt.
    relations = {
        kind: [round(number, 6) for number in judge.relation.numbers()]
        for kind, judge in zip((STICKS, SMALL), judges[:2], strict=True)
    }
    facts = {"sha256": digests, "relations": relations}
    (out / FACTS).write_text(json.dumps(facts, indent=1) + "\n", encoding="ascii")

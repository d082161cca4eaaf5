"""Writes the trained networks as `hardware.reader.judge.shipped_judge.load_judge` reads them, and reads them back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from hardware.reader.judge.shipped_judge import FACTS, NETWORKS
from training.exported_weights import load_exported
from training.judging.judge_network import Judge, export
from training.judging.sample_store import KINDS, SMALL, STICKS, is_close, is_long


def write_judges(judges: Sequence[Judge], out: Path) -> None:
    """Write the judges of sticks, of small lots and of both from close by, and the facts about them.

    Until the odds are fitted, the evidence counts what it counts for the judges alone.
    """
    digests = {name: export(judge.network, out / name) for name, judge in zip(NETWORKS, judges, strict=True)}
    # Faces seen from close by are compared by what the judge of the same lots has learnt.
    relations = {
        kind: [round(number, 6) for number in judge.relation.numbers()]
        for kind, judge in zip((STICKS, SMALL), judges[:2], strict=True)
    }
    odds = {kind: _judged_alone(relation) for kind, relation in relations.items()}
    facts = {"sha256": digests, "relations": relations, "odds": odds}
    (out / FACTS).write_text(json.dumps(facts, indent=1) + "\n", encoding="ascii")


def _judged_alone(relation: Sequence[float]) -> list[list[float]]:
    """What the evidence counts for the judge, which does not look at faces from close by."""
    *_, strange, here, flat = relation
    return [[1.0, 0.0, -strange, 0.0, here], [0.0, 1.0, -strange, 0.0, flat]]


def read_judge(kind: str, folder: Path) -> Judge:
    """Read the judge of a kind back, to be trained further. See `load_exported`."""
    judge = Judge(is_long=is_long(kind), close=is_close(kind))
    load_exported(judge.network, folder / dict(zip(KINDS, NETWORKS, strict=True))[kind])
    relations = json.loads((folder / FACTS).read_text(encoding="ascii"))["relations"]
    judge.relation.set_numbers(relations[STICKS if is_long(kind) else SMALL])
    judge.eval()
    return judge

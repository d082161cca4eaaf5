"""The rules against 480 worked cases, which come from an independent reading of the sources."""

import json
from pathlib import Path

import pytest

from companion.rules.notation import parse, write
from companion.rules.turns import Turn
from companion.rules.variants import VARIANTS, variant

CASES = [
    json.loads(line) for line in (Path(__file__).parents[1] / "data" / "rules-cases.jsonl").read_text().splitlines()
]


@pytest.mark.parametrize("id", sorted({case["variant"] for case in CASES}))
def test_worked_cases(id: str) -> None:  # noqa: A002 - the field's own name
    """Each case of the variant leads to exactly the positions it lists, in the same notation."""
    cases = [case for case in CASES if case["variant"] == id]

    assert len(cases) == 30
    for case in cases:
        position = parse(case["position"], variant(id))
        assert write(position) == case["position"]
        assert sorted(map(write, Turn(position, tuple(case["values"])).results())) == case["results"], case


def test_number_of_cases() -> None:
    """There are 480 cases, and each belongs to a known variant."""
    assert len(CASES) == 480
    assert {case["variant"] for case in CASES} <= set(VARIANTS)

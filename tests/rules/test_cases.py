"""The rules against the worked cases, which come from another reading of the same page."""

import json
import re
from pathlib import Path

import pytest

from companion.errors import NotationError
from companion.rules.notation import parse, write
from companion.rules.turns import Turn
from companion.rules.variant import variant

CASES = [
    json.loads(line) for line in (Path(__file__).parents[1] / "data" / "rules-cases.jsonl").read_text().splitlines()
]
PIECES = 5
"""Pieces a side in every game of the cases."""


def is_possible(position: str) -> bool:
    """Whether each side has all its pieces, and no more, wherever they are."""
    places, out, _ = position.split()
    jade, _, obsidian = places.split("/")
    out_j, out_o = out.split(":")
    return all(
        sum(map(int, re.findall(r"\d+", base + " " + gone))) + len(re.findall(letter, places, re.IGNORECASE)) == PIECES
        for letter, base, gone in (("j", jade, out_j), ("o", obsidian, out_o))
    )


SOUND = [case for case in CASES if all(map(is_possible, [case["position"], *case["results"]]))]


@pytest.mark.parametrize("id", sorted({case["variant"] for case in CASES}))
def test_worked_cases(id: str) -> None:  # noqa: A002 - the field's own name
    """Every sound case of the variant leads to exactly the positions it names, and is spelled as we spell it."""
    cases = [case for case in SOUND if case["variant"] == id]

    assert len(cases) >= 15
    for case in cases:
        position = parse(case["position"], variant(id))
        assert write(position) == case["position"]
        assert sorted(map(write, Turn(position, tuple(case["values"])).results())) == case["results"], case


def test_the_cases_that_are_not_sound() -> None:
    """One game of Aj Sina'anil makes a piece from nothing, in a capture backwards; from there on it is not possible."""
    wrong = [number for number, case in enumerate(CASES, 1) if case not in SOUND]
    first = CASES[405]
    truly = Turn(parse(first["position"], variant("aj-sinaanil")), tuple(first["values"])).results()

    assert wrong == list(range(406, 421))
    assert {CASES[number - 1]["variant"] for number in wrong} == {"aj-sinaanil"}
    # The captor went from 6 to 8 and back to 5, yet the case leaves a second piece of it on 11.
    assert first["results"] == ["3/4Jo5J8/3 1:1 O", "3/4O5J8/3 1:1 O"]
    assert sorted(map(write, truly)) == ["3/4Jo14/3 1:1 O", "3/4O5J8/3 1:1 O"]
    for number in wrong[1:]:
        with pytest.raises(NotationError, match="pieces in all here, 5 in this game"):
            parse(CASES[number - 1]["position"], variant("aj-sinaanil"))

"""How many ways each game can go on, depth by depth, against counts that are checked in.

``python -m tests.rules.test_goldens`` prints the lines anew; a change in them is a change of the rules.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from companion.rules.position import Position
from companion.rules.turns import Turn
from companion.rules.variant import Variant
from companion.rules.variants import VARIANTS
from tests.rules.games import game

GOLDENS = (Path(__file__).parents[1] / "data" / "move-counts.txt").read_text().splitlines()
LINES = [line for line in GOLDENS if line and not line.startswith("#")]


def count_lines(rules: Variant, depth: int) -> int:
    """The number of ways the first ``depth`` turns can go: each throw or pair of throws, and each of its results.

    A throw that cannot be used, or comes after the end, is one way: the turn is passed.
    """
    known: dict[tuple[Position, int], int] = {}
    throws = list(product(rules.values, repeat=rules.throws))

    def from_here(position: Position, left: int) -> int:
        if left == 0:
            return 1
        if (position, left) not in known:
            known[position, left] = sum(
                from_here(after, left - 1)
                for values in throws
                for after in Turn(position, values).results() or {position.passed()}
            )
        return known[position, left]

    return from_here(Position.start(rules), depth)


@pytest.mark.parametrize("line", LINES)
def test_ways_by_depth(line: str) -> None:
    """The game branches exactly as it did when its counts were checked."""
    words, _, counts = line.partition(":")
    expected = [int(count) for count in counts.split()]

    assert [count_lines(game(words), depth) for depth in range(1, len(expected) + 1)] == expected


def test_every_variant_has_counts() -> None:
    """A variant without counts would not be tested."""
    assert {line.partition(":")[0].split()[0] for line in LINES} == set(VARIANTS)


if __name__ == "__main__":
    for golden in LINES:
        words, _, counts = golden.partition(":")
        print(f"{words}:", *(count_lines(game(words), depth) for depth in range(1, len(counts.split()) + 1)))  # noqa: T201 - as a program

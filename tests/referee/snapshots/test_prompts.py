"""Moves in words."""

from __future__ import annotations

import pytest

from companion.referee.game_state import PlayedMove
from companion.referee.snapshots.prompts import move_text
from companion.rules.notation import parse
from companion.rules.turns import Turn
from companion.rules.variants import variant


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ("1/J1Ooojjj6/2 0:0 J", "move 1 to 3, capturing 3 and freeing 3"),
        ("4/J1Oo6/3 0:0 J", "move 1 to 3, capturing 2"),
        ("4/J8/5 0:0 J", "move 1 to 3"),
    ],
)
def test_pieces_taken_back_are_not_called_captured(position: str, words: str) -> None:
    """A captured stack brings captives and frees own pieces; both numbers are given."""
    before = parse(position, variant("puluc"))
    [step] = [step for step in Turn(before, (2,)).steps() if step.move.start == 1]

    assert move_text(PlayedMove.of(step, before)) == words

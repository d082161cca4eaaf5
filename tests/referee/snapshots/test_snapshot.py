"""What the snapshot says of a turn with two throws."""

from __future__ import annotations

import pytest

from companion.referee.events import GameStarted, ThrowEntered
from companion.referee.game_state import new_game
from companion.referee.reducer import apply
from companion.referee.snapshots.snapshot import render_snapshot
from companion.rules.unit import Side


@pytest.mark.parametrize(
    ("changes", "thrown", "together"),
    [
        ({}, (2, 3), ["5"]),
        ({}, (2, 2), ["4"]),
        ({"spaces": "5"}, (2, 4), ["obsidian"]),
        ({"spaces": "5", "far_end": "bounce"}, (2, 4), ["4"]),
        ({"spaces": "5", "far_end": "stop"}, (2, 4), []),
        ({}, (2,), []),
        ({"throws": "1"}, (2,), []),
    ],
)
def test_both_throws_together_lead_somewhere(
    changes: dict[str, str], thrown: tuple[int, ...], together: list[str]
) -> None:
    """Places that one unit reaches with both throws are told while both are left to use, whatever the far end does."""
    game = GameStarted(variant="aj-sayil", jade=("Ana",), obsidian=("Ben",), seed=1, changes=changes, begins=Side.JADE)
    state = new_game(game, 1)
    for number, marked in enumerate(thrown, 2):
        state = apply(state, ThrowEntered(marked), number)

    assert render_snapshot(9, state, game=1).together == together

"""The advice shown before it is decided who begins."""

from __future__ import annotations

import pytest

from companion.referee.advice_state import current_question
from companion.referee.events import GameStarted, ThrowEntered, ThrowSeen
from companion.referee.game_state import GameState, new_game
from companion.referee.reducer import apply
from companion.referee.snapshots.snapshot import render_snapshot


def throwing_off(**changes: str) -> GameState:
    """Jade has thrown 3, and the camera reads 2 for Obsidian."""
    game = GameStarted(variant="puluc", jade=("Ana",), obsidian=("Ben",), seed=1, changes=changes)
    state = apply(new_game(game, 1), ThrowEntered(3), 2)
    return apply(state, ThrowSeen(marked=2, confidence=0.9, lots=(), picture=None), 3)


def test_chances_are_even_until_it_is_decided_who_begins() -> None:
    """Neither side is assumed to begin, also while its throw is being confirmed."""
    state = throwing_off()
    advice = render_snapshot(3, state, game=1).advice

    assert state.phase == "reading"
    assert current_question(state) is None
    assert (advice.win, advice.jade, advice.source, advice.pending) == (0.5, 0.5, "exact", False)


@pytest.mark.parametrize(("fire", "win"), [("5", 0.5), ("2", None)])
def test_an_uneven_highway_has_no_even_chances(fire: str, win: float | None) -> None:
    """A fire nearer to one base favours a side, so no chance is shown before the game is analysed."""
    assert render_snapshot(3, throwing_off(fire=fire), game=1).advice.win == win

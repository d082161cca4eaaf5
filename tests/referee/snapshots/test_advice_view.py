"""The advice shown before it is decided who begins."""

from __future__ import annotations

import pytest

from companion.referee.advice_state import current_question
from companion.referee.events import GameStarted, ThrowEntered, ThrowSeen
from companion.referee.game_state import GameState, new_game
from companion.referee.reducer import apply
from companion.referee.snapshots.snapshot import render_snapshot


def throwing_off(*thrown: int, **changes: str) -> GameState:
    """So much was thrown, and the camera reads 2 for the next side."""
    game = GameStarted(variant="puluc", jade=("Ana",), obsidian=("Ben",), seed=1, changes=changes)
    state = new_game(game, 1)
    for number, marked in enumerate(thrown, 2):
        state = apply(state, ThrowEntered(marked), number)
    return apply(state, ThrowSeen(marked=2, confidence=0.9, lots=(), picture=None), 9)


@pytest.mark.parametrize("thrown", [(), (3, 3)])
def test_chances_are_even_while_neither_side_has_thrown(thrown: tuple[int, ...]) -> None:
    """Neither side is assumed to begin, also while its throw is being confirmed, and after equal throws."""
    state = throwing_off(*thrown)
    advice = render_snapshot(3, state, game=1).advice

    assert state.phase == "reading"
    assert current_question(state) is None
    assert (advice.win, advice.jade, advice.source, advice.pending) == (0.5, 0.5, "exact", False)


def test_no_chance_is_shown_once_one_side_has_thrown() -> None:
    """A high throw makes it likelier that its side begins, so the chances are even no longer."""
    assert render_snapshot(3, throwing_off(3), game=1).advice.win is None


@pytest.mark.parametrize(("fire", "win"), [("5", 0.5), ("2", None)])
def test_an_uneven_highway_has_no_even_chances(fire: str, win: float | None) -> None:
    """A fire nearer to one base favours a side, so no chance is shown before the game is analysed."""
    assert render_snapshot(3, throwing_off(fire=fire), game=1).advice.win == win

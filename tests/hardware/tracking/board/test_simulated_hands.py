"""Hands in the simulated room move what a person would: the computer's piece, and what was tapped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.referee.events import Confirmed, GameStarted, MoveChosen, ThrowEntered, Undone
from companion.referee.referee import Referee
from companion.rules.unit import Side
from companion.storage.store import Store
from hardware.cameras.simulated_board import BoardScene, SimulatedBoard
from hardware.tracking.board.simulated_hands import PAUSE_S, REACH_S, SimulatedHands


@pytest.fixture
def referee(tmp_path: Path) -> Iterator[Referee]:
    first = GameStarted(variant="puluc", jade=("Ana",), obsidian=("easy",), seed=1, begins=Side.JADE)
    referee = Referee(Store(tmp_path), first=first)
    yield referee
    referee.close()


def test_hands_follow_taps_and_the_computer(referee: Referee) -> None:
    """A hand comes after a pause and leaves the piece where it belongs; an undone move is put back."""
    board = SimulatedBoard(9, BoardScene.of(referee.state().position))
    hands, now = SimulatedHands(board, referee.state), 0.0

    def wait() -> tuple[list[bool], int | None]:
        """Whether the hand was seen, and the highest space with a piece."""
        nonlocal now
        seen = []
        for pause in (0.0, PAUSE_S + 0.01, REACH_S):
            now += pause
            hands.step(now)
            seen.append(board.scene.hand)
        taken = [at for at, stack in enumerate(board.scene.stacks, 1) if stack]
        return seen, max(taken, default=None)

    referee.submit(ThrowEntered(3))
    undecided = wait()
    referee.submit(MoveChosen(None, 3))
    tapped = wait()
    referee.submit(ThrowEntered(2))
    computer = wait()
    before = referee.state().phase
    referee.submit(Confirmed())
    for _ in range(4):
        referee.submit(Undone())

    assert undecided == ([False, False, False], None)
    assert tapped == ([False, True, False], 3)
    assert (computer, before) == (([False, True, False], 8), "move")
    assert wait()[1] is None

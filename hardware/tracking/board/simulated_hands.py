"""The hands that move drawn pieces in the simulated room: the computer player's, and what people tap."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from companion.referee.board.expected import expected_board
from companion.referee.game_state import GameState, Phase
from companion.rules.position import Position
from hardware.cameras.simulated_board import BoardScene, SimulatedBoard

PAUSE_S = 1.2
"""Seconds before a hand comes. Lower moves before people have read what is to be moved."""

REACH_S = 0.5
"""Seconds for which the hand is over the board."""


@dataclass(frozen=True, slots=True)
class _Task:
    position: Position
    since: float


class SimulatedHands:
    """Moves the pieces of a drawn board as somebody at the table would.

    table: ``Referee.state``.
    """

    def __init__(self, board: SimulatedBoard, table: Callable[[], GameState]) -> None:
        self._board, self._table = board, table
        self._task: _Task | None = None

    def step(self, now: float) -> None:
        """Do what is due. now: monotonic seconds."""
        wanted = self._wanted(self._table())
        scene = BoardScene.of(wanted)
        if scene == self._board.scene:
            self._task = None
        elif self._task is None or self._task.position.places != wanted.places:
            self._task = _Task(wanted, now)
        elif now - self._task.since > PAUSE_S + REACH_S:
            self._board.scene, self._task = scene, None
        elif now - self._task.since > PAUSE_S and not self._board.scene.hand:
            self._board.scene = replace(self._board.scene, hand=True)

    @staticmethod
    def _wanted(state: GameState) -> Position:
        """The position that the board should show."""
        results = expected_board(state).results if state.phase is Phase.MOVE and state.level is not None else ()
        return results[0] if len(results) == 1 else state.position

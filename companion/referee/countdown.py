"""The countdown after which a sure reading counts, the only move is made or the turn passes, all without a tap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.referee.game_state import GameState, Phase, ThrowSource
from companion.rules.position import Position

READ_S = 2.0
"""Seconds in which players can object. Longer delays every throw; shorter leaves no time to read the count."""

MOVE_S = 3.0
"""Seconds for an only move or a computer player's, which people have to understand and make on the board."""

BOARD_S = 1.5
"""Seconds for which a move that is seen on the board rests before it is taken. Longer delays every move; shorter, a
piece that is put down on its way is taken for moved, and corrected at once."""

Kind = Literal["throw", "move", "pass", "board"]


@dataclass(frozen=True, slots=True)
class Countdown:
    """An automatic action due at ``ends_at`` on the referee's clock, ``length_s`` seconds after the countdown began.

    step: the step of the game that it belongs to. kind: the reading counts, the only move is made, or the turn passes,
    or ``result``, which is seen on the board, is taken.
    """

    step: int
    kind: Kind
    length_s: float
    ends_at: float
    result: Position | None = None


def countdown_of(state: GameState, *, seen: Position | None = None, board: bool = False) -> tuple[Kind, float] | None:
    """The automatic action and its delay in seconds; None if players have to act.

    Only camera readings count down, never a count selected with the button. There is no countdown after an undo or an
    objection, or if the players chose to be asked.

    seen: the result to take from the board, if any. board: moves are awaited on the board, so none is made before.
    """
    if seen is not None:
        return "board", BOARD_S
    if state.options.ask or state.held or state.thinking:
        return None
    if state.phase is Phase.READING and state.throw is not None and state.throw.source is ThrowSource.CAMERA:
        return "throw", READ_S
    if state.phase is not Phase.MOVE:
        return None
    steps = state.steps()
    if not steps:
        return "pass", READ_S
    if len(steps) > 1 or board:
        return None
    return "move", MOVE_S


def next_countdown(
    state: GameState, running: Countdown | None, now: float, *, seen: Position | None = None, board: bool = False
) -> Countdown | None:
    """The countdown for that state: the running one if it still applies, else a new one that begins now.

    seen, board: as in ``countdown_of``.
    """
    due = countdown_of(state, seen=seen, board=board)
    if due is None:
        return None
    kind, length_s = due
    if running is not None and (running.step, running.kind, running.result) == (state.step, kind, seen):
        return running
    return Countdown(state.step, kind, length_s, now + length_s, seen)

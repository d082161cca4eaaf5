"""The countdown after which a sure reading counts, the only move is made or the turn passes, all without a tap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.referee.game_state import GameState, Phase, ThrowSource

READ_S = 2.0
"""Seconds in which players can object. Longer delays every throw; shorter, nobody can read what was counted."""

COMPUTER_S = 3.0
"""Seconds for a computer player's move, which people have to follow and make on the board."""

Kind = Literal["throw", "move", "pass"]


@dataclass(frozen=True, slots=True)
class Countdown:
    """An automatic action due at ``ends_at`` on the referee's clock, ``length_s`` seconds after the countdown began.

    step: the step of the game that it belongs to. kind: the reading counts, the only move is made, or the turn passes.
    """

    step: int
    kind: Kind
    length_s: float
    ends_at: float


def countdown_of(state: GameState) -> tuple[Kind, float] | None:
    """The automatic action and its delay in seconds; None if players have to act.

    Only camera readings count down, never a count selected with the button. There is no countdown after an undo or an
    objection, or if the players chose to be asked.
    """
    if state.options.ask or state.held or state.thinking:
        return None
    if state.phase is Phase.READING and state.throw is not None and state.throw.source is ThrowSource.CAMERA:
        return "throw", READ_S
    if state.phase is not Phase.MOVE:
        return None
    steps = state.steps()
    if not steps:
        return "pass", READ_S
    if len(steps) > 1:
        return None
    return "move", COMPUTER_S if state.level else READ_S


def next_countdown(state: GameState, running: Countdown | None, now: float) -> Countdown | None:
    """The countdown for that state: the running one if it still applies, else a new one that begins now."""
    due = countdown_of(state)
    if due is None:
        return None
    kind, length_s = due
    if running is not None and (running.step, running.kind) == (state.step, kind):
        return running
    return Countdown(state.step, kind, length_s, now + length_s)

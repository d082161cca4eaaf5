"""Actions that follow an event automatically: draw a throw, propose a move, play the only move."""

from __future__ import annotations

from random import Random

from companion.advice.levels import LEVELS
from companion.referee.events import Event, GameResumed, MoveChosen, MoveProposed, Passed, ThrowDrawn
from companion.referee.game_state import GameState, Phase


def next_action(state: GameState, event: Event) -> Event | None:
    """The event that follows automatically once ``event`` has led to ``state``; None if people have to act.

    Nothing follows an undo, or it would be redone at once, nor what comes after it without being a decision, such as a
    change of the camera. Expert's move does not follow either: ExpertWorker thinks outside the referee and submits it
    when it has decided.
    """
    waits = state.held and not isinstance(event, GameResumed)
    if state.phase in (Phase.THROW, Phase.THROW_OFF) and state.level and state.options.draw:
        return None if waits else draw_throw(state)
    if state.phase is not Phase.MOVE or state.chosen or state.thinking:
        return None
    steps = state.steps()
    if state.level and steps:
        assert state.turn is not None
        step = LEVELS[state.level](state.turn, _chance(state, "move")) if state.level in LEVELS else steps[0]
        return MoveProposed(step.move.start, step.move.to, step.value, str(step.move.unit))
    if not state.options.auto_move or state.options.ask or waits:
        return None
    if not steps:
        return Passed()
    if len(steps) > 1:
        return None
    [step] = steps
    return MoveChosen(step.move.start, step.move.to, step.value, str(step.move.unit))


def draw_throw(state: GameState) -> ThrowDrawn:
    """Draw a throw of four fair lots for a computer player."""
    chance = _chance(state, "throw")
    return ThrowDrawn(sum(chance.random() < 0.5 for _ in range(4)))


def _chance(state: GameState, what: str) -> Random:
    """A random generator for one choice, seeded by its place in the game.

    The seed does not depend on the event number: undoing and confirming a throw must not give another choice.
    """
    place = (len(state.opening), len(state.turns), len(state.thrown), len(state.made))
    return Random(f"{state.game.seed}:{what}:{place}")

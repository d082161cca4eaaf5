"""What the companion does by itself after something has happened: draw a throw, decide a move, spare a tap."""

from __future__ import annotations

from random import Random

from companion.advice.levels import LEVELS
from companion.referee.events import Event, MoveChosen, MoveProposed, Passed, ThrowDrawn, Undone
from companion.referee.table import Phase, Table


def following(table: Table, event: Event) -> Event | None:
    """What follows at once from ``event`` that led to ``table``; None where people have to act.

    After taking back, nothing is done again by itself: else nothing could be taken back. Expert's choice does not
    follow at once: it thinks outside the referee, and proposes when it has decided.
    """
    if table.phase in (Phase.THROW, Phase.THROW_OFF) and table.level and table.options.draw:
        return None if isinstance(event, Undone) else drawn(table)
    if table.phase is not Phase.MOVE or table.chosen or table.thinking:
        return None
    steps = table.steps()
    if table.level and steps:
        assert table.turn is not None
        step = LEVELS[table.level](table.turn, _chance(table, "move")) if table.level in LEVELS else steps[0]
        return MoveProposed(step.move.start, step.move.to, step.value, str(step.move.unit))
    if not table.options.auto_move or isinstance(event, Undone):
        return None
    if not steps:
        return Passed()
    if len(steps) > 1:
        return None
    [step] = steps
    return MoveChosen(step.move.start, step.move.to, step.value, str(step.move.unit))


def drawn(table: Table) -> ThrowDrawn:
    """A throw of four fair lots for the companion's own player."""
    chance = _chance(table, "throw")
    return ThrowDrawn(sum(chance.random() < 0.5 for _ in range(4)))


def _chance(table: Table, what: str) -> Random:
    """Chance of its own for each choice of a game, by its place in the game.

    Not by the event: taking a throw back and confirming it again must not fish for another choice.
    """
    place = (len(table.opening), len(table.story), len(table.thrown), len(table.made))
    return Random(f"{table.game.seed}:{what}:{place}")

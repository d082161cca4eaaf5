"""Randomly played games, as lists of events."""

from __future__ import annotations

from random import Random

from companion.referee.events import Event, GameStarted, MoveChosen, Passed, ThrowEntered
from companion.referee.game_state import Phase, new_game
from companion.referee.reducer import apply
from companion.rules.unit import Side


def random_game(
    words: str = "puluc spaces=5 pieces=2",
    *,
    seed: int = 5,
    jade: tuple[str, ...] = ("Mia",),
    obsidian: tuple[str, ...] = ("Ben",),
    begins: Side | None = None,
    turns: int = 1000,
) -> list[Event]:
    """The events of a random game from its start until it ends or ``turns`` are played. A seed repeats its game."""
    name, *changes = words.split()
    changed = dict(change.split("=") for change in changes)
    events: list[Event] = [
        GameStarted(variant=name, jade=jade, obsidian=obsidian, seed=seed, changes=changed, begins=begins)
    ]
    assert isinstance(events[0], GameStarted)
    table, chance = new_game(events[0], 1), Random(seed)
    while table.phase is not Phase.OVER and len(table.turns) < turns:
        if table.phase is not Phase.MOVE:
            event: Event = ThrowEntered(sum(chance.random() < 0.5 for _ in range(4)))
        elif steps := table.steps():
            step = chance.choice(steps)
            event = MoveChosen(step.move.start, step.move.to, step.value, str(step.move.unit))
        else:
            event = Passed()
        events.append(event)
        table = apply(table, event, len(events))
    return events

"""Whole games as the events that make them, played by chance."""

from __future__ import annotations

from random import Random

from companion.referee.course import after
from companion.referee.events import Event, GameStarted, MoveChosen, Passed, ThrowEntered
from companion.referee.table import Phase, opened
from companion.rules.unit import Side


def finished(
    words: str = "puluc spaces=5 pieces=2",
    *,
    seed: int = 5,
    jade: tuple[str, ...] = ("Mia",),
    obsidian: tuple[str, ...] = ("Ben",),
    begins: Side | None = None,
    turns: int = 1000,
) -> list[Event]:
    """The events of a game, its start first, until it is over or so many turns are played; the same for each seed."""
    name, *changes = words.split()
    changed = dict(change.split("=") for change in changes)
    events: list[Event] = [
        GameStarted(variant=name, jade=jade, obsidian=obsidian, seed=seed, changes=changed, begins=begins)
    ]
    assert isinstance(events[0], GameStarted)
    table, chance = opened(events[0], 1), Random(seed)
    while table.phase is not Phase.OVER and len(table.story) < turns:
        if table.phase is not Phase.MOVE:
            event: Event = ThrowEntered(sum(chance.random() < 0.5 for _ in range(4)))
        elif steps := table.steps():
            step = chance.choice(steps)
            event = MoveChosen(step.move.start, step.move.to, step.value, str(step.move.unit))
        else:
            event = Passed()
        events.append(event)
        table = after(table, event, len(events))
    return events

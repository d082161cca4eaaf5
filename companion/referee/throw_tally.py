"""Counts accepted throws, once each, for the statistics of each set of lots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from companion.advice.stick_statistics import Counts
from companion.errors import CompanionError
from companion.referee.events import CountdownEnded, Event, Face, GameResumed, GameStarted, Undone
from companion.referee.game_state import GameState, Throw, ThrowSource
from companion.referee.reducer import OptionsAt, replayed_states

SIMULATED = "simulated"
"""The name of the simulated camera's set of lots."""


class CountSource(StrEnum):
    """Where the count comes from: the camera (corrected or not), a person alone, or the companion's draw."""

    CAMERA = "camera"
    HAND = "hand"
    DRAWN = "drawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedThrow:
    """An accepted throw.

    number: of the event that brought it; a throw keeps it when corrected, or undone and accepted again.
    sticks: the set of lots that the camera read; empty if unknown, None if the count is not the camera's.
    fresh: False if the throw is only to be updated where it is counted already.
    picture: the number of the event with its picture, or None.
    faces: of the lots in that picture, if a person labelled each.
    """

    number: int
    sticks: str | None
    teller: CountSource
    marked: int
    fresh: bool = True
    picture: int | None = None
    faces: tuple[Face, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowTally:
    """How often each count was thrown, with one set of lots or as entered without the camera.

    first, last: times of the first and the last throw, in UTC. newest: the number of the last.
    """

    sticks: str | None
    teller: CountSource
    counts: Counts
    first: str
    last: str
    newest: int


def counted_throw(before: GameState, event: Event, now: GameState) -> CountedThrow | None:
    """The throw that ``event`` added to the count or corrected; None if it did neither.

    An undone throw was still thrown and stays counted. A reading that nobody accepts never counts. One that the
    countdown accepted counts, but labels no picture: silence does not say that the faces are right.
    """
    if isinstance(event, GameStarted | GameResumed):
        return None
    if now.thrown:
        throw = now.thrown[-1]
    elif len(now.opening) > len(before.opening):
        throw = now.opening[-1][1]
    else:
        return None
    if throw in before.thrown[-1:]:
        return None
    return CountedThrow(
        number=throw.number,
        sticks=throw.sticks,
        teller=_teller(throw),
        marked=throw.marked,
        fresh=not isinstance(event, Undone),
        picture=throw.evidence.picture if throw.evidence and not isinstance(event, CountdownEnded) else None,
        faces=throw.faces,
    )


def counted_throws(events: Iterable[tuple[int, Event]], options_at: OptionsAt) -> Iterator[CountedThrow]:
    """The throws to count in a game, from its numbered events, as far as the events can be replayed.

    An imported game, which has seed 0, was thrown at another table and counts nothing.
    """
    before: GameState | None = None
    try:
        for event, state in replayed_states(events, options_at):
            if state.game.seed == 0:
                return
            found = counted_throw(before or state, event, state)
            if found:
                yield found
            before = state
    except CompanionError:
        # An older version allowed this event. The throws before it still count.
        return


def _teller(throw: Throw) -> CountSource:
    if throw.sticks is not None:
        return CountSource.CAMERA
    return CountSource.DRAWN if throw.source is ThrowSource.DRAWN else CountSource.HAND

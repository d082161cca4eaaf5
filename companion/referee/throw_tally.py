"""Which throws count towards how the lots fall: each throw that was thrown, once, as its players accepted it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from companion.advice.sticks import Counts
from companion.errors import CompanionError
from companion.referee.course import after
from companion.referee.events import Event, Face, GameResumed, GameStarted, Undone
from companion.referee.table import Source, Table, Throw, opened

SIMULATED = "simulated"
"""The set of lots that the simulated camera throws."""


class Teller(StrEnum):
    """Who told the count: the camera, whether or not a person put it right; a person alone; or the companion, which
    drew it and threw nothing."""

    CAMERA = "camera"
    HAND = "hand"
    DRAWN = "drawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A throw that was accepted.

    number: of the event that brought it; the throw keeps it when it is put right, or taken back and accepted again.
    sticks: the set of lots that the camera read; empty where that was not noted, None where it was not the camera.
    fresh: False where the throw is only to be put right if it is counted already.
    picture: the number of the event with the picture that shows it; None where no picture does.
    faces: those of the lots seen there, where a person told each.
    """

    number: int
    sticks: str | None
    teller: Teller
    marked: int
    fresh: bool = True
    picture: int | None = None
    faces: tuple[Face, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How often each count came, of one set of lots or of what was told without the camera.

    first, last: when the first and the last of these throws were told, in UTC. newest: the number of the last.
    """

    sticks: str | None
    teller: Teller
    counts: Counts
    first: str
    last: str
    newest: int


def counted(before: Table, event: Event, now: Table) -> Counted | None:
    """The throw that ``event`` made count, or count otherwise; None where it did neither.

    A throw that is taken back was thrown all the same and stays counted. A reading that nobody accepts never is.
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
    return Counted(
        number=throw.number,
        sticks=throw.sticks,
        teller=_teller(throw),
        marked=throw.marked,
        fresh=not isinstance(event, Undone),
        picture=throw.evidence.picture if throw.evidence else None,
        faces=throw.faces,
    )


def counted_in(events: Iterable[tuple[int, Event]]) -> Iterator[Counted]:
    """The throws that count in the numbered events of a game, its start first, as far as they can still be played.

    Nothing counts in a game brought in as a record, which is known by its seed: it was thrown at another table.
    """
    table: Table | None = None
    for number, event in events:
        try:
            if table is None:
                assert isinstance(event, GameStarted)
                if event.seed == 0:
                    return
                table = opened(event, number)
                continue
            now = after(table, event, number)
        except CompanionError:
            # What an older program allowed and this one does not. The throws before it did happen.
            return
        found = counted(table, event, now)
        if found:
            yield found
        table = now


def _teller(throw: Throw) -> Teller:
    if throw.sticks is not None:
        return Teller.CAMERA
    return Teller.DRAWN if throw.source is Source.DRAWN else Teller.HAND

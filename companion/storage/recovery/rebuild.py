"""Builds a fresh store from events found elsewhere, each validated and played as if it happened now."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from companion.referee.events import (
    Event,
    GameDeleted,
    GameRenamed,
    GameResumed,
    GameStarted,
    OptionsSet,
    ScoresReset,
    ThrowDrawn,
    ThrowSeen,
    ThrowUnreadable,
)
from companion.referee.game_state import AS_FIRST_SET_UP, GameState, new_game
from companion.referee.reducer import apply
from companion.referee.saved_games import SavedGame, saved_game
from companion.referee.throw_tally import CountedThrow, counted_throw
from companion.storage.event_json import parse_event
from companion.storage.store import Store

LONGEST_BODY = 256 * 1024
"""Longest JSON of an event, in characters. The longest real ones, of readings with many outlines, have some 3,000."""
STEP = 50
"""Events between two checks of the clock, some 10 ms."""
LARGEST_PICTURE = 4 * 1024**2
LARGEST_NUMBER = 2**53
JPEG = b"\xff\xd8"
OF_THE_TABLE = OptionsSet | ScoresReset | GameRenamed | GameDeleted
"""Events that change no game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """An event as it was found. game: the number of its game's first event; None if an old file does not say."""

    number: int
    at: str
    kind: str
    body: str
    game: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The events found in another file.

    rows: in ascending order of their numbers.
    picture: returns the JPEG of an event, or None.
    kept: the pictures that have already become cases.
    """

    rows: Iterable[Row]
    picture: Callable[[int], bytes | None]
    kept: Collection[int] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt:
    """The contents of a rebuilt store.

    games: their number, including those cut short. cut: how many of them end early, because later events are missing or
    cannot be played. lost: games whose start is missing. newest: the time of the last event, in UTC.
    """

    games: int
    events: int
    cut: int = 0
    lost: int = 0
    newest: str = ""


Write = Callable[[int, str, SavedGame, Event, CountedThrow | None], object]


class InvalidContent(ValueError):
    """The events found are not valid. The message names the event, or the fault of the file."""


def rebuild(found: Found, folder: Path, *, partial: bool = False, until: float = float("inf")) -> Rebuilt:
    """Write the events into a new store in ``folder``; otherwise as ``validate``."""
    with closing(Store(folder)) as store, store.importing() as write:
        rebuilt = validate(found, write, partial=partial, until=until)
        store.throws.mark_cases_kept(found.kept)
    return rebuilt


def validate(
    found: Found, write: Write = lambda *_: None, *, partial: bool = False, until: float = float("inf")
) -> Rebuilt:
    """Validate every event, play it, and hand it on to ``write`` with what follows from it.

    Lists, scores, throw counts and labelled readings are derived anew from the events, never copied.

    Parameters
    ----------
    write : callable
        Takes number, time, entry of the game, event, and the throw that counts by it.
    partial : bool
        Keep each game up to its first event that is missing or cannot be played, rather than refuse the whole file.
    until : float
        Monotonic seconds at which to give up.

    Raises
    ------
    InvalidContent
        An event is not valid, not in order, or does not fit the game so far; never with ``partial``.
    TimeoutError
        It was not done in time.
    """
    replaying = Replay(found, write, partial=partial)
    for _step in replaying.steps():
        if time.monotonic() > until:
            raise TimeoutError
    return replaying.result()


class Replay:
    """Replays the events, a few at a time. Otherwise as ``validate``."""

    def __init__(self, found: Found, write: Write = lambda *_: None, *, partial: bool = False) -> None:
        self._found, self._write, self._partial = found, write, partial
        self._states: dict[int, GameState] = {}
        self._started: dict[int, str] = {}
        self._closed: set[int] = set()
        self._cut: set[int] = set()
        self._lost: set[int] = set()
        self._current = self._last = self._events = 0
        self._newest = ""
        self._options = AS_FIRST_SET_UP

    def steps(self) -> Iterator[None]:
        """Replay everything; yields every STEP events."""
        for place, row in enumerate(self._found.rows):
            if self._partial:
                self._salvage(row)
            else:
                self._accept(row)
            if place % STEP == 0:
                yield

    def result(self) -> Rebuilt:
        """The contents taken over so far."""
        return Rebuilt(
            games=len(self._states),
            events=self._events,
            cut=len(self._cut),
            lost=len(self._lost - self._states.keys()),
            newest=self._newest,
        )

    def _accept(self, row: Row) -> None:
        try:
            played = self._played(row)
        except TimeoutError:
            raise
        except Exception as error:  # whatever a foreign event breaks in the rules, the answer is the same
            raise InvalidContent(f"event {row.number} ({row.kind[:40]}): {str(error)[:200]}") from error
        self._take(row, *played)

    def _salvage(self, row: Row) -> None:
        if row.number != self._last + 1:
            # Any game may have gone on in the gap, so none that began before it can be trusted to go on after it.
            self._closed |= self._states.keys()
            self._cut |= self._states.keys() & {self._current}
        try:
            event, game, state, throw = self._played(row)
        except Exception:  # as above
            self._drop(row, self._current if row.game is None else row.game)
            return
        if game in self._closed and not isinstance(event, OF_THE_TABLE):
            self._drop(row, game)
            return
        self._take(row, event, game, state, throw)

    def _drop(self, row: Row, game: int) -> None:
        self._last, self._current = max(self._last, row.number), game
        if game in self._states:
            self._closed.add(game)
            self._cut.add(game)
        else:
            self._lost.add(game)

    def _played(self, row: Row) -> tuple[Event, int, GameState, CountedThrow | None]:
        if not self._last < row.number <= LARGEST_NUMBER or len(row.body) > LONGEST_BODY:
            raise ValueError("it is out of order or too long")
        datetime.fromisoformat(row.at)
        event = self._with_picture(parse_event(row.kind, row.body), row.number)
        match event:
            case GameStarted():
                game = row.number
            case GameResumed():
                game = event.game
            case _:
                game = row.game if self._partial and row.game is not None else self._current
        if row.game not in (None, game):
            raise ValueError("it belongs to another game")
        if isinstance(event, GameStarted):
            self._started[game] = row.at
            return event, game, new_game(event, row.number, options=self._options), None
        before = self._states[game]
        state = apply(before, event, row.number)
        if isinstance(event, GameResumed):
            state = replace(state, options=self._options)
        # Copied turns are stored together with the start, and their throws counted where they fell. Drawn ones are new.
        copied = row.at == self._started[game] and not isinstance(event, ThrowDrawn)
        throw = None if copied else counted_throw(before, event, state)
        return event, game, state, throw

    def _with_picture(self, event: Event, number: int) -> Event:
        if not isinstance(event, ThrowSeen | ThrowUnreadable) or event.picture is None:
            return event
        jpeg = self._found.picture(number) or b""
        if not jpeg.startswith(JPEG) or len(jpeg) > LARGEST_PICTURE:
            jpeg = b""
        return replace(event, picture=replace(event.picture, jpeg=jpeg))

    def _take(self, row: Row, event: Event, game: int, state: GameState, throw: CountedThrow | None) -> None:
        self._states[game] = state
        self._last, self._current = row.number, game
        if isinstance(event, OptionsSet):
            self._options = event.options
        self._events, self._newest = self._events + 1, row.at
        self._write(row.number, row.at, saved_game(state, game), event, throw)

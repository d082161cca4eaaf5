"""What an event leads to: the events to store with it, the throws to count, and the state of the game after them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from companion.errors import CompanionError, NotAllowed, StoreDamaged, Unknown
from companion.i18n import _
from companion.referee.auto_actions import draw_throw, next_action
from companion.referee.events import (
    Confirmed,
    Event,
    GameAgain,
    GameDeleted,
    GameRenamed,
    GameResumed,
    GameStarted,
    Options,
    OptionsSet,
    Resigned,
)
from companion.referee.game_state import AS_FIRST_SET_UP, GameState, Phase, check_all_playable, decidable, next_game
from companion.referee.reducer import OptionsAt, apply, replay
from companion.referee.throw_tally import CountedThrow, counted_throw
from companion.storage.store import Store


@dataclass(frozen=True, slots=True)
class Consequences:
    """game: that is on the table from then on, in that state. events: all to store. thrown: the throws to count."""

    game: int
    state: GameState
    events: list[Event] = field(default_factory=list)
    thrown: list[CountedThrow] = field(default_factory=list)


def consequences_of(
    events: Sequence[Event], *, store: Store, number: int, game: int, state: GameState, seeds: Callable[[], int]
) -> Consequences:
    """What follows from events that come right after each other, with the automatic ones after them.

    Only the first one may change the game that is on the table. number: the first event's. game: now on the table, in
    that state. Raises a CompanionError if one of the events is not allowed; nothing is stored here.
    """
    event, *coming = events
    table = state
    match event:
        case GameAgain():
            event = decidable(next_game(state, seeds(), number))
            if event.match and any(one.match == event.match and one.number > game for one in store.games()):
                raise NotAllowed(_("The next game of this match has already been started. Resume it in “Saved games”."))
            game = number
        case GameStarted():
            check_all_playable(event)
            event = decidable(replace(event, match=number) if event.evening and not event.match else event)
            game = number
        case GameResumed():
            check_listed(store, event.game)
            state = replayed(store, event.game) if event.game != game else state
            state = replace(state, camera=table.camera, options=table.options)
            game = event.game
        case GameRenamed():
            check_listed(store, event.game)
            if not 1 <= len(event.name.strip()) <= 100 or not event.name.isprintable():
                raise Unknown(_("A game's name can have 1 to 100 characters."))
        case GameDeleted():
            check_listed(store, event.game)
            if event.game == game:
                raise NotAllowed(
                    _("This game is on the table. Start or resume another game first, then delete this one.")
                )
        case Resigned() if state.throw_off is not None:
            # The reducer accepts it, because games that were given up so early are stored.
            raise NotAllowed(_("The game has not begun, so nobody can resign. Start a new game instead."))
        case Confirmed() if state.phase in (Phase.THROW, Phase.THROW_OFF) and state.level and state.options.draw:
            event = draw_throw(state)
    happened: list[Event] = []
    thrown: list[CountedThrow] = []
    next_: Event | None = event
    while next_ is not None:
        before, state = state, apply(state, next_, number + len(happened))
        happened.append(next_)
        found = counted_throw(before, next_, state)
        thrown += [found] if found else []
        next_ = coming.pop(0) if coming else next_action(state, next_)
    return Consequences(game, state, happened, thrown)


def check_listed(store: Store, game: int) -> None:
    """Raise Unknown if no saved game has that number."""
    if all(entry.number != game for entry in store.games()):
        raise Unknown(_("There is no saved game number {game}.", game=game))


def options_in(store: Store) -> OptionsAt:
    """The table's options at each of its events."""

    def options_at(number: int) -> Options:
        newest = store.newest(OptionsSet, before=number)
        return newest.options if newest else AS_FIRST_SET_UP

    return options_at


def replayed(store: Store, game: int) -> GameState:
    """The current state of a stored game. Raises StoreDamaged if its events cannot be replayed."""
    try:
        return replay(store.game(game), options_in(store))
    except StoreDamaged:
        raise
    except (CompanionError, AssertionError, LookupError, ValueError, TypeError) as error:
        raise StoreDamaged(
            _("Game {number} in '{folder}' is damaged: {why}", number=game, folder=store.folder, why=str(error)),
            store.folder,
        ) from error

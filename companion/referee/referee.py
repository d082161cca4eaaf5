"""The one door into the game: an event goes in, it is written down, a numbered snapshot comes out."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Condition

from companion.errors import NotNow, Unknown
from companion.referee.advice_view import advice_view
from companion.referee.counsel import Advice, Counsel, Question, Solving, asked, gone_on, unjudged
from companion.referee.course import after, replayed
from companion.referee.events import (
    Begins,
    Confirmed,
    Event,
    GameAgain,
    GameDeleted,
    GameRenamed,
    GameResumed,
    GameStarted,
    OptionsSet,
)
from companion.referee.follow import drawn, following
from companion.referee.library import Entry, Score, entry_of, scores_of, told
from companion.referee.snapshot import Snapshot, snapshot_of
from companion.referee.store import Store
from companion.referee.table import Phase, Table, agreed, opened
from companion.referee.tally import Counted, Tally, counted, counted_in
from companion.referee.verdict import Verdict
from companion.referee.versions import Versions
from companion.rules.unit import Side
from companion.words import ENGLISH, _, speaking


def new_seed() -> int:
    """A seed for the chance of one game, different each time."""
    return secrets.randbits(32)


class Referee:
    """Keeps the games of one table. Any thread may call it; one lock orders all that happens.

    first: the game to start where the store holds none yet; written down with the first event, so that a start that
        came to nothing leaves nothing behind.
    seeds: where a game that is started again takes its seed from.
    advised: whether somebody will ``advise``; where nobody does, nobody is told to wait for advice.
    """

    def __init__(
        self, store: Store, *, first: GameStarted, seeds: Callable[[], int] = new_seed, advised: bool = False
    ) -> None:
        self._store, self._seeds = store, seeds
        self._changed = Condition()
        self._subscribers: list[Callable[[], None]] = []
        for start in store.unlisted():
            store.list_anew(entry_of(replayed(store.game(start)), start))
        for start in store.uncounted():
            store.count_anew(start, list(counted_in(store.game(start))))
        self._unwritten: list[Event] = [] if store.last else [first]
        self._game = store.current() or 1
        self._table = replayed(store.game(self._game)) if store.last else opened(first, self._game)
        options = store.newest(OptionsSet)
        if options:
            self._table = replace(self._table, options=options.options)
        self._counsel = Counsel(advised=advised)
        self._told = self._shown(self._table)

    def table(self) -> Table:
        """The table as it is now, for parts of this program that watch it."""
        return self._table

    def snapshot(self) -> Snapshot:
        """All that a page or a lamp may show, complete, in the language of the present context."""
        with self._changed:
            return self._told.now()

    def newer(self, seen: Snapshot | None, timeout: float) -> Snapshot | None:
        """The newest snapshot, in the present language, once it says something else than ``seen``, whatever language
        that was in; None after ``timeout`` seconds without one.
        """
        with self._changed:
            if self._changed.wait_for(lambda: not _same(self._told.english, seen), timeout):
                return self._told.now()
            return None

    def subscribe(self, changed: Callable[[], None]) -> Callable[[], None]:
        """Have ``changed`` called after every change; answers how to have it called no more.

        It is called on the thread that changed something, which waits for it: it may take note, and do no more.
        """
        with self._changed:
            self._subscribers.append(changed)

        def unsubscribe() -> None:
            with self._changed:
                self._subscribers.remove(changed)

        return unsubscribe

    def advise(self, advice: Advice) -> None:
        """Show that advice beside the table, unless that asks something else by now. It is no event."""
        with self._changed:
            if advice.about == asked(self._table):
                self._reveal(replace(self._counsel, advice=advice))
            elif advice.about == unjudged(self._counsel, self._table):
                self._reveal(replace(self._counsel, past=advice))

    def unjudged(self) -> Question | None:
        """What is to be found out about the last choice, so that players can be told what it was worth."""
        with self._changed:
            return unjudged(self._counsel, self._table)

    def tell_solving(self, solving: Solving | None) -> None:
        """Show how far the exact table of a game is; None where no game is being solved."""
        with self._changed:
            self._reveal(replace(self._counsel, solving=solving))

    def picture(self, number: int) -> bytes | None:
        """The JPEG the event of that number came with, or None."""
        with self._changed:
            return self._store.picture(number)

    def games(self) -> list[Entry]:
        """The saved games, the one played last first, those without a name of their own called so in the present
        language.
        """
        with self._changed:
            return list(map(told, self._store.games()))

    def saved(self, game: int) -> Table:
        """A saved game as it stands, with this table's options. Raises Unknown where there is none of that number."""
        with self._changed:
            if game == self._game:
                return self._table
            self._listed(game)
            return replace(replayed(self._store.game(game)), options=self._table.options)

    def scores(self) -> list[Score]:
        """The scores since they were last reset."""
        with self._changed:
            return scores_of(self._store.finished())

    def tallies(self) -> list[Tally]:
        """How often each count came, of each set of lots; the set thrown last first."""
        with self._changed:
            return self._store.tallies()

    def verdict(self) -> Verdict | None:
        """What players said of the oldest reading of which nobody has made a case yet, or None."""
        with self._changed:
            return self._store.verdict()

    def settle(self, verdict: Verdict) -> None:
        """That verdict is dealt with. Raises NotKept."""
        with self._changed:
            self._store.settle(verdict)

    def submit(self, event: Event, *, seen: int | None = None) -> Snapshot:
        """Let ``event`` happen, and answer what is so then. On disk before this returns.

        seen: the step its sender had before its eyes; where the game has gone on since, it is refused.
        Raises a CompanionError where the event does not fit, or cannot be written down; then nothing has changed.
        """
        with self._changed:
            self._still(seen)
            return self._happen(self._consequences(event))

    def bring(self, events: Sequence[Event], *, seen: int | None = None) -> Snapshot:
        """Put a whole recorded game, its start first, on the table and on the list, or nothing of it.

        seen: as in ``submit``. Raises a CompanionError where one of the events does not fit.
        """
        with self._changed:
            self._still(seen)
            started, *rest = events
            assert isinstance(started, GameStarted)
            table = after(self._table, started, self._number + 1)
            for number, event in enumerate(rest, self._number + 2):
                table = after(table, event, number)
            # It was thrown at another table, so none of its throws count here.
            return self._happen((self._number + 1, list(events), [], table))

    def copy(self, to: Path) -> None:
        """Write all games into a new file; the table waits meanwhile. Raises NotKept."""
        with self._changed:
            self._store.copy(to)

    def _still(self, seen: int | None) -> None:
        """Raises NotNow where the game has gone on since that step."""
        if seen is not None and seen != self._table.step:
            raise NotNow(_("The game has gone on since you looked. See what is so now, and tap again."))

    @property
    def _number(self) -> int:
        """That of the newest event, written or not."""
        return self._store.last + len(self._unwritten)

    def close(self) -> None:
        with self._changed:
            self._store.close()

    def _happen(self, consequences: tuple[int, list[Event], list[Counted], Table]) -> Snapshot:
        game, happened, thrown, table = consequences
        if self._unwritten:
            self._store.append(self._unwritten, entry_of(self._table, self._game))
            self._unwritten = []
        self._store.append(happened, entry_of(table, game), thrown)
        self._game, self._table = game, table
        self._counsel = gone_on(self._counsel, table)
        self._told = self._shown(table)
        self._notify()
        return self._told.now()

    def _reveal(self, counsel: Counsel) -> None:
        """Put what became known into the snapshot, as a further revision of it, if that makes a difference."""
        self._counsel = counsel
        old = self._told.english
        with speaking(ENGLISH):
            known = advice_view(self._table, counsel)
        if known != old.advice:
            self._told = self._shown(self._table, revision=old.revision + 1)
            self._notify()

    def _notify(self) -> None:
        self._changed.notify_all()
        for changed in self._subscribers:
            changed()

    def _shown(self, table: Table, *, revision: int = 0) -> Versions:
        match = scores_of(self._store.finished(match=table.game.match)) if table.game.match else []
        number, game, counsel = self._number, self._game, self._counsel
        return Versions(lambda: snapshot_of(number, table, revision=revision, game=game, match=match, counsel=counsel))

    def _consequences(self, event: Event) -> tuple[int, list[Event], list[Counted], Table]:
        """The game it happens in, the event as it is written down with all that follows from it, what throws count by
        them, and the table then."""
        number, game, table = self._number + 1, self._game, self._table
        match event:
            case GameAgain():
                event = _again(table, self._seeds(), number)
                game = number
            case GameStarted():
                _all_playable(event)
                event = replace(event, match=number) if event.evening and not event.match else event
                game = number
            case GameResumed():
                self._listed(event.game)
                table = replayed(self._store.game(event.game)) if event.game != game else table
                table = replace(table, camera=self._table.camera, options=self._table.options)
                game = event.game
            case GameRenamed():
                self._listed(event.game)
                if not 1 <= len(event.name.strip()) <= 100 or not event.name.isprintable():
                    raise Unknown(_("A game's name is 1 to 100 letters."))
            case GameDeleted():
                self._listed(event.game)
                if event.game == game:
                    raise NotNow(_("This game is on the table. Start or resume another one, then delete it."))
            case Confirmed() if table.phase in (Phase.THROW, Phase.THROW_OFF) and table.level and table.options.draw:
                event = drawn(table)
        happened: list[Event] = []
        thrown: list[Counted] = []
        next_: Event | None = event
        while next_ is not None:
            before, table = table, after(table, next_, number + len(happened))
            happened.append(next_)
            found = counted(before, next_, table)
            thrown += [found] if found else []
            next_ = following(table, next_)
        return game, happened, thrown, table

    def _listed(self, game: int) -> None:
        if all(entry.number != game for entry in self._store.games()):
            raise Unknown(_("There is no saved game number {game}.", game=game))


def _same(one: Snapshot, other: Snapshot | None) -> bool:
    return other is not None and (one.number, one.revision) == (other.number, other.revision)


def _again(table: Table, seed: int, number: int) -> GameStarted:
    """The next game between the same players. Raises NotNow while this one goes on."""
    if table.phase is not Phase.OVER:
        raise NotNow(_("This game is not over yet. To leave it, choose a new game on the page."))
    game = replace(table.game, seed=seed, begins=_begins(table))
    if not game.evening:
        return game
    round_ = (game.round + 1) % len(game.evening)
    return replace(game, variant=game.evening[round_], round=round_, match=game.match if round_ else number, changes={})


def _begins(table: Table) -> Side | None:
    winner = table.winner()
    if winner is None or table.options.begins is Begins.THROW_OFF:
        return None
    return winner if table.options.begins is Begins.WINNER else winner.other


def _all_playable(game: GameStarted) -> None:
    """Raises Unknown where a later game of the match is not for these players: better now than in mid-evening."""
    for variant in game.evening:
        agreed(replace(game, variant=variant, changes={}))

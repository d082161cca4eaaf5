"""The single entry point to the game: takes an event, stores it, and publishes a numbered snapshot."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Condition

from companion.advice.adviser import TurnAdvice
from companion.errors import CompanionError, NotAllowed
from companion.i18n import ENGLISH, _, use_language
from companion.referee.advice_state import (
    AdviceState,
    Question,
    SolvingProgress,
    current_question,
    unanswered_choice,
)
from companion.referee.board.board_watch import BoardWatch, board_answers_confirm
from companion.referee.board.expected import events_to
from companion.referee.board.sightings import BoardSighting
from companion.referee.consequences import Consequences, check_listed, consequences_of, options_in, replayed
from companion.referee.countdown import Countdown, next_countdown
from companion.referee.events import (
    CameraChanged,
    Confirmed,
    CountdownEnded,
    Event,
    GameStarted,
    OptionsSet,
    ReadingDoubted,
    ThrowEntered,
    Undone,
)
from companion.referee.game_state import GameState, Phase, decidable, new_game
from companion.referee.labelled_reading import LabelledReading
from companion.referee.last_step import LastStep
from companion.referee.saved_games import SavedGame, Score, localized, saved_game, scores_of
from companion.referee.snapshots.advice_view import advice_view
from companion.referee.snapshots.localized_snapshot import LocalizedSnapshot
from companion.referee.snapshots.snapshot import Snapshot, render_snapshot, with_time_left
from companion.referee.throw_tally import ThrowTally, counted_throws
from companion.rules.position import Position
from companion.storage.store import Store

log = logging.getLogger("puluc")

WAIT_S = 0.5
"""Longest wait of one step for a change at the table, in seconds. Stopping the companion takes up to this long."""


def new_seed() -> int:
    """A random seed for the random choices of one game."""
    return secrets.randbits(32)


class Referee:
    """Runs the games of one table. Thread-safe: one lock serialises all changes.

    first: the game to start if the store is empty. It is stored together with the first event, so that a failed start
        leaves no trace.
    seeds: makes the seed of a game that is started again.
    advised: whether an adviser runs. Without one, players are not asked to wait for advice.
    """

    def __init__(
        self, store: Store, *, first: GameStarted, seeds: Callable[[], int] = new_seed, advised: bool = False
    ) -> None:
        self._store, self._seeds = store, seeds
        self._changed = Condition()
        self._subscribers: list[Callable[[], None]] = []
        try:
            first = decidable(first)
            self._unwritten: list[Event] = [] if store.last else [first]
            for start in store.unlisted_games():
                store.add_to_list(saved_game(replayed(store, start), start))
            for start in store.throws.uncounted_games():
                store.throws.count_uncounted(start, list(counted_throws(store.game(start), options_in(store))))
            self._game = store.current() or 1
            self._state = replayed(store, self._game) if store.last else new_game(first, self._game)
            options = store.newest(OptionsSet)
        except BaseException:  # whatever it was, the games stay free for whoever mends them
            store.close()
            raise
        if options:
            self._state = replace(self._state, options=options.options)
        self._advice = AdviceState(advised=advised)
        self._clock: Callable[[], float] | None = None
        self._countdown: Countdown | None = None
        self._last_step: LastStep | None = None
        self._board: BoardWatch | None = None
        self._board_camera: CameraChanged | None = None
        self._localized = self._shown(self._state)

    def state(self) -> GameState:
        """The current state of the game, for other parts of the program."""
        return self._state

    def snapshot(self) -> Snapshot:
        """The current snapshot, in the context's language."""
        with self._changed:
            return self._present()

    def newer(self, seen: Snapshot | None, timeout: float) -> Snapshot | None:
        """Wait until the snapshot differs from ``seen``, in whatever language, and return it in the context's language.

        Returns None after ``timeout`` seconds without a change.
        """
        with self._changed:
            if self._changed.wait_for(lambda: not _same(self._localized.english, seen), timeout):
                return self._present()
            return None

    def subscribe(self, changed: Callable[[], None]) -> Callable[[], None]:
        """Call ``changed`` after every change; returns a function that unsubscribes.

        ``changed`` runs on the thread that made the change, under the referee's lock, so it must return at once.
        """
        with self._changed:
            self._subscribers.append(changed)

        def unsubscribe() -> None:
            with self._changed:
                self._subscribers.remove(changed)

        return unsubscribe

    def advise(self, question: Question, advice: TurnAdvice) -> None:
        """Show the advice, unless the game has gone on to another question. Advice is not an event."""
        with self._changed:
            if question in (current_question(self._state), unanswered_choice(self._advice, self._state)):
                self._reveal(self._advice.with_answer(question, advice))

    def unanswered_choice(self) -> Question | None:
        """The question before the last choice, if its answer is still missing."""
        with self._changed:
            return unanswered_choice(self._advice, self._state)

    def show_solving(self, solving: SolvingProgress | None) -> None:
        """Show the progress of solving a game; None if no game is being solved."""
        with self._changed:
            self._reveal(replace(self._advice, solving=solving))

    def picture(self, number: int) -> bytes | None:
        """The JPEG stored with the event of that number, or None."""
        with self._changed:
            return self._store.picture(number)

    def games(self) -> list[SavedGame]:
        """The saved games, most recently played first. Default names are in the context's language."""
        with self._changed:
            return list(map(localized, self._store.games()))

    def load_game(self, game: int) -> GameState:
        """A saved game, with this table's options. Raises Unknown if there is no such game."""
        with self._changed:
            if game == self._game:
                return self._state
            check_listed(self._store, game)
            return replace(replayed(self._store, game), options=self._state.options)

    def scores(self) -> list[Score]:
        """The scores since they were last reset."""
        with self._changed:
            return scores_of(self._store.finished())

    def tallies(self) -> list[ThrowTally]:
        """How often each count was thrown, by set of lots; the most recently thrown set first."""
        with self._changed:
            return self._store.throws.tallies()

    def next_labelled_reading(self) -> LabelledReading | None:
        """The oldest labelled reading that has not been collected as a case, or None."""
        with self._changed:
            return self._store.throws.oldest_labelled()

    def discard_labelled_reading(self, reading: LabelledReading) -> None:
        """Remove a labelled reading that has been collected. Raises NotStored."""
        with self._changed:
            self._store.throws.mark_case_kept(reading)

    def submit(self, event: Event, *, seen: int | None = None) -> Snapshot:
        """Apply ``event`` and return the snapshot after it. The event is on disk before this returns.

        seen: the step that the sender saw. If the game has gone on since, the event is refused, unless that was just
        what the sender wants; a correction that crosses with the end of the countdown takes back what it counted.
        Raises a CompanionError if the event is not allowed or cannot be stored; then nothing has changed.
        """
        with self._changed:
            last = self._last_step
            if last is not None and last.is_crossed_by(event, seen, self._state.step, self._now):
                if last.is_agreed(event):
                    return self._present()
                if last.is_counted and isinstance(event, ThrowEntered | ReadingDoubted):
                    return self._commit(event, self._consequences(Undone(), event))
            self._refuse_if_stale(seen)
            result = self._board.proposes(self._state) if self._board else None
            running = self._countdown.kind if self._countdown else None
            if isinstance(event, Confirmed) and result and board_answers_confirm(self._state, running):
                return self._take(result)
            if isinstance(event, ReadingDoubted) and self._board and running == "board":
                self._watch(self._board.objected(self._state))
                if self._state.phase is not Phase.READING:
                    return self._present()
            return self._commit(event, self._consequences(event))

    def know_board(self, spaces: int | None) -> None:
        """From now on a board with so many spaces is watched; None for no board."""
        with self._changed:
            camera, held = self._board_camera, self._state.held
            self._watch(None if spaces is None else BoardWatch(spaces=spaces, camera=camera, held=held))

    def see_board_with(self, camera: CameraChanged) -> None:
        """Note the state of the board's own camera. Like sightings, it is not an event and is not stored."""
        if camera == self._board_camera:
            return
        with self._changed:
            self._board_camera = camera
            if self._board is not None:
                now = replace(self._board, camera=camera)
                self._watch(replace(now, sighting=None) if now.is_blind(self._state) else now)

    def see_board(self, sighting: BoardSighting | None, *, seen: int) -> None:
        """Show what the camera sees on the board, and take a move seen there after a moment's rest.

        seen: the step of the game at which it was looked for; if the game has gone on, nothing happens. Sightings are
        not events and are not stored; what follows from them is.
        """
        with self._changed:
            if self._board is not None and seen == self._state.step:
                self._watch(self._board.seen(sighting, self._state))

    def is_board_wrong(self) -> bool:
        """Whether the real board clearly shows what is not legal."""
        with self._changed:
            return self._board is not None and self._board.is_wrong(self._state)

    def take_result(self, result: Position, *, seen: int | None = None) -> Snapshot:
        """Make one of the results that ``expected_board`` gives the game's position. seen: as in ``submit``."""
        with self._changed:
            self._refuse_if_stale(seen)
            return self._take(result)

    def undo_steps(self, number: int, *, seen: int | None = None) -> Snapshot:
        """Take back so many steps at once. seen: as in ``submit``. Raises NotAllowed if there are not so many."""
        with self._changed:
            self._refuse_if_stale(seen)
            return self._commit(Undone(), self._consequences(*[Undone()] * number), by_board=True)

    def start_countdowns(self, clock: Callable[[], float]) -> None:
        """From now on let readings, only moves and passes count down. clock: monotonic seconds."""
        with self._changed:
            self._clock = clock
            self._count_down()
            if self._countdown:
                self._localized = self._shown(self._state, revision=self._localized.english.revision + 1)
                self._notify()

    def countdown(self) -> Countdown | None:
        """The countdown that is running, or None."""
        return self._countdown

    def has_counted(self) -> bool:
        """Whether the game's last step was the end of a countdown."""
        return self._last_step is not None and self._last_step.is_counted

    def end_countdown(self, wait_s: float = WAIT_S) -> None:
        """Carry out what the countdown announced, if it is over; else wait for its end or a change at the table."""
        with self._changed:
            countdown = self._countdown
            if countdown is None or self._now < countdown.ends_at:
                self._changed.wait(min(wait_s, countdown.ends_at - self._now) if countdown else wait_s)
                return
            try:
                if countdown.result is not None:
                    self._take(countdown.result)
                else:
                    self._commit(CountdownEnded(), self._consequences(CountdownEnded()))
            except CompanionError as error:
                log.warning("What the countdown announced could not be done: %s", error)
                self._countdown = replace(countdown, ends_at=self._now + countdown.length_s)

    def import_game(self, events: Sequence[Event], *, seen: int | None = None) -> Snapshot:
        """Add a recorded game, from its start event on, to the saved games and put it on the table.

        seen: as in ``submit``. Raises a CompanionError if one of the events is not allowed; then nothing has changed.
        """
        with self._changed:
            self._refuse_if_stale(seen)
            last = self._number + len(events)
            brought = self._consequences(*events)
            # Its throws were counted where they were thrown, if at all; only what follows them is new.
            thrown = [throw for throw in brought.thrown if throw.number > last]
            return self._commit(events[0], replace(brought, thrown=thrown))

    def copy(self, to: Path) -> None:
        """Write all games to a new file. The table is blocked meanwhile. Raises NotStored."""
        with self._changed:
            self._store.copy(to)

    def close(self) -> None:
        with self._changed:
            self._store.close()

    def _refuse_if_stale(self, seen: int | None) -> None:
        """Raise NotAllowed if the game has gone on since that step."""
        if seen is not None and seen != self._state.step:
            raise NotAllowed(_("Someone was quicker. Check the table, then tap again."))

    @property
    def _now(self) -> float:
        return self._clock() if self._clock else 0.0

    @property
    def _number(self) -> int:
        """The number of the newest event, stored or not."""
        return self._store.last + len(self._unwritten)

    def _take(self, result: Position) -> Snapshot:
        """Make the move that is seen on the board, or correct the last one."""
        events = events_to(self._state, result)
        return self._commit(events[-1], self._consequences(*events), by_board=True)

    def _watch(self, board: BoardWatch | None) -> None:
        """Publish a new revision if the board is seen differently."""
        if board == self._board:
            return
        self._board = board
        self._count_down()
        self._localized = self._shown(self._state, revision=self._localized.english.revision + 1)
        self._notify()

    def _commit(self, event: Event, after: Consequences, *, by_board: bool = False) -> Snapshot:
        state = after.state
        if self._unwritten:
            self._store.append(self._unwritten, saved_game(self._state, self._game))
            self._unwritten = []
        self._store.append(after.events, saved_game(state, after.game), after.thrown)
        if state.step != self._state.step:
            self._last_step = LastStep(event, self._state, self._now, by_board)
        if self._board:
            self._board = self._board.after(self._state, state, by_board=by_board)
        self._game, self._state = after.game, state
        self._count_down()
        self._advice = self._advice.after(state)
        self._localized = self._shown(state)
        self._notify()
        return self._present()

    def _count_down(self) -> None:
        board, state = self._board, self._state
        seen, waits = (board.takes(state), board.waits_for(state)) if board else (None, False)
        self._countdown = (
            next_countdown(state, self._countdown, self._clock(), seen=seen, board=waits) if self._clock else None
        )

    def _present(self) -> Snapshot:
        """The snapshot in the context's language, with what is left of the countdown."""
        snapshot, countdown = self._localized.current(), self._countdown
        return with_time_left(snapshot, countdown.ends_at - self._now) if countdown else snapshot

    def _reveal(self, advice: AdviceState) -> None:
        """Publish a new revision of the snapshot if the advice that players see has changed."""
        self._advice = advice
        old = self._localized.english
        with use_language(ENGLISH):
            known = advice_view(self._state, advice)
        if known != old.advice:
            self._localized = self._shown(self._state, revision=old.revision + 1)
            self._notify()

    def _notify(self) -> None:
        self._changed.notify_all()
        for changed in self._subscribers:
            changed()

    def _shown(self, state: GameState, *, revision: int = 0) -> LocalizedSnapshot:
        match = scores_of(self._store.finished(match=state.game.match)) if state.game.match else []
        number, game, advice, countdown = self._number, self._game, self._advice, self._countdown
        board = self._board
        return LocalizedSnapshot(
            lambda: render_snapshot(
                number,
                state,
                revision=revision,
                game=game,
                match=match,
                advice=advice,
                countdown=countdown,
                board=board,
            )
        )

    def _consequences(self, *events: Event) -> Consequences:
        return consequences_of(
            events,
            store=self._store,
            number=self._number + 1,
            game=self._game,
            state=self._state,
            seeds=self._seeds,
        )


def _same(one: Snapshot, other: Snapshot | None) -> bool:
    return other is not None and (one.number, one.revision) == (other.number, other.revision)

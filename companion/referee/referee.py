"""The one door into the game: an event goes in, it is written down, a numbered snapshot comes out."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace
from random import Random
from threading import Condition

from companion.advice.levels import LEVELS
from companion.errors import NotNow
from companion.referee.events import Event, GameAgain, GameStarted, MoveProposed
from companion.referee.snapshot import Snapshot, snapshot_of
from companion.referee.store import Store
from companion.referee.table import Phase, Table, after, opened


def new_seed() -> int:
    """A seed for the chance of one game, different each time."""
    return secrets.randbits(32)


class Referee:
    """Keeps the game of one table. Any thread may call it; one lock orders all that happens.

    first: the game to start where the store holds none yet; written down with the first event, so that a start that
        came to nothing leaves nothing behind.
    seeds: where a game that is started again takes its seed from.
    """

    def __init__(self, store: Store, *, first: GameStarted, seeds: Callable[[], int] = new_seed) -> None:
        self._store, self._seeds = store, seeds
        self._changed = Condition()
        self._unwritten: list[Event] = []
        self._table = self._replayed(first)
        self._snapshot = snapshot_of(self._number, self._table)

    def table(self) -> Table:
        """The table as it is now, for parts of this program that watch it."""
        return self._table

    def snapshot(self) -> Snapshot:
        """All that a page or a lamp may show, complete."""
        return self._snapshot

    def newer(self, number: int, timeout: float) -> Snapshot | None:
        """The newest snapshot once its number differs from ``number``; None after ``timeout`` seconds without one."""
        with self._changed:
            if self._changed.wait_for(lambda: self._snapshot.number != number, timeout):
                return self._snapshot
            return None

    def picture(self, number: int) -> bytes | None:
        """The JPEG the event of that number came with, or None."""
        with self._changed:
            return self._store.picture(number)

    def submit(self, event: Event, *, seen: int | None = None) -> Snapshot:
        """Let ``event`` happen, and answer what is so then. On disk before this returns.

        seen: the step its sender had before its eyes; where the game has gone on since, it is refused.
        Raises a CompanionError where the event does not fit, or cannot be written down; then nothing has changed.
        """
        with self._changed:
            if seen is not None and seen != self._table.step:
                raise NotNow("The game has gone on since you looked. See what is so now, and tap again.")
            happened, table = self._consequences(event)
            self._store.append([*self._unwritten, *happened])
            self._unwritten = []
            self._table, self._snapshot = table, snapshot_of(self._number, table)
            self._changed.notify_all()
            return self._snapshot

    @property
    def _number(self) -> int:
        """That of the newest event, written or not."""
        return self._store.last + len(self._unwritten)

    def close(self) -> None:
        with self._changed:
            self._store.close()

    def _consequences(self, event: Event) -> tuple[list[Event], Table]:
        """The event as it is written down, the companion's own player's answer to it, and the table after both."""
        if isinstance(event, GameAgain):
            if self._table.phase is not Phase.OVER:
                raise NotNow("This game is not over yet. To leave it, choose a new game on the page.")
            event = replace(self._table.game, seed=self._seeds())
        number = self._number + 1
        table = after(self._table, event, number)
        proposal = _proposal(table)
        if proposal is None:
            return [event], table
        return [event, proposal], after(table, proposal, number + 1)

    def _replayed(self, first: GameStarted) -> Table:
        table: Table | None = None
        for number, event in self._store.game():
            if table is None:
                assert isinstance(event, GameStarted)
                table = opened(event, number)
            else:
                table = after(table, event, number)
        if table is None:
            table = opened(first, 1)
            self._unwritten = [first]
        return table


def _proposal(table: Table) -> MoveProposed | None:
    if table.phase is not Phase.MOVE or table.level is None or table.chosen or not table.moves():
        return None
    # By the turn, not the event: taking the throw back and confirming it again must not fish for another choice.
    chance = Random(f"{table.game.seed}:{table.turns}")
    move = LEVELS[table.level](table.position, table.value, chance)
    return MoveProposed(move.start, move.to)

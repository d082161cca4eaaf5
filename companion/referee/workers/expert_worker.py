"""Chooses the moves of the Expert player on its own thread, outside the referee's lock."""

from __future__ import annotations

import logging
from collections.abc import Callable
from random import Random

from companion.advice.adviser import Adviser
from companion.advice.levels import expert
from companion.errors import CompanionError
from companion.referee.events import MoveProposed
from companion.referee.referee import WAIT_S, Referee
from companion.rules.turns import Step, Turn
from companion.rules.variant import Variant

log = logging.getLogger("puluc")


class ExpertWorker:
    """Decides for Expert. Only its own thread calls ``step``.

    The decision is an event like any other: it is stored, and not made again after a restart. If players undo or start
    another game meanwhile, it is dropped.
    advisers: makes the adviser for a game.
    """

    def __init__(self, referee: Referee, advisers: Callable[[Variant], Adviser], *, wait_s: float = WAIT_S) -> None:
        self._referee, self._advisers, self._wait_s = referee, advisers, wait_s
        self._decided: tuple[Turn, Step] | None = None

    def step(self) -> None:
        """Decide and propose a move if Expert is to move; else wait briefly for a change at the table."""
        snapshot, table = self._referee.snapshot(), self._referee.state()
        if table.thinking:
            assert table.turn is not None
            move = self._choice(table.turn)
            try:
                self._referee.submit(
                    MoveProposed(move.move.start, move.move.to, move.value, str(move.move.unit)), seen=table.step
                )
                return
            except CompanionError as error:
                log.info("Expert's move was refused: %s", error)
        self._referee.newer(snapshot, self._wait_s)

    def _choice(self, turn: Turn) -> Step:
        # Undoing and confirming a throw must not give another choice.
        if self._decided is None or self._decided[0] != turn:
            # A new adviser for each choice, because the exact table may exist by the next one.
            level = expert(self._advisers(turn.position.rules))
            self._decided = turn, level(turn, Random())
        return self._decided[1]

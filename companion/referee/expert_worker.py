"""Expert's own time: it thinks beside the referee, never inside, and proposes when it has decided."""

from __future__ import annotations

import logging
from collections.abc import Callable
from random import Random

from companion.advice.adviser import Adviser
from companion.advice.levels import expert
from companion.errors import CompanionError
from companion.referee.events import MoveProposed
from companion.referee.referee import Referee
from companion.rules.ruleset import Variant
from companion.rules.turns import Step, Turn

log = logging.getLogger("puluc")

WAIT_S = 0.5
"""Seconds that one step waits at most for the game to go on, so that whoever stops the companion need not wait."""


class Thinker:
    """Decides for Expert while the table waits for it. Only its own thread calls ``step``.

    What it decides is an event like any other: written down when it is proposed, and read, not thought of again,
    after a restart. While it thinks the game may go on, by taking back or starting another; then its thought is lost.
    advisers: makes the adviser for a game.
    """

    def __init__(self, referee: Referee, advisers: Callable[[Variant], Adviser], *, wait_s: float = WAIT_S) -> None:
        self._referee, self._advisers, self._wait_s = referee, advisers, wait_s
        self._decided: tuple[Turn, Step] | None = None

    def step(self) -> None:
        """Decide and propose, if it is for Expert to move; else wait a moment for the game to go on."""
        snapshot, table = self._referee.snapshot(), self._referee.table()
        if table.thinking:
            assert table.turn is not None
            move = self._choice(table.turn)
            try:
                self._referee.submit(
                    MoveProposed(move.move.start, move.move.to, move.value, str(move.move.unit)), seen=table.step
                )
                return
            except CompanionError as error:
                log.info("Expert's move came to nothing: %s", error)
        self._referee.newer(snapshot, self._wait_s)

    def _choice(self, turn: Turn) -> Step:
        # Taking a throw back and confirming it again must not fish for another choice.
        if self._decided is None or self._decided[0] != turn:
            # Asked for each time: by the next move there may be a table.
            level = expert(self._advisers(turn.position.rules))
            self._decided = turn, level(turn, Random())
        return self._decided[1]

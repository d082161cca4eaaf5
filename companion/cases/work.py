"""The worker that keeps cases and has the reader learn from them."""

from __future__ import annotations

from companion.cases.keeper import Keeper
from companion.cases.learner import Learner
from companion.referee.referee import Referee

WAIT_S = 0.5
"""Seconds that one step waits at most for the game to go on, so that whoever stops the companion need not wait."""


class CaseWork:
    """Keeps the cases of one table, one step at a time."""

    def __init__(self, referee: Referee, keeper: Keeper, learner: Learner, *, wait_s: float = WAIT_S) -> None:
        self._referee, self._keeper, self._learner, self._wait_s = referee, keeper, learner, wait_s
        self.close = learner.close

    def step(self) -> None:
        """Keep what was told, learn from it, and wait a moment for the game to go on."""
        snapshot = self._referee.snapshot()
        if self._keeper.step():
            self._learner.wake()
        self._learner.step()
        self._referee.newer(snapshot, self._wait_s)

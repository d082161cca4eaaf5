"""The worker that collects cases and starts learning from them."""

from __future__ import annotations

from companion.cases.case_collector import CaseCollector
from companion.cases.learning_process import LearningProcess
from companion.referee.referee import WAIT_S, Referee


class CaseWorker:
    """Collects the cases of one table, one step at a time."""

    def __init__(self, referee: Referee, collector: CaseCollector, learning: LearningProcess) -> None:
        self._referee, self._collector, self._learning = referee, collector, learning
        self.close = learning.close

    def step(self) -> None:
        """Collect a labelled reading, start or watch learning, and wait briefly for a change at the table."""
        snapshot = self._referee.snapshot()
        if self._collector.step():
            self._learning.wake()
        self._learning.step()
        self._referee.newer(snapshot, WAIT_S)

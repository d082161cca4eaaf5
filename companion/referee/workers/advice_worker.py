"""Finds the win chances of the current position on its own thread, and shows them as soon as they are known."""

from __future__ import annotations

import logging
from collections.abc import Callable
from fractions import Fraction

from companion.advice.adviser import Adviser, EstimateSource, TurnAdvice
from companion.errors import CompanionError
from companion.referee.advice_state import Question, answer, current_question
from companion.referee.referee import WAIT_S, Referee
from companion.rules.variant import Variant

log = logging.getLogger("puluc")


class AdviceWorker:
    """Answers the table's current question. Only its own thread calls ``step``.

    Advice is not an event: it is not stored, and it is dropped if the game has gone on meanwhile.
    advisers: makes the adviser for a game. It is called for every question, so that a newly solved table is found;
    repeating a question should cost nothing, as with MemoizedAdviser.
    """

    def __init__(
        self, referee: Referee, advisers: Callable[[Variant, Fraction], Adviser], *, wait_s: float = WAIT_S
    ) -> None:
        self._referee, self._advisers, self._wait_s = referee, advisers, wait_s
        self._known: tuple[Question, TurnAdvice] | None = None

    def step(self) -> None:
        """Answer the current question, then wait briefly for a change at the table."""
        snapshot, question = self._referee.snapshot(), current_question(self._referee.state())
        if question is not None:
            advice = self._advice(question)
            if advice is not None:
                self._referee.advise(question, advice)
        if (earlier := self._referee.unanswered_choice()) is not None:
            # The move was made before its answer was there, or before a restart.
            advice = self._answer(earlier)
            if advice is not None:
                self._referee.advise(earlier, advice)
        self._referee.newer(snapshot, self._wait_s)

    def _advice(self, question: Question) -> TurnAdvice | None:
        if self._known is not None:
            known, advice = self._known
            if known == question and advice.best.source is EstimateSource.EXACT:
                return advice
        found = self._answer(question)
        if found is not None:
            self._known = question, found
        return found

    def _answer(self, question: Question) -> TurnAdvice | None:
        try:
            return answer(question, self._advisers(question.position.rules, question.marked))
        except CompanionError as error:
            log.warning("There is no advice: %s", error)
            return None

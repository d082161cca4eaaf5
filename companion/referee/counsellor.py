"""Tells the table's chances: found out beside the referee, never inside, and shown as soon as they are known."""

from __future__ import annotations

import logging
from collections.abc import Callable
from fractions import Fraction

from companion.advice.adviser import Adviser, Source
from companion.errors import CompanionError
from companion.referee.counsel import Advice, Question, answered, asked
from companion.referee.referee import Referee
from companion.rules.ruleset import Variant

log = logging.getLogger("puluc")

WAIT_S = 0.5
"""Seconds that one step waits at most for something new, so that whoever stops the companion need not wait."""


class Counsellor:
    """Answers what the table asks. Only its own thread calls ``step``.

    What it finds is no event: it is not written down, and where the game has gone on meanwhile, nobody is shown it.
    advisers: makes the adviser for a game. It is asked anew each time, so that a table made meanwhile is found; asking
    the same again should cost nothing, as with OncePerQuestion.
    """

    def __init__(
        self, referee: Referee, advisers: Callable[[Variant, Fraction], Adviser], *, wait_s: float = WAIT_S
    ) -> None:
        self._referee, self._advisers, self._wait_s = referee, advisers, wait_s
        self._known: Advice | None = None

    def step(self) -> None:
        """Find out what is asked and show it, then wait a moment for something new."""
        snapshot, question = self._referee.snapshot(), asked(self._referee.table())
        if question is not None:
            advice = self._advice(question)
            if advice is not None:
                self._referee.advise(advice)
        if (earlier := self._referee.unjudged()) is not None:
            # Made faster than it could be judged, or before a restart.
            advice = self._answer(earlier)
            if advice is not None:
                self._referee.advise(advice)
        self._referee.newer(snapshot, self._wait_s)

    def _advice(self, question: Question) -> Advice | None:
        known = self._known
        if known is None or known.about != question or known.best.source is not Source.EXACT:
            known = self._answer(question)
            self._known = known or self._known
        return known

    def _answer(self, question: Question) -> Advice | None:
        try:
            return answered(question, self._advisers(question.position.rules, question.marked))
        except CompanionError as error:
            log.warning("There is no advice: %s", error)
            return None

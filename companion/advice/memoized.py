"""An adviser that is never made to find out the same twice."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from concurrent.futures import Future
from fractions import Fraction
from functools import lru_cache
from threading import Lock
from typing import Any, TypeVar

from companion.advice.adviser import Adviser, Estimate, TurnAdvice
from companion.rules.position import Position
from companion.rules.ruleset import Variant
from companion.rules.turns import Turn

_Question = TypeVar("_Question", bound=Hashable)
_Answer = TypeVar("_Answer")


class OncePerQuestion:
    """Passes questions on, and keeps the newest answers; who asks what somebody is finding out waits for that.

    kept: answers that are remembered. Higher takes more memory (a few kB each), lower finds out again sooner.
    """

    def __init__(self, adviser: Adviser, *, kept: int = 32) -> None:
        self._adviser, self._kept = adviser, kept
        self._lock = Lock()
        self._answers: dict[Hashable, Future[Any]] = {}

    def before_throw(self, position: Position) -> Estimate:
        """What the adviser answers."""
        return self._once(position, self._adviser.before_throw)

    def in_turn(self, turn: Turn) -> TurnAdvice:
        """What the adviser answers."""
        return self._once(turn, self._adviser.in_turn)

    def _once(self, question: _Question, find_out: Callable[[_Question], _Answer]) -> _Answer:
        with self._lock:
            answer: Future[_Answer] | None = self._answers.pop(question, None)
            mine = answer is None
            if answer is None:
                answer = Future()
            self._answers[question] = answer
            if len(self._answers) > self._kept:
                del self._answers[next(iter(self._answers))]
        if mine:
            try:
                answer.set_result(find_out(question))
            except BaseException as error:  # whatever it was, all who wait for the answer get it
                with self._lock:
                    self._answers.pop(question, None)
                answer.set_exception(error)
        return answer.result()


def once_per_game(make: Callable[[Variant, Fraction], Adviser], *, games: int = 4) -> Callable[..., Adviser]:
    """The same maker, but all who ask about one of the newest games share an adviser, and its answers."""
    return lru_cache(maxsize=games)(lambda rules, marked: OncePerQuestion(make(rules, marked)))

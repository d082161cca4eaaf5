"""Thread-safe memoization of an adviser."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from concurrent.futures import Future
from fractions import Fraction
from functools import lru_cache
from threading import Lock
from typing import Any, TypeVar

from companion.advice.adviser import Adviser, Estimate, TurnAdvice
from companion.rules.position import Position
from companion.rules.turns import Turn
from companion.rules.variant import Variant

_Key = TypeVar("_Key", bound=Hashable)
_Answer = TypeVar("_Answer")


class MemoizedAdviser:
    """Caches the most recent answers of an adviser.

    Concurrent calls with the same argument run the adviser once; the others wait for its result. An exception is raised
    in every waiting thread and is not cached.

    Parameters
    ----------
    maxsize : int
        Number of answers to keep, a few kB each.
    """

    def __init__(self, adviser: Adviser, *, maxsize: int = 32) -> None:
        self._adviser, self._maxsize = adviser, maxsize
        self._lock = Lock()
        self._answers: dict[Hashable, Future[Any]] = {}

    def before_throw(self, position: Position) -> Estimate:
        """See `Adviser.before_throw`."""
        return self._cached(position, self._adviser.before_throw)

    def in_turn(self, turn: Turn) -> TurnAdvice:
        """See `Adviser.in_turn`."""
        return self._cached(turn, self._adviser.in_turn)

    def _cached(self, key: _Key, compute: Callable[[_Key], _Answer]) -> _Answer:
        with self._lock:
            answer: Future[_Answer] | None = self._answers.pop(key, None)
            mine = answer is None
            if answer is None:
                answer = Future()
            self._answers[key] = answer
            if len(self._answers) > self._maxsize:
                del self._answers[next(iter(self._answers))]
        if mine:
            try:
                answer.set_result(compute(key))
            except BaseException as error:  # raised in every thread that waits for the answer
                with self._lock:
                    self._answers.pop(key, None)
                answer.set_exception(error)
        return answer.result()


def memoize_per_game(make: Callable[[Variant, Fraction], Adviser]) -> Callable[..., Adviser]:
    """Wrap a maker of advisers so that callers share one memoized adviser for each of the four latest games."""
    return lru_cache(maxsize=4)(lambda rules, marked: MemoizedAdviser(make(rules, marked)))

"""Computes the game reviews that players ask for, on one thread, a little at a time."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from fractions import Fraction
from threading import Condition

from companion.advice.adviser import Adviser
from companion.advice.review.review import review_steps
from companion.advice.review.review_summary import GradeThresholds, Review
from companion.errors import CompanionError
from companion.i18n import language
from companion.referee.game_state import GameState
from companion.referee.history.game_summary import finished_turns, review_view, thrown_off
from companion.referee.snapshots.review_view import ReviewView
from companion.rules.variant import Variant

MAX_REVIEWS = 12
"""Reviews to keep. Higher takes more memory (about 100 kB each), lower computes them again."""


@dataclass(frozen=True, slots=True)
class ReviewProgress:
    """A review in progress: ``done`` of ``turns`` turns."""

    done: int
    turns: int


@dataclass(slots=True)
class _Job:
    game: GameState
    result: ReviewProgress | Review | CompanionError
    work: Generator[int, None, Review] | None = None
    views: dict[str, ReviewView] = field(default_factory=dict)


class ReviewQueue:
    """A queue of reviews. Any thread may ``ask`` and never waits; one thread computes them in ``step``.

    adviser: makes the adviser for a variant and the chance of a marked face.
    """

    def __init__(
        self, adviser: Callable[[Variant, Fraction], Adviser], *, grades: GradeThresholds | None = None
    ) -> None:
        self._adviser, self._grades = adviser, grades or GradeThresholds()
        self._asked = Condition()
        self._jobs: dict[int, _Job] = {}

    def ask(self, game: int, state: GameState) -> ReviewProgress | ReviewView:
        """The review of a game in the context's language, or its progress. The latest request is computed first.

        Raises NotAllowed if there is nothing to review yet, and any CompanionError of the adviser.
        """
        turns = len(finished_turns(state))
        with self._asked:
            job = self._jobs.pop(game, None)
            if job is None or _reviewed_part(job.game) != _reviewed_part(state):
                job = _Job(state, ReviewProgress(0, turns))
            self._jobs[game] = job
            while len(self._jobs) > MAX_REVIEWS:
                del self._jobs[next(iter(self._jobs))]
            self._asked.notify_all()
            if isinstance(job.result, CompanionError):
                # Dropped, so that the next request tries again.
                del self._jobs[game]
                raise job.result
            if isinstance(job.result, ReviewProgress):
                return job.result
            code = language().code
            if code not in job.views:
                job.views[code] = review_view(job.result, job.game, marked=job.game.marked, grades=self._grades)
            return job.views[code]

    def forget(self) -> None:
        """Forget all reviews, because better chances are known now."""
        with self._asked:
            self._jobs.clear()

    def step(self, patience: float = 0.5) -> bool:
        """Compute a part of the latest unfinished review; wait at most ``patience`` seconds for one.

        Returns whether there was work to do.
        """
        with self._asked:
            if not self._asked.wait_for(lambda: self._next() is not None, patience):
                return False
            job = self._next()
        assert job is not None
        result = self._worked(job)
        with self._asked:
            job.result = result
        return True

    def _next(self) -> _Job | None:
        return next((job for job in reversed(self._jobs.values()) if isinstance(job.result, ReviewProgress)), None)

    def _worked(self, job: _Job) -> ReviewProgress | Review | CompanionError:
        state = job.game
        try:
            if job.work is None:
                adviser = self._adviser(state.rules, state.marked)
                off = thrown_off(state)
                job.work = review_steps(
                    finished_turns(state), adviser, thrown_off=off, marked=state.marked, grades=self._grades
                )
            return ReviewProgress(next(job.work), len(state.turns))
        except StopIteration as done:
            found: Review = done.value
            return found
        except CompanionError as refusal:
            return refusal


def _reviewed_part(state: GameState) -> tuple[object, ...]:
    """The parts of the state that a review depends on."""
    return state.game, state.turns, state.marked

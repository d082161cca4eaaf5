"""The reviews that phones have asked for: worked on by a thread of their own, a little at a time, and kept."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from fractions import Fraction
from threading import Condition

from companion.advice.adviser import Adviser
from companion.advice.review import reviewing
from companion.advice.reviewed import Grades, Review
from companion.errors import CompanionError
from companion.referee.retelling import played, retold, thrown_off
from companion.referee.review_views import ReviewView
from companion.referee.table import Table
from companion.rules.ruleset import Variant
from companion.words import language

KEPT = 12
"""Reviews kept for when they are looked at again. Higher takes more memory (about 100 kB each), lower thinks again."""


@dataclass(frozen=True, slots=True)
class Thinking:
    """A review that is under way: so many of the turns are done."""

    done: int
    turns: int


@dataclass(slots=True)
class _Job:
    table: Table
    state: Thinking | Review | CompanionError
    work: Generator[int, None, Review] | None = None
    told: dict[str, ReviewView] = field(default_factory=dict)


class Reviews:
    """Asked by the page's threads, worked for by one thread that calls ``step``; asking never waits for the work.

    adviser: who can tell the chances of a game whose lots show a marked face with that chance.
    """

    def __init__(self, adviser: Callable[[Variant, Fraction], Adviser], *, grades: Grades | None = None) -> None:
        self._adviser, self._grades = adviser, grades or Grades()
        self._asked = Condition()
        self._jobs: dict[int, _Job] = {}

    def ask(self, game: int, table: Table) -> Thinking | ReviewView:
        """The review of the game of that number as it now stands, or how far it is. What is asked for last goes first.

        It is told in the language of the present context.
        Raises NotNow where there is nothing to review yet, and what the adviser refused with.
        """
        turns = len(played(table))
        with self._asked:
            job = self._jobs.pop(game, None)
            if job is None or _told(job.table) != _told(table):
                job = _Job(table, Thinking(0, turns))
            self._jobs[game] = job
            while len(self._jobs) > KEPT:
                del self._jobs[next(iter(self._jobs))]
            self._asked.notify_all()
            if isinstance(job.state, CompanionError):
                # Not kept, so that asking again tries again: what was missing may be there by then.
                del self._jobs[game]
                raise job.state
            if isinstance(job.state, Thinking):
                return job.state
            code = language().code
            if code not in job.told:
                job.told[code] = retold(job.state, job.table, marked=job.table.marked, grades=self._grades)
            return job.told[code]

    def forget(self) -> None:
        """Think every review out again when it is next asked for: somebody knows more than before."""
        with self._asked:
            self._jobs.clear()

    def step(self, patience: float = 0.5) -> bool:
        """Work for a moment on the review asked for last that is not done; wait for one at most ``patience`` seconds.

        Answers whether there was any work.
        """
        with self._asked:
            if not self._asked.wait_for(lambda: self._next() is not None, patience):
                return False
            job = self._next()
        assert job is not None
        state = self._worked(job)
        with self._asked:
            job.state = state
        return True

    def _next(self) -> _Job | None:
        return next((job for job in reversed(self._jobs.values()) if isinstance(job.state, Thinking)), None)

    def _worked(self, job: _Job) -> Thinking | Review | CompanionError:
        table = job.table
        try:
            if job.work is None:
                adviser = self._adviser(table.rules, table.marked)
                off = thrown_off(table)
                job.work = reviewing(played(table), adviser, thrown_off=off, marked=table.marked, grades=self._grades)
            return Thinking(next(job.work), len(table.story))
        except StopIteration as done:
            found: Review = done.value
            return found
        except CompanionError as refusal:
            return refusal


def _told(table: Table) -> tuple[object, ...]:
    """What a review depends on."""
    return table.game, table.story, table.marked

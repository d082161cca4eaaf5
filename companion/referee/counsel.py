"""What is asked and known about the table as it stands: its chances, and how far its exact table is."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from companion.advice.adviser import Adviser, Estimate, Rated, Source
from companion.advice.odds import odds
from companion.referee.table import Phase, Table
from companion.rules.position import Position
from companion.rules.ruleset import Variant
from companion.rules.turns import Turn


@dataclass(frozen=True, slots=True)
class Question:
    """What to find out. The same question has the same answer, whatever else happens at the table meanwhile.

    marked: the chance that a lot falls marked side up. thrown: values of the throws of this turn that count already,
    while one is still to come. turn: what is left to use of the throws, once all are there.
    """

    position: Position
    marked: Fraction
    thrown: tuple[int, ...] = ()
    turn: Turn | None = None


@dataclass(frozen=True, slots=True)
class Advice:
    """The answer. best: for the side whose turn it is, if it plays best. steps: every legal step, best first."""

    about: Question
    best: Estimate
    steps: tuple[Rated, ...] = ()


@dataclass(frozen=True, slots=True)
class Solving:
    """A game that is being worked out exactly meanwhile.

    done: from 0 to 1. left_s: seconds still to go, None where that cannot be told yet.
    trouble: why it was given up, in one sentence; empty while it goes on.
    """

    rules: Variant
    marked: Fraction
    done: float = 0.0
    left_s: float | None = None
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Counsel:
    """What is known at one moment. advised: whether there is anybody who finds out what is not known yet."""

    advised: bool = False
    advice: Advice | None = None
    solving: Solving | None = None


NO_COUNSEL = Counsel()


def asked(table: Table) -> Question | None:
    """What the players would like to know now; None where they do not, or there is nothing to know."""
    if not table.options.advice or table.phase in (Phase.THROW_OFF, Phase.OVER):
        return None
    marked = table.marked
    if table.phase is Phase.MOVE:
        return Question(table.position, marked, turn=table.turn)
    return Question(table.position, marked, tuple(map(table.value, table.thrown)))


def answered(question: Question, adviser: Adviser) -> Advice:
    """The answer. Takes as long as the adviser does, and several times that between the two throws of a turn."""
    if question.turn is not None:
        advice = adviser.in_turn(question.turn)
        return Advice(question, advice.best, advice.steps)
    if not question.thrown:
        return Advice(question, adviser.before_throw(question.position))
    found = [
        (float(chance), adviser.in_turn(Turn(question.position, (*question.thrown, value))).best)
        for value, chance in odds(question.position.rules, question.marked).items()
    ]
    exact = all(best.source is Source.EXACT and best.error_bound is not None for _, best in found)
    return Advice(
        question,
        Estimate(
            sum(chance * best.win for chance, best in found),
            Source.EXACT if exact else Source.SEARCH,
            max(best.error_bound or 0.0 for _, best in found) if exact else None,
        ),
    )

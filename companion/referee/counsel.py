"""What is asked and known about the table as it stands: its chances, and how far its exact table is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from companion.advice.adviser import Adviser, Estimate, Rated, Source
from companion.advice.odds import odds
from companion.referee.table import Phase, Table
from companion.rules.position import Position
from companion.rules.ruleset import Variant
from companion.rules.turns import Step, Turn


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
    """What is known at one moment.

    advised: whether there is anybody who finds out what is not known yet.
    past: the answer to what was asked before the last choice.
    """

    advised: bool = False
    advice: Advice | None = None
    past: Advice | None = None
    solving: Solving | None = None


NO_COUNSEL = Counsel()


@dataclass(frozen=True, slots=True)
class Choice:
    """What a person chose. table: as it was before; question: what was asked there; step: what was chosen."""

    table: Table
    question: Question
    step: Step


def last_choice(table: Table) -> Choice | None:
    """The last move that a person chose among several, where players want to know afterwards what it was worth."""
    if not (table.options.advice and table.options.advice_after):
        return None
    later, earlier = table, table.before
    while earlier is not None:
        made = later.made if len(later.story) == len(earlier.story) else later.story[-1].made
        moved = earlier.phase is Phase.MOVE and len(made) > len(earlier.made)
        if moved and earlier.level is None:
            assert earlier.turn is not None
            if len(earlier.turn.steps()) == 1:
                return None
            one = made[len(earlier.made)]
            asking = Question(earlier.position, table.marked, turn=earlier.turn)
            return Choice(earlier, asking, Step(one.value, one.move))
        later, earlier = earlier, earlier.before
    return None


def gone_on(counsel: Counsel, table: Table) -> Counsel:
    """What is known once the game has gone on to that table: the answer from before a choice is kept to judge it."""
    choice = last_choice(table)
    if choice and counsel.advice and counsel.advice.about == choice.question:
        return replace(counsel, past=counsel.advice)
    return counsel


def unjudged(counsel: Counsel, table: Table) -> Question | None:
    """What was asked before the last choice, if its answer is not known."""
    choice = last_choice(table)
    if choice is None or (counsel.past and counsel.past.about == choice.question):
        return None
    return choice.question


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

"""The question an adviser is asked about the current turn, the answers so far, and the progress of the exact table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from companion.advice.adviser import Adviser, Estimate, EstimateSource, TurnAdvice
from companion.referee.game_state import GameState, Phase
from companion.rules.odds import odds
from companion.rules.position import Position
from companion.rules.turns import Step, Turn
from companion.rules.variant import Variant


@dataclass(frozen=True, slots=True)
class Question:
    """A question to an adviser. Equal questions have equal answers, whatever else happens at the table.

    marked: the chance that a lot falls marked side up. thrown: values of this turn's earlier throws, while another
    throw is still to come. turn: the throws left to use, once all are there.
    """

    position: Position
    marked: Fraction
    thrown: tuple[int, ...] = ()
    turn: Turn | None = None


@dataclass(frozen=True, slots=True)
class SolvingProgress:
    """Progress of solving a game exactly in the background.

    done: fraction from 0 to 1. left_s: estimated seconds to go; None if there is no estimate yet.
    trouble: one sentence on why solving was given up; empty while it goes on.
    """

    rules: Variant
    marked: Fraction
    done: float = 0.0
    left_s: float | None = None
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class AdviceState:
    """The advice known at one moment.

    advised: whether an adviser is running, so that answers can be expected.
    answers: for the current question and for the one before the last choice.
    """

    advised: bool = False
    answers: Mapping[Question, TurnAdvice] = field(default_factory=dict)
    solving: SolvingProgress | None = None

    def with_answer(self, question: Question, advice: TurnAdvice) -> AdviceState:
        """The state once ``question`` is answered."""
        return replace(self, answers={**self.answers, question: advice})

    def after(self, state: GameState) -> AdviceState:
        """The state once the game has reached ``state``: answers that are no longer needed are dropped."""
        choice = last_choice(state)
        needed = {current_question(state), choice.question if choice else None}
        return replace(self, answers={question: one for question, one in self.answers.items() if question in needed})


NO_ADVICE = AdviceState()


@dataclass(frozen=True, slots=True)
class PlayerChoice:
    """A choice a person made. before: the game before it; question: what was asked there; step: the step chosen."""

    before: GameState
    question: Question
    step: Step


def last_choice(state: GameState) -> PlayerChoice | None:
    """The last move that a person chose among several; None unless players want advice after the move."""
    if not (state.options.advice and state.options.advice_after):
        return None
    later, earlier = state, state.before
    while earlier is not None:
        made = later.made if len(later.turns) == len(earlier.turns) else later.turns[-1].made
        moved = earlier.phase is Phase.MOVE and len(made) > len(earlier.made)
        if moved and earlier.level is None:
            assert earlier.turn is not None
            if len(earlier.turn.steps()) == 1:
                return None
            one = made[len(earlier.made)]
            question = Question(earlier.position, state.marked, turn=earlier.turn)
            return PlayerChoice(earlier, question, Step(one.value, one.move))
        later, earlier = earlier, earlier.before
    return None


def unanswered_choice(advice: AdviceState, state: GameState) -> Question | None:
    """The question before the last choice, if it has not been answered."""
    choice = last_choice(state)
    return None if choice is None or choice.question in advice.answers else choice.question


def current_question(state: GameState) -> Question | None:
    """The question that the players want answered now; None if they want no advice or none is possible."""
    if not state.options.advice or state.throw_off is not None or state.phase is Phase.OVER:
        return None
    if state.phase is Phase.MOVE:
        return Question(state.position, state.marked, turn=state.turn)
    return Question(state.position, state.marked, tuple(map(state.value, state.thrown)))


def answer(question: Question, adviser: Adviser) -> TurnAdvice:
    """Ask the adviser. Between the two throws of a turn this takes several times as long as one of its answers."""
    if question.turn is not None:
        return adviser.in_turn(question.turn)
    if not question.thrown:
        return TurnAdvice(adviser.before_throw(question.position), ())
    found = [
        (float(chance), adviser.in_turn(Turn(question.position, (*question.thrown, value))).best)
        for value, chance in odds(question.position.rules, question.marked).items()
    ]
    exact = all(best.source is EstimateSource.EXACT and best.error_bound is not None for _, best in found)
    average = Estimate(
        sum(chance * best.win for chance, best in found),
        EstimateSource.EXACT if exact else EstimateSource.SEARCH,
        max(best.error_bound or 0.0 for _, best in found) if exact else None,
    )
    return TurnAdvice(average, ())

"""The result of a review: turns, turning points, each player's luck and play, and their balance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import accumulate

from companion.advice.adviser import EstimateSource
from companion.errors import Unknown
from companion.i18n import _
from companion.rules.position import Position, Side
from companion.rules.turns import Step, Turn

POINTS = 100.0
"""Points of a certain win: chances are shown in percentage points."""
ORDINARY = 3
"""Whole points below which a throw is neither lucky nor unlucky; higher calls more throws ordinary. A throw of
``puluc`` swings about 9 points on average."""


def is_ordinary(luck: float) -> bool:
    """Whether a throw was neither lucky nor unlucky: by the number that is shown, so that it has one name."""
    return abs(round(luck)) < ORDINARY


class Grade(StrEnum):
    """How bad a choice was."""

    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


@dataclass(frozen=True, slots=True)
class GradeThresholds:
    """The loss, in points, from which a choice has each grade. Raises Unknown unless they are positive and rise."""

    inaccuracy: float = 5.0
    mistake: float = 10.0
    blunder: float = 20.0

    def __post_init__(self) -> None:
        if not 0 < self.inaccuracy <= self.mistake <= self.blunder <= POINTS:
            given = f"{self.inaccuracy:g}, {self.mistake:g} and {self.blunder:g}"
            raise Unknown(
                _(
                    "Grades from {given} points are not possible: inaccuracy, mistake and blunder must rise, from "
                    "above 0 to at most 100.",
                    given=given,
                )
            )

    def of(self, loss: float) -> Grade | None:
        """The grade of a choice that lost ``loss`` points, or None if it was good enough."""
        if loss < self.inaccuracy:
            return None
        return Grade.BLUNDER if loss >= self.blunder else Grade.MISTAKE if loss >= self.mistake else Grade.INACCURACY


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A finished turn. turn: its start, with all its throws. steps: the steps made; none for a pass."""

    turn: Turn
    steps: tuple[Step, ...]

    def after(self) -> Position:
        """The position after the turn, with the other side to throw."""
        return self._turns()[-1].handed_over()

    def choices(self) -> tuple[tuple[Turn, Step], ...]:
        """Each step, with the turn as it was before that step."""
        return tuple(zip(self._turns(), self.steps, strict=False))

    def _turns(self) -> list[Turn]:
        return list(accumulate(self.steps, Turn.after, initial=self.turn))


@dataclass(frozen=True, slots=True)
class AlternativeThrow:
    """A throw that could have come instead. chance: of that throw. win: the thrower's win chance after it."""

    values: tuple[int, ...]
    chance: Fraction
    win: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewedTurn:
    """A turn and what it was worth. All win chances, from 0 to 1, are those of the side that threw.

    before: before its throw. thrown: after the throw, with best play. after: after its steps. then: the same position
    rated
        again a turn later; it differs from ``after`` only if the chances are estimates, and is exact if the game is
        over.
    decision: whether the throw left a choice between different positions; otherwise nothing is lost or graded.
    best: the best steps to the end of the turn, or the steps made if they were forced or none is known to be better.
    instead: all possible throws in rising order; empty where searching them would take too long.
    error_bound: the proven maximum error of each chance, or None if there is none.
    """

    played: PlayedTurn
    before: float
    thrown: float
    after: float
    then: float
    decision: bool
    grade: Grade | None
    best: tuple[Step, ...]
    instead: tuple[AlternativeThrow, ...]
    source: EstimateSource
    error_bound: float | None

    @property
    def side(self) -> Side:
        return self.played.turn.position.turn

    @property
    def player(self) -> int:
        """The player who threw, by number in the team."""
        return self.played.turn.position.player

    @property
    def luck(self) -> float:
        """Points that the throw gained for its side; negative for a bad throw."""
        return POINTS * (self.thrown - self.before)

    @property
    def loss(self) -> float:
        """Points that the choice lost; never negative."""
        return POINTS * (self.thrown - self.after)

    @property
    def correction(self) -> float:
        """Points by which a later estimate of the same position differs; 0 for exact chances."""
        return POINTS * (self.then - self.after)


class MomentKind(StrEnum):
    """What turned the game: a throw, or a choice."""

    THROW = "throw"
    CHOICE = "choice"


@dataclass(frozen=True, slots=True)
class Moment:
    """A turning point. turn: its number in the game, from 1.

    swing: points gained by the side that threw; negative for a bad throw and for every choice.
    """

    turn: int
    kind: MomentKind
    swing: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaySummary:
    """The sums over some turns, in points: the luck of the throws and the loss of the choices.

    decisions: turns that left a choice. graded: how many of them have each grade.
    """

    luck: float
    loss: float
    decisions: int
    graded: Mapping[Grade, int]

    @property
    def average_loss(self) -> float:
        """Points lost a decision; 0 if there was none."""
        return self.loss / self.decisions if self.decisions else 0.0


def summarize(turns: Sequence[ReviewedTurn]) -> PlaySummary:
    """The sums over these turns, whoever played them."""
    decisions = [turn for turn in turns if turn.decision]
    return PlaySummary(
        luck=sum(turn.luck for turn in turns),
        loss=sum(turn.loss for turn in turns),
        decisions=len(decisions),
        graded=Counter(turn.grade for turn in decisions if turn.grade),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """How a side's chance changed, in points: ``final - initial == luck + play``, up to rounding in the 12th digit.

    luck: the luck of its throws minus that of the other side's, including the throw-off and ``corrected``.
    play: the loss of the other side's choices minus that of its own.
    corrected: the corrections of estimates along the way; 0 for exact chances.
    """

    initial: float
    final: float
    luck: float
    play: float
    corrected: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """A game, turn by turn.

    initial: Jade's chance before the throw-off, the mean of its two outcomes, or before the first turn if there was
    none. start: Jade's chance before the first turn; it differs from ``initial`` by the luck of the throw-off. moments:
    the largest swings, in the order of the game. over: whether the game has ended. source: EXACT only if every chance
    is.
    """

    initial: float
    start: float
    turns: tuple[ReviewedTurn, ...]
    moments: tuple[Moment, ...]
    over: bool
    source: EstimateSource
    error_bound: float | None

    @property
    def final(self) -> float:
        """Jade's chance at the end: 1, 0 or ½ if the game is over."""
        last = self.turns[-1]
        return last.then if last.side is Side.JADE else 1 - last.then

    def player(self, side: Side, number: int) -> PlaySummary:
        """The sums over one player's turns; 0 for a player who never threw."""
        return summarize([turn for turn in self.turns if (turn.side, turn.player) == (side, number)])

    def side(self, side: Side) -> PlaySummary:
        """The sums over all turns of a side."""
        return summarize([turn for turn in self.turns if turn.side is side])

    def balance(self, side: Side) -> Balance:
        """How that side's chance changed, and why."""
        own, other = self.side(side), self.side(side.other)
        sign = 1 if side is Side.JADE else -1
        thrown_off = sign * POINTS * (self.start - self.initial)
        corrected = sum(turn.correction if turn.side is side else -turn.correction for turn in self.turns)
        initial, final = (self.initial, self.final) if sign > 0 else (1 - self.initial, 1 - self.final)
        return Balance(
            initial=POINTS * initial,
            final=POINTS * final,
            luck=thrown_off + own.luck - other.luck + corrected,
            play=other.loss - own.loss,
            corrected=corrected,
        )

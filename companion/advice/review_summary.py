"""What a review of a game tells: turns, turning points, what each player did, and how it adds up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import accumulate

from companion.advice.adviser import Source
from companion.errors import Unknown
from companion.rules.position import Position, Side
from companion.rules.turns import Step, Turn
from companion.words import _

POINTS = 100.0
"""Percentage points in a win that is certain."""


class Grade(StrEnum):
    """How bad a choice was."""

    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


@dataclass(frozen=True, slots=True)
class Grades:
    """From how many points of loss on a choice is given which grade. Raises Unknown unless they rise from above 0."""

    inaccuracy: float = 5.0
    mistake: float = 10.0
    blunder: float = 20.0

    def __post_init__(self) -> None:
        if not 0 < self.inaccuracy <= self.mistake <= self.blunder <= POINTS:
            told = f"{self.inaccuracy:g}, {self.mistake:g} and {self.blunder:g}"
            raise Unknown(
                _(
                    "Grades from {told} points cannot be: inaccuracy, mistake and blunder rise, above 0 and up to 100.",
                    told=told,
                )
            )

    def of(self, loss: float) -> Grade | None:
        """The grade of a choice that lost so many points; None for one that is good enough."""
        if loss < self.inaccuracy:
            return None
        return Grade.BLUNDER if loss >= self.blunder else Grade.MISTAKE if loss >= self.mistake else Grade.INACCURACY


@dataclass(frozen=True, slots=True)
class Played:
    """A turn that was played. turn: as it began, with all its throws. steps: as they were made; none for a pass."""

    turn: Turn
    steps: tuple[Step, ...]

    def after(self) -> Position:
        """The position that it led to, handed over."""
        return self._turns()[-1].handed_over()

    def choices(self) -> tuple[tuple[Turn, Step], ...]:
        """What was left of the turn when each step was made, with that step."""
        return tuple(zip(self._turns(), self.steps, strict=False))

    def _turns(self) -> list[Turn]:
        return list(accumulate(self.steps, Turn.after, initial=self.turn))


@dataclass(frozen=True, slots=True)
class Instead:
    """What another throw would have been worth. chance: of being thrown. win: of the side that threw, then."""

    values: tuple[int, ...]
    chance: Fraction
    win: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed:
    """A turn and what it was worth. All chances are those of the side that threw, from 0 to 1.

    before: before its throw; thrown: after it, with the best play; after: once its steps were made; then: the same
        looked at anew from the next thrower's side, certain where the game is over. It differs only in an estimate.
    decision: whether the throw left a choice between different positions; only then is anything lost or graded.
    best: the steps that are best, to the turn's end. Where it was forced or passed, or nothing better is known, the
        steps that were made.
    instead: every throw there is, rising; empty where it was not asked for, because a search would take too long.
    error_bound: what each chance is off by at most, proven; None where nothing is.
    """

    played: Played
    before: float
    thrown: float
    after: float
    then: float
    decision: bool
    grade: Grade | None
    best: tuple[Step, ...]
    instead: tuple[Instead, ...]
    source: Source
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
        """Points that the throw won for the side that threw; negative for a bad throw."""
        return POINTS * (self.thrown - self.before)

    @property
    def loss(self) -> float:
        """Points that the choice gave away; never negative."""
        return POINTS * (self.thrown - self.after)

    @property
    def correction(self) -> float:
        """Points by which an estimate of the turn's result was put right a look later; 0 for exact chances."""
        return POINTS * (self.then - self.after)


class Kind(StrEnum):
    """What decided: the throw, or the choice that was made with it."""

    THROW = "throw"
    CHOICE = "choice"


@dataclass(frozen=True, slots=True)
class Moment:
    """A turning point. turn: its number in the game, from 1.

    swing: points that it won for the side that threw; negative for a bad throw, and for every choice.
    """

    turn: int
    kind: Kind
    swing: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What somebody's own throws and own choices brought, in points; ``loss`` is what the choices gave away.

    decisions: turns that left a choice. graded: how many of them earned each grade.
    """

    luck: float
    loss: float
    decisions: int
    graded: Mapping[Grade, int]

    @property
    def average_loss(self) -> float:
        """Points given away a decision; 0 where there was none."""
        return self.loss / self.decisions if self.decisions else 0.0


def tally(turns: Sequence[Reviewed]) -> Tally:
    """What those turns add up to, whoever played them."""
    decisions = [turn for turn in turns if turn.decision]
    return Tally(
        luck=sum(turn.luck for turn in turns),
        loss=sum(turn.loss for turn in turns),
        decisions=len(decisions),
        graded=Counter(turn.grade for turn in decisions if turn.grade),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """Why a side ended where it did, in points: ``final - initial == luck + play`` but for rounding in the 12th place.

    luck: of its own throws, less that of the other side's, with what it owes to the throw that decided who begins;
        and ``corrected``, the points by which estimates were put right on the way, which is 0 for exact chances.
    play: what the other side's choices gave away, less what its own did.
    """

    initial: float
    final: float
    luck: float
    play: float
    corrected: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """A game, turn by turn.

    initial: Jade's chance before anything was thrown: where it was thrown off who begins, the mean of both outcomes.
    start: Jade's chance before the first turn; it differs from ``initial`` by the luck of throwing off.
    moments: the largest swings, in the order of the game. over: whether the game has ended.
    source: EXACT only where every chance is.
    """

    initial: float
    start: float
    turns: tuple[Reviewed, ...]
    moments: tuple[Moment, ...]
    over: bool
    source: Source
    error_bound: float | None

    @property
    def final(self) -> float:
        """Jade's chance at the end: 1, 0 or ½ where the game is over."""
        last = self.turns[-1]
        return last.then if last.side is Side.JADE else 1 - last.then

    def player(self, side: Side, number: int) -> Tally:
        """What a player did; all 0 for one who never threw."""
        return tally([turn for turn in self.turns if (turn.side, turn.player) == (side, number)])

    def side(self, side: Side) -> Tally:
        """What the players of a side did together."""
        return tally([turn for turn in self.turns if turn.side is side])

    def balance(self, side: Side) -> Balance:
        """Why that side ended where it did."""
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

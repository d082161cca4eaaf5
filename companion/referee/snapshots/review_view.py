"""The JSON shapes of a game review."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from companion.advice.review.review_summary import Grade, MomentKind
from companion.referee.snapshots.table_view import From, Sides, To, View

Known = Literal["exact", "search"]
"""How a chance is known: from the solved table, or by a search that ends in an estimate."""


class ReviewMoveView(View):
    """A move that was made, or would have been best. ends: where it begins and ends on the board: a space's number, or
    the side whose base or field it is.
    """

    start: Annotated[From, Field(serialization_alias="from")]
    to: To
    value: int
    unit: str
    ends: tuple[str, str]


class InsteadView(View):
    """A possible throw. chance: of throwing it. win: the thrower's win chance with it. came: whether it was thrown."""

    values: list[int]
    chance: float
    win: float
    came: bool


class ReviewTurnView(View):
    """A turn. before, thrown, after: the thrower's win chance before the throw, after it, and after the moves.

    counts: what was thrown, in words.
    luck, loss: in percentage points; luck is ``thrown - before``, loss is ``thrown - after`` and never negative.
    position, result: before the throw and after the turn. jade: Jade's win chance after the turn, computed again;
    correction: the points by which that differs from ``after``, for the thrower; 0 where chances are exact.
    decision: whether there was a choice; grade: of a choice that lost enough, else null.
    best: the best moves; the moves made if none is better. words, best_words: both in words.
    instead: every possible throw; empty if a search would take too long.
    throw_sentence, choice_sentence: comments on both.
    """

    turn: int
    side: Sides
    player: str
    values: list[int]
    counts: str
    moves: list[ReviewMoveView]
    words: str
    position: str
    result: str
    before: float
    thrown: float
    after: float
    jade: float
    luck: float
    loss: float
    correction: float
    decision: bool
    grade: Grade | None
    best: list[ReviewMoveView]
    best_words: str
    instead: list[InsteadView]
    throw_sentence: str
    choice_sentence: str
    source: Known
    error_bound: float | None


class MomentView(View):
    """One of the three largest swings: a throw or a choice. swing: points for the side that threw.

    title: what happened, briefly. what_if: what an average throw or the best choice would have been worth.
    """

    turn: int
    kind: MomentKind
    side: Sides
    player: str
    swing: float
    title: str
    what_if: str


class ReviewPlayerView(View):
    """A player's luck and loss in points: from own throws, and given away by own choices."""

    side: Sides
    player: str
    luck: float
    loss: float
    decisions: int
    average_loss: float
    inaccuracies: int
    mistakes: int
    blunders: int


class ReviewSideView(View):
    """How a side's win chance came about, in points: ``final - initial == luck + play``.

    luck: of its own throws minus the other side's, and of the throw-off; includes ``corrected``, the points by which
    estimates were corrected on the way, 0 for exact chances.
    play: what the other side's choices gave away minus its own.
    """

    side: Sides
    name: str
    initial: float
    final: float
    luck: float
    play: float
    corrected: float


class ReviewView(View):
    """A whole review. initial, start, final: Jade's chance before anything was thrown, before the first turn, at last.

    marked: the chance of a marked face. thrown_off: whether a throw-off decided who begins.
    inaccuracy, mistake, blunder: the smallest loss of each grade, in points. winner: null while the game goes on.
    source: exact if every chance is; error_bound: largest error of any chance, null if nothing is proven.
    certainty: the same in a sentence.
    """

    variant: str
    marked: str
    thrown_off: bool
    initial: float
    start: float
    final: float
    winner: Sides | Literal["draw"] | None
    inaccuracy: float
    mistake: float
    blunder: float
    source: Known
    error_bound: float | None
    certainty: str
    turns: list[ReviewTurnView]
    moments: list[MomentView]
    players: list[ReviewPlayerView]
    sides: list[ReviewSideView]

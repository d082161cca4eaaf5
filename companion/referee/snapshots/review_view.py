"""The shape of a review, for the page, the command and other programs."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from companion.advice.reviewed import Grade, Kind
from companion.referee.views import From, Sides, To, View

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
    """A throw that could have come. chance: how likely it was. win: the thrower's chance with it. came: it did."""

    values: list[int]
    chance: float
    win: float
    came: bool


class ReviewTurnView(View):
    """A turn. before, thrown, after: the thrower's chance to win before the throw, after it, and after the moves.

    luck, loss: in percentage points; luck is ``thrown - before``, loss is ``thrown - after`` and never negative.
    position, result: before the throw and after the turn. jade: Jade's chance after the turn, looked at anew;
    correction: the points by which that differs from ``after``, for the thrower; 0 where chances are exact.
    decision: whether there was a choice; grade: of a choice that lost enough, else null.
    best: the best moves, which are those made where nothing better is known. words, best_words: both as one says them.
    instead: every throw there could have been; empty where a search would take too long.
    throw_sentence, choice_sentence: what to think of both.
    """

    turn: int
    side: Sides
    player: str
    values: list[int]
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

    title: who did what, shortly. what_if: what another throw or the best choice would have been worth.
    """

    turn: int
    kind: Kind
    side: Sides
    player: str
    swing: float
    title: str
    what_if: str


class ReviewPlayerView(View):
    """What a player's own throws and choices brought, in points; loss is what the choices gave away."""

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
    """Why a side ended where it did, in points: ``final - initial == luck + play``.

    luck: of its own throws, less the other side's, and of throwing off who begins, with ``corrected``: the points by
    which estimates were put right on the way, 0 where chances are exact.
    play: what the other side's choices gave away, less what its own did.
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

    marked: the chance of a marked face. thrown_off: whether it was thrown off who begins.
    inaccuracy, mistake, blunder: the points from which a choice is called so. winner: null while the game goes on.
    source: exact where every chance is; error_bound: what each chance is off by at most, null where nothing is proven.
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

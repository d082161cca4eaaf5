"""Reviews a game: what every throw and every choice was worth, in points of win chance."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from fractions import Fraction

from companion.advice.adviser import Adviser, Estimate, EstimateSource, terminal_value
from companion.advice.review.review_summary import (
    POINTS,
    AlternativeThrow,
    GradeThresholds,
    Moment,
    MomentKind,
    PlayedTurn,
    Review,
    ReviewedTurn,
    is_ordinary,
)
from companion.rules.odds import FAIR, turn_odds
from companion.rules.position import Position, Side
from companion.rules.turns import Step, Turn

MOMENTS = 3
"""Turning points that a review names."""
DEPTH = 3
"""Turns that a search looks ahead in a review. Fixed, so that a position before a throw is searched as deep as the mean
of its throws, from which luck is measured. One more turn takes about six times as long."""


def review(
    game: Sequence[PlayedTurn],
    adviser: Adviser,
    *,
    thrown_off: bool,
    marked: Fraction = FAIR,
    grades: GradeThresholds | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> Review:
    """Review ``game`` in one go; see ``review_steps``. progress: called with the number of turns reviewed."""
    work = review_steps(game, adviser, thrown_off=thrown_off, marked=marked, grades=grades)
    while True:
        try:
            progress(next(work))
        except StopIteration as done:
            found: Review = done.value
            return found


def review_steps(
    game: Sequence[PlayedTurn],
    adviser: Adviser,
    *,
    thrown_off: bool,
    marked: Fraction = FAIR,
    grades: GradeThresholds | None = None,
) -> Generator[int, None, Review]:
    """Review a game step by step.

    The chances before a throw, after it and after the choice are points on one path from the start of the game to its
    end, so luck and play add up for every adviser. An adviser that estimates may rate a position differently a turn
    later. That correction is kept apart from the luck of the throws and never counts as play.

    Parameters
    ----------
    game : sequence of PlayedTurn
        At least one turn, from the start on; the game may be unfinished.
    thrown_off : bool
        Whether a throw-off decided who begins.
    marked : Fraction
        Chance of a marked face, the same as the adviser's.

    Yields
    ------
    int
        The number of turns reviewed, after each stretch of work.

    Returns
    -------
    Review
    """
    assert game, "without a turn there is nothing to review"
    grades = grades or GradeThresholds()
    opening = game[0].turn.position
    known = [before := adviser.before_throw(opening)]
    start = initial = _seen_by(Side.JADE, opening, before.win)
    if thrown_off and opening.rules.is_symmetric:
        initial = 0.5
    elif thrown_off:
        other = Position.start(opening.rules, opening.turn.other)
        known.append(adviser.before_throw(other))
        initial = (start + _seen_by(Side.JADE, other, known[-1].win)) / 2
    yield 0
    turns: list[ReviewedTurn] = []
    for played in game:
        position = played.after()
        end = terminal_value(position)
        then = adviser.before_throw(position) if end is None else Estimate(end, EstimateSource.EXACT, 0.0)
        turns.append(_reviewed(played, before.win, then, adviser, grades))
        before = then
        known.append(then)
        yield len(turns)
    moments = _moments(turns)
    lucky = {moment.turn - 1 for moment in moments if moment.kind is MomentKind.THROW}
    for number, turn in enumerate(turns):
        if number in lucky or turn.source is EstimateSource.EXACT:
            others: list[AlternativeThrow] = []
            for values, chance in sorted(turn_odds(opening.rules, marked).items()):
                others.append(AlternativeThrow(values, chance, _with(turn, values, adviser)))
                yield len(turns)
            turns[number] = replace(turn, instead=tuple(others))
    source, bound = _weakest([*known, *turns])
    return Review(
        initial=initial,
        start=start,
        turns=tuple(turns),
        moments=moments,
        over=game[-1].after().is_over(),
        source=source,
        error_bound=bound,
    )


def _seen_by(side: Side, position: Position, win: float) -> float:
    """The chance of ``side``, given that of the side to throw."""
    return win if position.turn is side else 1 - win


def _weakest(known: Sequence[Estimate | ReviewedTurn]) -> tuple[EstimateSource, float | None]:
    """The weakest source among some chances, and the largest of their error bounds."""
    exact = all(one.source is EstimateSource.EXACT for one in known)
    bounds = [one.error_bound for one in known if one.error_bound is not None]
    return (EstimateSource.EXACT if exact else EstimateSource.SEARCH), (
        max(bounds) if len(bounds) == len(known) else None
    )


def _reviewed(
    played: PlayedTurn, before: float, then: Estimate, adviser: Adviser, grades: GradeThresholds
) -> ReviewedTurn:
    """Review one turn. before: the thrower's chance. then: that of the side to throw next."""
    first = adviser.in_turn(played.turn)
    decision = len(played.turn.results()) > 1
    lost, best = 0.0, played.steps
    for at, (turn, step) in enumerate(played.choices() if decision else ()):
        if at and len(turn.results()) == 1:
            break  # The rest is forced, so the step before has accounted for it.
        rated = (adviser.in_turn(turn) if at else first).steps
        made = next(one.win for one in rated if one.step == step)
        if rated[0].win > made:
            # The best line starts at the first choice that lost something.
            best = best if lost else (*played.steps[:at], *_best(turn.after(rated[0].step), adviser, rated[0].step))
            lost += rated[0].win - made
    thrown = first.best.win
    after = max(0.0, thrown - lost)
    source, bound = _weakest([first.best, then])
    return ReviewedTurn(
        played=played,
        before=before,
        thrown=thrown,
        after=after,
        then=_seen_by(played.turn.position.turn, played.after(), then.win),
        decision=decision,
        grade=grades.of(POINTS * (thrown - after)) if decision else None,
        best=best,
        instead=(),
        source=source,
        error_bound=bound,
    )


def _best(turn: Turn, adviser: Adviser, *steps: Step) -> tuple[Step, ...]:
    """The given steps followed by the best ones to the end of the turn."""
    if not turn.steps():
        return steps
    step = adviser.in_turn(turn).steps[0].step
    return _best(turn.after(step), adviser, *steps, step)


def _with(turn: ReviewedTurn, values: tuple[int, ...], adviser: Adviser) -> float:
    """The thrower's chance if it had thrown ``values``."""
    began = turn.played.turn
    if values == tuple(sorted(began.values)):
        return turn.thrown
    return adviser.in_turn(Turn(began.position, values)).best.win


def _moments(turns: Sequence[ReviewedTurn]) -> tuple[Moment, ...]:
    """The largest swings, of those that are worth a word: no ordinary throws, and no choices that were good enough."""
    swings = []
    for number, turn in enumerate(turns, 1):
        if not is_ordinary(turn.luck):
            swings.append(Moment(number, MomentKind.THROW, turn.luck))
        if turn.grade:
            swings.append(Moment(number, MomentKind.CHOICE, -turn.loss))
    largest = sorted(swings, key=lambda one: (-abs(one.swing), one.turn))[:MOMENTS]
    return tuple(sorted(largest, key=lambda one: (one.turn, one.kind is MomentKind.CHOICE)))

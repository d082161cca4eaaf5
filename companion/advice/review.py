"""Tells luck from play: what every throw and every choice of a game was worth, in points of win chance."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from fractions import Fraction

from companion.advice.adviser import Adviser, Estimate, Source, settled
from companion.advice.odds import FAIR, turn_odds
from companion.advice.reviewed import POINTS, Grades, Instead, Kind, Moment, Played, Review, Reviewed
from companion.rules.position import Position, Side
from companion.rules.ruleset import Variant
from companion.rules.turns import Step, Turn

MOMENTS = 3
"""Turning points told of a game."""
DEPTH = 3
"""Turns that a search looks ahead for a review. A fixed number, because then a position before a throw is judged as
deep as the mean of its throws, which luck is measured by. One more takes about six times as long, one less a sixth."""


def review(
    game: Sequence[Played],
    adviser: Adviser,
    *,
    thrown_off: bool,
    marked: Fraction = FAIR,
    grades: Grades | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> Review:
    """What was luck and what was play in ``game``, at once; see ``reviewing``. progress: told the turns done so far."""
    work = reviewing(game, adviser, thrown_off=thrown_off, marked=marked, grades=grades)
    while True:
        try:
            progress(next(work))
        except StopIteration as done:
            found: Review = done.value
            return found


def reviewing(
    game: Sequence[Played],
    adviser: Adviser,
    *,
    thrown_off: bool,
    marked: Fraction = FAIR,
    grades: Grades | None = None,
) -> Generator[int, None, Review]:
    """What was luck and what was play in ``game``: its turns in order from the start, at least one; finished or not.

    Yields the number of turns done whenever the adviser has been asked for a while; returns the review.

    The chance before the throw, after it and after the choice are steps of one way that leads from the start to the
    end, so they add up whoever advises. An adviser that estimates may think otherwise of a position when it looks at
    it anew, a turn later; that correction is kept apart from the luck of the throws, and never counts as play.

    thrown_off: whether it was thrown off who begins. marked: the chance of a marked face, the same as the adviser's.
    """
    assert game, "without a turn there is nothing to review"
    grades = grades or Grades()
    opening = game[0].turn.position
    known = [before := adviser.before_throw(opening)]
    start = initial = _seen_by(Side.JADE, opening, before.win)
    if thrown_off and _is_even(opening.rules):
        initial = 0.5
    elif thrown_off:
        other = Position.start(opening.rules, opening.turn.other)
        known.append(adviser.before_throw(other))
        initial = (start + _seen_by(Side.JADE, other, known[-1].win)) / 2
    yield 0
    turns: list[Reviewed] = []
    for played in game:
        position = played.after()
        end = settled(position)
        then = adviser.before_throw(position) if end is None else Estimate(end, Source.EXACT, 0.0)
        turns.append(_reviewed(played, before.win, then, adviser, grades))
        before = then
        known.append(then)
        yield len(turns)
    moments = _moments(turns)
    told = {moment.turn - 1 for moment in moments if moment.kind is Kind.THROW}
    for number, turn in enumerate(turns):
        if number in told or turn.source is Source.EXACT:
            others: list[Instead] = []
            for values, chance in sorted(turn_odds(opening.rules, marked).items()):
                others.append(Instead(values, chance, _with(turn, values, adviser)))
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
    """That side's chance, where ``win`` is that of the side to throw."""
    return win if position.turn is side else 1 - win


def _is_even(rules: Variant) -> bool:
    """Whether the game is the same for both sides, whichever base one looks from; only a fire may lie askew."""
    return rules.fire is None or 2 * rules.fire == rules.spaces + 1


def _weakest(known: Sequence[Estimate | Reviewed]) -> tuple[Source, float | None]:
    """Where chances taken together come from, and what each is off by at most."""
    exact = all(one.source is Source.EXACT for one in known)
    bounds = [one.error_bound for one in known if one.error_bound is not None]
    return (Source.EXACT if exact else Source.SEARCH), (max(bounds) if len(bounds) == len(known) else None)


def _reviewed(played: Played, before: float, then: Estimate, adviser: Adviser, grades: Grades) -> Reviewed:
    """before: the chance of who throws. then: that of whoever throws next."""
    first = adviser.in_turn(played.turn)
    decision = len(played.turn.results()) > 1
    lost, best = 0.0, played.steps
    for at, (turn, step) in enumerate(played.choices() if decision else ()):
        if at and len(turn.results()) == 1:
            break  # The rest is forced, so the step before has said what it leads to.
        rated = (adviser.in_turn(turn) if at else first).steps
        made = next(one.win for one in rated if one.step == step)
        if rated[0].win > made:
            # What was best is told from the first choice on that gave something away.
            best = best if lost else (*played.steps[:at], *_best(turn.after(rated[0].step), adviser, rated[0].step))
            lost += rated[0].win - made
    thrown = first.best.win
    after = max(0.0, thrown - lost)
    source, bound = _weakest([first.best, then])
    return Reviewed(
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
    """The steps so far, and after them the best ones to the turn's end."""
    if not turn.steps():
        return steps
    step = adviser.in_turn(turn).steps[0].step
    return _best(turn.after(step), adviser, *steps, step)


def _with(turn: Reviewed, values: tuple[int, ...], adviser: Adviser) -> float:
    """The thrower's chance, had it thrown ``values`` there."""
    began = turn.played.turn
    if values == tuple(sorted(began.values)):
        return turn.thrown
    return adviser.in_turn(Turn(began.position, values)).best.win


def _moments(turns: Sequence[Reviewed]) -> tuple[Moment, ...]:
    swings = [Moment(number, Kind.THROW, turn.luck) for number, turn in enumerate(turns, 1)]
    swings += [Moment(number, Kind.CHOICE, -turn.loss) for number, turn in enumerate(turns, 1)]
    largest = sorted((one for one in swings if one.swing), key=lambda one: (-abs(one.swing), one.turn))[:MOMENTS]
    return tuple(sorted(largest, key=lambda one: (one.turn, one.kind is Kind.CHOICE)))

"""A game told again: its turns as they were played, and what a review says of them."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from companion.advice.adviser import Source
from companion.advice.reviewed import POINTS, Grade, Grades, Kind, Moment, Played, Review, Reviewed
from companion.errors import NotNow
from companion.referee import words
from companion.referee.library import outcome
from companion.referee.review_views import (
    InsteadView,
    MomentView,
    ReviewMoveView,
    ReviewPlayerView,
    ReviewSideView,
    ReviewTurnView,
    ReviewView,
)
from companion.referee.table import Made, Table
from companion.rules.fields import FarEnd
from companion.rules.moves import heads_home
from companion.rules.notation import write
from companion.rules.position import Position, Side
from companion.rules.ruleset import Variant
from companion.rules.turns import Step, Turn
from companion.words import _, ngettext

MINUS = "\N{MINUS SIGN}"
ORDINARY = 3.0
"""Points below which a throw is called neither lucky nor unlucky: higher calls more throws ordinary. A throw of
``puluc`` swings about 9 points in the mean."""


def played(table: Table) -> tuple[Played, ...]:
    """The turns of the game so far that are over, as they were played. What was taken back is not among them.

    Raises NotNow where there is none yet.
    """
    if not table.story:
        raise NotNow(_("No turn of this game is over yet, so there is nothing to review. Play on, then look again."))
    found: list[Played] = []
    for told in table.story:
        position = found[-1].after() if found else Position.start(table.rules, told.side)
        steps = tuple(Step(made.value, made.move) for made in told.made)
        found.append(Played(Turn(position, tuple(map(table.value, told.throws))), steps))
    return tuple(found)


def thrown_off(table: Table) -> bool:
    """Whether it was thrown off who begins."""
    return table.game.begins is None


def retold(review: Review, table: Table, *, marked: Fraction, grades: Grades) -> ReviewView:
    """The review as everyone may see it. marked, grades: those it was made with."""
    turns = [_turn(turn, number, table) for number, turn in enumerate(review.turns, 1)]
    return ReviewView(
        variant=table.game.variant,
        marked=str(marked),
        thrown_off=thrown_off(table),
        initial=review.initial,
        start=review.start,
        final=review.final,
        winner=outcome(table),
        inaccuracy=grades.inaccuracy,
        mistake=grades.mistake,
        blunder=grades.blunder,
        source=review.source.value,
        error_bound=review.error_bound,
        certainty=_certainty(review),
        turns=turns,
        moments=[_moment(moment, turns[moment.turn - 1], _named(review, moment, table)) for moment in review.moments],
        players=[_player(review, table, side, number) for side in Side for number, _ in enumerate(table.team(side), 1)],
        sides=[_side(review, table, side) for side in Side],
    )


def _turn(turn: Reviewed, number: int, table: Table) -> ReviewTurnView:
    own = tuple(sorted(turn.played.turn.values))
    best_words = _steps(turn.played.turn, turn.best)
    return ReviewTurnView(
        turn=number,
        side=turn.side.value,
        player=_name(table, turn.side, turn.player),
        values=list(turn.played.turn.values),
        moves=_moves(turn.played.turn, turn.played.steps),
        words=_steps(turn.played.turn, turn.played.steps),
        position=write(turn.played.turn.position),
        result=write(turn.played.after()),
        before=turn.before,
        thrown=turn.thrown,
        after=turn.after,
        jade=turn.then if turn.side is Side.JADE else 1 - turn.then,
        luck=turn.luck,
        loss=turn.loss,
        correction=turn.correction,
        decision=turn.decision,
        grade=turn.grade,
        best=_moves(turn.played.turn, turn.best),
        best_words=best_words,
        instead=[
            InsteadView(values=list(one.values), chance=float(one.chance), win=one.win, came=one.values == own)
            for one in turn.instead
        ],
        throw_sentence=_of_the_throw(turn.luck),
        choice_sentence=_of_the_choice(turn, best_words),
        source=turn.source.value,
        error_bound=turn.error_bound,
    )


def _name(table: Table, side: Side, player: int) -> str:
    """A player's name alone."""
    return table.called(side, player)


def _named(review: Review, moment: Moment, table: Table) -> str:
    turn = review.turns[moment.turn - 1]
    return words.player_name(table, turn.side, turn.player)


def _steps(turn: Turn, steps: tuple[Step, ...]) -> str:
    told = []
    for step in steps:
        told.append(words.way(Made(value=step.value, move=step.move, slain=turn.position.slain_by(step.move))))
        turn = turn.after(step)
    return words.in_turn(told)


def _moves(turn: Turn, steps: tuple[Step, ...]) -> list[ReviewMoveView]:
    return [_move(step, turn.position.turn, turn.position.rules) for step in steps]


def _move(step: Step, side: Side, rules: Variant) -> ReviewMoveView:
    start, to, unit = step.move.start, step.move.to, step.move.unit
    homeward = heads_home(rules, unit) or (rules.far_end is FarEnd.BOUNCE and not unit.prey)
    off = side if homeward else side.other
    begins = side.value if start is None else side.other.value if start == "field" else str(start)
    ends = off.value if to is None else side.other.value if to == "field" else str(to)
    return ReviewMoveView(
        start="base" if start is None else start,
        to="home" if to is None else to,
        value=step.value,
        unit=str(unit),
        ends=(begins, ends),
    )


def of_100(win: float) -> str:
    """A chance as the number of games won out of 100; only what is certain is told as all or none of them.

    >>> of_100(0.617), of_100(0.9999), of_100(1.0)
    ('62', 'over 99', '100')
    """
    if 0 < win < 0.005:
        # Translators: of 100 games.
        return _("under 1")
    if 0.995 <= win < 1:
        # Translators: of 100 games.
        return _("over 99")
    return f"{POINTS * win:.0f}"


def points(swing: float) -> str:
    """Points with their sign.

    >>> points(12.3), points(-5)[1:], points(0.2)
    ('+12', '5', '0')
    """
    whole = round(swing)
    return f"{'+' if whole > 0 else MINUS if whole else ''}{abs(whole)}"


def _of_the_throw(luck: float) -> str:
    ordinary, lucky = abs(luck) < ORDINARY, luck > 0
    if not round(luck):
        return _("An ordinary throw.") if ordinary else _("A lucky throw.") if lucky else _("An unlucky throw.")
    if ordinary:
        return _("An ordinary throw: {wins}.", wins=_wins(luck))
    return _("A lucky throw: {wins}.", wins=_wins(luck)) if lucky else _("An unlucky throw: {wins}.", wins=_wins(luck))


def _wins(swing: float) -> str:
    """A swing as games: 12 more wins in 100."""
    count = abs(round(swing))
    if swing > 0:
        return ngettext("{number} more win in 100", "{number} more wins in 100", count)
    return ngettext("{number} fewer win in 100", "{number} fewer wins in 100", count)


def _of_the_choice(turn: Reviewed, best: str) -> str:
    if not turn.decision:
        return _("There was only one way to play it.") if turn.played.steps else _("Nothing could be moved.")
    wins = _wins(-turn.loss)
    match turn.grade:
        case Grade.BLUNDER:
            return _("A blunder: {wins}. Better: {moves}.", wins=wins, moves=best)
        case Grade.MISTAKE:
            return _("A mistake: {wins}. Better: {moves}.", wins=wins, moves=best)
        case Grade.INACCURACY:
            return _("Not quite right: {wins}. Better: {moves}.", wins=wins, moves=best)
        case None if turn.loss >= 0.5:
            return _("Good: {wins}. Better: {moves}.", wins=wins, moves=best)
        case None:
            return _("The best choice.")


def _moment(moment: Moment, turn: ReviewTurnView, named: str) -> MomentView:
    swing = points(moment.swing)
    if moment.kind is Kind.THROW:
        values = words.both([str(value) for value in turn.values])
        if moment.swing > 0:
            title = _("{name} throws {values}: lucky, {points}", name=named, values=values, points=swing)
        else:
            title = _("{name} throws {values}: unlucky, {points}", name=named, values=values, points=swing)
        what_if = _(
            "An average throw would have won {average} of 100; this one wins {wins}.",
            average=of_100(turn.before),
            wins=of_100(turn.thrown),
        )
    else:
        title = _("{name} chooses to {moves}: {points}", name=named, moves=turn.words, points=swing)
        what_if = _(
            "To {moves} would have won {best} of 100; this wins {wins}.",
            moves=turn.best_words,
            best=of_100(turn.thrown),
            wins=of_100(turn.after),
        )
    return MomentView(
        turn=moment.turn,
        kind=moment.kind,
        side=turn.side,
        player=turn.player,
        swing=moment.swing,
        title=title,
        what_if=what_if,
    )


def _player(review: Review, table: Table, side: Side, number: int) -> ReviewPlayerView:
    tally = review.player(side, number)
    return ReviewPlayerView(
        side=side.value,
        player=_name(table, side, number),
        luck=tally.luck,
        loss=tally.loss,
        decisions=tally.decisions,
        average_loss=tally.average_loss,
        inaccuracies=tally.graded.get(Grade.INACCURACY, 0),
        mistakes=tally.graded.get(Grade.MISTAKE, 0),
        blunders=tally.graded.get(Grade.BLUNDER, 0),
    )


def _side(review: Review, table: Table, side: Side) -> ReviewSideView:
    balance = review.balance(side)
    return ReviewSideView(
        side=side.value,
        name=words.side_name(table, side),
        initial=balance.initial,
        final=balance.final,
        luck=balance.luck,
        play=balance.play,
        corrected=balance.corrected,
    )


def _certainty(review: Review) -> str:
    if review.source is Source.EXACT and review.error_bound is not None:
        return _(
            "Exact: each chance is proven to within {points} points of 100.",
            # Rounded up, so that it stays true.
            points=f"{ceil(1000 * POINTS * review.error_bound) / 1000:.3f}",
        )
    if review.source is Source.EXACT:
        return _("Exact: each chance was worked out to the end.")
    return _(
        "Estimates: the companion has looked ahead a few turns, and nobody has proven these chances. What a later look"
        " put right counts as luck of a side, of no player."
    )

"""A finished or running game as a review shows it: turns, win chances, luck and skill."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from companion.advice.adviser import EstimateSource
from companion.advice.review.reasons import reason
from companion.advice.review.review_summary import (
    POINTS,
    Grade,
    GradeThresholds,
    Moment,
    MomentKind,
    PlayedTurn,
    Review,
    ReviewedTurn,
    is_ordinary,
)
from companion.errors import NotAllowed
from companion.i18n import _
from companion.referee.game_state import GameState, Phase, PlayedMove
from companion.referee.saved_games import outcome
from companion.referee.snapshots import prompts
from companion.referee.snapshots.board_layout import move_ends
from companion.referee.snapshots.prompts import wins_text
from companion.referee.snapshots.review_view import (
    InsteadView,
    MomentView,
    ReviewMoveView,
    ReviewPlayerView,
    ReviewSideView,
    ReviewTurnView,
    ReviewView,
)
from companion.rules.notation import write
from companion.rules.position import Position, Side
from companion.rules.turns import Step, Turn
from companion.rules.variant import Variant

MINUS = "\N{MINUS SIGN}"


def finished_turns(state: GameState) -> tuple[PlayedTurn, ...]:
    """The finished turns of the game, without undone ones. Raises NotAllowed if there are none."""
    if not state.turns and state.phase is Phase.OVER:
        raise NotAllowed(_("This game ended before its first turn, so there is nothing to review."))
    if not state.turns:
        raise NotAllowed(_("There is nothing to review yet. Play a turn, then look again."))
    found: list[PlayedTurn] = []
    for record in state.turns:
        position = found[-1].after() if found else Position.start(state.rules, record.side)
        steps = tuple(Step(made.value, made.move) for made in record.made)
        found.append(PlayedTurn(Turn(position, tuple(map(state.value, record.throws))), steps))
    return tuple(found)


def thrown_off(state: GameState) -> bool:
    """Whether a throw-off decided who begins."""
    return state.game.begins is None


def review_view(review: Review, state: GameState, *, marked: Fraction, grades: GradeThresholds) -> ReviewView:
    """The review in the context's language. marked, grades: as it was computed with."""
    turns = [_turn(turn, number, state) for number, turn in enumerate(review.turns, 1)]
    return ReviewView(
        variant=state.game.variant,
        marked=str(marked),
        thrown_off=thrown_off(state),
        initial=review.initial,
        start=review.start,
        final=review.final,
        winner=outcome(state),
        inaccuracy=grades.inaccuracy,
        mistake=grades.mistake,
        blunder=grades.blunder,
        source=review.source.value,
        error_bound=review.error_bound,
        certainty=_certainty(review),
        turns=turns,
        moments=[_moment(moment, turns[moment.turn - 1], _named(review, moment, state)) for moment in review.moments],
        players=[_player(review, state, side, number) for side in Side for number, _ in enumerate(state.team(side), 1)],
        sides=[_side(review, state, side) for side in Side],
    )


def _turn(turn: ReviewedTurn, number: int, state: GameState) -> ReviewTurnView:
    own = tuple(sorted(turn.played.turn.values))
    best_words = _steps(turn.played.turn, turn.best)
    return ReviewTurnView(
        turn=number,
        side=turn.side.value,
        player=state.player_name(turn.side, turn.player),
        values=list(turn.played.turn.values),
        counts=prompts.counts_text(state.turns[number - 1].throws, state),
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
        throw_sentence=throw_comment(turn.luck),
        choice_sentence=_of_the_choice(turn, best_words),
        source=turn.source.value,
        error_bound=turn.error_bound,
    )


def _named(review: Review, moment: Moment, state: GameState) -> str:
    turn = review.turns[moment.turn - 1]
    return prompts.player_name(state, turn.side, turn.player)


def _steps(turn: Turn, steps: tuple[Step, ...]) -> str:
    moves = []
    for step in steps:
        moves.append(prompts.move_text(PlayedMove.of(step, turn.position)))
        turn = turn.after(step)
    return prompts.in_sequence(moves)


def _moves(turn: Turn, steps: tuple[Step, ...]) -> list[ReviewMoveView]:
    return [_move(step, turn.position.turn, turn.position.rules) for step in steps]


def _move(step: Step, side: Side, rules: Variant) -> ReviewMoveView:
    start, to = step.move.start, step.move.to
    return ReviewMoveView(
        start="base" if start is None else start,
        to="home" if to is None else to,
        value=step.value,
        unit=str(step.move.unit),
        ends=move_ends(step.move, side, rules),
    )


def of_100(win: float) -> str:
    """A chance as a number of games in 100; only certain ones are 0 or 100.

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
    """Points with a sign.

    >>> points(12.3), points(-5)[1:], points(0.2)
    ('+12', '5', '0')
    """
    whole = round(swing)
    return f"{'+' if whole > 0 else MINUS if whole else ''}{abs(whole)}"


def throw_comment(luck: float) -> str:
    """How lucky a throw was."""
    if not round(luck):
        return _("An ordinary throw.")
    if is_ordinary(luck):
        return _("An ordinary throw: {wins}.", wins=wins_text(luck))
    if luck > 0:
        return _("A lucky throw: {wins}.", wins=wins_text(luck))
    return _("An unlucky throw: {wins}.", wins=wins_text(luck))


def _of_the_choice(turn: ReviewedTurn, best: str) -> str:
    if not turn.decision:
        return _("The only legal play.") if turn.played.steps else _("No legal move.")
    wins = wins_text(-turn.loss)
    match turn.grade:
        case Grade.BLUNDER:
            comment = _("A blunder: {wins}. Better: {moves}.", wins=wins, moves=best)
        case Grade.MISTAKE:
            comment = _("A mistake: {wins}. Better: {moves}.", wins=wins, moves=best)
        case Grade.INACCURACY:
            comment = _("Not quite right: {wins}. Better: {moves}.", wins=wins, moves=best)
        case None if turn.loss >= 0.5:
            comment = _("Not bad: {wins}. Better: {moves}.", wins=wins, moves=best)
        case None:
            return _("The best choice.")
    return f"{comment} {reason(turn.played.turn, turn.best, turn.played.steps)}".rstrip()


def _moment(moment: Moment, turn: ReviewTurnView, named: str) -> MomentView:
    swing = wins_text(moment.swing)
    if moment.kind is MomentKind.THROW:
        if moment.swing > 0:
            title = _("{name} threw {counts}: lucky, {wins}", name=named, counts=turn.counts, wins=swing)
        else:
            title = _("{name} threw {counts}: unlucky, {wins}", name=named, counts=turn.counts, wins=swing)
        what_if = _(
            "An average throw wins {average} of 100; this one, {wins}.",
            average=of_100(turn.before),
            wins=of_100(turn.thrown),
        )
    else:
        title = _("{name} chose to {moves}: {wins}", name=named, moves=turn.words, wins=swing)
        what_if = _(
            "Better: {moves}, which wins {best} of 100 instead of {wins}.",
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


def _player(review: Review, state: GameState, side: Side, number: int) -> ReviewPlayerView:
    tally = review.player(side, number)
    return ReviewPlayerView(
        side=side.value,
        player=state.player_name(side, number),
        luck=tally.luck,
        loss=tally.loss,
        decisions=tally.decisions,
        average_loss=tally.average_loss,
        inaccuracies=tally.graded.get(Grade.INACCURACY, 0),
        mistakes=tally.graded.get(Grade.MISTAKE, 0),
        blunders=tally.graded.get(Grade.BLUNDER, 0),
    )


def _side(review: Review, state: GameState, side: Side) -> ReviewSideView:
    balance = review.balance(side)
    return ReviewSideView(
        side=side.value,
        name=prompts.side_name(state, side),
        initial=balance.initial,
        final=balance.final,
        luck=balance.luck,
        play=balance.play,
        corrected=balance.corrected,
    )


def _certainty(review: Review) -> str:
    if review.source is EstimateSource.EXACT and review.error_bound is not None:
        return _(
            "Exact: every chance is proven to within {points} points of 100.",
            # Rounded up, so that it stays true.
            points=f"{ceil(1000 * POINTS * review.error_bound) / 1000:.3f}",
        )
    if review.source is EstimateSource.EXACT:
        return _("Exact: every chance is worked out to the end of the game.")
    return _(
        "Estimates: the companion looked a few turns ahead. What it corrected later counts as luck"
        " of the side, not of a player."
    )

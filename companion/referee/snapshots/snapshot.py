"""Makes the snapshot of a game state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.advice.levels import LEVEL_NAMES
from companion.i18n import retranslate
from companion.referee import player_names
from companion.referee.advice_state import NO_ADVICE, AdviceState
from companion.referee.board.board_watch import BoardWatch, board_answers_confirm
from companion.referee.board.expected import why_no_help
from companion.referee.countdown import Countdown
from companion.referee.game_state import GameState, Phase, Throw, ThrowEvidence, TurnRecord
from companion.referee.saved_games import Score, outcome
from companion.referee.snapshots import prompts
from companion.referee.snapshots.advice_view import advice_view
from companion.referee.snapshots.board_layout import cells, columns, homeward, move_ends
from companion.referee.snapshots.board_seen import board_seen_view, made_view, place_from, place_to
from companion.referee.snapshots.board_sentences import confirm_seen_text
from companion.referee.snapshots.table_view import (
    BasesView,
    BoardChangeView,
    BoardView,
    CameraView,
    CampsView,
    CountdownView,
    EarlierTurnView,
    FieldsView,
    MatchView,
    MoveView,
    PairView,
    PlayersView,
    PlayerView,
    RulesView,
    SeenView,
    Snapshot,
    TeamsView,
    ThrowOffView,
    ThrowView,
    TurnView,
    UnitView,
    UnsureView,
)
from companion.rules.moves import heads_home
from companion.rules.notation import write
from companion.rules.position import Side, Unit
from companion.rules.turns import Step
from companion.rules.variant import Variant

FRESH_S = 0.1
"""Seconds after its beginning for which all phones share one serialised countdown."""

EARLIER = 6
"""Turns before the last that the table tells, for screens with room."""

__all__ = ["Snapshot", "render_snapshot", "with_time_left"]


def render_snapshot(
    number: int,
    state: GameState,
    *,
    game: int,
    revision: int = 0,
    match: Sequence[Score] = (),
    advice: AdviceState = NO_ADVICE,
    countdown: Countdown | None = None,
    board: BoardWatch | None = None,
) -> Snapshot:
    """Make the snapshot of a state, in the context's language.

    number: of the last event. revision: number of updates since that event.
    game: number of the game's first event. match: the scores of its match. countdown: the running one.
    board: what the camera sees on the real board.
    """
    on_board = board is not None and board.waits_for(state)
    position, steps, drawn = state.position, state.shown_steps(), board_view(state)
    shown = state.throw or (state.thrown[-1] if state.phase is Phase.MOVE else None)
    return Snapshot(
        number=number,
        revision=revision,
        step=state.step,
        game=game,
        variant=state.game.variant,
        rules=_rules(state.rules),
        position=write(position),
        board=drawn,
        turn=position.turn.value,
        thrower=state.thrower,
        phase=state.phase,
        throw_off=_throw_off(state),
        begun=state.throw_off is None,
        under_way=_is_under_way(state),
        throw=_throw(shown, state) if shown else None,
        throws=[_throw(throw, state) for throw in state.thrown],
        left=list(state.turn.values) if state.turn else [],
        unsure=_unsure(state),
        moves=_moves(steps, state, drawn),
        together=_together(steps, state),
        chosen=steps.index(state.chosen) if state.chosen in steps else None,
        advice=advice_view(state, advice),
        players=PlayersView(jade=_next_player(state, Side.JADE), obsidian=_next_player(state, Side.OBSIDIAN)),
        teams=TeamsView(
            jade=[_player(state, Side.JADE, player) for player, _ in enumerate(state.game.jade, 1)],
            obsidian=[_player(state, Side.OBSIDIAN, player) for player, _ in enumerate(state.game.obsidian, 1)],
        ),
        winner=outcome(state),
        resigned=state.resigned.value if state.resigned else None,
        match=_match(state, match),
        options=state.options,
        last=_last_turn(state.turns[-1], state) if state.turns else None,
        earlier=[
            EarlierTurnView(side=turn.side.value, sentence=prompts.turn_text(turn, state))
            for turn in reversed(state.turns[-EARLIER - 1 : -1])
        ],
        camera=CameraView(state=state.camera.state, message=_camera_text(state, board), reading=state.camera.reading),
        board_seen=board_seen_view(board, state) if board else None,
        prompt=prompts.prompt_text(
            state, waits=countdown is None and not (on_board and state.level is not None), on_board=on_board
        ),
        confirm=_confirm(state, countdown, board),
        countdown=CountdownView(what=countdown.kind, left=countdown.length_s, length=countdown.length_s)
        if countdown
        else None,
        undo=state.before is not None,
    )


def _camera_text(state: GameState, board: BoardWatch | None) -> str:
    if board is None or board.camera is not None:
        return prompts.camera_text(state.camera)
    watched = state.options.board and not why_no_help(state.rules, board.spaces)
    return prompts.camera_text(state.camera, board=watched)


def _confirm(state: GameState, countdown: Countdown | None, board: BoardWatch | None) -> str | None:
    """The label of the confirm button."""
    result = board.proposes(state) if board else None
    if result is not None and board_answers_confirm(state, countdown.kind if countdown else None):
        return confirm_seen_text(result, state)
    return prompts.confirm_text(state)


def with_time_left(snapshot: Snapshot, left_s: float) -> Snapshot:
    """The snapshot with what is left of its countdown; the same one if that has just begun."""
    countdown = snapshot.countdown
    if countdown is None or countdown.length - left_s < FRESH_S:
        return snapshot
    left = round(max(left_s, 0.0), 2)
    return Snapshot.model_construct(**{**dict(snapshot), "countdown": countdown.model_copy(update={"left": left})})


def _rules(rules: Variant) -> RulesView:
    return RulesView(
        name=retranslate(rules.name),
        source=rules.source,
        spaces=rules.spaces,
        pieces=rules.pieces,
        values=list(rules.values),
        throws=rules.throws,
        fire=rules.fire,
        teams=rules.teams,
        fields=rules.rules(),
    )


def board_view(state: GameState) -> BoardView:
    """The board of the state's position."""
    position = state.position
    wide = columns(state.rules.spaces)
    return BoardView(
        spaces=[
            [_unit(unit, state, number, wide) for unit in units] for number, units in enumerate(position.spaces, 1)
        ],
        columns=wide,
        cells=cells(state.rules.spaces, wide),
        **dict(_camps(state)),
    )


def _camps(state: GameState) -> CampsView:
    position = state.position
    jade, obsidian = position.camps

    def resting(side: Side) -> list[UnitView]:
        return [_unit(unit, state, None, 0) for unit in position.resting(side)]

    throwers = (position.player, position.waiting)
    jade_throws, obsidian_throws = throwers if position.turn is Side.JADE else reversed(throwers)
    return CampsView(
        fields=FieldsView(jade=resting(Side.JADE), obsidian=resting(Side.OBSIDIAN)),
        base=PairView(jade=sum(jade.base), obsidian=sum(obsidian.base)),
        bases=BasesView(jade=list(jade.base), obsidian=list(obsidian.base)),
        slain=PairView(jade=sum(jade.slain), obsidian=sum(obsidian.slain)),
        spent=PairView(jade=sum(jade.spent), obsidian=sum(obsidian.spent)),
        throwers=PairView(jade=jade_throws, obsidian=obsidian_throws),
    )


def _board_change(before: BoardView, state: GameState) -> BoardChangeView:
    after = board_view(state)
    changed = {
        number: units
        for number, (units, were) in enumerate(zip(after.spaces, before.spaces, strict=True), 1)
        if units != were
    }
    return BoardChangeView(spaces=changed, turn=state.position.turn.value, **dict(_camps(state)))


def _unit(unit: Unit, state: GameState, number: int | None, wide: int) -> UnitView:
    owned = state.rules.owners > 1
    home = heads_home(state.rules, unit)
    return UnitView(
        owner=unit.owner.value,
        own=unit.own,
        captives=unit.captives,
        player=state.player_name(unit.owner, unit.player) if owned else None,
        home=home,
        way=homeward(unit.owner, number, spaces=state.rules.spaces, columns=wide) if home else None,
    )


def _throw_off(state: GameState) -> ThrowOffView:
    thrown = state.throw_off
    if thrown is None:
        pair = {} if state.turns else dict(state.opening[-2:])
    else:
        pair = dict(thrown[len(thrown) - len(thrown) % 2 :])
    values = {side: state.value(throw) for side, throw in pair.items()}
    return ThrowOffView(jade=values.get(Side.JADE), obsidian=values.get(Side.OBSIDIAN))


def _seen(evidence: ThrowEvidence) -> SeenView:
    return SeenView(
        picture=f"/pictures/{evidence.picture}.jpg" if evidence.picture else None,
        width=evidence.width,
        height=evidence.height,
        lots=evidence.lots,
    )


def _throw(throw: Throw, state: GameState) -> ThrowView:
    return ThrowView(
        marked=throw.marked,
        value=state.value(throw),
        source=throw.source,
        confidence=throw.confidence,
        seen=_seen(throw.evidence) if throw.evidence else None,
    )


def _unsure(state: GameState) -> UnsureView | None:
    if state.unreadable is None:
        return None
    reason, evidence = state.unreadable
    return UnsureView(reason=reason, sentence=prompts.unsure_text(reason, len(evidence.lots)), seen=_seen(evidence))


def _moves(steps: Sequence[Step], state: GameState, board: BoardView) -> list[MoveView]:
    words = [prompts.step_text(step, state) for step in steps]
    return [
        _move(step, said, prompts.which_unit(step, state) if words.count(said) > 1 else "", state, board)
        for step, said in zip(steps, words, strict=True)
    ]


def _move(step: Step, words: str, which: str, state: GameState, board: BoardView) -> MoveView:
    assert state.turn is not None
    after = state.turn.after(step)
    position = after.position if after.steps() else after.handed_over()
    return MoveView(
        start=place_from(step.move.start),
        to=place_to(step.move.to),
        value=step.value,
        unit=str(step.move.unit),
        captures=step.move.captures,
        frees=state.position.freed_by(step.move),
        burns=state.position.burnt_by(step.move),
        slays=state.position.slain_by(step.move),
        loses=state.position.lost_by(step.move),
        result=write(position),
        words=words,
        way=prompts.way_text(step, state),
        which=which,
        ends=move_ends(step.move, state.position.turn, state.rules),
        after=_board_change(board, replace(state, position=position)),
    )


def _together(steps: Sequence[Step], state: GameState) -> list[str]:
    """Where the unit of one of the steps goes on to with the throw that is left then."""
    if state.turn is None or len(state.turn.values) < 2:
        return []
    side, rules = state.position.turn, state.rules
    found: set[str] = set()
    for step in steps:
        _start, reached = move_ends(step.move, side, rules)
        ends = (move_ends(then.move, side, rules) for then in state.turn.after(step).steps())
        found.update(end for start, end in ends if start == reached)
    return sorted(found)


def _next_player(state: GameState, side: Side) -> PlayerView:
    position = state.position
    return _player(state, side, position.player if side is position.turn else position.waiting)


def _player(state: GameState, side: Side, player: int) -> PlayerView:
    team = state.team(side)
    name = team[(player - 1) % len(team)]
    return PlayerView(name=state.player_name(side, player), level=name if name in LEVEL_NAMES else None)


def _last_turn(turn: TurnRecord, state: GameState) -> TurnView:
    made = [made_view(one.move, one.value) for one in turn.made]
    throw = turn.throws[-1]
    return TurnView(
        side=turn.side.value,
        player=state.player_name(turn.side, turn.player),
        marked=throw.marked,
        value=state.value(throw),
        start=made[-1].start if made else None,
        to=made[-1].to if made else None,
        moves=made,
        sentence=prompts.turn_text(turn, state),
    )


def _is_under_way(state: GameState) -> bool:
    """Whether the game, or the match that it belongs to, has begun and is not over."""
    game = state.game
    is_begun = state.before is not None or game.round > 0
    return is_begun and (state.phase is not Phase.OVER or game.round + 1 < len(game.evening))


def _match(state: GameState, scores: Sequence[Score]) -> MatchView | None:
    if not state.game.evening:
        return None
    return MatchView(
        variants=list(state.game.evening),
        round=state.game.round + 1,
        scores=[
            replace(score, one=player_names.display_team(score.one), other=player_names.display_team(score.other))
            for score in scores
        ],
    )

"""What is so at the table, as everyone may see it: complete, numbered, ready for JSON."""

from __future__ import annotations

from collections.abc import Sequence

from companion.advice.levels import LEVEL_NAMES
from companion.referee import names, words
from companion.referee.advice_view import advice_view
from companion.referee.counsel import NO_COUNSEL, Counsel
from companion.referee.library import Score, outcome
from companion.referee.table import Evidence, Made, Phase, Table, Throw, Told
from companion.referee.views import (
    BasesView,
    BoardView,
    CameraView,
    FieldsView,
    From,
    LotView,
    MadeView,
    MatchView,
    MoveView,
    OptionsView,
    PairView,
    PlayersView,
    PlayerView,
    RulesView,
    ScoreView,
    SeenView,
    Snapshot,
    TeamsView,
    ThrowOffView,
    ThrowView,
    To,
    TurnView,
    UnitView,
    UnsureView,
)
from companion.rules.moves import Place, heads_home
from companion.rules.notation import write
from companion.rules.position import Side, Unit
from companion.rules.ruleset import Variant
from companion.rules.turns import Step
from companion.words import again

__all__ = ["Snapshot", "snapshot_of"]


def snapshot_of(
    number: int,
    table: Table,
    *,
    game: int,
    revision: int = 0,
    match: Sequence[Score] = (),
    counsel: Counsel = NO_COUNSEL,
) -> Snapshot:
    """The table as everyone may see it after the ``number``-th event, in the language of the present context.

    revision: how often what is known about it has changed since.
    game: the number of the game's start. match: the scores of the match that it is part of.
    counsel: what is known about it.
    """
    position, steps = table.position, table.shown_steps()
    shown = table.throw or (table.thrown[-1] if table.phase is Phase.MOVE else None)
    return Snapshot(
        number=number,
        revision=revision,
        step=table.step,
        game=game,
        variant=table.game.variant,
        rules=_rules(table.rules),
        position=write(position),
        board=board_of(table),
        turn=position.turn.value,
        thrower=table.thrower,
        phase=table.phase,
        throw_off=_throw_off(table),
        throw=_throw(shown, table) if shown else None,
        throws=[_throw(throw, table) for throw in table.thrown],
        left=list(table.turn.values) if table.turn else [],
        unsure=_unsure(table),
        moves=[_move(step, table) for step in steps],
        chosen=steps.index(table.chosen) if table.chosen in steps else None,
        advice=advice_view(table, counsel),
        players=PlayersView(jade=_next_player(table, Side.JADE), obsidian=_next_player(table, Side.OBSIDIAN)),
        teams=TeamsView(
            jade=[_player(table, Side.JADE, player) for player, _ in enumerate(table.game.jade, 1)],
            obsidian=[_player(table, Side.OBSIDIAN, player) for player, _ in enumerate(table.game.obsidian, 1)],
        ),
        winner=outcome(table),
        resigned=table.resigned.value if table.resigned else None,
        match=_match(table, match),
        options=OptionsView(
            auto_throw=table.options.auto_throw,
            auto_move=table.options.auto_move,
            draw=table.options.draw,
            begins=table.options.begins,
            marked=table.options.marked,
            advice=table.options.advice,
            advice_after=table.options.advice_after,
        ),
        last=_told(table.story[-1], table) if table.story else None,
        camera=CameraView(state=table.camera.state, message=words.camera(table.camera)),
        prompt=words.prompt(table),
        confirm=words.confirm(table),
        undo=table.before is not None,
    )


def _rules(rules: Variant) -> RulesView:
    return RulesView(
        name=again(rules.name),
        source=rules.source,
        spaces=rules.spaces,
        pieces=rules.pieces,
        values=list(rules.values),
        throws=rules.throws,
        fire=rules.fire,
        teams=rules.teams,
        fields=rules.rules(),
    )


def board_of(table: Table) -> BoardView:
    """The board as one sees it in the table's position."""
    position = table.position
    jade, obsidian = position.camps

    def units(these: tuple[Unit, ...]) -> list[UnitView]:
        return [_unit(unit, table) for unit in these]

    return BoardView(
        spaces=[units(there) for there in position.spaces],
        fields=FieldsView(jade=units(position.resting(Side.JADE)), obsidian=units(position.resting(Side.OBSIDIAN))),
        base=PairView(jade=sum(jade.base), obsidian=sum(obsidian.base)),
        bases=BasesView(jade=list(jade.base), obsidian=list(obsidian.base)),
        slain=PairView(jade=sum(jade.slain), obsidian=sum(obsidian.slain)),
        spent=PairView(jade=sum(jade.spent), obsidian=sum(obsidian.spent)),
    )


def _unit(unit: Unit, table: Table) -> UnitView:
    owned = table.rules.owners > 1
    return UnitView(
        owner=unit.owner.value,
        own=unit.own,
        captives=unit.captives,
        player=table.called(unit.owner, unit.player) if owned else None,
        home=heads_home(table.rules, unit),
    )


def _throw_off(table: Table) -> ThrowOffView:
    if table.throw_off is None:
        return ThrowOffView(jade=None, obsidian=None)
    pair = dict(table.throw_off[len(table.throw_off) - len(table.throw_off) % 2 :])
    values = {side: table.value(throw) for side, throw in pair.items()}
    return ThrowOffView(jade=values.get(Side.JADE), obsidian=values.get(Side.OBSIDIAN))


def _seen(evidence: Evidence) -> SeenView:
    return SeenView(
        picture=f"/pictures/{evidence.picture}.jpg" if evidence.picture else None,
        width=evidence.width,
        height=evidence.height,
        lots=[
            LotView(
                x=lot.x,
                y=lot.y,
                angle=lot.angle,
                face=lot.face,
                confidence=lot.confidence,
                outline=list(lot.outline),
            )
            for lot in evidence.lots
        ],
    )


def _throw(throw: Throw, table: Table) -> ThrowView:
    return ThrowView(
        marked=throw.marked,
        value=table.value(throw),
        source=throw.source,
        confidence=throw.confidence,
        seen=_seen(throw.evidence) if throw.evidence else None,
    )


def _unsure(table: Table) -> UnsureView | None:
    if table.unsure is None:
        return None
    reason, evidence = table.unsure
    return UnsureView(reason=reason, sentence=words.unsure(reason, len(evidence.lots)), seen=_seen(evidence))


def _from(start: Place) -> From:
    return "base" if start is None else start


def _to(to: Place) -> To:
    return "home" if to is None else to


def _move(step: Step, table: Table) -> MoveView:
    assert table.turn is not None
    after = table.turn.after(step)
    return MoveView(
        start=_from(step.move.start),
        to=_to(step.move.to),
        value=step.value,
        unit=str(step.move.unit),
        captures=step.move.captures,
        slays=table.position.slain_by(step.move),
        result=write(after.position if after.steps() else after.handed_over()),
        words=words.spoken(step, table),
    )


def _next_player(table: Table, side: Side) -> PlayerView:
    position = table.position
    return _player(table, side, position.player if side is position.turn else position.waiting)


def _player(table: Table, side: Side, player: int) -> PlayerView:
    team = table.team(side)
    name = team[(player - 1) % len(team)]
    return PlayerView(name=table.called(side, player), level=name if name in LEVEL_NAMES else None)


def _made(made: Made) -> MadeView:
    return MadeView(start=_from(made.move.start), to=_to(made.move.to), value=made.value)


def _told(turn: Told, table: Table) -> TurnView:
    made = [_made(one) for one in turn.made]
    throw = turn.throws[-1]
    return TurnView(
        side=turn.side.value,
        player=table.called(turn.side, turn.player),
        marked=throw.marked,
        value=table.value(throw),
        start=made[-1].start if made else None,
        to=made[-1].to if made else None,
        moves=made,
        sentence=words.told(turn, table),
    )


def _match(table: Table, scores: Sequence[Score]) -> MatchView | None:
    if not table.game.evening:
        return None
    return MatchView(
        variants=list(table.game.evening),
        round=table.game.round + 1,
        scores=[
            ScoreView(
                variant=score.variant,
                one=names.team(score.one),
                other=names.team(score.other),
                one_wins=score.one_wins,
                other_wins=score.other_wins,
                draws=score.draws,
            )
            for score in scores
        ],
    )

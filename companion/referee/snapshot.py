"""All that a page, a lamp or another program may show of the table: complete, numbered, ready for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from companion.advice.levels import LEVELS, suggestion
from companion.referee import words
from companion.referee.events import Begins, CameraState, Face
from companion.referee.library import Score, outcome
from companion.referee.table import Evidence, Made, Phase, Source, Table, Throw, Told
from companion.rules.moves import Place, heads_home
from companion.rules.notation import write
from companion.rules.position import Side, Unit
from companion.rules.ruleset import Variant
from companion.rules.turns import Step

Sides = Literal["jade", "obsidian"]
From = int | Literal["base", "field"]
To = int | Literal["home", "field"]


class _View(BaseModel):
    model_config = ConfigDict(frozen=True)


class UnitView(_View):
    """A stack on the highway: its owner, and how many pieces of each side are in it.

    player: the name of the player whose top piece it is, where players own their pieces; else null.
    home: it heads for its own base.
    """

    owner: Sides
    own: int
    captives: int
    player: str | None
    home: bool


class PairView(_View):
    """A count for each side."""

    jade: int
    obsidian: int


class BoardView(_View):
    """The board as one sees it.

    spaces: the units on each space, space 1 (next to Jade's base) first. fields: units resting in the enemy's field,
    by their owner. base, slain, spent: pieces of each side; spent are out by their own side's doing.
    bases: pieces in base by player, in the order of the team.
    """

    spaces: list[list[UnitView]]
    fields: FieldsView
    base: PairView
    bases: BasesView
    slain: PairView
    spent: PairView


class FieldsView(_View):
    """Units of each side that rest in the enemy's field."""

    jade: list[UnitView]
    obsidian: list[UnitView]


class BasesView(_View):
    """Pieces in base by player."""

    jade: list[int]
    obsidian: list[int]


class LotView(_View):
    """One lot in the picture: centre and outline in pixels, angle in degrees clockwise from +x."""

    x: float
    y: float
    angle: float
    face: Face
    confidence: float
    outline: list[tuple[float, float]]


class SeenView(_View):
    """What the camera saw: where the picture is, its size in pixels, and the lots in it."""

    picture: str | None
    width: int
    height: int
    lots: list[LotView]


class ThrowView(_View):
    """The throw that is to be confirmed or moved. value: what the marked faces are worth."""

    marked: int
    value: int
    source: Source
    confidence: float
    seen: SeenView | None


class UnsureView(_View):
    """Why the last throw was not read, in a word and in a sentence."""

    reason: str
    sentence: str
    seen: SeenView


class MoveView(_View):
    """A move that may be played now, and the position after it.

    value: the throw it uses. unit: what moves, as it is spelt. captures: pieces taken; slays: captives brought in.
    words: the move as one says it.
    """

    start: Annotated[From, Field(serialization_alias="from")]
    to: To
    value: int
    unit: str
    captures: int
    slays: int
    result: str
    words: str


class AdviceView(_View):
    """A simple hint: the move, as an index into ``moves``, that takes or slays the most."""

    suggestion: int | None
    sentence: str


class PlayerView(_View):
    """A player: a person's name, or the level the companion plays at."""

    name: str
    level: str | None


class PlayersView(_View):
    """Who plays which side; of a team, whose turn it is or comes next."""

    jade: PlayerView
    obsidian: PlayerView


class TeamsView(_View):
    """All players of each side, in the order they throw."""

    jade: list[PlayerView]
    obsidian: list[PlayerView]


class RulesView(_View):
    """The rules of the running game. fields: every rule by its name, as set here."""

    name: str
    source: str
    spaces: int
    pieces: int
    values: list[int]
    throws: int
    fire: int | None
    teams: str
    fields: dict[str, Any]


class MadeView(_View):
    """A move that was made. value: of the throw it used."""

    start: Annotated[From, Field(serialization_alias="from")]
    to: To
    value: int


class TurnView(_View):
    """What the player before did. from and to are those of the last move, and null for a pass."""

    side: Sides
    player: str
    marked: int
    value: int
    start: Annotated[From | None, Field(serialization_alias="from")]
    to: To | None
    moves: list[MadeView]
    sentence: str


class ThrowOffView(_View):
    """The latest values thrown to see who begins; null where one is still to be thrown, or it is decided."""

    jade: int | None
    obsidian: int | None


class CameraView(_View):
    """What the camera does, and in a sentence what to do about it, if anything."""

    state: CameraState
    message: str


class OptionsView(_View):
    """How the players like it. See POST /api/options."""

    auto_throw: bool
    auto_move: bool
    draw: bool
    begins: Begins


class ScoreView(_View):
    """How often each has won against the other in that variant; a team's names are joined by commas."""

    variant: str
    one: str
    other: str
    one_wins: int
    other_wins: int
    draws: int


class MatchView(_View):
    """A match of several variants. round: which of them is on the table, from 1. scores: of its finished games."""

    variants: list[str]
    round: int
    scores: list[ScoreView]


class Snapshot(_View):
    """The table at one moment. The newest number replaces all before.

    step: number of the last event that changed the game; send it back to be refused if the game has gone on.
    position: the line that rules.md defines. turn: the side whose turn it is.
    prompt: whose turn it is and what to do now. confirm: what confirming would do now, or null if nothing.
    chosen: the move chosen so far, as an index into ``moves``.
    game: the number by which this game can be resumed. thrower: whose throw it is, by name.
    throws: the throws of this turn that count, where a turn has two. left: the values still to be used.
    winner: jade, obsidian or draw, once the game is over.
    """

    number: int
    step: int
    game: int
    variant: str
    rules: RulesView
    position: str
    board: BoardView
    turn: Sides
    thrower: str
    phase: Phase
    throw_off: ThrowOffView
    throw: ThrowView | None
    throws: list[ThrowView]
    left: list[int]
    unsure: UnsureView | None
    moves: list[MoveView]
    chosen: int | None
    advice: AdviceView
    players: PlayersView
    teams: TeamsView
    winner: Sides | Literal["draw"] | None
    match: MatchView | None
    options: OptionsView
    last: TurnView | None
    camera: CameraView
    prompt: str
    confirm: str | None
    undo: bool


def snapshot_of(number: int, table: Table, *, game: int, match: Sequence[Score] = ()) -> Snapshot:
    """The table as everyone may see it after the ``number``-th event.

    game: the number of the game's start. match: the scores of the match that it is part of.
    """
    position, steps = table.position, table.steps()
    hint = suggestion(table.turn) if table.turn and table.level is None else None
    shown = table.throw or (table.thrown[-1] if table.phase is Phase.MOVE else None)
    return Snapshot(
        number=number,
        step=table.step,
        game=game,
        variant=table.game.variant,
        rules=_rules(table.rules),
        position=write(position),
        board=_board(table),
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
        advice=AdviceView(
            suggestion=steps.index(hint) if hint else None,
            sentence=words.hint(hint, table) if hint else "",
        ),
        players=PlayersView(jade=_next_player(table, Side.JADE), obsidian=_next_player(table, Side.OBSIDIAN)),
        teams=TeamsView(
            jade=[_player(name) for name in table.game.jade], obsidian=[_player(name) for name in table.game.obsidian]
        ),
        winner=outcome(table),
        match=_match(table, match),
        options=OptionsView(
            auto_throw=table.options.auto_throw,
            auto_move=table.options.auto_move,
            draw=table.options.draw,
            begins=table.options.begins,
        ),
        last=_told(table.story[-1], table) if table.story else None,
        camera=CameraView(state=table.camera.state, message=table.camera.message),
        prompt=words.prompt(table),
        confirm=words.confirm(table),
        undo=table.before is not None,
    )


def _rules(rules: Variant) -> RulesView:
    return RulesView(
        name=rules.name,
        source=rules.source,
        spaces=rules.spaces,
        pieces=rules.pieces,
        values=list(rules.values),
        throws=rules.throws,
        fire=rules.fire,
        teams=rules.teams,
        fields=rules.rules(),
    )


def _board(table: Table) -> BoardView:
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
        player=table.team(unit.owner)[unit.player - 1] if owned else None,
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
    team, position = table.team(side), table.position
    player = position.player if side is position.turn else position.waiting
    return _player(team[(player - 1) % len(team)])


def _player(name: str) -> PlayerView:
    return PlayerView(name=name.capitalize() if name in LEVELS else name, level=name if name in LEVELS else None)


def _made(made: Made) -> MadeView:
    return MadeView(start=_from(made.move.start), to=_to(made.move.to), value=made.value)


def _told(turn: Told, table: Table) -> TurnView:
    made = [_made(one) for one in turn.made]
    throw = turn.throws[-1]
    return TurnView(
        side=turn.side.value,
        player=table.team(turn.side)[(turn.player - 1) % len(table.team(turn.side))],
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
                one=score.one,
                other=score.other,
                one_wins=score.one_wins,
                other_wins=score.other_wins,
                draws=score.draws,
            )
            for score in scores
        ],
    )

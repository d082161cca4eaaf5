"""All that a page, a lamp or another program may show of the table: complete, numbered, ready for JSON."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from companion.advice.levels import LEVELS, suggestion
from companion.referee import words
from companion.referee.events import CameraState, Face
from companion.referee.table import Evidence, Phase, Source, Table, Throw
from companion.rules.notation import write
from companion.rules.position import Move, Position, Side, Unit

Sides = Literal["jade", "obsidian"]


class _View(BaseModel):
    model_config = ConfigDict(frozen=True)


class UnitView(_View):
    """A stack on the highway: its owner, and how many pieces of each side are in it."""

    owner: Sides
    own: int
    captives: int


class PairView(_View):
    """A count for each side."""

    jade: int
    obsidian: int


class BoardView(_View):
    """The board as one sees it. spaces: the unit on each space or null, space 1 (next to Jade's base) first."""

    spaces: list[UnitView | None]
    base: PairView
    slain: PairView


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
    """A move that may be played now, and the position after it. captures: pieces taken; slays: captives brought in."""

    start: Annotated[int | Literal["base", "field"], Field(serialization_alias="from")]
    to: int | Literal["home", "field"]
    captures: int
    slays: int
    result: str


class AdviceView(_View):
    """A simple hint: the move, as an index into ``moves``, that takes or slays the most."""

    suggestion: int | None
    sentence: str


class PlayerView(_View):
    """A player: a person's name, or the level the companion plays at."""

    name: str
    level: str | None


class PlayersView(_View):
    """Who plays which side."""

    jade: PlayerView
    obsidian: PlayerView


class RulesView(_View):
    """The rules that the running game fixes."""

    name: str
    source: str
    spaces: int
    pieces: int
    values: list[int]


class TurnView(_View):
    """What the side before did. from and to are null for a pass."""

    side: Sides
    marked: int
    value: int
    start: Annotated[int | Literal["base", "field"] | None, Field(serialization_alias="from")]
    to: int | Literal["home", "field"] | None
    sentence: str


class ThrowOffView(_View):
    """The latest values thrown to see who begins; null where one is still to be thrown, or it is decided."""

    jade: int | None
    obsidian: int | None


class CameraView(_View):
    """What the camera does, and in a sentence what to do about it, if anything."""

    state: CameraState
    message: str


class Snapshot(_View):
    """The table at one moment. The newest number replaces all before.

    step: number of the last event that changed the game; send it back to be refused if the game has gone on.
    position: the line that rules.md defines. turn: the side whose turn it is.
    prompt: whose turn it is and what to do now. confirm: what confirming would do now, or null if nothing.
    chosen: the move chosen so far, as an index into ``moves``.
    """

    number: int
    step: int
    variant: str
    rules: RulesView
    position: str
    board: BoardView
    turn: Sides
    phase: Phase
    throw_off: ThrowOffView
    throw: ThrowView | None
    unsure: UnsureView | None
    moves: list[MoveView]
    chosen: int | None
    advice: AdviceView
    players: PlayersView
    winner: Sides | None
    last: TurnView | None
    camera: CameraView
    prompt: str
    confirm: str | None
    undo: bool


def snapshot_of(number: int, table: Table) -> Snapshot:
    """The table as everyone may see it after the ``number``-th event."""
    position, moves = table.position, table.moves()
    winner = position.winner()
    hint = suggestion(position, table.value) if moves and table.level is None else None
    return Snapshot(
        number=number,
        step=table.step,
        variant=table.game.variant,
        rules=RulesView(
            name=table.rules.name,
            source=table.rules.source,
            spaces=table.rules.spaces,
            pieces=table.rules.pieces,
            values=list(table.rules.values),
        ),
        position=write(position),
        board=_board(position),
        turn=position.turn.value,
        phase=table.phase,
        throw_off=_throw_off(table),
        throw=_throw(table.throw, table) if table.throw else None,
        unsure=_unsure(table),
        moves=[_move(move, table) for move in moves],
        chosen=moves.index(table.chosen) if table.chosen in moves else None,
        advice=AdviceView(
            suggestion=moves.index(hint) if hint else None,
            sentence=words.hint(hint, position) if hint else "",
        ),
        players=PlayersView(jade=_player(table.game.jade), obsidian=_player(table.game.obsidian)),
        winner=winner.value if winner else None,
        last=_last(table),
        camera=CameraView(state=table.camera.state, message=table.camera.message),
        prompt=words.prompt(table),
        confirm=words.confirm(table),
        undo=table.before is not None,
    )


def _board(position: Position) -> BoardView:
    return BoardView(
        spaces=[_unit(units[0]) if units else None for units in position.spaces],
        base=PairView(jade=position.base[0], obsidian=position.base[1]),
        slain=PairView(jade=position.slain[0], obsidian=position.slain[1]),
    )


def _unit(unit: Unit) -> UnitView:
    return UnitView(owner=unit.owner.value, own=unit.own, captives=unit.captives)


def _throw_off(table: Table) -> ThrowOffView:
    if table.throw_off is None:
        return ThrowOffView(jade=None, obsidian=None)
    pair = dict(table.throw_off[len(table.throw_off) - len(table.throw_off) % 2 :])
    return ThrowOffView(jade=pair.get(Side.JADE), obsidian=pair.get(Side.OBSIDIAN))


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
        value=table.value,
        source=throw.source,
        confidence=throw.confidence,
        seen=_seen(throw.evidence) if throw.evidence else None,
    )


def _unsure(table: Table) -> UnsureView | None:
    if table.unsure is None:
        return None
    reason, evidence = table.unsure
    return UnsureView(reason=reason, sentence=words.unsure(reason, len(evidence.lots)), seen=_seen(evidence))


def _move(move: Move, table: Table) -> MoveView:
    return MoveView(
        start=move.start or "base",
        to=move.to or "home",
        captures=move.captures,
        slays=table.position.slain_by(move),
        result=write(table.position.after(move, table.value)),
    )


def _player(name: str) -> PlayerView:
    return PlayerView(name=name.capitalize() if name in LEVELS else name, level=name if name in LEVELS else None)


def _last(table: Table) -> TurnView | None:
    turn = table.last
    if turn is None:
        return None
    return TurnView(
        side=turn.side.value,
        marked=turn.marked,
        value=turn.value,
        start=(turn.move.start or "base") if turn.move else None,
        to=(turn.move.to or "home") if turn.move else None,
        sentence=words.told(turn, table),
    )

"""The game on the table as the events so far have made it: a pure fold, one event at a time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import assert_never

from companion.advice.levels import LEVELS, LEVELS_TO_COME
from companion.errors import IllegalMove, NotNow, Unknown
from companion.referee import events as happen
from companion.referee.events import CameraChanged, CameraState, Event, GameStarted, Lot
from companion.rules.position import Move, Position, Side
from companion.rules.variant import Variant, variant


class Phase(StrEnum):
    """What the table waits for: a throw to see who begins, a throw, a yes to a reading, a move, or nothing more."""

    THROW_OFF = "throw_off"
    THROW = "throw"
    READING = "reading"
    MOVE = "move"
    OVER = "over"


class Source(StrEnum):
    """Where a count came from. There is no other way in."""

    CAMERA = "camera"
    HAND = "hand"
    BUTTON = "button"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What the camera saw: the lots it found, and the number of the event that holds the picture (size in pixels)."""

    lots: tuple[Lot, ...]
    picture: int | None
    width: int = 0
    height: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Throw:
    """A count of marked faces, read or said. confidence: the reader's, 1 where a person said it."""

    marked: int
    source: Source
    confidence: float = 1.0
    evidence: Evidence | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What a side did with its throw, for telling it afterwards. move: None for a pass. slain: captives brought in."""

    side: Side
    marked: int
    value: int
    move: Move | None
    slain: int


NO_CAMERA = CameraChanged(state=CameraState.NONE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Everything that is so at the table between two events.

    step: number of the last event that changed the game, as against the camera's state.
    throw_off: (side, value) of each throw that is to decide who begins; None once that is decided.
    unsure: why the last throw was not read, with what was seen; None if there is nothing to ask.
    awaited: the step since which a throw is awaited; a new one for every new throw. None when none is awaited.
    turns: turns played so far in this game.
    look: the step at which players last asked to look at the tray anew.
    before: the table that taking back the last step returns to.
    """

    game: GameStarted
    rules: Variant
    position: Position
    phase: Phase
    step: int
    throw_off: tuple[tuple[Side, int], ...] | None = ()
    throw: Throw | None = None
    chosen: Move | None = None
    unsure: tuple[str, Evidence] | None = None
    last: Turn | None = None
    turns: int = 0
    camera: CameraChanged = NO_CAMERA
    awaited: int | None = None
    look: int = 0
    before: Table | None = None

    @property
    def value(self) -> int:
        """What the throw is worth. Only while there is one."""
        assert self.throw is not None
        return self.rules.values[self.throw.marked]

    @property
    def level(self) -> str | None:
        """The level of the companion's own player whose turn it is, or None for a person."""
        name = self.player(self.position.turn)
        return name if name in LEVELS else None

    def player(self, side: Side) -> str:
        return self.game.jade if side is Side.JADE else self.game.obsidian

    def moves(self) -> tuple[Move, ...]:
        """What may be played now: the legal moves, or the one the companion's own player has decided on."""
        if self.phase is not Phase.MOVE:
            return ()
        if self.level is not None and self.chosen is not None:
            return (self.chosen,)
        return self.position.moves(self.value)


def opened(game: GameStarted, number: int, camera: CameraChanged = NO_CAMERA) -> Table:
    """A fresh table for that game. Raises Unknown for a variant, field or player there is not."""
    rules = variant(game.variant).changed(game.changes)
    for name in (game.jade, game.obsidian):
        if name in LEVELS_TO_COME:
            raise Unknown(f"Nobody here plays at '{name}' yet. The companion plays at: {', '.join(LEVELS)}.")
        if not 1 <= len(name) <= 40 or not name.isprintable() or name != name.strip():
            raise Unknown("A player's name is 1 to 40 letters, without blanks around it.")
    return Table(
        game=game,
        rules=rules,
        position=Position.start(rules),
        phase=Phase.THROW_OFF,
        step=number,
        awaited=number,
        camera=camera,
    )


def after(table: Table, event: Event, number: int) -> Table:
    """The table once ``event``, the ``number``-th of all, has happened.

    Raises NotNow where it does not fit the moment, IllegalMove, or Unknown; the table stays as it is.
    """
    match event:
        case GameStarted():
            return opened(event, number, table.camera)
        case CameraChanged():
            return replace(table, camera=event)
    changed = _changed(table, event, number)
    return replace(changed, step=number, camera=table.camera)


def _changed(table: Table, event: Event, number: int) -> Table:
    match event:
        case happen.ThrowSeen():
            _throw_wanted(table, by_camera=True)
            _count_ok(event.marked)
            throw = Throw(
                marked=event.marked,
                source=Source.CAMERA,
                confidence=event.confidence,
                evidence=_evidence(event.lots, event.picture, number),
            )
            return _reading(table, throw)
        case happen.ThrowUnreadable():
            _throw_wanted(table, by_camera=True)
            seen = (event.reason, _evidence(event.lots, event.picture, number))
            if table.phase is Phase.READING:
                table = replace(_awaiting(table, number), before=_before_reading(table))
            return replace(table, unsure=seen)
        case happen.ThrowAgain():
            _throw_wanted(table)
            return replace(_awaiting(table, number), look=number, before=_before_reading(table))
        case happen.ThrowStepped():
            _throw_wanted(table)
            old = table.throw or Throw(marked=0, source=Source.BUTTON)
            return _reading(table, replace(old, marked=(old.marked + 1) % 5, source=Source.BUTTON, confidence=1.0))
        case happen.ThrowEntered():
            _count_ok(event.marked)
            if table.phase is Phase.OVER:
                raise NotNow("The game is over, so no throw counts. Start a new game, or take the last move back.")
            old_evidence = table.throw.evidence if table.throw else table.unsure[1] if table.unsure else None
            return _accepted(table, Throw(marked=event.marked, source=Source.HAND, evidence=old_evidence), number)
        case happen.Confirmed():
            return _confirmed(table, number)
        case happen.ChoiceStepped():
            moves = _moves_due(table)
            if not moves:
                raise NotNow("Nothing is legal on this throw: pass.")
            at = moves.index(table.chosen) + 1 if table.chosen in moves else 0
            return replace(table, chosen=moves[at % len(moves)])
        case happen.MoveChosen():
            return _played(table, _legal(table, event.start, event.to), number)
        case happen.MoveProposed():
            assert table.level is not None
            return replace(table, chosen=table.position.move(event.start, event.to, table.value))
        case happen.Passed():
            moves = _moves_due(table)
            if moves:
                raise NotNow(f"A move is compulsory while one is legal: {', '.join(map(str, moves))}.")
            return _played(table, None, number)
        case happen.Undone():
            if table.before is None:
                raise NotNow("There is nothing to take back: the game has just begun.")
            back = table.before
            return replace(back, awaited=number if back.awaited is not None else None, look=table.look)
        case happen.GameAgain() | GameStarted() | CameraChanged():
            raise AssertionError(f"{event} is dealt with before it comes here")
    assert_never(event)


def _count_ok(marked: int) -> None:
    if not 0 <= marked <= 4:
        raise Unknown(f"{marked} marked faces cannot be: four lots show 0 to 4.")


def _throw_wanted(table: Table, *, by_camera: bool = False) -> None:
    if by_camera and table.throw is not None and table.throw.source is Source.BUTTON:
        raise NotNow("A person is counting with the button; the camera looks again when asked to.")
    match table.phase:
        case Phase.MOVE:
            raise NotNow("This throw is confirmed and waits for its move. Take it back to throw again.")
        case Phase.OVER:
            raise NotNow("The game is over. Start a new game, or take the last move back.")


def _moves_due(table: Table) -> tuple[Move, ...]:
    match table.phase:
        case Phase.MOVE:
            return table.moves()
        case Phase.READING:
            raise NotNow("Confirm or correct the throw first.")
        case Phase.OVER:
            raise NotNow("The game is over. Start a new game, or take the last move back.")
        case Phase.THROW | Phase.THROW_OFF:
            raise NotNow("Throw first: there is no throw to use.")
    assert_never(table.phase)


def _legal(table: Table, start: int | None, to: int | None) -> Move:
    moves = _moves_due(table)
    move = table.position.move(start, to, table.value)
    if move not in moves:
        raise IllegalMove(f"{move}: {table.player(table.position.turn)} plays {moves[0]} here. Make that move.")
    return move


def _evidence(lots: tuple[Lot, ...], picture: happen.Picture | None, number: int) -> Evidence:
    if picture is None:
        return Evidence(lots=lots, picture=None)
    return Evidence(lots=lots, picture=number, width=picture.width, height=picture.height)


def _before_reading(table: Table) -> Table | None:
    """What undoing leads to from here, a reading that is not confirmed left out."""
    return table.before.before if table.phase is Phase.READING and table.before else table.before


def _reading(table: Table, throw: Throw) -> Table:
    before = table.before if table.phase is Phase.READING else table
    return replace(table, phase=Phase.READING, throw=throw, unsure=None, awaited=None, before=before)


def _awaiting(table: Table, number: int) -> Table:
    phase = Phase.THROW if table.throw_off is None else Phase.THROW_OFF
    return replace(table, phase=phase, throw=None, chosen=None, unsure=None, awaited=number)


def _accepted(table: Table, throw: Throw, number: int) -> Table:
    """The throw counts: it decides who begins, or waits for its move."""
    now = replace(table, throw=throw, chosen=None, unsure=None, awaited=None, before=table)
    if table.throw_off is None:
        return replace(now, phase=Phase.MOVE)
    side = table.position.turn
    thrown = (*table.throw_off, (side, now.value))
    if len(thrown) % 2:
        return _awaiting(replace(now, throw_off=thrown, position=table.position.passed()), number)
    (first, one), (second, two) = thrown[-2:]
    if one == two:
        return _awaiting(replace(now, throw_off=thrown, position=replace(table.position, turn=first)), number)
    begins = first if one > two else second
    return _awaiting(replace(now, throw_off=None, position=replace(table.position, turn=begins)), number)


def _confirmed(table: Table, number: int) -> Table:
    if table.phase is Phase.READING:
        assert table.throw is not None
        return _accepted(table, table.throw, number)
    moves = _moves_due(table)
    if len(moves) > 1 and table.chosen is None:
        raise NotNow(f"Choose one of the moves first: {', '.join(map(str, moves))}.")
    return _played(table, table.chosen or (moves[0] if moves else None), number)


def _played(table: Table, move: Move | None, number: int) -> Table:
    assert table.throw is not None
    turn = Turn(
        side=table.position.turn,
        marked=table.throw.marked,
        value=table.value,
        move=move,
        slain=table.position.slain_by(move) if move else 0,
    )
    position = table.position.after(move, table.value) if move else table.position.passed()
    now = replace(table, position=position, last=turn, turns=table.turns + 1, before=table)
    if position.winner() is None:
        return _awaiting(now, number)
    return replace(now, phase=Phase.OVER, throw=None, chosen=None)

"""How the table goes on: a pure fold over the events, one at a time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce
from typing import assert_never

from companion.advice.odds import parse_chance
from companion.errors import IllegalMove, NotNow, Unknown
from companion.referee import events as happen
from companion.referee.events import Event
from companion.referee.lie import same_lie
from companion.referee.names import shown
from companion.referee.table import Evidence, Made, Phase, Source, Table, Throw, Told, opened
from companion.rules.position import Position
from companion.rules.turns import Step, Turn
from companion.rules.unit import Side
from companion.words import _, later

OVER = later("The game is over. Start a new game, or take the last move back.")


def replayed(events: Iterable[tuple[int, Event]]) -> Table:
    """The table that the numbered events of one game make, its start first."""
    table: Table | None = None
    for number, event in events:
        if table is None:
            assert isinstance(event, happen.GameStarted)
            table = opened(event, number)
        else:
            table = after(table, event, number)
    assert table is not None
    return table


def after(table: Table, event: Event, number: int) -> Table:
    """The table once ``event``, the ``number``-th of all, has happened.

    Raises NotNow where it does not fit the moment, IllegalMove, or Unknown; the table stays as it is.
    """
    match event:
        case happen.GameStarted():
            return opened(event, number, table.camera, table.options)
        case happen.CameraChanged():
            return replace(table, camera=event)
        case happen.GameRenamed() | happen.GameDeleted() | happen.ScoresReset():
            return table
        case happen.OptionsSet():
            parse_chance(event.options.marked)
            changed = replace(table, options=event.options)
            waits = table.phase in (Phase.THROW, Phase.THROW_OFF) and table.awaited is None
            return replace(changed, awaited=number) if waits and event.options.auto_throw else changed
        case happen.GameResumed():
            return replace(table, step=number, awaited=number if table.awaited is not None else None)
    changed = _changed(table, event, number)
    return replace(changed, step=number, camera=table.camera, options=table.options)


def _changed(table: Table, event: Event, number: int) -> Table:
    match event:
        case happen.ThrowSeen():
            _throw_wanted(table, by_camera=True)
            _count_ok(event.marked)
            throw = _seen(table, event, number)
            return replace(_reading(table, throw), read=throw)
        case happen.ThrowUnreadable():
            _throw_wanted(table, by_camera=True)
            asks = (event.reason, _evidence(event.lots, event.picture, number))
            if table.phase is Phase.READING:
                table = replace(_awaiting(table, number), before=_before_reading(table))
            return replace(table, unsure=asks)
        case happen.ThrowAgain():
            _throw_wanted(table)
            return replace(_awaiting(table, number), awaited=number, look=number, before=_before_reading(table))
        case happen.ThrowStepped():
            _throw_wanted(table)
            # Counted where the camera asked, so what it saw belongs to this throw.
            seen = table.unsure[1] if table.unsure else None
            old = table.throw or Throw(number=number, marked=0, source=Source.BUTTON, evidence=seen)
            return _reading(table, replace(old, marked=(old.marked + 1) % 5, source=Source.BUTTON, confidence=1.0))
        case happen.ThrowEntered():
            _count_ok(event.marked)
            return _entered(table, event, number)
        case happen.ThrowDrawn():
            _throw_wanted(table)
            return _accepted(table, Throw(number=number, marked=event.marked, source=Source.DRAWN), number)
        case happen.Confirmed():
            return _confirmed(table, number)
        case happen.ChoiceStepped():
            _nobody_thinks(table)
            steps = _steps_due(table)
            if not steps:
                raise NotNow(_("Nothing is legal on this throw: pass."))
            at = steps.index(table.chosen) + 1 if table.chosen in steps else 0
            return replace(table, chosen=steps[at % len(steps)])
        case happen.MoveChosen():
            _nobody_thinks(table)
            return _played(table, _legal(table, event), number)
        case happen.MoveProposed():
            assert table.level is not None
            return replace(table, chosen=_legal(table, event))
        case happen.Passed():
            _nobody_thinks(table)
            steps = _steps_due(table)
            if steps:
                raise NotNow(_("A move is compulsory while one is legal: {moves}.", moves=_listed(table, steps)))
            return _turn_over(table, number)
        case happen.Resigned():
            return _resigned(table, event.side)
        case happen.Undone():
            if table.before is None:
                raise NotNow(_("There is nothing to take back: the game has just begun."))
            back = table.before
            return replace(back, awaited=number if back.awaited is not None else None, look=table.look, read=table.read)
        case (
            happen.GameAgain()
            | happen.GameStarted()
            | happen.GameResumed()
            | happen.GameRenamed()
            | happen.GameDeleted()
            | happen.ScoresReset()
            | happen.OptionsSet()
            | happen.CameraChanged()
        ):
            raise AssertionError(f"{event} is dealt with before it comes here")
    assert_never(event)


def _count_ok(marked: int) -> None:
    if not 0 <= marked <= 4:
        raise Unknown(_("{marked} marked faces cannot be: four lots show 0 to 4.", marked=marked))


def _throw_wanted(table: Table, *, by_camera: bool = False) -> None:
    if by_camera and table.throw is not None and table.throw.source is Source.BUTTON:
        raise NotNow(_("A person is counting with the button; the camera looks again when asked to."))
    match table.phase:
        case Phase.MOVE:
            raise NotNow(_("This throw is confirmed and waits for its move. Take it back to throw again."))
        case Phase.OVER:
            raise NotNow(_(OVER))


def _nobody_thinks(table: Table) -> None:
    if table.thinking:
        raise NotNow(
            _("{name} is still thinking. Wait for its move, or take the throw back.", name=shown(table.thrower))
        )


def _steps_due(table: Table) -> tuple[Step, ...]:
    match table.phase:
        case Phase.MOVE:
            return table.steps()
        case Phase.READING:
            raise NotNow(_("Confirm or correct the throw first."))
        case Phase.OVER:
            raise NotNow(_(OVER))
        case Phase.THROW | Phase.THROW_OFF:
            raise NotNow(_("Throw first: there is no throw to use."))
    assert_never(table.phase)


def _legal(table: Table, wish: happen.MoveChosen | happen.MoveProposed) -> Step:
    """The step that is meant. Raises IllegalMove with the legal ones, or NotNow where several are meant."""
    steps = _steps_due(table)
    assert table.turn is not None
    wanted = [step for step in table.turn.steps() if (step.move.start, step.move.to) == (wish.start, wish.to)]
    fitting = [step for step in wanted if wish.value in (None, step.value) and wish.unit in (None, str(step.move.unit))]
    if len(fitting) > 1:
        ways = reduce(
            lambda one, other: _("{one} or {other}", one=one, other=other),
            [_("{unit} with {value}", unit=step.move.unit, value=step.value) for step in fitting],
        )
        raise NotNow(_("{move} can be done in several ways; say which: {ways}.", move=fitting[0].move, ways=ways))
    if not fitting:
        if len(table.turn.values) == 1:
            table.position.move(wish.start, wish.to, table.turn.values[0])
        tried = f"{wish.start or 'base'}-{wish.to or 'home'}"
        if not steps:
            raise IllegalMove(_("{tried} is not legal now, and no other move is.", tried=tried))
        raise IllegalMove(_("{tried} is not legal now. Legal: {moves}.", tried=tried, moves=_listed(table, steps)))
    if fitting[0] not in steps:
        raise IllegalMove(
            _(
                "{tried}: {name} plays {move} here. Make that move.",
                tried=fitting[0].move,
                name=shown(table.thrower),
                move=steps[0].move,
            )
        )
    return fitting[0]


def _listed(table: Table, steps: tuple[Step, ...]) -> str:
    several = len(table.thrown) > 1
    return ", ".join(dict.fromkeys(str(step) if several else str(step.move) for step in steps))


def _evidence(lots: tuple[happen.Lot, ...], picture: happen.Picture | None, number: int) -> Evidence:
    if picture is None:
        return Evidence(lots=lots, picture=None)
    return Evidence(lots=lots, picture=number, width=picture.width, height=picture.height)


def _seen(table: Table, event: happen.ThrowSeen, number: int) -> Throw:
    """What the camera read: a throw of its own, or the one before looked at once more."""
    before = table.read
    again = before is not None and before.evidence is not None and same_lie(event.lots, before.evidence.lots)
    return Throw(
        number=before.number if before and again and event.lots else number,
        marked=event.marked,
        source=Source.CAMERA,
        confidence=event.confidence,
        evidence=_evidence(event.lots, event.picture, number),
        sticks=event.sticks,
    )


def _before_reading(table: Table) -> Table | None:
    """What undoing leads to from here, a reading that is not confirmed left out."""
    return table.before.before if table.phase is Phase.READING and table.before else table.before


def _reading(table: Table, throw: Throw) -> Table:
    before = table.before if table.phase is Phase.READING else table
    return replace(table, phase=Phase.READING, throw=throw, unsure=None, awaited=None, before=before)


def _awaiting(table: Table, number: int) -> Table:
    return replace(
        table,
        phase=Phase.THROW if table.throw_off is None else Phase.THROW_OFF,
        throw=None,
        turn=None,
        chosen=None,
        unsure=None,
        awaited=number if table.options.auto_throw else None,
    )


def _faces_ok(told: happen.ThrowEntered, evidence: Evidence | None) -> None:
    lots = len(evidence.lots) if evidence else 0
    if told.faces and (
        len(told.faces) != lots
        or happen.Face.UNKNOWN in told.faces
        or told.faces.count(happen.Face.MARKED) != told.marked
    ):
        raise Unknown(
            _(
                "{marked} marked faces and these {faces} faces do not fit the {lots} lots seen.",
                marked=told.marked,
                faces=len(told.faces),
                lots=lots,
            )
        )


def _entered(table: Table, told: happen.ThrowEntered, number: int) -> Table:
    """A count said by a person: for the throw awaited, read, or not yet used."""
    if table.phase is Phase.OVER:
        raise NotNow(_("The game is over, so no throw counts. Start a new game, or take the last move back."))
    old = table.throw
    if table.phase is Phase.MOVE:
        if table.made:
            raise NotNow(_("A throw of this turn is used already. Take that move back to correct the count."))
        old, kept = table.thrown[-1], table.thrown[:-1]
        table = replace(table, thrown=kept, before=table)
    evidence = old.evidence if old else table.unsure[1] if table.unsure else None
    _faces_ok(told, evidence)
    misread = old.marked if old and old.source is Source.CAMERA else old.misread if old else None
    throw = Throw(
        number=old.number if old else number,
        marked=told.marked,
        source=Source.HAND,
        evidence=evidence,
        misread=None if misread == told.marked else misread,
        sticks=old.sticks if old else None,
        faces=told.faces,
    )
    corrected = _accepted(table, throw, number)
    return replace(corrected, before=table.before) if table.phase is Phase.MOVE else corrected


def _accepted(table: Table, throw: Throw, number: int) -> Table:
    """The throw counts: it decides who begins, or is used once all of the turn are thrown."""
    now = replace(table, throw=None, chosen=None, unsure=None, awaited=None, before=table)
    if table.throw_off is not None:
        return _thrown_off(now, throw, number)
    thrown = (*table.thrown, throw)
    now = replace(now, thrown=thrown)
    if len(thrown) < table.rules.throws:
        return _awaiting(now, number)
    return replace(now, phase=Phase.MOVE, turn=Turn(table.position, tuple(map(table.value, thrown))))


def _thrown_off(table: Table, throw: Throw, number: int) -> Table:
    assert table.throw_off is not None
    side = table.position.turn
    thrown = (*table.throw_off, (side, throw))
    table = replace(table, throw_off=thrown, opening=thrown)
    if len(thrown) % 2:
        return _awaiting(replace(table, position=Position.start(table.rules, side.other)), number)
    (first, one), (second, two) = thrown[-2:]
    if table.value(one) == table.value(two):
        return _awaiting(replace(table, position=Position.start(table.rules, first)), number)
    begins = first if table.value(one) > table.value(two) else second
    return _awaiting(replace(table, throw_off=None, position=Position.start(table.rules, begins)), number)


def _resigned(table: Table, side: Side) -> Table:
    match table.phase:
        case Phase.OVER:
            raise NotNow(OVER)
        case Phase.THROW_OFF:
            raise NotNow(_("The game has not begun, so nobody can give it up. Choose a new game instead."))
    ended = replace(table, phase=Phase.OVER, resigned=side, throw=None, turn=None, chosen=None, unsure=None)
    return replace(ended, awaited=None, before=table)


def _confirmed(table: Table, number: int) -> Table:
    if table.phase is Phase.READING:
        assert table.throw is not None
        return _accepted(table, table.throw, number)
    if table.phase in (Phase.THROW, Phase.THROW_OFF) and table.awaited is None:
        return replace(table, awaited=number)
    _nobody_thinks(table)
    steps = _steps_due(table)
    if not steps:
        return _turn_over(table, number)
    if len(steps) > 1 and table.chosen is None:
        raise NotNow(_("Choose one of the moves first: {moves}.", moves=_listed(table, steps)))
    return _played(table, table.chosen or steps[0], number)


def _played(table: Table, step: Step, number: int) -> Table:
    assert table.turn is not None
    made = Made(value=step.value, move=step.move, slain=table.position.slain_by(step.move))
    turn = table.turn.after(step)
    now = replace(table, turn=turn, position=turn.position, made=(*table.made, made), chosen=None, before=table)
    if turn.position.is_over() or not turn.steps():
        return replace(_turn_over(now, number), before=table)
    return now


def _turn_over(table: Table, number: int) -> Table:
    assert table.turn is not None
    told = Told(side=table.position.turn, player=table.position.player, throws=table.thrown, made=table.made)
    now = replace(
        table,
        position=table.turn.handed_over(),
        story=(*table.story, told),
        thrown=(),
        made=(),
        before=table,
    )
    if now.position.is_over():
        return replace(now, phase=Phase.OVER, turn=None, throw=None, chosen=None, awaited=None)
    return _awaiting(now, number)

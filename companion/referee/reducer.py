"""The reducer: applies events to the state of the game, one at a time. Pure functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import reduce
from typing import assert_never

from companion.errors import IllegalMove, NotAllowed, Unknown
from companion.i18n import N_, _
from companion.referee import events as happen
from companion.referee.events import Event, same_placement
from companion.referee.game_state import (
    AS_FIRST_SET_UP,
    GameState,
    Phase,
    PlayedMove,
    Throw,
    ThrowEvidence,
    ThrowSource,
    TurnRecord,
    new_game,
)
from companion.referee.player_names import display_name
from companion.rules.odds import parse_chance
from companion.rules.position import Position
from companion.rules.turns import Step, Turn
from companion.rules.unit import Side

OptionsAt = Callable[[int], happen.Options]
"""The table's options at the event with that number."""
OVER = N_("The game is over. Start a new game, or undo the last move.")


def replay(events: Iterable[tuple[int, Event]], options_at: OptionsAt = lambda _: AS_FIRST_SET_UP) -> GameState:
    """The state after the numbered events of one game, of which the first starts it."""
    state: GameState | None = None
    for _event, after in replayed_states(events, options_at):
        state = after
    assert state is not None
    return state


def replayed_states(events: Iterable[tuple[int, Event]], options_at: OptionsAt) -> Iterator[tuple[Event, GameState]]:
    """The numbered events of one game, of which the first starts it, each with the state after it.

    options_at: the table's options when an event came; while another game was on the table they may have changed.
    """
    state: GameState | None = None
    for number, event in events:
        if state is None:
            assert isinstance(event, happen.GameStarted)
            state = new_game(event, number, options=options_at(number))
        else:
            state = apply(state, event, number)
            if isinstance(event, happen.GameResumed):
                state = replace(state, options=options_at(number))
        yield event, state


def apply(state: GameState, event: Event, number: int) -> GameState:
    """The state after ``event``, which has that number.

    Raises NotAllowed if the event is not allowed now, IllegalMove, or Unknown.
    """
    # What was being read belonged to the step before.
    camera = replace(state.camera, reading=False) if state.camera.reading else state.camera
    match event:
        case happen.GameStarted():
            return new_game(event, number, camera, state.options)
        case happen.CameraChanged():
            return replace(state, camera=event)
        case happen.GameRenamed() | happen.GameDeleted() | happen.ScoresReset():
            return state
        case happen.OptionsSet():
            parse_chance(event.options.marked)
            changed = replace(state, options=event.options)
            waits = state.phase in (Phase.THROW, Phase.THROW_OFF) and state.awaited is None
            return replace(changed, awaited=number) if waits and event.options.auto_throw else changed
        case happen.GameResumed():
            awaited = number if state.awaited is not None else None
            return replace(state, step=number, camera=camera, awaited=awaited, held=True)
    changed = _changed(state, event, number)
    return replace(changed, step=number, camera=camera, options=state.options, held=_held(state, event))


def _held(state: GameState, event: Event) -> bool:
    """Whether nothing happens by itself after ``event``. What the camera sees next is no decision of the players."""
    match event:
        case happen.Undone() | happen.ReadingDoubted():
            return True
        case happen.ThrowSeen() | happen.ThrowUnreadable() | happen.ChoiceStepped():
            return state.held
    return False


def _changed(state: GameState, event: Event, number: int) -> GameState:
    """The game after an event that is part of it. `apply` handles the others, and what every event changes."""
    match event:
        case happen.ThrowSeen():
            _check_throw_is_due(state, by_camera=True)
            _check_count(event.marked)
            throw = _seen(state, event, number)
            return replace(_reading(state, throw), last_reading=throw)
        case happen.ThrowUnreadable():
            _check_throw_is_due(state, by_camera=True)
            asks = (event.reason, _evidence(event.lots, event.picture, number))
            if state.phase is Phase.READING:
                state = replace(_awaiting(state, number), before=_before_reading(state))
            return replace(state, unreadable=asks)
        case happen.ThrowAgain():
            _check_throw_is_due(state)
            return replace(_awaiting(state, number), awaited=number, look_again=number, before=_before_reading(state))
        case happen.ThrowStepped():
            _check_throw_is_due(state)
            # The camera asked for this count, so what it saw belongs to this throw.
            seen = state.unreadable[1] if state.unreadable else None
            old = state.throw or Throw(number=number, marked=0, source=ThrowSource.BUTTON, evidence=seen)
            return _reading(state, replace(old, marked=(old.marked + 1) % 5, source=ThrowSource.BUTTON, confidence=1.0))
        case happen.ThrowEntered():
            _check_count(event.marked)
            return _entered(state, event, number)
        case happen.ThrowDrawn():
            _check_throw_is_due(state)
            return _accepted(state, Throw(number=number, marked=event.marked, source=ThrowSource.DRAWN), number)
        case happen.Confirmed() | happen.CountdownEnded():
            return _confirmed(state, number)
        case happen.ReadingDoubted():
            if state.phase is not Phase.READING:
                raise NotAllowed(_("There's no reading to correct. If something was counted wrong, undo it."))
            return state
        case happen.ChoiceStepped():
            _check_nobody_thinks(state)
            steps = _steps_due(state)
            if not steps:
                raise NotAllowed(_("No move is legal with this throw. Pass."))
            at = steps.index(state.chosen) + 1 if state.chosen in steps else 0
            return replace(state, chosen=steps[at % len(steps)])
        case happen.MoveChosen():
            _check_nobody_thinks(state)
            played = _played(state, _legal(state, event), number)
            return replace(played, before=state.before) if event.joined else played
        case happen.MoveProposed():
            assert state.level is not None
            return replace(state, chosen=_legal(state, event))
        case happen.Passed():
            _check_nobody_thinks(state)
            steps = _steps_due(state)
            if steps:
                raise NotAllowed(
                    _("You can only pass if no move is legal. Legal: {moves}.", moves=_listed(state, steps))
                )
            return _turn_over(state, number)
        case happen.Resigned():
            return _resigned(state, event.side)
        case happen.Undone():
            if state.before is None:
                raise NotAllowed(_("There is nothing to undo: the game has just begun."))
            back = state.before
            return replace(
                back,
                awaited=number if back.awaited is not None else None,
                look_again=state.look_again,
                last_reading=state.last_reading,
            )
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
            raise AssertionError(f"{event} is handled by apply")
    assert_never(event)


def _check_count(marked: int) -> None:
    """Raise Unknown unless four sticks can show that many marked faces."""
    if not 0 <= marked <= 4:
        raise Unknown(_("{marked} is not a count: four sticks show 0 to 4 marked sides.", marked=marked))


def _check_throw_is_due(state: GameState, *, by_camera: bool = False) -> None:
    """Raise NotAllowed if no throw is awaited or read, or if the camera would change a count from the button."""
    if by_camera and state.throw is not None and state.throw.source is ThrowSource.BUTTON:
        raise NotAllowed(_("Somebody is counting with the button. The camera waits until you ask it to look again."))
    match state.phase:
        case Phase.MOVE:
            raise NotAllowed(_("This throw is confirmed. Play your move, or undo to throw again."))
        case Phase.OVER:
            raise NotAllowed(_(OVER))


def _check_nobody_thinks(state: GameState) -> None:
    """Raise NotAllowed while Expert is choosing a move."""
    if state.thinking:
        raise NotAllowed(
            _("{name} is still thinking. Wait for the move, or undo the throw.", name=display_name(state.thrower))
        )


def _steps_due(state: GameState) -> tuple[Step, ...]:
    """The steps that may be played now; empty for a pass. Raises NotAllowed if no move is due."""
    match state.phase:
        case Phase.MOVE:
            return state.steps()
        case Phase.READING:
            raise NotAllowed(_("Confirm or correct the throw first."))
        case Phase.OVER:
            raise NotAllowed(_(OVER))
        case Phase.THROW | Phase.THROW_OFF:
            raise NotAllowed(_("Throw the sticks first."))
    assert_never(state.phase)


def _legal(state: GameState, wish: happen.MoveChosen | happen.MoveProposed) -> Step:
    """The step that is meant. Raises IllegalMove, which lists the legal ones, or NotAllowed for an ambiguous wish."""
    steps = _steps_due(state)
    assert state.turn is not None
    wanted = [step for step in state.turn.steps() if (step.move.start, step.move.to) == (wish.start, wish.to)]
    fitting = [step for step in wanted if wish.value in (None, step.value) and wish.unit in (None, str(step.move.unit))]
    if len(fitting) > 1:
        ways = reduce(
            lambda one, other: _("{one} or {other}", one=one, other=other),
            [_("{unit} with {value}", unit=step.move.unit, value=step.value) for step in fitting],
        )
        raise NotAllowed(
            _("There are several ways to play {move}. Choose one: {ways}.", move=fitting[0].move, ways=ways)
        )
    if not fitting:
        if len(state.turn.values) == 1:
            state.position.move(wish.start, wish.to, state.turn.values[0])
        tried = f"{wish.start or 'base'}-{wish.to or 'home'}"
        if not steps:
            raise IllegalMove(_("{tried} is not legal, and neither is any other move.", tried=tried))
        raise IllegalMove(_("{tried} is not legal. Legal: {moves}.", tried=tried, moves=_listed(state, steps)))
    if fitting[0] not in steps:
        raise IllegalMove(
            _(
                "{name} plays {move}, not {tried}. Make that move.",
                tried=fitting[0].move,
                name=display_name(state.thrower),
                move=steps[0].move,
            )
        )
    return fitting[0]


def _listed(state: GameState, steps: tuple[Step, ...]) -> str:
    """The moves for a sentence, each with its throw if the turn has two."""
    several = len(state.thrown) > 1
    return ", ".join(dict.fromkeys(str(step) if several else str(step.move) for step in steps))


def _evidence(lots: tuple[happen.Lot, ...], picture: happen.Picture | None, number: int) -> ThrowEvidence:
    """What event ``number`` shows of a throw; the state refers to the picture by that number."""
    if picture is None:
        return ThrowEvidence(lots=lots, picture=None)
    return ThrowEvidence(lots=lots, picture=number, width=picture.width, height=picture.height)


def _seen(state: GameState, event: happen.ThrowSeen, number: int) -> Throw:
    """The throw that the camera read: a new one, or the one before read again."""
    before = state.last_reading
    again = before is not None and before.evidence is not None and same_placement(event.lots, before.evidence.lots)
    return Throw(
        number=before.number if before and again and event.lots else number,
        marked=event.marked,
        source=ThrowSource.CAMERA,
        confidence=event.confidence,
        evidence=_evidence(event.lots, event.picture, number),
        sticks=event.sticks,
    )


def _before_reading(state: GameState) -> GameState | None:
    """The state that undo leads to from here, skipping an unconfirmed reading."""
    return state.before.before if state.phase is Phase.READING and state.before else state.before


def _reading(state: GameState, throw: Throw) -> GameState:
    """Show a throw for confirmation. Undo skips a reading that it replaces."""
    before = state.before if state.phase is Phase.READING else state
    return replace(state, phase=Phase.READING, throw=throw, unreadable=None, awaited=None, before=before)


def _awaiting(state: GameState, number: int) -> GameState:
    """Wait for the next throw of the throw-off or of a turn."""
    return replace(
        state,
        phase=Phase.THROW if state.throw_off is None else Phase.THROW_OFF,
        throw=None,
        turn=None,
        chosen=None,
        unreadable=None,
        awaited=number if state.options.auto_throw else None,
    )


def _check_faces(event: happen.ThrowEntered, evidence: ThrowEvidence | None) -> None:
    """Raise Unknown if faces were entered and match neither the count nor the sticks in the picture."""
    lots = len(evidence.lots) if evidence else 0
    if event.faces and (
        len(event.faces) != lots
        or happen.Face.UNKNOWN in event.faces
        or event.faces.count(happen.Face.MARKED) != event.marked
    ):
        raise Unknown(
            _(
                "{marked} marked and these {faces} sides do not match the {lots} sticks in the picture.",
                marked=event.marked,
                faces=len(event.faces),
                lots=lots,
            )
        )


def _entered(state: GameState, event: happen.ThrowEntered, number: int) -> GameState:
    """Accept a count that a person entered for the throw that is awaited, read, or not yet used."""
    if state.phase is Phase.OVER:
        raise NotAllowed(_(OVER))
    old = state.throw
    if state.phase is Phase.MOVE:
        if state.made:
            raise NotAllowed(_("One throw of this turn is already used. Undo that move to correct the count."))
        old, kept = state.thrown[-1], state.thrown[:-1]
        state = replace(state, thrown=kept, before=state)
    evidence = old.evidence if old else state.unreadable[1] if state.unreadable else None
    _check_faces(event, evidence)
    misread = old.marked if old and old.source is ThrowSource.CAMERA else old.misread if old else None
    throw = Throw(
        number=old.number if old else number,
        marked=event.marked,
        source=ThrowSource.HAND,
        evidence=evidence,
        misread=None if misread == event.marked else misread,
        sticks=old.sticks if old else None,
        faces=event.faces,
    )
    corrected = _accepted(state, throw, number)
    return replace(corrected, before=state.before) if state.phase is Phase.MOVE else corrected


def _accepted(state: GameState, throw: Throw, number: int) -> GameState:
    """Accept a throw: it is part of the throw-off, or is used once all throws of the turn are there."""
    now = replace(state, throw=None, chosen=None, unreadable=None, awaited=None, before=state)
    if state.throw_off is not None:
        return _thrown_off(now, throw, number)
    thrown = (*state.thrown, throw)
    now = replace(now, thrown=thrown)
    if len(thrown) < state.rules.throws:
        return _awaiting(now, number)
    return replace(now, phase=Phase.MOVE, turn=Turn(state.position, tuple(map(state.value, thrown))))


def _thrown_off(state: GameState, throw: Throw, number: int) -> GameState:
    """Add a throw to the throw-off. The higher value of a pair begins; equal ones are thrown again."""
    assert state.throw_off is not None
    side = state.position.turn
    thrown = (*state.throw_off, (side, throw))
    state = replace(state, throw_off=thrown, opening=thrown)
    if len(thrown) % 2:
        return _awaiting(replace(state, position=Position.start(state.rules, side.other)), number)
    (first, one), (second, two) = thrown[-2:]
    if state.value(one) == state.value(two):
        return _awaiting(replace(state, position=Position.start(state.rules, first)), number)
    begins = first if state.value(one) > state.value(two) else second
    return _awaiting(replace(state, throw_off=None, position=Position.start(state.rules, begins)), number)


def _resigned(state: GameState, side: Side) -> GameState:
    """End the game because ``side`` resigns."""
    if state.phase is Phase.OVER:
        raise NotAllowed(_(OVER))
    ended = replace(state, phase=Phase.OVER, resigned=side, throw=None, turn=None, chosen=None, unreadable=None)
    return replace(ended, awaited=None, before=state)


def _confirmed(state: GameState, number: int) -> GameState:
    """Accept what is shown: the reading, the announcement of a throw, the only or chosen move, or a pass."""
    if state.phase is Phase.READING:
        assert state.throw is not None
        return _accepted(state, state.throw, number)
    if state.phase in (Phase.THROW, Phase.THROW_OFF) and state.awaited is None:
        return replace(state, awaited=number)
    _check_nobody_thinks(state)
    steps = _steps_due(state)
    if not steps:
        return _turn_over(state, number)
    if len(steps) > 1 and state.chosen is None:
        raise NotAllowed(_("Choose one of the moves first: {moves}.", moves=_listed(state, steps)))
    return _played(state, state.chosen or steps[0], number)


def _played(state: GameState, step: Step, number: int) -> GameState:
    """Play a legal step, and hand the turn over once none is left."""
    assert state.turn is not None
    made = PlayedMove.of(step, state.position)
    turn = state.turn.after(step)
    now = replace(state, turn=turn, position=turn.position, made=(*state.made, made), chosen=None, before=state)
    if turn.position.is_over() or not turn.steps():
        return replace(_turn_over(now, number), before=state)
    return now


def _turn_over(state: GameState, number: int) -> GameState:
    """Record the turn, and hand over to the next thrower or end the game."""
    assert state.turn is not None
    finished = TurnRecord(side=state.position.turn, player=state.position.player, throws=state.thrown, made=state.made)
    now = replace(
        state, position=state.turn.handed_over(), turns=(*state.turns, finished), thrown=(), made=(), before=state
    )
    if now.position.is_over():
        return replace(now, phase=Phase.OVER, turn=None, throw=None, chosen=None, awaited=None)
    return _awaiting(now, number)

"""The positions that the board may show now, and the events that lead to each of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.i18n import _
from companion.referee.events import Confirmed, CountdownEnded, Event, MoveChosen, Undone
from companion.referee.game_state import GameState, Phase
from companion.rules.position import Position
from companion.rules.turns import Step, Turn
from companion.rules.variant import Variant
from companion.rules.variant_fields import FarEnd, Teams


@dataclass(frozen=True, slots=True)
class ExpectedBoard:
    """before: as the game stands. results: after a move. unfinished: in the middle of a turn of two throws."""

    before: Position
    results: tuple[Position, ...] = ()
    unfinished: tuple[Position, ...] = ()

    @classmethod
    def of_turn(cls, turn: Turn) -> ExpectedBoard:
        """Every result of a turn."""
        return cls(turn.position, turn.ends(), tuple(_unfinished(turn)))


def expected_board(state: GameState) -> ExpectedBoard:
    """The positions to tell apart in a picture of the board.

    While a move is due these are its results, also for a throw that is read and not yet confirmed. For a computer
    player it is the move that it has decided on. Before the next throw, a person may still correct the last move: then
    these are the other results of that turn, and the position before it.
    """
    turn = due_turn(state)
    if turn is not None and state.level is None:
        return ExpectedBoard.of_turn(turn)
    if turn is not None and state.chosen is not None:
        after = turn.after(state.chosen)
        return ExpectedBoard(turn.position, (after.position if after.steps() else after.handed_over(),))
    last = last_turn(state)
    if last is not None and last[0].turn is not None:
        others = (last[0].position, *last[0].turn.ends())
        different = tuple(one for one in others if _tops(one) != _tops(state.position))
        return ExpectedBoard(state.position, different)
    return ExpectedBoard(state.position)


def due_turn(state: GameState) -> Turn | None:
    """The turn that is due; of a person also one whose last throw is only read. None if there is none."""
    if state.phase is Phase.MOVE:
        return state.turn
    is_last = state.throw_off is None and len(state.thrown) + 1 == state.rules.throws
    if state.phase is Phase.READING and is_last and state.throw is not None and state.level is None:
        return Turn(state.position, tuple(map(state.value, (*state.thrown, state.throw))))
    return None


def last_turn(state: GameState) -> tuple[GameState, int] | None:
    """The state in which the last turn's first move was due, and the number of steps to undo until then.

    None if the last turn was a computer player's or a pass, or if something else has happened since.
    """
    if state.phase is not Phase.THROW or state.thrown or not state.turns or not state.turns[-1].made:
        return None
    back, undone = state.before, 1
    while back is not None and back.phase is Phase.MOVE and back.made:
        back, undone = back.before, undone + 1
    if back is None or back.phase is not Phase.MOVE or back.level is not None:
        return None
    return back, undone


def steps_to(turn: Turn, result: Position) -> tuple[Step, ...]:
    """The steps that lead to a result of the turn; empty if none do."""
    for step in turn.steps():
        after = turn.after(step)
        if after.steps():
            rest = steps_to(after, result)
            if rest:
                return (step, *rest)
        elif after.handed_over() == result:
            return (step,)
    return ()


def events_to(state: GameState, result: Position) -> list[Event]:
    """The events that make one of the expected results the game's position."""
    turn = due_turn(state)
    if turn is not None and state.level is not None:
        return [Confirmed()]
    events: list[Event] = []
    if turn is None:
        last = last_turn(state)
        assert last is not None
        turn = last[0].turn
        events += [Undone()] * last[1]
        assert turn is not None
    elif state.phase is Phase.READING:
        # As after a countdown: whoever moves has not looked at the picture of the throw.
        events.append(CountdownEnded())
    return events + [
        MoveChosen(step.move.start, step.move.to, step.value, str(step.move.unit), joined=at > 0)
        for at, step in enumerate(steps_to(turn, result))
    ]


def why_no_help(rules: Variant, spaces: int) -> str:
    """Why the camera cannot follow this game on a board with so many spaces, in a sentence; empty if it can."""
    if rules.spaces != spaces:
        return _(
            "This game has {game} spaces and the board I know has {board}, so tap your moves. "
            "To use another board, teach me that one.",
            game=rules.spaces,
            board=spaces,
        )
    if rules.teams is Teams.OWNED and rules.players > 1:
        return _("Everyone has their own pieces here, and I can't tell whose is whose. Tap your moves.")
    if rules.far_end is FarEnd.WALK_BACK:
        return _("In this game pieces also rest beside the highway, where I don't look. Tap your moves.")
    return ""


def _unfinished(turn: Turn) -> Iterator[Position]:
    for step in turn.steps():
        after = turn.after(step)
        if after.steps():
            yield after.position


def _tops(position: Position) -> tuple[frozenset[object], ...]:
    return tuple(frozenset(unit.owner for unit in units) for units in position.spaces)

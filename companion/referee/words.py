"""What the companion says, in sentences: what to do now, what a button would do, why it asks."""

from __future__ import annotations

from companion.advice.levels import LEVELS
from companion.referee.events import CameraState
from companion.referee.table import Phase, Table, Turn
from companion.rules.position import Move, Position, Side

_UNSURE = {
    "moving": "The picture has not come to rest.",
    "touching": "Some of the four touch or cross. Please spread them without turning them over.",
    "leaning": "One of the four leans or stands on its edge. Please throw again.",
    "glare": "Something shines too brightly to see the faces. Please shade it.",
    "covered": "Something covers the tray. Please take it away.",
    "unclear": "I cannot tell every face for certain. Please count for me.",
    "moved": "The tray or the camera has moved. Put it back, or calibrate again.",
}
_NUMBERS = ("none", "one", "two", "three", "four", "five", "six")


def unsure(reason: str, lots: int) -> str:
    """Why a throw was not read, and what to do about it."""
    if reason == "count":
        seen = _NUMBERS[lots] if lots < len(_NUMBERS) else str(lots)
        return f"I see {seen}, not four. Please lay all four apart in the tray."
    return _UNSURE.get(reason, f"I am not sure ({reason}). Please count for me, or throw again.")


def prompt(table: Table) -> str:
    """Whose turn it is and what to do now, in one or two short sentences."""
    name = side_name(table, table.position.turn)
    match table.phase:
        case Phase.THROW_OFF:
            tie = table.throw_off and len(table.throw_off) % 2 == 0
            return f"{'A tie. ' if tie else ''}Who begins? {_throws(table, name)}"
        case Phase.THROW:
            return _throws(table, name)
        case Phase.READING:
            assert table.throw is not None
            return f"{name} threw {table.throw.marked} marked. Is that right?"
        case Phase.MOVE:
            return _move_due(table, name)
        case Phase.OVER:
            winner = table.position.winner()
            assert winner is not None
            return f"{side_name(table, winner)} has won."


def confirm(table: Table) -> str | None:
    """What the confirm button would do now, or None if nothing."""
    match table.phase:
        case Phase.READING:
            assert table.throw is not None
            return f"Yes, {table.throw.marked} marked"
        case Phase.MOVE:
            moves = table.moves()
            if not moves:
                return "Pass"
            move = table.chosen or (moves[0] if len(moves) == 1 else None)
            return spoken(move, table.position.slain_by(move)).capitalize() if move else None
        case _:
            return None


def hint(move: Move, position: Position) -> str:
    """A suggestion in words."""
    return f"Best catch: {spoken(move, position.slain_by(move))}."


def spoken(move: Move, slain: int) -> str:
    """A move in words; ``slain``: the captives it brings in.

    >>> spoken(Move(2, 4, 1), slain=0)
    'move 2 to 4, capturing 1'
    """
    if move.start is None:
        text = f"enter on {move.to}"
    elif move.to is None:
        text = f"move {move.start} off the board"
    else:
        text = f"move {move.start} to {move.to}"
    if move.captures:
        return f"{text}, capturing {move.captures}"
    return f"{text}, slaying {slain}" if slain else text


def told(turn: Turn, table: Table) -> str:
    """What a side did with its throw, afterwards."""
    name = side_name(table, turn.side)
    if turn.move is None:
        return f"{name} threw {turn.marked} and passed."
    return f"{name} threw {turn.marked}: {spoken(turn.move, turn.slain)}."


def side_name(table: Table, side: Side) -> str:
    """The player's name; a level is named with its side."""
    name, colour = table.player(side), side.value.capitalize()
    return colour if name == colour else f"{name.capitalize() if name in LEVELS else name} ({colour})"


def _throws(table: Table, name: str) -> str:
    if table.unsure:
        return f"{name} has thrown."
    if table.camera.state is CameraState.MOVING:
        return f"{name} throws …"
    return f"{name} to throw."


def _move_due(table: Table, name: str) -> str:
    moves = table.moves()
    if not moves:
        why = "a throw worth nothing" if table.value == 0 else "no move is legal"
        return f"{name} must pass: {why}."
    if table.level is not None:
        return f"{name} plays: {spoken(moves[0], table.position.slain_by(moves[0]))}. Do it on the board, then confirm."
    return f"{name} moves {table.value}." if len(moves) == 1 else f"{name} moves {table.value}. Choose a move."

"""What the companion says, in sentences: what to do now, what a button would do, why it asks."""

from __future__ import annotations

from companion.referee.counsel import Solving
from companion.referee.events import CameraChanged, CameraState
from companion.referee.table import Made, Phase, Table, Told
from companion.rules.fields import Teams
from companion.rules.position import Side
from companion.rules.turns import Step
from companion.words import _, again

_UNSURE = {
    "moving": "The picture has not come to rest.",
    "touching": "Some of the four touch or cross. Please spread them without turning them over.",
    "leaning": "One of the four leans or stands on its edge. Please throw again.",
    "glare": "Something shines too brightly to see the faces. Please shade it.",
    "covered": "Something covers the tray. Please take it away.",
    "unclear": "I cannot tell every face for certain. Please count for me.",
    "differs": "I looked twice and saw two different things. Please count for me, or throw again.",
    "moved": "The camera or the tray has moved: put it back or calibrate again.",
}
_NUMBERS = ("none", "one", "two", "three", "four", "five", "six")
_ORDER = ("first", "second")


def unsure(reason: str, lots: int) -> str:
    """Why a throw was not read, and what to do about it."""
    if reason == "count":
        seen = _NUMBERS[lots] if lots < len(_NUMBERS) else str(lots)
        return f"I see {seen}, not four. Please lay all four apart in the tray."
    return _UNSURE.get(reason, f"I am not sure ({reason}). Please count for me, or throw again.")


def prompt(table: Table) -> str:
    """Whose turn it is and what to do now, in one or two short sentences."""
    name = player_name(table, table.position.turn, table.position.player)
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
            winner = table.winner()
            if winner and table.resigned:
                return f"{side_name(table, table.resigned)} gives up. {side_name(table, winner)} has won."
            return f"{side_name(table, winner)} has won." if winner else "The game is drawn."


def confirm(table: Table) -> str | None:
    """What the confirm button would do now, or None if nothing."""
    match table.phase:
        case Phase.READING:
            assert table.throw is not None
            return f"Yes, {table.throw.marked} marked"
        case Phase.THROW | Phase.THROW_OFF if table.level and table.options.draw:
            return f"Throw for {table.called(table.position.turn, table.position.player)}"
        case Phase.THROW | Phase.THROW_OFF if table.awaited is None:
            return "Throw"
        case Phase.MOVE if table.thinking:
            return None
        case Phase.MOVE:
            steps = table.steps()
            if not steps:
                return "Pass"
            step = table.chosen or (steps[0] if len(steps) == 1 else None)
            return _capital(spoken(step, table)) if step else None
        case _:
            return None


def camera(told: CameraChanged) -> str:
    """What to do about the camera, for everyone who looks: nothing that names files or devices."""
    return camera_lost() if told.state is CameraState.LOST else again(told.message)


def camera_lost() -> str:
    """What to do without the camera."""
    return _("The camera is gone. Tap the counts meanwhile; I go on when it is back.")


def hint(step: Step, table: Table) -> str:
    """A suggestion in words."""
    return f"Best catch: {spoken(step, table)}."


def best(step: Step, table: Table) -> str:
    """The best move in words."""
    return f"Best: {spoken(step, table)}."


def solving(state: Solving) -> str:
    """How far the exact chances of the game are, or why there are none."""
    if state.trouble:
        return f"This game could not be worked out exactly, so these are estimates. {state.trouble}"
    left = ""
    if state.left_s is not None:
        minutes = max(1, round(state.left_s / 60))
        left = f", about {minutes} minute{'' if minutes == 1 else 's'} left"
        if state.left_s < 50:
            left = ", less than a minute left"
    return f"Working out this game exactly: {state.done * 100:.0f} % done{left}. Until then these are estimates."


def spoken(step: Step, table: Table) -> str:
    """A step in words, from before it is made."""
    text = way(Made(value=step.value, move=step.move, slain=table.position.slain_by(step.move)))
    return f"{text} (with the {step.value})" if table.rules.throws > 1 else text


def told(turn: Told, table: Table) -> str:
    """What a player did in a turn, afterwards."""
    threw = " and ".join(str(throw.marked) for throw in turn.throws)
    did = ", then ".join(way(made) for made in turn.made) or "pass"
    return f"{player_name(table, turn.side, turn.player)} threw {threw}: {did}."


def side_name(table: Table, side: Side) -> str:
    """The side by its players: a person's name, a level with its colour, or the colour alone for a team."""
    team = table.team(side)
    return player_name(table, side, 1) if len(team) == 1 else side.value.capitalize()


def player_name(table: Table, side: Side, player: int) -> str:
    """A player's name with the side's colour. player: by number in the team, from 1."""
    name, colour = table.called(side, player), side.value.capitalize()
    return colour if name == colour else f"{name} ({colour})"


def way(made: Made) -> str:
    """A move in words, as an order."""
    move = made.move
    start = "back from the field" if move.start == "field" else f"move {move.start}"
    if move.start is None:
        text = f"enter on {move.to}"
    elif move.to is None:
        text = f"{start} off the board"
    elif move.to == "field":
        text = f"{start} into the enemy field"
    else:
        text = f"{start} to {move.to}"
    if move.turns and move.to != "field":
        text += ", turning for home"
    if move.captures:
        text += f", capturing {move.captures}"
    return f"{text}, slaying {made.slain}" if made.slain else text


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _throws(table: Table, name: str) -> str:
    if table.unsure:
        return f"{name} has thrown."
    if table.camera.state is CameraState.MOVING:
        return f"{name} throws …"
    if table.rules.throws > 1 and table.phase is Phase.THROW:
        return f"{name}: the {_ORDER[len(table.thrown)]} of two throws."
    return f"{name} to throw."


def _move_due(table: Table, name: str) -> str:
    steps = table.steps()
    assert table.turn is not None
    if not steps:
        why = "a throw worth nothing" if not any(table.turn.values) else "no move is legal"
        return f"{name} must pass: {why}."
    if table.thinking:
        return f"{name} is thinking …"
    if table.level is not None:
        return f"{name} plays: {spoken(steps[0], table)}. Do it on the board, then confirm."
    values = " and ".join(map(str, table.turn.values))
    helping = " for a team-mate" if table.rules.teams is Teams.OWNED and _helps(table) else ""
    return f"{name} moves {values}{helping}.{' Choose a move.' if len(steps) > 1 else ''}"


def _helps(table: Table) -> bool:
    return table.rules.players > 1 and table.position.mover is None

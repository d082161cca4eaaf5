"""What the companion says, in sentences: what to do now, what a button would do, why it asks."""

from __future__ import annotations

from functools import reduce

from companion.advice.adviser import Rated
from companion.referee.counsel import Solving
from companion.referee.events import CameraChanged, CameraState
from companion.referee.names import colour
from companion.referee.table import Made, Phase, Table, Told
from companion.rules.fields import Teams
from companion.rules.position import Side
from companion.rules.turns import Step
from companion.words import _, again, later, ngettext

_UNSURE = {
    "moving": later("The picture has not come to rest."),
    "touching": later("Some of the four touch or cross. Please spread them without turning them over."),
    "leaning": later("One of the four leans or stands on its edge. Please throw again."),
    "glare": later("Something shines too brightly to see the faces. Please shade it."),
    "covered": later("Something covers the tray. Please take it away."),
    "unclear": later("I cannot tell every face for certain. Please count for me."),
    "differs": later("I looked twice and saw two different things. Please count for me, or throw again."),
    "moved": later("The camera or the tray has moved: put it back or calibrate again."),
}
# Translators: these seven are how many sticks the camera sees: "I see three, not four."
_NUMBERS = (later("none"), later("one"), later("two"), later("three"), later("four"), later("five"), later("six"))


def unsure(reason: str, lots: int) -> str:
    """Why a throw was not read, and what to do about it."""
    if reason == "count":
        seen = _(_NUMBERS[lots]) if lots < len(_NUMBERS) else str(lots)
        return _("I see {count}, not four. Please lay all four apart in the tray.", count=seen)
    if reason in _UNSURE:
        return _(_UNSURE[reason])
    return _("I am not sure ({reason}). Please count for me, or throw again.", reason=reason)


def prompt(table: Table) -> str:
    """Whose turn it is and what to do now, in one or two short sentences."""
    name = player_name(table, table.position.turn, table.position.player)
    match table.phase:
        case Phase.THROW_OFF:
            if table.throw_off and len(table.throw_off) % 2 == 0:
                return _("A tie. Who begins? {who_throws}", who_throws=_throws(table, name))
            return _("Who begins? {who_throws}", who_throws=_throws(table, name))
        case Phase.THROW:
            return _throws(table, name)
        case Phase.READING:
            assert table.throw is not None
            return ngettext(
                "{name} threw {number} marked. Is that right?",
                "{name} threw {number} marked. Is that right?",
                table.throw.marked,
                name=name,
            )
        case Phase.MOVE:
            return _move_due(table, name)
        case Phase.OVER:
            winner = table.winner()
            if winner is None:
                return _("The game is drawn.")
            if table.resigned:
                return _(
                    "{loser} gives up. {winner} has won.",
                    loser=side_name(table, table.resigned),
                    winner=side_name(table, winner),
                )
            return _("{name} has won.", name=side_name(table, winner))


def confirm(table: Table) -> str | None:
    """What the confirm button would do now, or None if nothing."""
    match table.phase:
        case Phase.READING:
            assert table.throw is not None
            return ngettext("Yes, {number} marked", "Yes, {number} marked", table.throw.marked)
        case Phase.THROW | Phase.THROW_OFF if table.level and table.options.draw:
            return _("Throw for {name}", name=table.called(table.position.turn, table.position.player))
        case Phase.THROW | Phase.THROW_OFF if table.awaited is None:
            return _("Throw")
        case Phase.MOVE if table.thinking:
            return None
        case Phase.MOVE:
            steps = table.steps()
            if not steps:
                return _("Pass")
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
    return _("Best catch: {move}.", move=spoken(step, table))


def best(step: Step, table: Table) -> str:
    """The best move in words."""
    return _("Best: {move}.", move=spoken(step, table))


def judged(table: Table, win: float, best: Rated, *, exact: bool) -> str:
    """What a choice was worth, once it is made. table: before it. An estimate is told in whole points."""
    name = player_name(table, table.position.turn, table.position.player)
    less = round(best.win * 100, 1 if exact else None) - round(win * 100, 1 if exact else None)
    if less <= 0:
        return _("{name} has found the best move.", name=name)
    return _(
        "{name}: {move} would have been better, by {points} points.",
        name=name,
        move=spoken(best.step, table),
        points=f"{less:.1f}" if exact else f"{less:.0f}",
    )


def solving(state: Solving) -> str:
    """How far the exact chances of the game are, or why there are none."""
    if state.trouble:
        return _(
            "This game could not be worked out exactly, so these are estimates. {trouble}", trouble=again(state.trouble)
        )
    percent = f"{state.done * 100:.0f}"
    if state.left_s is None:
        return _(
            "Working out this game exactly: {percent} % done. Until then these are estimates.",
            percent=percent,
        )
    if state.left_s < 50:
        return _(
            "Working out this game exactly: {percent} % done, less than a minute left. Until then these are estimates.",
            percent=percent,
        )
    return ngettext(
        "Working out this game exactly: {percent} % done, about {number} minute left. Until then these are estimates.",
        "Working out this game exactly: {percent} % done, about {number} minutes left. Until then these are estimates.",
        max(1, round(state.left_s / 60)),
        percent=percent,
    )


def spoken(step: Step, table: Table) -> str:
    """A step in words, from before it is made."""
    text = way(Made(value=step.value, move=step.move, slain=table.position.slain_by(step.move)))
    return _("{move} (with the {value})", move=text, value=step.value) if table.rules.throws > 1 else text


def told(turn: Told, table: Table) -> str:
    """What a player did in a turn, afterwards."""
    return _(
        "{name} threw {counts}: {moves}.",
        name=player_name(table, turn.side, turn.player),
        counts=both([str(throw.marked) for throw in turn.throws]),
        moves=in_turn([way(made) for made in turn.made]),
    )


def both(parts: list[str]) -> str:
    """One thing, or two: "3 and 2"."""
    return reduce(lambda one, other: _("{one} and {other}", one=one, other=other), parts)


def in_turn(moves: list[str]) -> str:
    """The moves of a turn, in words; a pass where there are none."""
    if not moves:
        # Translators: what a player did who could not move, as in "Ana threw 1: pass."
        return _("pass")
    return reduce(lambda one, other: _("{one}, then {other}", one=one, other=other), moves)


def side_name(table: Table, side: Side) -> str:
    """The side by its players: a person's name, a level with its colour, or the colour alone for a team."""
    team = table.team(side)
    return player_name(table, side, 1) if len(team) == 1 else colour(side)


def player_name(table: Table, side: Side, player: int) -> str:
    """A player's name with the side's colour. player: by number in the team, from 1."""
    name = table.called(side, player)
    return name if name == colour(side) else _("{name} ({side})", name=name, side=colour(side))


def way(made: Made) -> str:
    """A move in words, as an order."""
    move = made.move
    text = _plain_way(made)
    if move.turns and move.to != "field":
        text = _("{move}, turning for home", move=text)
    if move.captures:
        text = ngettext("{move}, capturing {number}", "{move}, capturing {number}", move.captures, move=text)
    if made.slain:
        text = ngettext("{move}, slaying {number}", "{move}, slaying {number}", made.slain, move=text)
    return text


def _plain_way(made: Made) -> str:
    start, to = made.move.start, made.move.to
    if start is None:
        return _("enter on {space}", space=to)
    match start, to:
        case "field", None:
            return _("back from the field off the board")
        case "field", "field":
            return _("back from the field into the enemy field")
        case "field", space:
            return _("back from the field to {space}", space=space)
        case space, None:
            return _("move {space} off the board", space=space)
        case space, "field":
            return _("move {space} into the enemy field", space=space)
        case space, end:
            return _("move {space} to {end}", space=space, end=end)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _throws(table: Table, name: str) -> str:
    if table.unsure:
        return _("{name} has thrown.", name=name)
    if table.camera.state is CameraState.MOVING:
        return _("{name} throws …", name=name)
    if table.rules.throws > 1 and table.phase is Phase.THROW:
        if table.thrown:
            return _("{name}: the second of two throws.", name=name)
        return _("{name}: the first of two throws.", name=name)
    return _("{name} to throw.", name=name)


def _move_due(table: Table, name: str) -> str:
    steps = table.steps()
    assert table.turn is not None
    if not steps:
        if any(table.turn.values):
            return _("{name} must pass: no move is legal.", name=name)
        return _("{name} must pass: a throw worth nothing.", name=name)
    if table.thinking:
        return _("{name} is thinking …", name=name)
    if table.level is not None:
        return _("{name} plays: {move}. Do it on the board, then confirm.", name=name, move=spoken(steps[0], table))
    facts = {"name": name, "values": both([str(value) for value in table.turn.values])}
    if table.rules.teams is Teams.OWNED and _helps(table):
        if len(steps) > 1:
            return _("{name} moves {values} for a team-mate. Choose a move.", **facts)
        return _("{name} moves {values} for a team-mate.", **facts)
    if len(steps) > 1:
        return _("{name} moves {values}. Choose a move.", **facts)
    return _("{name} moves {values}.", **facts)


def _helps(table: Table) -> bool:
    return table.rules.players > 1 and table.position.mover is None

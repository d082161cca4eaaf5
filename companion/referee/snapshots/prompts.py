"""Sentences for players: what to do now, what the confirm button does, why the camera asks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from companion.advice.adviser import RatedStep
from companion.advice.review.reasons import reason
from companion.i18n import N_, _, ngettext, retranslate
from companion.phone_camera.absence import is_public
from companion.referee.advice_state import SolvingProgress
from companion.referee.events import CameraChanged, CameraState
from companion.referee.game_state import GameState, Phase, PlayedMove, Throw, TurnRecord
from companion.referee.player_names import localized_side
from companion.rules.moves import Move
from companion.rules.odds import LOTS
from companion.rules.position import Side
from companion.rules.turns import Step
from companion.rules.variant_fields import Rescued, Teams

_UNSURE = {
    "moving": N_("The picture is still moving."),
    "touching": N_("Some of the four touch or cross. Please spread them without turning them over."),
    "leaning": N_("One of the four leans or stands on its edge. Please throw again."),
    "glare": N_("There is too much glare to see the sides. Please shade the tray."),
    "covered": N_("Something covers the tray. Please take it away."),
    "unclear": N_("I can't make out every side. Please count for me."),
    "differs": N_("I looked twice and saw two different things. Please count for me, or throw again."),
    "moved": N_("The camera or the tray has moved. Put it back, or teach the camera again."),
}
# Translators: these seven are how many sticks the camera sees: "I see three, not four."
_NUMBERS = (N_("none"), N_("one"), N_("two"), N_("three"), N_("four"), N_("five"), N_("six"))


def unsure_text(reason: str, lots: int) -> str:
    """Why a throw was not read, and what to do."""
    if reason == "count" and lots == LOTS:
        return _("One may be half hidden, or there may be a fifth. Please spread just four, without turning them over.")
    if reason == "count":
        seen = _(_NUMBERS[lots]) if lots < len(_NUMBERS) else str(lots)
        return _("I see {count}, not four. Please lay all four apart in the tray.", count=seen)
    if reason in _UNSURE:
        return _(_UNSURE[reason])
    return _("I'm not sure ({reason}). Please count for me, or throw again.", reason=reason)


def prompt_text(state: GameState, *, waits: bool = True, on_board: bool = False) -> str:
    """Whose turn it is and what to do now, in one or two short sentences.

    waits: for a person, not for a countdown. on_board: the camera sees a move that is made on the board.
    """
    name = player_name(state, state.position.turn, state.position.player)
    match state.phase:
        case Phase.THROW_OFF:
            if state.throw_off and len(state.throw_off) % 2 == 0:
                tied = state.value(state.throw_off[-1][1])
                return _("Both threw {value}. Once more! {who_throws}", value=tied, who_throws=_throws(state, name))
            return _("Who begins? {who_throws}", who_throws=_throws(state, name))
        case Phase.THROW:
            return _throws(state, name)
        case Phase.READING:
            assert state.throw is not None
            if not waits:
                return ngettext(
                    "{name} threw {number} marked.", "{name} threw {number} marked.", state.throw.marked, name=name
                )
            return ngettext(
                "{name} threw {number} marked. Is that right?",
                "{name} threw {number} marked. Is that right?",
                state.throw.marked,
                name=name,
            )
        case Phase.MOVE:
            return _move_due(state, name, waits, on_board)
        case Phase.OVER:
            winner = state.winner()
            if winner is None:
                return _("The game is drawn.")
            if state.resigned:
                return _(
                    "{loser} gives up. {winner} has won.",
                    loser=side_name(state, state.resigned),
                    winner=side_name(state, winner),
                )
            return _("{name} has won.", name=side_name(state, winner))


def confirm_text(state: GameState) -> str | None:
    """The label of the confirm button, or None if it does nothing now."""
    match state.phase:
        case Phase.READING:
            assert state.throw is not None
            return ngettext("Yes, {number} marked", "Yes, {number} marked", state.throw.marked)
        case Phase.THROW | Phase.THROW_OFF if state.level and state.options.draw:
            return _("Throw for {name}", name=state.player_name(state.position.turn, state.position.player))
        case Phase.THROW | Phase.THROW_OFF if state.awaited is None:
            return _("Throw")
        case Phase.MOVE if state.thinking:
            return None
        case Phase.MOVE:
            steps = state.steps()
            if not steps:
                return _("Pass")
            step = state.chosen or (steps[0] if len(steps) == 1 else None)
            return capitalized(step_text(step, state)) if step else None
        case _:
            return None


def camera_text(change: CameraChanged, *, board: bool = False) -> str:
    """What to do about the camera, for everyone to see, so without names of files or devices.

    board: it watches a board too.
    """
    if change.state is not CameraState.LOST or is_public(change.message):
        return retranslate(change.message)
    if board:
        return _("I've lost the camera. Tap counts and moves for now; I'll carry on when it's back.")
    return camera_lost()


def camera_lost() -> str:
    """What to do while the camera is lost."""
    return _("I've lost the camera. Tap the counts for now; I'll carry on when it's back.")


def catch_text(step: Step, state: GameState) -> str:
    """A suggestion in words."""
    return _("Best capture: {move}.", move=step_text(step, state))


def best_text(step: Step, state: GameState) -> str:
    """The best move in words."""
    return _("Best: {move}.", move=step_text(step, state))


def choice_text(state: GameState, win: float, best: RatedStep, made: Step, *, exact: bool) -> str:
    """How good a choice was, and why. state: before the choice. Estimates are rounded to whole points."""
    name = player_name(state, state.position.turn, state.position.player)
    digits = 1 if exact else None
    if round(best.win * 100, digits) <= round(win * 100, digits):
        return _("{name} found the best move.", name=name)
    facts, more = {"name": name, "move": step_text(best.step, state)}, (best.win - win) * 100
    if round(more):
        text = _("{name}: it would have been better to {move}, {wins}.", **facts, wins=wins_text(more))
    else:
        text = _("{name}: it would have been a little better to {move}.", **facts)
    why = reason(state.turn, [best.step], [made]) if state.turn else ""
    return f"{text} {why}".rstrip()


def wins_text(points: float) -> str:
    """Percentage points as games won.

    >>> wins_text(12.3), wins_text(-1)
    ('12 more wins in 100 games', '1 fewer win in 100 games')
    """
    count = abs(round(points))
    if not count:
        # Translators: what a throw or a choice changed.
        return _("no difference")
    if points > 0:
        return ngettext("{number} more win in 100 games", "{number} more wins in 100 games", count)
    return ngettext("{number} fewer win in 100 games", "{number} fewer wins in 100 games", count)


def solving_text(state: SolvingProgress) -> str:
    """The progress of solving the game, or why it was given up."""
    if state.trouble:
        return _(
            "This game could not be worked out exactly, so these are estimates. {trouble}",
            trouble=retranslate(state.trouble),
        )
    percent = f"{state.done * 100:.0f}"
    if state.left_s is None:
        return _(
            "Working out this game exactly: {percent}% done. Until then these are estimates.",
            percent=percent,
        )
    if state.left_s < 50:
        return _(
            "Working out this game exactly: {percent}% done, less than a minute left. Until then these are estimates.",
            percent=percent,
        )
    return ngettext(
        "Working out this game exactly: {percent}% done, about {number} minute left. Until then these are estimates.",
        "Working out this game exactly: {percent}% done, about {number} minutes left. Until then these are estimates.",
        max(1, round(state.left_s / 60)),
        percent=percent,
    )


def step_text(step: Step, state: GameState) -> str:
    """A step in words, before it is made."""
    return _with_throw(move_text(PlayedMove.of(step, state.position)), step, state)


def way_text(step: Step, state: GameState) -> str:
    """The same, without what the step captures, frees, burns, slays or loses."""
    return _with_throw(_plain_way(step.move), step, state)


def _with_throw(text: str, step: Step, state: GameState) -> str:
    return _("{move} (with the {value})", move=text, value=step.value) if state.rules.throws > 1 else text


def turn_text(turn: TurnRecord, state: GameState) -> str:
    """A finished turn in one sentence."""
    return _(
        "{name} threw {counts}: {moves}.",
        name=player_name(state, turn.side, turn.player),
        counts=counts_text(turn.throws, state),
        moves=in_sequence([move_text(made) for made in turn.made]),
    )


def counts_text(throws: Sequence[Throw], state: GameState) -> str:
    """The counts of a turn, each with its value where that is another number: "0 (worth 5)"."""
    return joined([_count_text(throw, state) for throw in throws])


def _count_text(throw: Throw, state: GameState) -> str:
    value = state.value(throw)
    if value == throw.marked:
        return str(value)
    return _("{number} (worth {value})", number=throw.marked, value=value)


def which_unit(step: Step, state: GameState) -> str:
    """Tell a move's unit from another that could make the same move: whose it is, and what it carries."""
    unit = step.move.unit
    name = state.player_name(unit.owner, unit.player) if state.rules.owners > 1 else ""
    if unit.pieces > 1:
        facts = {"name": name, "size": f"{unit.own}+{unit.captives}"}
        text = _("{name}'s stack {size}", **facts) if name else _("the stack {size}", **facts)
    else:
        text = _("{name}'s single piece", name=name) if name else _("the single piece")
    return _("{unit}, heading home", unit=text) if unit.home else text


def joined(parts: list[str]) -> str:
    """One item, or several joined: "3 and 2"."""
    return reduce(lambda one, other: _("{one} and {other}", one=one, other=other), parts)


def in_sequence(moves: list[str]) -> str:
    """The moves of a turn in words, or "pass"."""
    if not moves:
        # Translators: what a player did who could not move, as in "Ana threw 1: pass."
        return _("pass")
    return reduce(lambda one, other: _("{one}, then {other}", one=one, other=other), moves)


def capitalized(text: str) -> str:
    """The text with a capital first letter; the others stay as they are."""
    return text[:1].upper() + text[1:]


def side_name(state: GameState, side: Side) -> str:
    """A side's name: its only player with the side, or the side alone for a team."""
    team = state.team(side)
    return player_name(state, side, 1) if len(team) == 1 else localized_side(side)


def player_name(state: GameState, side: Side, player: int) -> str:
    """A player's name with the side. player: number in the team, from 1."""
    name = state.player_name(side, player)
    return name if name == localized_side(side) else _("{name} ({side})", name=name, side=localized_side(side))


def move_text(made: PlayedMove) -> str:
    """A move in words, in the imperative."""
    return _with_consequences(_plain_way(made.move), made)


def _with_consequences(text: str, made: PlayedMove) -> str:
    move = made.move
    if move.turns and move.to != "field":
        text = _("{move}, turning for home", move=text)
    captured = move.captures - made.freed
    if made.freed and not move.captures:
        text = _("{move}, freeing {number}", move=text, number=made.freed)
    elif made.freed and made.rescued is Rescued.SLAIN:
        text = _(
            "{move}, capturing {captured} and taking back {number}", move=text, captured=captured, number=made.freed
        )
    elif made.freed:
        text = _("{move}, capturing {captured} and freeing {freed}", move=text, captured=captured, freed=made.freed)
    elif move.captures:
        text = ngettext("{move}, capturing {number}", "{move}, capturing {number}", move.captures, move=text)
    if made.burnt:
        text = _("{move}, burning {number}", move=text, number=made.burnt)
    if made.slain:
        text = ngettext("{move}, slaying {number}", "{move}, slaying {number}", made.slain, move=text)
    if made.lost:
        text = _("{move}, losing {number}", move=text, number=made.lost)
    return text


def _plain_way(move: Move) -> str:
    start, to = move.start, move.to
    if start is None:
        return _("enter on {space}", space=to)
    match start, to:
        case "field", None:
            return _("come back from the field and leave the board")
        case "field", "field":
            return _("come back from the field into the enemy field")
        case "field", space:
            return _("come back from the field to {space}", space=space)
        case space, None:
            return _("move {space} off the board", space=space)
        case space, "field":
            return _("move {space} into the enemy field", space=space)
        case space, end:
            return _("move {space} to {end}", space=space, end=end)


def _throws(state: GameState, name: str) -> str:
    if state.unreadable:
        return _("{name} has thrown.", name=name)
    if state.camera.state is CameraState.MOVING and state.awaited is not None:
        return _("{name} is throwing…", name=name)
    if state.rules.throws > 1 and state.phase is Phase.THROW:
        if state.thrown:
            return _("{name}: the second of two throws.", name=name)
        return _("{name}: the first of two throws.", name=name)
    return _("{name} to throw.", name=name)


def _move_due(state: GameState, name: str, waits: bool, on_board: bool) -> str:
    steps = state.steps()
    assert state.turn is not None
    if not steps:
        if any(state.turn.values):
            return _("{name} must pass: no move is legal.", name=name)
        return _("{name} must pass: this throw is worth nothing.", name=name)
    if state.thinking:
        return _("{name} is thinking…", name=name)
    if state.level is not None:
        return _computers_move(steps[0], state)
    if not waits:
        return _("{name} has one move: {move}.", name=name, move=step_text(steps[0], state))
    facts = {"name": name, "values": joined([str(value) for value in state.turn.values])}
    if state.rules.teams is Teams.OWNED and _helps(state):
        if len(steps) > 1:
            return _("{name} moves {values} for a team-mate. Choose a move.", **facts)
        return _("{name} moves {values} for a team-mate.", **facts)
    if len(steps) > 1:
        if on_board:
            return _("{name} moves {values}. Make the move on the board, or tap it.", **facts)
        return _("{name} moves {values}. Choose a move.", **facts)
    return _("{name} moves {values}.", **facts)


def _computers_move(step: Step, state: GameState) -> str:
    made = PlayedMove.of(step, state.position)
    name = state.player_name(state.position.turn, state.position.player)
    match made.move.start, made.move.to:
        case None, space:
            text = _("{name} enters on {space}", name=name, space=space)
        case ("field", _) | (_, "field"):
            return _("{name} plays: {move}.", name=name, move=step_text(step, state))
        case space, None:
            text = _("{name} moves {space} off the board", name=name, space=space)
        case space, end:
            text = _("{name} moves {space} to {end}", name=name, space=space, end=end)
    return f"{_with_throw(_with_consequences(text, made), step, state)}."


def _helps(state: GameState) -> bool:
    return state.rules.players > 1 and state.position.mover is None

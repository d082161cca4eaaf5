"""Sentences about the real board: what is seen, what is wrong there, and what would be right."""

from __future__ import annotations

from functools import reduce

from companion.i18n import N_, _, retranslate
from companion.phone_camera.absence import is_public
from companion.referee.board.board_watch import BoardWatch
from companion.referee.board.expected import due_turn, last_turn, steps_to, why_no_help
from companion.referee.board.sightings import ILLEGAL, BoardUnchanged, BoardUnclear, MoveSeen, SpaceDifference, Top
from companion.referee.events import CameraChanged, CameraState
from companion.referee.game_state import GameState, Phase, PlayedMove
from companion.referee.snapshots.prompts import capitalized, in_sequence, move_text, player_name, step_text
from companion.rules.position import Position
from companion.rules.turns import Step, Turn

MOST_NAMED = 3
"""Legal moves that a sentence names; of more, it says that the list shows them."""
MOST_DIFFERENCES = 2
"""Spaces that a sentence names; of more, it says how many differ."""

_UNCLEAR = {
    "hand": N_("There's a hand over the board. I'll look when it is gone."),
    "between": N_("A piece lies on the line between two spaces. Push it into one of them."),
    "moved": N_("The board isn't where you taught it. Put it back, or teach me the board again."),
    "alike": N_("From above I can't tell which of your moves this is. Tap it."),
    "unfinished": N_("One of the two throws is used. Go on."),
    "picture": N_("The camera's picture is a different size from the one I was taught with. Teach me the board again."),
    "unclear": N_("I can't see every space clearly. Put the pieces in the middle of their spaces, or tap the move."),
}


def sighting_text(watch: BoardWatch, state: GameState) -> str:
    """What players need to know of the board now, in one sentence; empty if there is nothing to say."""
    if not state.options.board:
        return ""
    if why := why_no_help(state.rules, watch.spaces):
        return why
    if watch.is_blind(state):
        return board_camera_text(watch.camera) if watch.camera else ""
    match watch.sighting:
        case BoardUnclear(reason=reason) if reason == ILLEGAL:
            return illegal_text(watch.sighting, state)
        case BoardUnclear(reason=reason):
            return unclear_text(reason)
        case MoveSeen(result):
            return _seen_text(watch, result, state)
        case BoardUnchanged() if state.level is not None and state.chosen is not None:
            return _(
                "Make {name}'s move on the board: {move}.",
                name=state.player_name(state.position.turn, state.position.player),
                move=step_text(state.chosen, state),
            )
    return ""


def board_camera_text(change: CameraChanged) -> str:
    """What to do about the board's own camera, for everyone to see; empty if it works."""
    if change.state is not CameraState.LOST:
        return ""
    if is_public(change.message):
        return retranslate(change.message)
    return _("I've lost the camera over the board. Tap your moves for now; I'll carry on when it's back.")


def confirm_seen_text(result: Position, state: GameState) -> str:
    """The label of the button that takes what the board shows."""
    moves = _moves(result, state)
    return capitalized(in_sequence(moves) if moves else _("take the last move back"))


def unclear_text(reason: str) -> str:
    """Why the board is not read, and what to do."""
    return _(_UNCLEAR.get(reason, _UNCLEAR["unclear"]))


def illegal_text(sighting: BoardUnclear, state: GameState) -> str:
    """What is wrong on the board, and what would be right."""
    return _("{wrong}. {right}.", wrong=differences_text(sighting.differences), right=_right(sighting.nearest, state))


def differences_text(differences: tuple[SpaceDifference, ...]) -> str:
    """The spaces that differ, without a full stop. The drawing marks each; of many it is enough to say how many."""
    if len(differences) > MOST_DIFFERENCES:
        return _("{number} spaces are different from the drawing", number=len(differences))
    named = map(_difference, differences)
    return capitalized(reduce(lambda one, other: _("{one}, {other}", one=one, other=other), named))


def _difference(one: SpaceDifference) -> str:
    names = {Top.JADE: _("Jade"), Top.OBSIDIAN: _("Obsidian")}
    if one.expected is Top.EMPTY:
        return _("space {space} should be empty", space=one.space)
    if one.found is Top.EMPTY:
        return _("{side} is missing on space {space}", side=names[one.expected], space=one.space)
    return _("{side} should be on top on space {space}", side=names[one.expected], space=one.space)


def _right(nearest: Position | None, state: GameState) -> str:
    """What would be right, without a full stop."""
    if state.level is not None and state.phase is Phase.MOVE and state.chosen is not None:
        name = state.player_name(state.position.turn, state.position.player)
        return _("{name}'s move: {move}", name=name, move=step_text(state.chosen, state))
    turn = due_turn(state)
    if turn is not None and nearest is not None and nearest.places != turn.position.places:
        steps = steps_to(turn, nearest)
        if steps:
            return _("Right: {move}", move=in_sequence(_in_words(steps, turn)))
    legal = list(dict.fromkeys(move_text(PlayedMove.of(step, state.position)) for step in turn.steps())) if turn else []
    if not legal:
        return _("Put the pieces back as the drawing shows")
    if len(legal) > MOST_NAMED:
        return _("Put it back, then choose from the list")
    moves = reduce(lambda one, other: _("{one} or {other}", one=one, other=other), legal)
    return _("Put it back, then {moves}", moves=moves)


def _seen_text(watch: BoardWatch, result: Position, state: GameState) -> str:
    if due_turn(state) is None and not watch.is_correction(state):
        last = state.turns[-1]
        name = player_name(state, last.side, last.player)
        made = in_sequence([move_text(one) for one in last.made])
        return _("The board doesn't show {name}'s last move yet: {moves}.", name=name, moves=made)
    moves = _moves(result, state)
    if not moves:
        return _("On the board, the last move has been taken back.")
    if watch.held:
        return _("The board shows: {moves}. Confirm it if you mean it.", moves=in_sequence(moves))
    return _("I see: {moves}.", moves=in_sequence(moves))


def seen_steps(result: Position, state: GameState) -> tuple[tuple[Step, ...], Turn | None]:
    """The steps that lead to what the board shows, and the turn that they are made in."""
    turn = due_turn(state)
    if turn is not None and state.level is not None:
        return ((state.chosen,) if state.chosen else ()), turn
    if turn is None:
        last = last_turn(state)
        turn = last[0].turn if last else None
    return (steps_to(turn, result) if turn else ()), turn


def _moves(result: Position, state: GameState) -> list[str]:
    steps, turn = seen_steps(result, state)
    return _in_words(steps, turn) if turn else []


def _in_words(steps: tuple[Step, ...], turn: Turn) -> list[str]:
    words = []
    for step in steps:
        words.append(move_text(PlayedMove.of(step, turn.position)))
        turn = turn.after(step)
    return words

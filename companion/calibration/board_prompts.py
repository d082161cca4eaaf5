"""The sentences of teaching a board: what to do, what went wrong, and the button's label."""

from __future__ import annotations

from collections.abc import Sequence

from companion.calibration.board_session import BoardStage, BoardTeaching
from companion.calibration.session import Busy
from companion.i18n import N_, _, ngettext, retranslate


def board_title(state: BoardTeaching) -> str:
    """Say briefly what to do."""
    return _(_TITLES[state.stage])


def board_sentence(state: BoardTeaching) -> str:
    """Say what to do, or why it has to be done again."""
    if state.problem:
        return retranslate(state.problem)
    if state.busy is not None:
        return _(_BUSY.get(state.busy, _BUSY[Busy.LEARNING]))
    if state.stage is BoardStage.SHOWN:
        wrong = sum(expected is not found for expected, found in state.spaces)
        if wrong:
            return ngettext(
                "{number} space looks different to me. More light, or pieces that stand out, would help.",
                "{number} spaces look different to me. More light, or pieces that stand out, would help.",
                wrong,
            )
        if not state.clear:
            return _("I read it, but I'm not sure of it. More light, or pieces that stand out, would help.")
    task = _(_TASKS[state.stage])
    if state.corners is None or state.stage not in (BoardStage.PIECES, BoardStage.SHOWN):
        return task
    return f"{task} {_(_jades_end(state.corners))}"


def _jades_end(corners: Sequence[tuple[float, float]]) -> str:
    """Say at which side of the picture Jade's end of the road is, because the drawing may show it at another."""
    (x1, y1), (x2, y2), (x3, y3), (x4, y4) = corners
    right, down = x1 + x2 - x3 - x4, y1 + y2 - y3 - y4
    if abs(right) > abs(down):
        return N_("In the picture, Jade is on the right.") if right > 0 else N_("In the picture, Jade is on the left.")
    return N_("In the picture, Jade is at the bottom.") if down > 0 else N_("In the picture, Jade is at the top.")


def board_button(state: BoardTeaching) -> str:
    """The label of the main button."""
    return _("One moment…") if state.busy is not None else _(_BUTTONS[state.stage])


_TITLES = {
    BoardStage.CLOSED: N_("Show me your board"),
    BoardStage.EMPTY: N_("Take all pieces off the board"),
    BoardStage.CORNERS: N_("Tap the four corners"),
    BoardStage.PIECES: N_("Put the pieces on it"),
    BoardStage.SHOWN: N_("This is what I see"),
    BoardStage.DONE: N_("Done. I know your board."),
}
_TASKS = {
    BoardStage.CLOSED: N_("It takes less than a minute. Then I see your moves, and you need not tap them."),
    BoardStage.EMPTY: N_("The whole board has to be in the picture. Take the pieces off, then keep your hands away."),
    BoardStage.CORNERS: N_(
        "Tap the outer corners of the highway: at Jade's end left and right, then at Obsidian's end left and right."
    ),
    BoardStage.PIECES: N_(
        "Put one Jade piece on the first space and one Obsidian piece on the last, and all others in their bases."
    ),
    BoardStage.SHOWN: N_("Is everything as on the board? Then use it."),
    BoardStage.DONE: N_("From now on, I'll see your moves."),
}
_BUTTONS = {
    BoardStage.CLOSED: N_("Start"),
    BoardStage.EMPTY: N_("It's empty"),
    BoardStage.CORNERS: N_("These are the corners"),
    BoardStage.PIECES: N_("They're on it"),
    BoardStage.SHOWN: N_("Use it"),
    BoardStage.DONE: N_("Back to the table"),
}
_BUSY = {
    Busy.STILL: N_("Hold still. Hands away from the board."),
    Busy.LEARNING: N_("I'm learning…"),
    Busy.SAVING: N_("I'm saving what I learned…"),
}

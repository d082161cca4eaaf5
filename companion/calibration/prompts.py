"""The sentences of the calibration: what to do, what the camera sees, and the buttons' labels."""

from __future__ import annotations

from companion.calibration.session import TEST_THROWS, Busy, CalibrationState, Stage
from companion.i18n import _, again, later, ngettext


def title(state: CalibrationState) -> str:
    """Say briefly what to do."""
    match state.stage:
        case Stage.CLOSED:
            return _("Show me your sticks")
        case Stage.EMPTY:
            return _("Empty the tray")
        case Stage.MARKED:
            return _("All four, marked side up")
        case Stage.PLAIN:
            return _("All four, plain side up")
        case Stage.THROW:
            return _("Test throw {number} of {all}", number=len(state.verdicts) + 1, all=TEST_THROWS)
        case Stage.SHOWN:
            return ngettext("I see {number} marked. Right?", "I see {number} marked. Right?", state.marked or 0)
        case Stage.DOUBT:
            return _("Only {right} of {all} right", right=sum(state.verdicts), all=len(state.verdicts))
        case Stage.DONE:
            return _("Done. I know your sticks.")


def sentence(state: CalibrationState) -> str:
    """Say what to do, or why it has to be done again."""
    if state.problem and state.stage is Stage.CLOSED and state.possible:
        return f"{again(state.problem)} {_(_TASKS[state.stage])}"
    if state.problem:
        return again(state.problem)
    if state.busy is Busy.STILL and state.stage is Stage.THROW:
        return _("I'll look as soon as they lie still.")
    if state.busy is not None:
        return _(_BUSY[state.busy])
    return _(_TASKS[state.stage])


def seen(state: CalibrationState) -> str:
    """Say briefly what the camera sees; empty where that does not matter."""
    if state.stage not in (Stage.MARKED, Stage.PLAIN):
        return ""
    if not state.lots:
        return _("I don't see any yet.")
    return _("I see 4. Good.") if len(state.lots) == 4 else _("I see {count}.", count=len(state.lots))


def button(state: CalibrationState) -> str:
    """Return the label of the main button."""
    return _("One moment …") if state.busy is not None else _(_BUTTONS[state.stage])


def other(state: CalibrationState) -> str:
    """Return the label of the second button, or empty if there is none."""
    return "" if state.busy is not None else again(_OTHERS.get(state.stage, ""))


_BUSY = {
    Busy.OPENING: later("I'm adjusting to the light and focusing. Hands away, please."),
    Busy.STILL: later("Hold still. Hands away from the tray."),
    Busy.LEARNING: later("I'm learning …"),
    Busy.SAVING: later("I'm saving what I learned …"),
    Busy.LOST: later("The camera is gone. I'm looking for it."),
}
_TASKS = {
    Stage.CLOSED: later(
        "Empty the tray and tap Start. It takes about a minute. Until you finish, I'll use what I know already."
    ),
    Stage.EMPTY: later("Take out all four, then keep your hands away."),
    Stage.MARKED: later("Lay them apart from each other and away from the edge. Then hands away."),
    Stage.PLAIN: later("Turn each one over. Then hands away."),
    Stage.THROW: later("Throw all four into the tray. I'll see it by myself."),
    Stage.SHOWN: later("Check my count: M is marked, P is plain."),
    Stage.DOUBT: later("Try bolder marks or more light, then start again."),
    Stage.DONE: later("From now on, I'll read your throws."),
}
_BUTTONS = {
    Stage.CLOSED: later("Start"),
    Stage.EMPTY: later("It's empty"),
    Stage.MARKED: later("All four are marked side up"),
    Stage.PLAIN: later("All four are plain side up"),
    Stage.THROW: later("Look now"),
    Stage.SHOWN: later("Right"),
    Stage.DOUBT: later("Start again"),
    Stage.DONE: later("Back to the table"),
}
_OTHERS = {Stage.SHOWN: later("Wrong"), Stage.DOUBT: later("Use it anyway"), Stage.DONE: later("Start again")}

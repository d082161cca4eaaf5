"""What is said to those who teach the camera their sticks: what to do, what is seen, what the buttons do."""

from __future__ import annotations

from companion.calibration import THROWS, Busy, Stage, State
from companion.words import _, again, later, ngettext


def title(state: State) -> str:
    """What to do now, short."""
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
            return _("Test throw {number} of {all}", number=len(state.verdicts) + 1, all=THROWS)
        case Stage.SHOWN:
            return ngettext("I see {number} marked. Right?", "I see {number} marked. Right?", state.marked or 0)
        case Stage.DOUBT:
            return _("Only {right} of {all} right", right=sum(state.verdicts), all=len(state.verdicts))
        case Stage.DONE:
            return _("Done. I know your sticks.")


def sentence(state: State) -> str:
    """What to do now, or why it has to be done again."""
    if state.problem and state.stage is Stage.CLOSED and state.possible:
        return f"{again(state.problem)} {_(_TASKS[state.stage])}"
    if state.problem:
        return again(state.problem)
    if state.busy is Busy.STILL and state.stage is Stage.THROW:
        return _("I look as soon as they lie still.")
    if state.busy is not None:
        return _(_BUSY[state.busy])
    return _(_TASKS[state.stage])


def seen(state: State) -> str:
    """What the camera sees, in a few words; empty where that does not matter."""
    if state.stage not in (Stage.MARKED, Stage.PLAIN):
        return ""
    if not state.lots:
        return _("I see nothing yet.")
    return _("I see 4. Good.") if len(state.lots) == 4 else _("I see {count}.", count=len(state.lots))


def button(state: State) -> str:
    """What the big button does."""
    return _("One moment …") if state.busy is not None else _(_BUTTONS[state.stage])


def other(state: State) -> str:
    """What the button beside it does, or empty where there is none."""
    return "" if state.busy is not None else again(_OTHERS.get(state.stage, ""))


_BUSY = {
    Busy.OPENING: later("The camera finds its light and focus, and keeps them. Hands away, please."),
    Busy.STILL: later("Hold still. Hands away from the tray."),
    Busy.LEARNING: later("I am learning …"),
    Busy.SAVING: later("I am writing down what I learned …"),
    Busy.LOST: later("The camera is gone. I am looking for it."),
}
_TASKS = {
    Stage.CLOSED: later(
        "Empty the tray and tap Start. It takes a minute. What the camera knows stays until you are done."
    ),
    Stage.EMPTY: later("Take all four out. Then hands away."),
    Stage.MARKED: later("Apart from each other and from the edge. Then hands away."),
    Stage.PLAIN: later("Turn each one over. Then hands away."),
    Stage.THROW: later("Throw all four into the tray. I look by myself."),
    Stage.SHOWN: later("Count for yourself: M is marked, P is plain."),
    Stage.DOUBT: later("Make the marks bolder or the light better, then start again."),
    Stage.DONE: later("From now on I read your throws."),
}
_BUTTONS = {
    Stage.CLOSED: later("Start"),
    Stage.EMPTY: later("It is empty"),
    Stage.MARKED: later("All four are marked side up"),
    Stage.PLAIN: later("All four are plain side up"),
    Stage.THROW: later("Look now"),
    Stage.SHOWN: later("Right"),
    Stage.DOUBT: later("Start again"),
    Stage.DONE: later("Back to the table"),
}
_OTHERS = {Stage.SHOWN: later("Wrong"), Stage.DOUBT: later("Use it anyway"), Stage.DONE: later("Start again")}

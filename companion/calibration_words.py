"""What is said to those who teach the camera their sticks: what to do, what is seen, what the buttons do."""

from __future__ import annotations

from companion.calibration import THROWS, Busy, Stage, State


def title(state: State) -> str:
    """What to do now, short."""
    match state.stage:
        case Stage.CLOSED:
            return "Show me your sticks"
        case Stage.EMPTY:
            return "Empty the tray"
        case Stage.MARKED:
            return "All four, marked side up"
        case Stage.PLAIN:
            return "All four, plain side up"
        case Stage.THROW:
            return f"Test throw {len(state.verdicts) + 1} of {THROWS}"
        case Stage.SHOWN:
            return f"I see {state.marked} marked. Right?"
        case Stage.DOUBT:
            return f"Only {sum(state.verdicts)} of {len(state.verdicts)} right"
        case Stage.DONE:
            return "Done. I know your sticks."


def sentence(state: State) -> str:
    """What to do now, or why it has to be done again."""
    if state.problem and state.stage is Stage.CLOSED and state.possible:
        return f"{state.problem} {_TODO[state.stage]}"
    if state.problem:
        return state.problem
    if state.busy is Busy.STILL and state.stage is Stage.THROW:
        return "I look as soon as they lie still."
    if state.busy is not None:
        return _BUSY[state.busy]
    return _TODO[state.stage]


def seen(state: State) -> str:
    """What the camera sees, in a few words; empty where that does not matter."""
    if state.stage not in (Stage.MARKED, Stage.PLAIN):
        return ""
    return f"I see {len(state.lots) or 'nothing yet'}{'. Good.' if len(state.lots) == 4 else '.'}"


def button(state: State) -> str:
    """What the big button does."""
    return "One moment …" if state.busy is not None else _BUTTONS[state.stage]


def other(state: State) -> str:
    """What the button beside it does, or empty where there is none."""
    return "" if state.busy is not None else _OTHERS.get(state.stage, "")


_BUSY = {
    Busy.OPENING: "The camera finds its light and focus, and keeps them. Hands away, please.",
    Busy.STILL: "Hold still. Hands away from the tray.",
    Busy.LEARNING: "I am learning …",
    Busy.SAVING: "I am writing down what I learned …",
    Busy.LOST: "The camera is gone. I am looking for it.",
}
_TODO = {
    Stage.CLOSED: "Empty the tray and tap Start. It takes a minute. What the camera knows stays until you are done.",
    Stage.EMPTY: "Take all four out. Then hands away.",
    Stage.MARKED: "Apart from each other and from the edge. Then hands away.",
    Stage.PLAIN: "Turn each one over. Then hands away.",
    Stage.THROW: "Throw all four into the tray. I look by myself.",
    Stage.SHOWN: "Count for yourself: M is marked, P is plain.",
    Stage.DOUBT: "Make the marks bolder or the light better, then start again.",
    Stage.DONE: "From now on I read your throws.",
}
_BUTTONS = {
    Stage.CLOSED: "Start",
    Stage.EMPTY: "It is empty",
    Stage.MARKED: "All four are marked side up",
    Stage.PLAIN: "All four are plain side up",
    Stage.THROW: "Look now",
    Stage.SHOWN: "Right",
    Stage.DOUBT: "Start again",
    Stage.DONE: "Back to the table",
}
_OTHERS = {Stage.SHOWN: "Wrong", Stage.DOUBT: "Use it anyway", Stage.DONE: "Start again"}

"""The sentences of the calibration: what to do, what the camera sees, and the buttons' labels."""

from __future__ import annotations

from companion.calibration.forecast import MANY, Forecast, Remedy
from companion.calibration.session import TEST_THROWS, Busy, CalibrationState, Stage
from companion.i18n import N_, _, ngettext, retranslate


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
        case Stage.DOUBT if state.is_unsaved:
            return _("I couldn't save it")
        case Stage.DOUBT:
            return _("Only {right} of {all} right", right=sum(state.verdicts), all=len(state.verdicts))
        case Stage.DONE:
            return _("Done. I know your sticks.")


def sentence(state: CalibrationState) -> str:
    """Say what to do, or why it has to be done again."""
    if state.problem and state.stage is Stage.CLOSED and state.possible:
        return f"{retranslate(state.problem)} {_(_TASKS[state.stage])}"
    if state.is_unsaved and state.busy is None:
        return f"{retranslate(state.problem)} {_(_UNSAVED)}".lstrip()
    if state.problem:
        return retranslate(state.problem)
    if state.busy is Busy.STILL and state.stage is Stage.THROW:
        return _("I'll look as soon as they lie still.")
    if state.busy is not None:
        return _(_BUSY[state.busy])
    task = _(_TASKS[state.stage])
    if state.stage is not Stage.DONE:
        return task
    if state.forecast is None:
        return f"{task} {_(_TRYING)}"
    return f"{task} {forecast_text(state.forecast)}".rstrip()


def forecast_text(forecast: Forecast) -> str:
    """Say how trial throws were read and what would help; empty if nothing was tried."""
    if not forecast.trials:
        return ""
    number = len(forecast.trials)
    if forecast.wrong:
        wrong = _(
            "I made {number} throws from your pictures and read {wrong} wrong, so check my counts.",
            number=number,
            wrong=forecast.wrong,
        )
        return f"{wrong} {_(_BOLDER)}"
    said = [_("I made {number} throws from your pictures and read {read}.", number=number, read=forecast.right)]
    if forecast.share_asked() > MANY:
        said += [_(_MOST), _(_BOLDER)]
    elif forecast.of_sticks:
        said.append(_(_SOMETIMES) if forecast.share_asked() else _(_SELDOM))
    if forecast.asks_when_touching:
        said.append(_(_APART))
    return " ".join(said)


def alike_text(remedy: Remedy) -> str:
    """Say that the two sides are too alike, and what would help."""
    return _(
        "I can't tell the two sides apart. Did you turn over all four? If so: {remedy} Then tap Stop and start again.",
        remedy=remedy_text(remedy),
    )


def remedy_text(remedy: Remedy) -> str:
    """Say what would tell the two sides apart better."""
    return _(_REMEDIES[remedy])


def seen(state: CalibrationState) -> str:
    """Say briefly what the camera sees; empty where that does not matter."""
    if state.stage not in (Stage.MARKED, Stage.PLAIN):
        return ""
    if not state.lots:
        return _("I don't see any yet.")
    return _("I see 4. Good.") if len(state.lots) == 4 else _("I see {count}.", count=len(state.lots))


def button(state: CalibrationState) -> str:
    """Return the label of the main button."""
    if state.busy is not None:
        return _("One moment…")
    return _("Try again") if state.is_unsaved else _(_BUTTONS[state.stage])


def other(state: CalibrationState) -> str:
    """Return the label of the second button, or empty if there is none."""
    return "" if state.busy is not None or state.is_unsaved else retranslate(_OTHERS.get(state.stage, ""))


_BUSY = {
    Busy.OPENING: N_("I'm adjusting to the light and focusing. Hands away, please."),
    Busy.STILL: N_("Hold still. Hands away from the tray."),
    Busy.LEARNING: N_("I'm learning…"),
    Busy.SAVING: N_("I'm saving what I learned…"),
    Busy.LOST: N_("I've lost the camera. I'm looking for it."),
}
_TASKS = {
    Stage.CLOSED: N_(
        "Empty the tray and tap Start. It takes about a minute. Until you finish, I'll use what I know already."
    ),
    Stage.EMPTY: N_("Take out all four, then keep your hands away."),
    Stage.MARKED: N_("Lay them apart from each other and away from the edge. Then hands away."),
    Stage.PLAIN: N_("Turn each one over. Then hands away."),
    Stage.THROW: N_("Throw all four into the tray. I'll see it by myself."),
    Stage.SHOWN: N_("Check my count: a number is marked, a dash is plain."),
    Stage.DOUBT: N_("Try bolder marks or more light, then start again."),
    Stage.DONE: N_("From now on, I'll read your throws."),
}
_BUTTONS = {
    Stage.CLOSED: N_("Start"),
    Stage.EMPTY: N_("It's empty"),
    Stage.MARKED: N_("All four are marked side up"),
    Stage.PLAIN: N_("All four are plain side up"),
    Stage.THROW: N_("Look now"),
    Stage.SHOWN: N_("Right"),
    Stage.DOUBT: N_("Start again"),
    Stage.DONE: N_("Back to the table"),
}
_UNSAVED = N_("I still know what you showed me. Once it can be saved, try again.")
_TRYING = N_("I'm trying out throws to see how sure I'll be…")
_MOST = N_("I expect to ask about most throws.")
_SOMETIMES = N_("I expect to ask now and then.")
_SELDOM = N_("I expect to ask seldom.")
_APART = N_("If they touch, lay them apart.")
_BOLDER = N_("Bolder marks or more light would help.")
_REMEDIES = {
    Remedy.LIGHT: N_("It's too dark here. Turn on a light."),
    Remedy.COLOUR: N_("One side is only darker, like a shadow. Draw a thick cross on it."),
    Remedy.MARK: N_("Draw a thicker cross on one side of each."),
}
_OTHERS = {Stage.SHOWN: N_("Wrong"), Stage.DOUBT: N_("Use it anyway"), Stage.DONE: N_("Start again")}

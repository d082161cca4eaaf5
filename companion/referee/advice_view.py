"""What players are shown of what is known about their table."""

from __future__ import annotations

from companion.advice.adviser import Source
from companion.advice.levels import suggestion
from companion.referee import words
from companion.referee.counsel import Advice, Counsel, asked, last_choice
from companion.referee.table import Table
from companion.referee.views import AdviceView, JudgedView, RatedView, SolvingView
from companion.rules.unit import Side

NOTHING = AdviceView(
    suggestion=None,
    sentence="",
    pending=False,
    win=None,
    jade=None,
    source=None,
    error_bound=None,
    moves=[],
    judged=None,
    solving=None,
)


def advice_view(table: Table, counsel: Counsel) -> AdviceView:
    """The advice for that table: what is known about just this one, or that it is still being found out."""
    question = asked(table)
    known = counsel.advice if counsel.advice is not None and counsel.advice.about == question else None
    exact = known is not None and known.best.source is Source.EXACT
    solving = None if exact else _solving(table, counsel)
    view = NOTHING.model_copy(update={"solving": solving, "judged": _judged(table, counsel)})
    if question is None:
        return view
    if known is not None:
        return view.model_copy(update=_known(table, known))
    if counsel.advised or table.options.advice_after:
        return view.model_copy(update={"pending": counsel.advised})
    hint = suggestion(table.turn) if table.turn and table.level is None else None
    if hint is None:
        return view
    return view.model_copy(update={"suggestion": table.steps().index(hint), "sentence": words.hint(hint, table)})


def _known(table: Table, advice: Advice) -> dict[str, object]:
    win, steps = advice.best.win, () if table.options.advice_after and table.level is None else table.shown_steps()
    rated = [RatedView(move=steps.index(one.step), win=one.win) for one in advice.steps if one.step in steps]
    best = rated[0].move if table.level is None and len(rated) > 1 else None
    return {
        "suggestion": best,
        "sentence": "" if best is None else words.best(steps[best], table),
        "win": win,
        "jade": win if table.position.turn is Side.JADE else 1 - win,
        "source": advice.best.source,
        "error_bound": advice.best.error_bound,
        "moves": rated,
    }


def _judged(table: Table, counsel: Counsel) -> JudgedView | None:
    choice, past = last_choice(table), counsel.past
    if choice is None or past is None or past.about != choice.question:
        return None
    win = next(one.win for one in past.steps if one.step == choice.step)
    best = past.steps[0]
    return JudgedView(
        side=choice.table.position.turn.value,
        win=win,
        best=best.win,
        sentence=words.judged(choice.table, win, best, exact=past.best.source is Source.EXACT),
    )


def _solving(table: Table, counsel: Counsel) -> SolvingView | None:
    solving = counsel.solving
    if solving is None or (solving.rules, solving.marked) != (table.rules, table.marked):
        return None
    return SolvingView(done=None if solving.trouble else solving.done, sentence=words.solving(solving))

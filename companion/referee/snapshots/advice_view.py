"""The part of the known win chances that players are shown."""

from __future__ import annotations

from companion.advice.adviser import EstimateSource, TurnAdvice
from companion.advice.levels import suggestion
from companion.referee.advice_state import AdviceState, current_question, last_choice
from companion.referee.game_state import GameState
from companion.referee.snapshots import prompts
from companion.referee.snapshots.table_view import AdviceView, JudgedView, RatedView, SolvingView
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


def advice_view(state: GameState, advice: AdviceState) -> AdviceView:
    """The advice for this state of the game: what is known, or that an answer is still to come."""
    question = current_question(state)
    known = advice.answers.get(question) if question else None
    exact = known is not None and known.best.source is EstimateSource.EXACT
    solving = None if exact else _solving(state, advice)
    view = NOTHING.model_copy(update={"solving": solving, "judged": _judged(state, advice)})
    undecided = state.throw_off is not None and len(state.throw_off) % 2 == 0
    if undecided and state.options.advice and state.rules.is_symmetric:
        # Whoever begins wins as often as the other would, so the mean is one half. A first throw favours a side.
        return view.model_copy(update={"win": 0.5, "jade": 0.5, "source": EstimateSource.EXACT, "error_bound": 0.0})
    if question is None:
        return view
    if known is not None:
        return view.model_copy(update=_known(state, known))
    if advice.advised or state.options.advice_after:
        return view.model_copy(update={"pending": advice.advised})
    hint = suggestion(state.turn) if state.turn and state.level is None else None
    if hint is None:
        return view
    return view.model_copy(
        update={"suggestion": state.steps().index(hint), "sentence": prompts.catch_text(hint, state)}
    )


def _known(state: GameState, advice: TurnAdvice) -> dict[str, object]:
    win, steps = advice.best.win, () if state.options.advice_after and state.level is None else state.shown_steps()
    rated = [RatedView(move=steps.index(one.step), win=one.win) for one in advice.steps if one.step in steps]
    best = rated[0].move if state.level is None and len(rated) > 1 else None
    return {
        "suggestion": best,
        "sentence": "" if best is None else prompts.best_text(steps[best], state),
        "win": win,
        "jade": win if state.position.turn is Side.JADE else 1 - win,
        "source": advice.best.source,
        "error_bound": advice.best.error_bound,
        "moves": rated,
    }


def _judged(state: GameState, advice: AdviceState) -> JudgedView | None:
    choice = last_choice(state)
    past = advice.answers.get(choice.question) if choice else None
    if choice is None or past is None:
        return None
    win = next(one.win for one in past.steps if one.step == choice.step)
    best = past.steps[0]
    return JudgedView(
        side=choice.before.position.turn.value,
        win=win,
        best=best.win,
        sentence=prompts.choice_text(
            choice.before, win, best, choice.step, exact=past.best.source is EstimateSource.EXACT
        ),
    )


def _solving(state: GameState, advice: AdviceState) -> SolvingView | None:
    solving = advice.solving
    if solving is None or (solving.rules, solving.marked) != (state.rules, state.marked):
        return None
    return SolvingView(done=None if solving.trouble else solving.done, sentence=prompts.solving_text(solving))

"""Expert at the table: it thinks outside the lock, proposes one move, and does not think again after a restart."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.advice.adviser import Estimate, EstimateSource, RatedStep, TurnAdvice
from companion.errors import NotAllowed
from companion.referee.events import (
    ChoiceStepped,
    Confirmed,
    GameStarted,
    MoveChosen,
    Passed,
    ThrowEntered,
    Undone,
)
from companion.referee.referee import Referee
from companion.referee.workers.expert_worker import ExpertWorker
from companion.rules.position import Position
from companion.rules.turns import Turn
from companion.storage.store import Store

AGAINST_EXPERT = GameStarted(variant="puluc", jade=("expert",), obsidian=("Beto",), seed=1)


class LastStep:
    """Prefers the last step, another one each time it is asked; calls a hook while it thinks."""

    def __init__(self) -> None:
        self.asked = 0
        self.meanwhile: Callable[[], object] = lambda: None

    def before_throw(self, position: Position) -> Estimate:
        raise NotImplementedError(position)

    def in_turn(self, turn: Turn) -> TurnAdvice:
        self.asked += 1
        self.meanwhile()
        steps = turn.steps()[-self.asked :] + turn.steps()[: -self.asked]
        return TurnAdvice(Estimate(0.5, EstimateSource.SEARCH), tuple(RatedStep(step, 0.5) for step in steps))


def thinks(referee: Referee, adviser: LastStep) -> ExpertWorker:
    return ExpertWorker(referee, lambda rules: adviser, wait_s=0)  # noqa: ARG005 - one for all games


@pytest.fixture
def referee(tmp_path: Path) -> Iterator[Referee]:
    """Expert has won the throw-off, has a unit on 4, and is to use a 2: to enter on 2, or to go on to 6."""
    referee = Referee(Store(tmp_path), first=AGAINST_EXPERT)
    for marked in (4, 1, 4):
        referee.submit(ThrowEntered(marked))
    for event in (Confirmed(), ThrowEntered(1), Confirmed(), ThrowEntered(2)):
        referee.submit(event)
    yield referee
    referee.close()


def test_the_referee_does_not_wait_for_it(referee: Referee) -> None:
    """The throw is there at once without a choice; the move follows once Expert has thought."""
    thinking = referee.snapshot()
    thinks(referee, LastStep()).step()
    decided = referee.snapshot()

    assert (thinking.phase, thinking.moves, thinking.confirm) == ("move", [], None)
    assert thinking.prompt == "Expert (Jade) is thinking…"
    assert [(move.start, move.to) for move in decided.moves] == [(4, 6)]
    assert decided.chosen == 0
    assert referee.submit(Confirmed()).position == "4/5J2O/4 0:0 O"


def test_nobody_moves_for_it(referee: Referee) -> None:
    """While it thinks, every move, choice, confirmation and pass is refused; correcting the count is possible."""
    for event in (MoveChosen(4, 6), ChoiceStepped(), Confirmed(), Passed()):
        with pytest.raises(NotAllowed, match="still thinking"):
            referee.submit(event)

    assert referee.submit(ThrowEntered(3)).prompt == "Expert (Jade) is thinking…"


def test_a_thought_that_comes_too_late_is_lost(referee: Referee) -> None:
    """If the throw is undone meanwhile, the move is dropped; if the same count is thrown again, it plays that move
    without thinking again.
    """
    adviser = LastStep()
    thinker = thinks(referee, adviser)
    adviser.meanwhile = lambda: referee.submit(Undone())
    thinker.step()
    taken_back = referee.snapshot()
    referee.submit(ThrowEntered(2))
    thinker.step()

    assert taken_back.phase == "throw"
    assert (adviser.asked, [(move.start, move.to) for move in referee.snapshot().moves]) == (1, [(4, 6)])


def test_its_move_is_in_the_log(referee: Referee, tmp_path: Path) -> None:
    """After a restart the move is there, and nothing is computed again."""
    adviser = LastStep()
    thinks(referee, adviser).step()
    before = referee.snapshot()
    referee.close()
    again = Referee(Store(tmp_path), first=AGAINST_EXPERT)
    thinks(again, adviser).step()

    assert again.snapshot() == before
    assert adviser.asked == 1
    again.close()


def test_the_only_legal_step_needs_no_thought(tmp_path: Path) -> None:
    """On an empty highway a piece can only enter, so that is proposed at once; Expert has no part in people's turns."""
    referee = Referee(Store(tmp_path), first=AGAINST_EXPERT)
    adviser = LastStep()
    for marked in (4, 1, 4):
        referee.submit(ThrowEntered(marked))
    proposed = referee.snapshot()
    referee.submit(Confirmed())
    referee.submit(ThrowEntered(1))
    thinks(referee, adviser).step()

    assert [(move.start, move.to) for move in proposed.moves] == [("base", 4)]
    assert (adviser.asked, referee.state().chosen) == (0, None)
    referee.close()

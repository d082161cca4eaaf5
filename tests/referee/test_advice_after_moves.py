"""Advice after the move: nothing gives the choice away, and its worth is shown once it is made."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from companion.advice.adviser import Adviser
from companion.referee.advice_state import current_question, last_choice
from companion.referee.events import Event, GameStarted, MoveChosen, Options, OptionsSet, ThrowEntered, Undone
from companion.referee.referee import Referee
from companion.referee.workers.advice_worker import AdviceWorker
from companion.rules.variant import Variant
from companion.storage.store import Store
from tests.advice.material_adviser import MaterialAdviser

AFTER = Options(advice_after=True)
PEOPLE = GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1)
CHOOSING: tuple[Event, ...] = (
    ThrowEntered(4),
    ThrowEntered(1),
    ThrowEntered(2),
    MoveChosen(None, 2),
    ThrowEntered(0),
    MoveChosen(None, 5),
    ThrowEntered(3),
)
"""Ana may enter on 3, or take Beto's piece on 5 with hers on 2."""


class Table:
    """A referee whose players want advice after the move, and its advice worker."""

    def __init__(self, folder: Path) -> None:
        self.referee = Referee(Store(folder), first=PEOPLE, advised=True)
        self.worker = AdviceWorker(self.referee, advisers, wait_s=0)

    def play(self, *events: Event) -> None:
        for event in events:
            self.referee.submit(event)


def advisers(rules: Variant, marked: Fraction) -> Adviser:  # noqa: ARG001 - as they are called
    return MaterialAdviser()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    table.play(OptionsSet(AFTER), *CHOOSING)
    yield table
    table.referee.close()


def test_nothing_gives_the_choice_away(table: Table) -> None:
    """The chance to win is shown, but no move's, and no move is marked as best."""
    table.worker.step()
    advice = table.referee.snapshot().advice

    assert advice.win is not None
    assert (advice.moves, advice.suggestion, advice.sentence, advice.judged) == ([], None, "", None)


@pytest.mark.parametrize("early", [True, False])
def test_the_choice_is_judged_once_it_is_made(table: Table, early: bool) -> None:
    """Its worth may be known by then or computed later; the comment stays until the next choice."""
    if early:
        table.worker.step()
    question = current_question(table.referee.state())
    assert question is not None
    best, worse = MaterialAdviser().in_turn(table.referee.state().turn).steps  # type: ignore[arg-type]  # a move is due
    move = worse.step.move
    table.play(MoveChosen(move.start, move.to))
    if not early:
        assert table.referee.snapshot().advice.judged is None
        table.worker.step()
    judged = table.referee.snapshot().advice.judged
    assert judged is not None
    assert (judged.side, judged.win, judged.best) == ("jade", worse.win, best.win)
    assert judged.sentence.startswith("Ana (Jade)")
    table.play(ThrowEntered(1))

    assert table.referee.snapshot().advice.judged == judged


def test_the_best_choice_is_praised(table: Table) -> None:
    """Playing the best move is commented with praise, not with points lost."""
    table.worker.step()
    best = MaterialAdviser().in_turn(table.referee.state().turn).steps[0].step.move  # type: ignore[arg-type]  # a move is due
    table.play(MoveChosen(best.start, best.to))
    judged = table.referee.snapshot().advice.judged

    assert judged is not None
    assert judged.sentence == "Ana (Jade) found the best move."


def test_what_was_no_choice_is_not_judged(table: Table) -> None:
    """This covers the only legal move, a choice that is undone, and games with advice before the move."""
    table.play(MoveChosen(None, 3))
    assert last_choice(table.referee.state()) is not None
    table.play(Undone())
    assert last_choice(table.referee.state()) is None
    table.play(MoveChosen(None, 3), OptionsSet(Options()))

    assert last_choice(table.referee.state()) is None


def test_the_companions_own_moves_are_not_judged(tmp_path: Path) -> None:
    """During them the comment on the person's last choice stays."""
    table = Table(tmp_path)
    easy = GameStarted(variant="puluc", jade=("Ana",), obsidian=("easy",), seed=1)
    table.play(easy, OptionsSet(AFTER), *CHOOSING, MoveChosen(None, 3), ThrowEntered(4))
    choice = last_choice(table.referee.state())
    table.referee.close()

    assert choice is not None
    assert choice.step.move.to == 3

"""Advice at the table: computed outside the referee's lock, and shown only for the position it belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from threading import Event, Thread

import pytest

from companion.advice.adviser import Adviser, Estimate, EstimateSource, TurnAdvice
from companion.advice.memoized import MemoizedAdviser, memoize_per_game
from companion.errors import TableUnusable
from companion.referee.advice_state import SolvingProgress, current_question
from companion.referee.events import (
    CameraChanged,
    CameraState,
    Confirmed,
    GameStarted,
    MoveChosen,
    Options,
    OptionsSet,
    ThrowEntered,
    Undone,
)
from companion.referee.referee import Referee
from companion.referee.workers.advice_worker import AdviceWorker
from companion.rules.odds import FAIR, odds
from companion.rules.position import Position
from companion.rules.turns import Turn
from companion.rules.variant import Variant
from companion.rules.variants import variant
from companion.storage.store import Store
from tests.advice.brute_force import BruteForceAdviser
from tests.advice.material_adviser import MaterialAdviser

SMALL = {"spaces": "5", "pieces": "2"}
GAME = GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1, changes=SMALL)


@pytest.fixture
def referee(tmp_path: Path) -> Iterator[Referee]:
    """Ana is to throw, in a game small enough to be known exactly."""
    referee = Referee(Store(tmp_path), first=GAME, advised=True)
    referee.submit(ThrowEntered(4))
    referee.submit(ThrowEntered(1))
    yield referee
    referee.close()


@pytest.fixture(scope="module")
def brute(tmp_path_factory: pytest.TempPathFactory) -> BruteForceAdviser:
    referee = Referee(Store(tmp_path_factory.mktemp("rules")), first=GAME)
    rules = referee.state().rules
    referee.close()
    return BruteForceAdviser(rules, FAIR)


def counsellor(referee: Referee, adviser: Adviser) -> AdviceWorker:
    return AdviceWorker(referee, lambda rules, marked: adviser, wait_s=0)  # noqa: ARG005 - one for all games


class Asleep(MaterialAdviser):
    """An adviser that answers only once it is woken."""

    def __init__(self) -> None:
        self.asked, self.woken = Event(), Event()

    def before_throw(self, position: Position) -> Estimate:
        self.asked.set()
        assert self.woken.wait(30)
        return super().before_throw(position)

    def in_turn(self, turn: Turn) -> TurnAdvice:
        self.asked.set()
        assert self.woken.wait(30)
        return super().in_turn(turn)


def test_the_chance_before_the_throw(referee: Referee, brute: BruteForceAdviser) -> None:
    """The first snapshot says that advice is pending; then it is there under the same number, and stays during the
    reading.
    """
    before = referee.snapshot()
    counsellor(referee, brute).step()
    known = referee.snapshot()
    win = brute.before_throw(referee.state().position).win
    reading = referee.submit(ThrowEntered(2))

    assert (before.advice.pending, before.advice.win) == (True, None)
    assert (known.number, known.revision, known.step) == (before.number, before.revision + 1, before.step)
    assert (known.advice.pending, known.advice.win, known.advice.jade) == (False, win, win)
    assert (known.advice.source, known.advice.error_bound) == (EstimateSource.EXACT, 1e-12)
    assert reading.phase == "move"
    assert (reading.revision, reading.advice.pending) == (0, True)


def test_each_move_with_its_chance_best_first(referee: Referee, brute: BruteForceAdviser) -> None:
    """After the throw all legal moves are rated by their index in the snapshot; the best is suggested."""
    for event in (ThrowEntered(2), MoveChosen(None, 2), ThrowEntered(1), MoveChosen(None, 5), ThrowEntered(1)):
        referee.submit(event)
    counsellor(referee, brute).step()
    shown, table = referee.snapshot(), referee.state()
    assert table.turn is not None
    best = brute.in_turn(table.turn)
    wins = [one.win for one in shown.advice.moves]

    assert len(shown.moves) > 1
    assert sorted(one.move for one in shown.advice.moves) == [*range(len(shown.moves))]
    assert wins == sorted(wins, reverse=True) == [rated.win for rated in best.steps]
    assert [table.steps()[one.move] for one in shown.advice.moves] == [rated.step for rated in best.steps]
    assert (shown.advice.suggestion, shown.advice.win) == (shown.advice.moves[0].move, best.best.win)
    assert shown.advice.sentence == f"Best: {shown.moves[shown.advice.moves[0].move].words}."


def test_jades_chance_in_obsidians_turn(referee: Referee, brute: BruteForceAdviser) -> None:
    """The bar always shows Jade's chance; moves are rated for the side to move."""
    for event in (ThrowEntered(2), MoveChosen(None, 2)):
        referee.submit(event)
    counsellor(referee, brute).step()
    advice = referee.snapshot().advice

    assert advice.win is not None
    assert advice.jade == pytest.approx(1 - advice.win)
    assert advice.win == brute.before_throw(referee.state().position).win


def test_between_two_throws_what_may_still_come_counts(tmp_path: Path) -> None:
    """If one of two throws is known, the chance is the mean over the other."""
    game = GameStarted(variant="aj-sayil", jade=("Ana",), obsidian=("Beto",), seed=1)
    referee = Referee(Store(tmp_path), first=game, advised=True)
    for marked in (4, 1):
        referee.submit(ThrowEntered(marked))
    referee.submit(ThrowEntered(2))
    position, rules = referee.state().position, referee.state().rules
    thrown = referee.state().value(referee.state().thrown[0])
    adviser = MaterialAdviser()
    counsellor(referee, adviser).step()
    advice = referee.snapshot().advice
    mean = sum(float(c) * adviser.in_turn(Turn(position, (thrown, value))).best.win for value, c in odds(rules).items())

    assert referee.snapshot().phase == "throw"
    assert advice.win == pytest.approx(mean)
    assert (advice.source, advice.error_bound) == (EstimateSource.SEARCH, None)
    referee.close()


def test_no_submit_waits_for_advice(referee: Referee) -> None:
    """While the adviser is busy the game goes on at once; late advice is dropped."""
    adviser = Asleep()
    thinking = Thread(target=counsellor(referee, adviser).step)
    thinking.start()
    assert adviser.asked.wait(30)
    for _ in range(20):
        referee.submit(ThrowEntered(2))
        gone_on = referee.submit(MoveChosen(None, 2))
        referee.submit(Undone())
        referee.submit(Undone())
    moved = [referee.submit(event) for event in (ThrowEntered(2), MoveChosen(None, 2))][-1]
    adviser.woken.set()
    thinking.join(30)

    assert gone_on.position == moved.position
    assert referee.snapshot() is moved
    assert moved.advice.pending


def test_advice_outlives_what_changes_nothing_about_it(referee: Referee, brute: BruteForceAdviser) -> None:
    """A change of the camera's state does not recompute advice; after an undo the earlier chance is shown again."""
    counsellor(referee, brute).step()
    known = referee.snapshot().advice
    moving = referee.submit(CameraChanged(state=CameraState.MOVING))
    again = referee.submit(CameraChanged(state=CameraState.WATCHING))

    assert known.win is not None
    assert moving.advice == again.advice == known
    assert (moving.revision, moving.number) == (0, again.number - 1)


def test_the_same_news_is_told_once(referee: Referee, brute: BruteForceAdviser) -> None:
    """Advice that is already known wakes nobody."""
    worker = counsellor(referee, brute)
    worker.step()
    known = referee.snapshot()
    worker.step()
    referee.show_solving(None)

    assert referee.snapshot() is known


def test_players_who_want_no_advice_see_none(referee: Referee, brute: BruteForceAdviser) -> None:
    """With the option off there is no chance, no suggestion and nothing pending; switched on, all are back."""
    off = Options(advice=False)
    referee.submit(OptionsSet(off))
    worker = counsellor(referee, brute)
    for event in (ThrowEntered(2), MoveChosen(None, 2), ThrowEntered(1), MoveChosen(None, 5), ThrowEntered(3)):
        worker.step()
        advice = referee.submit(event).advice
        assert (advice.win, advice.jade, advice.source, advice.suggestion) == (None, None, None, None)
        assert (advice.moves, advice.pending, advice.sentence) == ([], False, "")
    referee.submit(OptionsSet(Options()))
    worker.step()

    assert current_question(referee.state()) is not None
    assert referee.snapshot().advice.win is not None


def test_nothing_to_advise_where_nothing_is_open(referee: Referee, brute: BruteForceAdviser) -> None:
    """During the throw-off and after the end of the game nothing is pending or shown."""
    throw_off = referee.submit(GAME)
    counsellor(referee, brute).step()

    assert (throw_off.phase, throw_off.advice.pending) == ("throw_off", False)
    assert referee.snapshot() is throw_off


def test_without_a_counsellor_nobody_is_told_to_wait(tmp_path: Path) -> None:
    """A referee without an adviser suggests the move that captures most, and shows nothing as pending."""
    referee = Referee(Store(tmp_path), first=GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1))
    for event in (ThrowEntered(4), ThrowEntered(1), ThrowEntered(2), MoveChosen(None, 2), ThrowEntered(2)):
        referee.submit(event)
    referee.submit(MoveChosen(None, 8))
    referee.submit(ThrowEntered(4))
    referee.submit(MoveChosen(2, 6))
    referee.submit(ThrowEntered(2))
    advice = referee.snapshot().advice

    assert advice.sentence == "Best capture: move 8 to 6, capturing 1."
    assert advice.suggestion is not None
    assert (advice.pending, advice.win) == (False, None)
    referee.close()


def test_an_estimate_turns_exact_when_the_table_is_there(referee: Referee, brute: BruteForceAdviser) -> None:
    """The adviser is looked up with each change, so the same position gets better advice."""
    advisers: list[Adviser] = [MaterialAdviser()]
    worker = AdviceWorker(referee, lambda rules, marked: advisers[-1], wait_s=0)  # noqa: ARG005 - one for all games
    worker.step()
    estimate = referee.snapshot()
    table = referee.state()
    referee.show_solving(SolvingProgress(table.rules, FAIR, done=0.4, left_s=66))
    solving = referee.snapshot()
    advisers.append(brute)
    referee.show_solving(None)
    worker.step()
    exact = referee.snapshot()

    assert estimate.advice.source == "search"
    assert solving.advice.solving is not None
    assert solving.advice.win == estimate.advice.win
    assert solving.advice.solving.sentence == (
        "Working out this game exactly: 40% done, about 1 minute left. Until then these are estimates."
    )
    assert (exact.advice.source, exact.advice.solving) == ("exact", None)
    assert (exact.number, exact.revision) == (estimate.number, estimate.revision + 3)


def test_only_the_game_on_the_table_is_said_to_be_solved(referee: Referee) -> None:
    """The progress of solving another game is not shown."""
    other = referee.state().rules.changed({"spaces": "6"})
    referee.show_solving(SolvingProgress(other, FAIR, done=0.4))
    nothing = referee.snapshot().advice.solving
    referee.show_solving(SolvingProgress(referee.state().rules, FAIR, trouble="The disk is full."))
    given_up = referee.snapshot().advice.solving

    assert nothing is None
    assert given_up is not None
    assert given_up.done is None
    assert given_up.sentence.endswith("so these are estimates. The disk is full.")


def test_advice_that_cannot_be_had_ends_nothing(referee: Referee, caplog: pytest.LogCaptureFixture) -> None:
    """A failure is logged; the table goes on without advice."""

    def refuse(rules: Variant, marked: Fraction) -> Adviser:
        raise TableUnusable(f"{rules.name} at {marked}")

    AdviceWorker(referee, refuse, wait_s=0).step()

    assert "There is no advice: Puluc" in caplog.text
    assert referee.submit(Confirmed() if referee.state().throw else ThrowEntered(2)).advice.win is None


def test_advice_for_another_question_is_dropped(referee: Referee, brute: BruteForceAdviser) -> None:
    """The referee checks that advice belongs to the present position."""
    question = current_question(referee.state())
    assert question is not None
    moved = referee.submit(ThrowEntered(2))
    referee.advise(question, TurnAdvice(brute.before_throw(question.position), ()))

    assert referee.snapshot() is moved


def test_concurrent_equal_questions_are_computed_once() -> None:
    """Two callers with the same question wait for one answer, which a third gets from the cache; a failure is not
    cached.
    """
    asleep = Asleep()
    make = memoize_per_game(lambda rules, marked: asleep)  # noqa: ARG005 - one for all games
    position = Position.start(variant("puluc"))
    answers: list[Estimate] = []
    askers = [
        Thread(target=lambda: answers.append(make(position.rules, FAIR).before_throw(position))) for _ in range(2)
    ]
    for asker in askers:
        asker.start()
    assert asleep.asked.wait(30)
    asleep.woken.set()
    for asker in askers:
        asker.join(30)
    asleep.asked.clear()
    third = make(position.rules, FAIR).before_throw(position)

    assert answers == [third, third]
    assert answers[0] is third
    assert not asleep.asked.is_set()


def test_a_failure_is_not_remembered() -> None:
    """The next call tries again."""
    tries: list[Position] = []

    class Unlucky(MaterialAdviser):
        def before_throw(self, position: Position) -> Estimate:
            tries.append(position)
            if len(tries) == 1:
                raise TableUnusable("once")
            return super().before_throw(position)

    adviser = MemoizedAdviser(Unlucky(), maxsize=1)
    position = Position.start(variant("puluc"))
    with pytest.raises(TableUnusable):
        adviser.before_throw(position)
    first = adviser.before_throw(position)
    adviser.before_throw(position.passed())
    adviser.before_throw(position)

    assert first.source is EstimateSource.SEARCH
    assert len(tries) == 4

"""Advice at the table: found out beside the referee, shown for the moment it is about, and for no other."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from threading import Event, Thread

import pytest

from companion.advice.adviser import Adviser, Estimate, Source, TurnAdvice
from companion.advice.odds import FAIR, odds
from companion.advice.once import OncePerQuestion, once_per_game
from companion.errors import TableUnusable
from companion.referee.counsel import Advice, Solving, asked
from companion.referee.counsellor import Counsellor
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
from companion.referee.store import Store
from companion.rules.position import Position
from companion.rules.ruleset import Variant
from companion.rules.turns import Turn
from companion.rules.variant import variant
from tests.advice.brute import Brute
from tests.advice.rough import Rough

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
def brute(tmp_path_factory: pytest.TempPathFactory) -> Brute:
    referee = Referee(Store(tmp_path_factory.mktemp("rules")), first=GAME)
    rules = referee.table().rules
    referee.close()
    return Brute(rules, FAIR)


def counsellor(referee: Referee, adviser: Adviser) -> Counsellor:
    return Counsellor(referee, lambda rules, marked: adviser, wait_s=0)  # noqa: ARG005 - one for all games


class Asleep(Rough):
    """Answers only once it is woken."""

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


def test_the_chance_before_the_throw(referee: Referee, brute: Brute) -> None:
    """The first snapshot says that it is thought of; then it is there, under the same number, and stays in reading."""
    before = referee.snapshot()
    counsellor(referee, brute).step()
    known = referee.snapshot()
    win = brute.before_throw(referee.table().position).win
    reading = referee.submit(ThrowEntered(2))

    assert (before.advice.pending, before.advice.win) == (True, None)
    assert (known.number, known.revision, known.step) == (before.number, before.revision + 1, before.step)
    assert (known.advice.pending, known.advice.win, known.advice.jade) == (False, win, win)
    assert (known.advice.source, known.advice.error_bound) == (Source.EXACT, 1e-12)
    assert reading.phase == "move"
    assert (reading.revision, reading.advice.pending) == (0, True)


def test_each_move_with_its_chance_best_first(referee: Referee, brute: Brute) -> None:
    """After the throw all legal moves are rated, by their place among the table's; the best is suggested."""
    for event in (ThrowEntered(2), MoveChosen(None, 2), ThrowEntered(1), MoveChosen(None, 5), ThrowEntered(1)):
        referee.submit(event)
    counsellor(referee, brute).step()
    shown, table = referee.snapshot(), referee.table()
    assert table.turn is not None
    best = brute.in_turn(table.turn)
    wins = [one.win for one in shown.advice.moves]

    assert len(shown.moves) > 1
    assert sorted(one.move for one in shown.advice.moves) == [*range(len(shown.moves))]
    assert wins == sorted(wins, reverse=True) == [rated.win for rated in best.steps]
    assert [table.steps()[one.move] for one in shown.advice.moves] == [rated.step for rated in best.steps]
    assert (shown.advice.suggestion, shown.advice.win) == (shown.advice.moves[0].move, best.best.win)
    assert shown.advice.sentence == f"Best: {shown.moves[shown.advice.moves[0].move].words}."


def test_jades_chance_in_obsidians_turn(referee: Referee, brute: Brute) -> None:
    """The bar shows one side's chance throughout; the moves are rated for the side that moves."""
    for event in (ThrowEntered(2), MoveChosen(None, 2)):
        referee.submit(event)
    counsellor(referee, brute).step()
    advice = referee.snapshot().advice

    assert advice.win is not None
    assert advice.jade == pytest.approx(1 - advice.win)
    assert advice.win == brute.before_throw(referee.table().position).win


def test_between_two_throws_what_may_still_come_counts(tmp_path: Path) -> None:
    """With one throw of two known, the chance is the mean over the other."""
    game = GameStarted(variant="aj-sayil", jade=("Ana",), obsidian=("Beto",), seed=1)
    referee = Referee(Store(tmp_path), first=game, advised=True)
    for marked in (4, 1):
        referee.submit(ThrowEntered(marked))
    referee.submit(ThrowEntered(2))
    position, rules = referee.table().position, referee.table().rules
    thrown = referee.table().value(referee.table().thrown[0])
    adviser = Rough()
    counsellor(referee, adviser).step()
    advice = referee.snapshot().advice
    mean = sum(float(c) * adviser.in_turn(Turn(position, (thrown, value))).best.win for value, c in odds(rules).items())

    assert referee.snapshot().phase == "throw"
    assert advice.win == pytest.approx(mean)
    assert (advice.source, advice.error_bound) == (Source.SEARCH, None)
    referee.close()


def test_no_submit_waits_for_advice(referee: Referee) -> None:
    """While the adviser is still at it, the game goes on at once; what it then says of the past is shown to nobody."""
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


def test_advice_outlives_what_changes_nothing_about_it(referee: Referee, brute: Brute) -> None:
    """The camera's state is no reason to think again; a throw taken back finds its chance as it was."""
    counsellor(referee, brute).step()
    known = referee.snapshot().advice
    moving = referee.submit(CameraChanged(state=CameraState.MOVING))
    again = referee.submit(CameraChanged(state=CameraState.WATCHING))

    assert known.win is not None
    assert moving.advice == again.advice == known
    assert (moving.revision, moving.number) == (0, again.number - 1)


def test_the_same_news_is_told_once(referee: Referee, brute: Brute) -> None:
    """What is known already wakes nobody."""
    worker = counsellor(referee, brute)
    worker.step()
    known = referee.snapshot()
    worker.step()
    referee.tell_solving(None)

    assert referee.snapshot() is known


def test_players_who_want_no_advice_see_none(referee: Referee, brute: Brute) -> None:
    """With the option off there is no chance, no suggestion and nothing pending; on again, all is back."""
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

    assert asked(referee.table()) is not None
    assert referee.snapshot().advice.win is not None


def test_nothing_to_advise_where_nothing_is_open(referee: Referee, brute: Brute) -> None:
    """While it is thrown who begins, and once the game is over, nothing is pending and nothing is told."""
    throw_off = referee.submit(GAME)
    counsellor(referee, brute).step()

    assert (throw_off.phase, throw_off.advice.pending) == ("throw_off", False)
    assert referee.snapshot() is throw_off


def test_without_a_counsellor_nobody_is_told_to_wait(tmp_path: Path) -> None:
    """A referee that nobody advises suggests what catches most, and promises nothing."""
    referee = Referee(Store(tmp_path), first=GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1))
    for event in (ThrowEntered(4), ThrowEntered(1), ThrowEntered(2), MoveChosen(None, 2), ThrowEntered(2)):
        referee.submit(event)
    referee.submit(MoveChosen(None, 8))
    referee.submit(ThrowEntered(4))
    referee.submit(MoveChosen(2, 6))
    referee.submit(ThrowEntered(2))
    advice = referee.snapshot().advice

    assert advice.sentence == "Best catch: move 8 to 6, capturing 1."
    assert advice.suggestion is not None
    assert (advice.pending, advice.win) == (False, None)
    referee.close()


def test_an_estimate_turns_exact_when_the_table_is_there(referee: Referee, brute: Brute) -> None:
    """The adviser is asked for anew with each news, so the same moment is told again, better."""
    advisers: list[Adviser] = [Rough()]
    worker = Counsellor(referee, lambda rules, marked: advisers[-1], wait_s=0)  # noqa: ARG005 - one for all games
    worker.step()
    estimate = referee.snapshot()
    table = referee.table()
    referee.tell_solving(Solving(table.rules, FAIR, done=0.4, left_s=66))
    solving = referee.snapshot()
    advisers.append(brute)
    referee.tell_solving(None)
    worker.step()
    exact = referee.snapshot()

    assert estimate.advice.source == "search"
    assert solving.advice.solving is not None
    assert solving.advice.win == estimate.advice.win
    assert solving.advice.solving.sentence == (
        "Working out this game exactly: 40 % done, about 1 minute left. Until then these are estimates."
    )
    assert (exact.advice.source, exact.advice.solving) == ("exact", None)
    assert (exact.number, exact.revision) == (estimate.number, estimate.revision + 3)


def test_only_the_game_on_the_table_is_said_to_be_solved(referee: Referee) -> None:
    """How far another game is, is nobody's business here."""
    other = referee.table().rules.changed({"spaces": "6"})
    referee.tell_solving(Solving(other, FAIR, done=0.4))
    nothing = referee.snapshot().advice.solving
    referee.tell_solving(Solving(referee.table().rules, FAIR, trouble="The disk is full."))
    given_up = referee.snapshot().advice.solving

    assert nothing is None
    assert given_up is not None
    assert given_up.done is None
    assert given_up.sentence.endswith("so these are estimates. The disk is full.")


def test_advice_that_cannot_be_had_ends_nothing(referee: Referee, caplog: pytest.LogCaptureFixture) -> None:
    """A refusal is written to the log; the table goes on without advice."""

    def refuse(rules: Variant, marked: Fraction) -> Adviser:
        raise TableUnusable(f"{rules.name} at {marked}")

    Counsellor(referee, refuse, wait_s=0).step()

    assert "There is no advice: Puluc" in caplog.text
    assert referee.submit(Confirmed() if referee.table().throw else ThrowEntered(2)).advice.win is None


def test_advice_for_another_question_is_dropped(referee: Referee, brute: Brute) -> None:
    """The referee itself looks whether advice is still about what is so."""
    question = asked(referee.table())
    assert question is not None
    moved = referee.submit(ThrowEntered(2))
    referee.advise(Advice(question, brute.before_throw(question.position)))

    assert referee.snapshot() is moved


def test_nobody_finds_out_twice_what_somebody_is_finding_out() -> None:
    """Two who ask the same wait for one answer, and a third is given it; a failure is not kept."""
    asleep = Asleep()
    make = once_per_game(lambda rules, marked: asleep)  # noqa: ARG005 - one for all games
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
    """Whoever asks again may be luckier."""
    tries: list[Position] = []

    class Unlucky(Rough):
        def before_throw(self, position: Position) -> Estimate:
            tries.append(position)
            if len(tries) == 1:
                raise TableUnusable("once")
            return super().before_throw(position)

    adviser = OncePerQuestion(Unlucky(), kept=1)
    position = Position.start(variant("puluc"))
    with pytest.raises(TableUnusable):
        adviser.before_throw(position)
    first = adviser.before_throw(position)
    adviser.before_throw(position.passed())
    adviser.before_throw(position)

    assert first.source is Source.SEARCH
    assert len(tries) == 4

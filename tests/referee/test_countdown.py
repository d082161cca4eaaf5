"""Countdowns after which the game goes on without a tap, steps that wait for people, and taps at the moment it ends."""

from pathlib import Path

import pytest

from companion.errors import NotAllowed
from companion.referee.events import (
    Confirmed,
    Event,
    GameStarted,
    MoveChosen,
    Options,
    OptionsSet,
    Passed,
    Picture,
    ReadingDoubted,
    ThrowAgain,
    ThrowEntered,
    ThrowSeen,
    ThrowStepped,
    ThrowUnreadable,
    Undone,
)
from companion.referee.labelled_reading import LabelledReading
from companion.referee.referee import Referee
from companion.rules.unit import Side
from companion.storage.store import Store

ANA = GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1, begins=Side.JADE)
READ = ThrowSeen(marked=3, confidence=0.9, lots=(), picture=Picture(jpeg=b"jpeg", width=640, height=480))


class CountingTable:
    """A referee whose countdowns run on a clock that the test sets."""

    def __init__(self, folder: Path, game: GameStarted = ANA) -> None:
        self.now = 100.0
        self.referee = Referee(Store(folder), first=game)
        self.referee.start_countdowns(lambda: self.now)
        self.submit = self.referee.submit

    def after(self, seconds: float) -> str:
        """Let time pass, and return the phase."""
        self.now += seconds
        self.referee.end_countdown(wait_s=0)
        return self.referee.state().phase

    @property
    def left(self) -> float | None:
        countdown = self.referee.snapshot().countdown
        return countdown.left if countdown else None


@pytest.fixture
def table(tmp_path: Path) -> CountingTable:
    return CountingTable(tmp_path)


def test_a_sure_reading_counts_after_two_seconds(table: CountingTable) -> None:
    """It does not count sooner; everyone sees the same time left; a throw nobody confirmed labels no picture."""
    shown = table.submit(READ)
    assert shown.countdown is not None
    assert (shown.countdown.what, shown.countdown.left, shown.prompt) == ("throw", 2.0, "Ana (Jade) threw 3 marked.")
    assert table.after(1.5) == "reading"
    assert table.left == 0.5
    assert table.after(0.5) == "move"
    assert table.referee.state().thrown[0].marked == 3
    assert table.referee.next_labelled_reading() is None
    table.submit(ThrowEntered(2))
    labelled = table.referee.next_labelled_reading()
    assert isinstance(labelled, LabelledReading)
    assert labelled.marked == 2


DOUBTS = (
    ReadingDoubted(),
    ThrowStepped(),
    ThrowUnreadable(reason="touching"),
    ThrowAgain(),
    Undone(),
    OptionsSet(Options(ask=True)),
)


@pytest.mark.parametrize("stopped", DOUBTS, ids=lambda event: type(event).__name__)
def test_doubts_stop_the_countdown(table: CountingTable, stopped: Event) -> None:
    """Doubts are an objection, a count set with the button, an unreadable look, an undo, or the option to be asked."""
    table.submit(READ)
    shown = table.submit(stopped)

    assert shown.countdown is None
    table.after(60)
    assert not table.referee.state().thrown


def test_after_an_objection_the_camera_does_not_insist(table: CountingTable) -> None:
    """An unrequested second reading waits as well; after "look again" a reading counts down once more."""
    table.submit(READ)
    table.submit(ReadingDoubted())
    table.submit(READ)
    assert table.after(60) == "reading"
    table.submit(ThrowAgain())
    table.submit(READ)
    assert table.after(2) == "move"


def test_an_objection_needs_a_reading(table: CountingTable) -> None:
    with pytest.raises(NotAllowed, match="no reading to correct"):
        table.submit(ReadingDoubted())


def test_confirming_takes_it_at_once_and_counts_once(table: CountingTable) -> None:
    """It counts with the tap, and not again at the end of the countdown."""
    table.submit(READ)
    table.submit(Confirmed())
    assert table.after(1.9) == "move"
    assert [throw.marked for throw in table.referee.state().thrown] == [3]


def test_an_only_move_and_a_pass_need_no_tap(tmp_path: Path) -> None:
    """An only move and a computer's are shown for three seconds. After an undo people decide."""
    game = GameStarted(variant="puluc", jade=("Ana",), obsidian=("easy",), seed=1, begins=Side.JADE)
    table = CountingTable(tmp_path, game)
    shown = table.submit(ThrowEntered(3))
    assert (shown.phase, len(shown.moves), shown.prompt) == ("move", 1, "Ana (Jade) has one move: enter on 3.")
    assert table.after(2.9) == "move"
    assert table.after(0.1) == "throw"
    table.submit(ThrowEntered(2))
    assert table.after(2.9) == "move"
    assert table.after(0.1) == "throw"
    assert [turn.side for turn in table.referee.state().turns] == [Side.JADE, Side.OBSIDIAN]
    table.submit(Undone())
    assert table.after(60) == "move"


def test_a_pass_counts_down_where_no_move_is_legal(tmp_path: Path) -> None:
    game = GameStarted(
        variant="puluc", changes={"values": "5,0,2,3,4"}, jade=("Ana",), obsidian=("B",), seed=1, begins=Side.JADE
    )
    table = CountingTable(tmp_path, game)
    shown = table.submit(ThrowEntered(1))
    assert shown.countdown is not None
    assert shown.countdown.what == "pass"
    assert table.after(2) == "throw"
    assert table.referee.state().position.turn is Side.OBSIDIAN


def test_a_choice_waits(table: CountingTable) -> None:
    """With two legal moves nobody chooses for the player."""
    for event in (ThrowEntered(3), Confirmed(), ThrowEntered(1), Confirmed(), ThrowEntered(2)):
        table.submit(event)
    assert len(table.referee.snapshot().moves) > 1
    assert table.after(600) == "move"


def test_a_restart_begins_the_countdown_again_and_counts_once(tmp_path: Path) -> None:
    """The restart may come before its end or after it."""
    first = CountingTable(tmp_path)
    first.submit(READ)
    first.after(1.9)
    first.referee.close()
    second = CountingTable(tmp_path)
    assert second.left == 2.0
    assert second.after(2) == "move"
    second.referee.close()
    third = CountingTable(tmp_path)
    third.after(1.9)
    assert len(third.referee.state().thrown) == 1
    third.referee.close()


@pytest.mark.parametrize("event", [Confirmed(), MoveChosen(None, 3), Undone()], ids=lambda event: type(event).__name__)
def test_two_phones_that_agree_at_once_get_no_error(table: CountingTable, event: Event) -> None:
    """The second asks for what has just been done, so it gets the table; a different request is refused."""
    step = table.submit(ThrowEntered(3)).step
    done = table.submit(event, seen=step)
    assert table.submit(event, seen=step) == done
    if not isinstance(event, Undone):
        assert table.submit(Confirmed(), seen=step) == done
    with pytest.raises(NotAllowed, match="Someone was quicker"):
        table.submit(ThrowEntered(1), seen=step)


def test_a_yes_that_crosses_with_the_end_of_the_countdown_changes_nothing_more(table: CountingTable) -> None:
    """The request may name its step or not; a later one applies to the new step."""
    step = table.submit(READ).step
    table.after(2)
    for seen in (step, None):
        assert table.submit(Confirmed(), seen=seen).phase == "move"
    table.now += 1.5
    assert table.submit(Confirmed()).phase == "throw"


@pytest.mark.parametrize(
    ("event", "phase", "left"), [(ThrowEntered(1), "move", [1]), (ReadingDoubted(), "reading", [])]
)
def test_an_objection_that_crosses_takes_back_what_was_counted(
    table: CountingTable, event: Event, phase: str, left: list[int]
) -> None:
    step = table.submit(READ).step
    table.after(2)
    shown = table.submit(event, seen=step)
    assert (shown.phase, shown.left) == (phase, left)


def test_a_forced_move_is_not_taken_back_by_the_next_throw(table: CountingTable) -> None:
    """A script that enters counts without naming a step continues with the next throw."""
    table.submit(ThrowEntered(3))
    table.after(3)
    shown = table.submit(ThrowEntered(3))
    assert (shown.turn, shown.phase) == ("obsidian", "move")
    with pytest.raises(NotAllowed):
        table.submit(Passed())

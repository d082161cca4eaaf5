"""The referee's answer to each event."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import CompanionError, IllegalMove, NotAllowed, Unknown
from companion.referee.events import (
    CameraChanged,
    CameraState,
    ChoiceStepped,
    Confirmed,
    Event,
    GameAgain,
    GameResumed,
    GameStarted,
    MoveChosen,
    MoveProposed,
    Passed,
    ThrowAgain,
    ThrowEntered,
    ThrowSeen,
    ThrowStepped,
    ThrowUnreadable,
    Undone,
)
from companion.referee.game_state import NO_CAMERA, GameState, new_game
from companion.referee.reducer import apply
from companion.referee.referee import Referee
from companion.referee.snapshots.snapshot import Snapshot, render_snapshot
from companion.storage.store import Store
from tests.referee.conftest import TWO_PEOPLE

AGAINST_EASY = GameStarted(variant="puluc", jade=("Ana",), obsidian=("easy",), seed=1)


def seen(marked: int) -> ThrowSeen:
    return ThrowSeen(marked=marked, confidence=0.9, lots=())


def play(table: GameState, *events: Event) -> GameState:
    for event in events:
        table = apply(table, event, table.step + 1)
    return table


def begun(game: GameStarted = AGAINST_EASY, *, jade: int = 4, obsidian: int = 1) -> GameState:
    return play(new_game(game, 1), ThrowEntered(jade), ThrowEntered(obsidian))


def test_the_higher_throw_begins(referee: Referee) -> None:
    """Both sides throw; the value decides, so four plain faces beat four marked ones."""
    assert referee.snapshot().turn == "jade"
    one = referee.submit(ThrowEntered(4))
    two = referee.submit(ThrowEntered(0))

    assert (one.phase, one.turn, one.throw_off.jade) == ("throw_off", "obsidian", 4)
    assert (two.phase, two.turn) == ("throw", "obsidian")
    assert (two.throw_off.jade, two.throw_off.obsidian) == (4, 5)


def test_equal_throws_are_thrown_again(referee: Referee) -> None:
    """After a tie Jade throws again first."""
    referee.submit(ThrowEntered(2))
    tie = referee.submit(ThrowEntered(2))
    referee.submit(ThrowEntered(1))
    decided = referee.submit(ThrowEntered(3))

    assert (tie.phase, tie.turn) == ("throw_off", "jade")
    assert tie.prompt == "Both threw 2. Once more! Ana (Jade) to throw."
    assert (decided.phase, decided.turn) == ("throw", "obsidian")


def test_a_reading_waits_for_its_yes(begun: Referee) -> None:
    """A camera reading counts only once somebody confirms it."""
    reading = begun.submit(seen(3))
    confirmed = begun.submit(Confirmed())

    assert (reading.phase, reading.moves) == ("reading", [])
    assert reading.throw is not None
    assert (reading.throw.marked, reading.throw.value, reading.throw.source) == (3, 3, "camera")
    assert (confirmed.phase, [(move.start, move.to) for move in confirmed.moves]) == ("move", [("base", 3)])


def test_a_reading_is_corrected_before_it_is_confirmed(begun: Referee) -> None:
    """One tap on the right count replaces the reading and confirms it."""
    begun.submit(seen(3))
    corrected = begun.submit(ThrowEntered(0))

    assert corrected.phase == "move"
    assert corrected.throw is not None
    assert (corrected.throw.marked, corrected.throw.value, corrected.throw.source) == (0, 5, "hand")


def test_a_reading_is_corrected_after_it_is_confirmed(begun: Referee) -> None:
    """The count can be corrected until the move is made; undoing that restores the reading."""
    begun.submit(seen(3))
    begun.submit(Confirmed())
    corrected = begun.submit(ThrowEntered(2))
    back = begun.submit(Undone())

    assert [move.to for move in corrected.moves] == [2]
    assert [move.to for move in back.moves] == [3]


def test_a_move_is_taken_back_and_its_throw_corrected(begun: Referee) -> None:
    """Undo returns to the move, then to the reading, then to the throw."""
    begun.submit(seen(3))
    begun.submit(Confirmed())
    moved = begun.submit(MoveChosen(None, 3))
    steps = [begun.submit(Undone()) for _ in range(3)]

    assert (moved.position, moved.turn) == ("4/2J6/5 0:0 O", "obsidian")
    assert [step.phase for step in steps] == ["move", "reading", "throw"]
    assert {step.position for step in steps} == {"5/9/5 0:0 J"}
    assert {step.turn for step in steps} == {"jade"}


def test_undo_reaches_the_beginning_and_no_further(begun: Referee) -> None:
    """At the first throw there is nothing left to take back."""
    begun.submit(Undone())
    first = begun.submit(Undone())

    assert (first.phase, first.undo) == ("throw_off", False)
    with pytest.raises(NotAllowed, match="nothing to undo"):
        begun.submit(Undone())


def test_an_illegal_move_leaves_no_trace(begun: Referee) -> None:
    """It is refused with the reason and the legal moves, and the table is unchanged."""
    before = begun.submit(ThrowEntered(2))

    with pytest.raises(IllegalMove, match=r"not 2 spaces ahead\. Legal on a throw worth 2: base-2"):
        begun.submit(MoveChosen(None, 3))
    assert begun.snapshot() == before


@pytest.mark.parametrize(
    ("events", "refused", "says"),
    [
        ([], Confirmed(), "Throw the sticks first"),
        ([], Passed(), "Throw the sticks first"),
        ([], MoveChosen(None, 1), "Throw the sticks first"),
        ([], GameAgain(), "not over yet"),
        ([seen(1)], MoveChosen(None, 1), "Confirm or correct the throw first"),
        ([seen(1)], ChoiceStepped(), "Confirm or correct the throw first"),
        ([ThrowEntered(1)], seen(2), "throw is confirmed"),
        ([ThrowEntered(1)], ThrowUnreadable(reason="count"), "throw is confirmed"),
        ([ThrowEntered(1)], ThrowStepped(), "throw is confirmed"),
        ([ThrowEntered(1)], ThrowAgain(), "throw is confirmed"),
        ([ThrowEntered(1)], Passed(), "only pass if no move is legal. Legal: base-1"),
    ],
)
def test_what_does_not_fit_the_moment_is_refused(
    begun: Referee, events: list[Event], refused: Event, says: str
) -> None:
    """Each refusal states the situation and changes nothing."""
    for event in events:
        begun.submit(event)
    before = begun.snapshot()

    with pytest.raises(NotAllowed, match=says):
        begun.submit(refused)
    assert begun.snapshot() == before


@pytest.mark.parametrize("marked", [-1, 5])
@pytest.mark.parametrize("make", [ThrowEntered, seen])
def test_impossible_counts_are_refused(begun: Referee, make: Callable[[int], Event], marked: int) -> None:
    """Four lots show 0 to 4 marked faces."""
    with pytest.raises(Unknown, match="four sticks show 0 to 4"):
        begun.submit(make(marked))


def test_a_throw_that_is_not_read_is_asked_about(begun: Referee) -> None:
    """The table keeps waiting, gives the reason, and accepts a count by hand."""
    unsure = begun.submit(ThrowUnreadable(reason="touching"))
    entered = begun.submit(ThrowEntered(2))

    assert unsure.phase == "throw"
    assert unsure.unsure is not None
    assert "spread them" in unsure.unsure.sentence
    assert (entered.phase, entered.unsure) == ("move", None)


def test_sticks_that_move_after_a_reading_make_it_void(begun: Referee) -> None:
    """If the tray comes to rest unreadable, the earlier reading is discarded."""
    begun.submit(seen(3))
    unsure = begun.submit(ThrowUnreadable(reason="count"))

    assert (unsure.phase, unsure.throw) == ("throw", None)
    assert unsure.unsure is not None
    assert begun.submit(Undone()).phase == "throw_off"


def test_a_count_made_with_the_button_stands_against_the_camera(begun: Referee) -> None:
    """The camera does not overwrite a count set by a person, unless asked to look again."""
    begun.submit(seen(1))
    counted = begun.submit(ThrowStepped())

    for late in (seen(3), ThrowUnreadable(reason="touching")):
        with pytest.raises(NotAllowed, match="counting with the button"):
            begun.submit(late)
    assert begun.snapshot() == counted
    begun.submit(ThrowAgain())
    assert begun.submit(seen(3)).phase == "reading"


def test_throwing_again_asks_for_a_new_throw(begun: Referee) -> None:
    """A client can see that another throw is awaited than before."""
    first = begun.state().awaited
    begun.submit(seen(3))
    assert begun.state().awaited is None
    begun.submit(ThrowAgain())

    assert begun.state().phase == "throw"
    assert begun.state().awaited not in (None, first)
    assert begun.state().look_again == begun.state().step


def test_the_buttons_alone_can_enter_a_throw_and_choose_a_move(begun: Referee) -> None:
    """Next counts up, confirm accepts; next chooses among the moves, confirm plays."""
    counts = []
    for _ in range(6):
        reading = begun.submit(ThrowStepped())
        assert reading.throw is not None
        counts.append(reading.throw.marked)
    begun.submit(Confirmed())
    played = begun.submit(Confirmed())
    begun.submit(ThrowEntered(4))
    begun.submit(Confirmed())
    begun.submit(ThrowEntered(2))
    with pytest.raises(NotAllowed, match="Choose one of the moves first: base-2, 1-3"):
        begun.submit(Confirmed())
    choices = [begun.submit(ChoiceStepped()).chosen for _ in range(3)]

    assert counts == [1, 2, 3, 4, 0, 1]
    assert played.position == "4/J8/5 0:0 O"
    assert choices == [0, 1, 0]
    assert begun.submit(Confirmed()).position == "3/JJ3O3/4 0:0 O"


def test_a_throw_worth_nothing_is_passed(tmp_path: Path) -> None:
    """In Bell's table one marked face ends the turn; confirming says so."""
    referee = Referee(
        Store(tmp_path), first=GameStarted(variant="puluc-bell", jade=("Ana",), obsidian=("Beto",), seed=1)
    )
    for marked in (4, 2, 1):
        referee.submit(ThrowEntered(marked))

    assert (referee.snapshot().moves, referee.snapshot().confirm) == ([], "Pass")
    with pytest.raises(NotAllowed, match="No move is legal"):
        referee.submit(ChoiceStepped())
    passed = referee.submit(Passed())
    assert (passed.position, passed.phase) == ("5/9/5 0:0 O", "throw")
    assert passed.last is not None
    assert passed.last.sentence == "Ana (Jade) threw 1 (worth 0): pass."
    referee.close()


def test_our_own_player_proposes_and_a_person_confirms() -> None:
    """Easy's choice is the only move offered; others are refused by name, and an undo offers it again."""
    table = begun(jade=1, obsidian=4)
    table = play(table, ThrowEntered(2))
    assert table.level == "easy"
    proposed = apply(table, MoveProposed(None, 8), 9)

    assert [str(step.move) for step in proposed.steps()] == ["base-8"]
    with pytest.raises(IllegalMove):
        play(proposed, MoveChosen(None, 3))
    assert play(proposed, Confirmed(), Undone()).steps() == proposed.steps()


def test_the_referee_lets_its_player_choose_at_once(tmp_path: Path) -> None:
    """The computer player chooses as soon as its throw counts; a restart keeps the choice."""
    referee = Referee(Store(tmp_path), first=AGAINST_EASY)
    for marked in (1, 4):
        referee.submit(ThrowEntered(marked))
    proposed = referee.submit(ThrowEntered(2))
    referee.close()
    again = Referee(Store(tmp_path), first=AGAINST_EASY)

    assert (len(proposed.moves), proposed.chosen) == (1, 0)
    assert proposed.prompt.startswith("Easy enters on ")
    assert again.snapshot() == proposed
    again.close()


def test_taking_back_does_not_fish_for_another_choice(tmp_path: Path) -> None:
    """The same throw in the same turn leads the computer player to the same move, however often it is undone."""
    referee = Referee(Store(tmp_path), first=AGAINST_EASY)
    for marked in (1, 4, 4):
        referee.submit(ThrowEntered(marked))
    for event in (Confirmed(), ThrowEntered(1), MoveChosen(None, 1)):
        referee.submit(event)
    choices = []
    for _ in range(10):
        choices.append(referee.submit(ThrowEntered(3)).moves)
        referee.submit(Undone())

    assert len(referee.state().position.moves(3)) == 2
    assert all(moves == choices[0] for moves in choices)
    referee.close()


def test_a_game_is_won_and_played_again(tmp_path: Path) -> None:
    """With one piece a side the first capture ends the game at once; the same players can start another."""
    first = GameStarted(
        variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1, changes={"pieces": "1", "spaces": "5"}
    )
    referee = Referee(Store(tmp_path), first=first, seeds=lambda: 99)
    for marked in (4, 1, 3):
        referee.submit(ThrowEntered(marked))
    referee.submit(Confirmed())
    referee.submit(ThrowEntered(3))
    won = referee.submit(Confirmed())

    assert (won.phase, won.winner, won.prompt) == ("over", "obsidian", "Beto (Obsidian) has won.")
    with pytest.raises(NotAllowed, match="game is over"):
        referee.submit(ThrowEntered(1))
    with pytest.raises(NotAllowed, match="game is over"):
        referee.submit(Confirmed())
    again = referee.submit(GameAgain())
    assert (again.phase, again.position) == ("throw_off", "1/5/1 0:0 J")
    assert referee.state().game.seed == 99
    referee.close()


@pytest.mark.parametrize("name", ["", " Ana", "A" * 41, "A\nB"])
def test_names_that_nobody_can_have_are_refused(begun: Referee, name: str) -> None:
    """A name must be short and printable."""
    before = begun.snapshot()

    with pytest.raises(Unknown):
        begun.submit(GameStarted(variant="puluc", jade=(name,), obsidian=("Beto",), seed=1))
    assert begun.snapshot() == before


def test_the_camera_is_no_part_of_the_game(begun: Referee) -> None:
    """Its state is shown, but affects neither undo nor a page's step."""
    step = begun.snapshot().step
    lost = begun.submit(CameraChanged(state=CameraState.LOST, message="The camera is unplugged."))
    begun.submit(ThrowEntered(2), seen=step)
    back = begun.submit(Undone())

    assert (lost.step, lost.camera.state) == (step, "lost")
    assert (back.phase, back.camera.state) == ("throw", "lost")


def test_a_reading_ends_with_the_step_that_it_belongs_to(begun: Referee) -> None:
    """Whoever counts is quicker than the camera, and the next player's throw is not being read yet."""
    reading = begun.submit(CameraChanged(state=CameraState.WATCHING, reading=True))
    counted = begun.submit(ThrowEntered(2))

    assert (reading.camera.reading, counted.camera.reading) == (True, False)
    assert counted.camera.state == "watching"
    for another in (TWO_PEOPLE, GameResumed(reading.game)):
        begun.submit(CameraChanged(state=CameraState.WATCHING, reading=True))
        assert not begun.submit(another).camera.reading


EVENTS = st.one_of(
    st.builds(ThrowEntered, st.integers(0, 4)),
    st.builds(seen, st.integers(0, 4)),
    st.just(ThrowUnreadable(reason="touching")),
    st.sampled_from([Confirmed(), Confirmed(), ChoiceStepped(), ThrowStepped(), ThrowAgain(), Passed(), Undone()]),
)


@settings(max_examples=60, deadline=None)
@given(events=st.lists(EVENTS, max_size=80), seed=st.integers(0, 2**16))
def test_no_order_of_events_breaks_the_table(events: list[Event], seed: int) -> None:
    """Any event is either accepted and leaves a table that can be shown, or refused without a change."""
    chance = Random(seed)
    table = new_game(GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=seed), 1)
    for number, event in enumerate(events, 2):
        steps = table.steps()
        if steps and chance.random() < 0.5:
            step = chance.choice(steps)
            event = MoveChosen(step.move.start, step.move.to, step.value, str(step.move.unit))
        try:
            table = apply(table, event, number)
        except CompanionError:
            continue
        shown = render_snapshot(number, table, game=1)
        assert Snapshot.model_validate(shown.model_dump()) == shown
        assert shown.prompt
        assert table.camera is NO_CAMERA
        assert (table.awaited is not None) == (table.phase in ("throw", "throw_off"))

"""Moves that are seen on the board: taken after a rest, corrected before the next throw, and never guessed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.errors import NotAllowed
from companion.referee.board.expected import expected_board
from companion.referee.board.sightings import (
    ILLEGAL,
    BoardUnchanged,
    BoardUnclear,
    MoveSeen,
    SpaceDifference,
    Top,
)
from companion.referee.countdown import BOARD_S, MOVE_S
from companion.referee.events import (
    CameraChanged,
    CameraState,
    Confirmed,
    GameStarted,
    MoveChosen,
    Options,
    OptionsSet,
    ReadingDoubted,
    ThrowEntered,
    Undone,
)
from companion.rules.notation import write
from companion.rules.unit import Side
from tests.referee.board.watched_board import ANA, EASY, READ, WatchedBoard, seen_view


@pytest.fixture
def table(tmp_path: Path) -> WatchedBoard:
    return WatchedBoard(tmp_path)


def test_a_move_seen_is_taken_after_a_rest(table: WatchedBoard) -> None:
    """It is shown at once, taken after a moment, and taken back as ever."""
    table.play(ThrowEntered(3))
    shown = table.shows("4/2J6/5 0:0 O")
    early = table.rest(BOARD_S - 0.1)
    taken = table.rest(0.1)

    assert shown.countdown is not None
    assert (shown.countdown.what, shown.confirm) == ("board", "Enter on 3")
    board = seen_view(shown)
    assert (board.status, board.sentence, board.counts) == ("played", "I see: enter on 3.", True)
    assert [(move.start, move.to) for move in board.moves] == [("base", 3)]
    assert (early.phase, taken.phase, taken.position) == ("move", "throw", "4/2J6/5 0:0 O")
    assert seen_view(taken).status == "unchanged"
    assert table.play(Undone()).position == "5/9/5 0:0 J"


def test_the_rest_begins_anew_when_the_board_changes(table: WatchedBoard) -> None:
    """A piece put down on its way and pushed on within the rest is one move."""
    table.play(ThrowEntered(3), MoveChosen(None, 3), ThrowEntered(4), MoveChosen(None, 6), ThrowEntered(2))
    table.shows("4/4JO3/4 0:0 O")
    table.rest(1.0)
    table.shows("3/1JJ2O3/4 0:0 O")
    table.rest(1.0)

    assert table.state.phase == "move"
    assert table.rest(0.5).position == "3/1JJ2O3/4 0:0 O"


def test_moving_confirms_the_throw_that_was_read(table: WatchedBoard) -> None:
    """A legal move for a reading that is not confirmed confirms both, but makes no labelled picture of it."""
    table.play(READ)
    shown = table.shows("4/2J6/5 0:0 O")

    assert shown.countdown is not None
    assert shown.countdown.what == "board"
    assert table.rest().position == "4/2J6/5 0:0 O"
    assert table.referee.next_labelled_reading() is None
    assert table.play(Undone()).phase == "move"
    assert table.play(Undone()).phase == "reading"


def test_an_undone_move_is_not_taken_again(table: WatchedBoard) -> None:
    """What the board still shows after an undo counts once the board has changed, or by a tap."""
    table.play(ThrowEntered(3))
    table.shows("4/2J6/5 0:0 O")
    table.rest()
    table.play(Undone())
    held = table.shows("4/2J6/5 0:0 O")
    table.rest()
    waited = table.state.phase
    table.shows("5/9/5 0:0 J")
    again = table.shows("4/2J6/5 0:0 O")

    assert (held.countdown, seen_view(held).counts, waited) == (None, False, "move")
    assert held.confirm == "Enter on 3"
    assert again.countdown is not None


def test_a_tap_takes_what_is_seen_although_it_does_not_count(table: WatchedBoard) -> None:
    """With "Always ask" nothing counts by itself, and confirming takes the move that is seen."""
    table.play(OptionsSet(Options(ask=True)), ThrowEntered(3), MoveChosen(None, 3), ThrowEntered(2))
    table.play(MoveChosen(None, 8), ThrowEntered(2))
    shown = table.shows("3/1JJ4O1/4 0:0 O")

    assert (shown.countdown, shown.confirm) == (None, "Enter on 2")
    assert table.play(Confirmed()).position == "3/1JJ4O1/4 0:0 O"


def test_an_objection_stops_the_countdown(table: WatchedBoard) -> None:
    """Whoever objects keeps the move from being taken until the board changes."""
    table.play(ThrowEntered(3))
    table.shows("4/2J6/5 0:0 O")

    assert table.play(ReadingDoubted()).countdown is None
    assert table.rest().phase == "move"


def test_a_piece_pushed_on_corrects_the_move(table: WatchedBoard) -> None:
    """Before the next throw another legal result takes the place of the move."""
    table.play(ThrowEntered(3), MoveChosen(None, 3), ThrowEntered(1), MoveChosen(None, 9), ThrowEntered(2))
    table.shows("3/1JJ5O/4 0:0 O")
    table.rest()
    shown = table.shows("4/4J3O/4 0:0 O")
    corrected = table.rest()

    board = seen_view(shown)
    assert (board.corrects, board.sentence) == (True, "I see: move 3 to 5.")
    assert (corrected.position, corrected.phase) == ("4/4J3O/4 0:0 O", "throw")


def test_a_piece_put_back_takes_the_move_back(table: WatchedBoard) -> None:
    """Then another move may be made on the board."""
    table.play(ThrowEntered(3))
    table.shows("4/2J6/5 0:0 O")
    table.rest()
    shown = table.shows("5/9/5 0:0 J")
    back = table.rest()
    table.shows("4/2J6/5 0:0 O")

    assert seen_view(shown).sentence == "On the board, the last move has been taken back."
    assert (back.phase, back.position) == ("move", "5/9/5 0:0 J")
    assert table.rest().position == "4/2J6/5 0:0 O"


def test_a_tapped_move_that_is_not_yet_made_on_the_board_stays(table: WatchedBoard) -> None:
    """The board corrects a move only once it has shown it."""
    table.play(ThrowEntered(3), MoveChosen(None, 3))
    shown = table.shows("5/9/5 0:0 J")
    table.rest()

    assert shown.countdown is None
    assert seen_view(shown).sentence == "The board doesn't show Ana (Jade)'s last move yet: enter on 3."
    assert table.now_at == "4/2J6/5 0:0 O"
    assert seen_view(table.shows("4/2J6/5 0:0 O")).sentence == ""


def test_only_moves_wait_for_the_board(table: WatchedBoard) -> None:
    """Nothing is moved in the game before it is moved on the board; a pass still counts by itself."""
    shown = table.play(ThrowEntered(3))

    assert shown.countdown is None
    assert table.rest(10).phase == "move"
    assert table.play(Confirmed()).position == "4/2J6/5 0:0 O"


def test_a_choice_may_be_made_on_the_board(table: WatchedBoard) -> None:
    """It says so, unless moves that are seen there do not count."""
    table.play(ThrowEntered(3), Confirmed(), ThrowEntered(2), Confirmed())
    shown = table.play(ThrowEntered(1))
    tapped = table.play(OptionsSet(Options(board_moves=False)))

    assert shown.prompt == "Ana (Jade) moves 1. Make the move on the board, or tap it."
    assert tapped.prompt == "Ana (Jade) moves 1. Choose a move."


def test_the_computers_move_is_made_on_the_board(tmp_path: Path) -> None:
    """It is said; another legal move is told as wrong, and the game goes on when it is done right."""
    table = WatchedBoard(tmp_path, EASY)
    shown = table.play(ThrowEntered(3))
    table.rest(10)
    unchanged = table.shows("5/9/5 0:0 O")

    assert shown.prompt == "Easy enters on 7."
    assert seen_view(unchanged).sentence == "Make Easy's move on the board: enter on 7."
    table.shows("5/6O2/4 0:0 J")
    assert table.rest().position == "5/6O2/4 0:0 J"


def test_an_illegal_board_says_what_is_wrong_and_right(table: WatchedBoard) -> None:
    """It is told briefly, and nothing is taken."""
    table.play(ThrowEntered(3))
    nearest = expected_board(table.state).results[0]
    differences = (SpaceDifference(3, Top.JADE, Top.EMPTY), SpaceDifference(4, Top.EMPTY, Top.JADE))
    shown = table.see(BoardUnclear(reason=ILLEGAL, differences=differences, nearest=nearest))
    nearer = table.see(BoardUnclear(reason=ILLEGAL, differences=differences[1:], nearest=table.state.position))
    upset = table.see(BoardUnclear(reason=ILLEGAL, differences=(*differences, *differences), nearest=None))

    board = seen_view(shown)
    assert table.referee.is_board_wrong()
    assert (board.status, shown.countdown) == ("illegal", None)
    assert [one.space for one in board.differences] == [3, 4]
    assert board.sentence == ("Jade is missing on space 3, space 4 should be empty. Right: enter on 3.")
    assert seen_view(nearer).sentence == ("Space 4 should be empty. Put it back, then enter on 3.")
    assert seen_view(upset).sentence.startswith("4 spaces are different from the drawing. ")


@pytest.mark.parametrize("reason", ["hand", "between", "moved", "alike", "unfinished", "picture", "unclear", "light"])
def test_every_doubt_has_its_sentence(table: WatchedBoard, reason: str) -> None:
    """An unsure board says why, and takes nothing."""
    table.play(ThrowEntered(3))
    shown = table.see(BoardUnclear(reason=reason))

    assert (seen_view(shown).status, seen_view(shown).reason) == ("unsure", reason)
    assert seen_view(shown).sentence.endswith(".")
    assert table.rest().phase == "move"


def test_a_lost_camera_gives_the_game_back_to_taps(table: WatchedBoard) -> None:
    """What was seen counts no more, and only moves count by themselves again."""
    table.play(ThrowEntered(3))
    table.shows("4/2J6/5 0:0 O")
    lost = table.play(CameraChanged(state=CameraState.LOST))

    assert (seen_view(lost).status, seen_view(lost).sentence) == ("lost", "")
    assert "counts and moves" in lost.camera.message
    assert lost.countdown is not None
    assert lost.countdown.what == "move"


@pytest.mark.parametrize("switched", [Options(board=False), Options(board_moves=False)])
def test_it_can_be_switched_off(table: WatchedBoard, switched: Options) -> None:
    """Then moves count as without a board."""
    table.play(OptionsSet(switched), ThrowEntered(3))
    shown = table.shows("4/2J6/5 0:0 O")

    assert shown.countdown is not None
    assert shown.countdown.what == "move"
    assert seen_view(shown).status == ("played" if switched.board else "off")


def test_without_a_board_nothing_is_shown(tmp_path: Path) -> None:
    """The field is null, and sightings are ignored."""
    table = WatchedBoard(tmp_path)
    table.referee.know_board(None)
    table.play(ThrowEntered(3))

    assert table.see(BoardUnchanged()).board_seen is None
    assert table.rest(MOVE_S).phase == "throw"


def test_a_sighting_of_an_earlier_step_is_ignored(table: WatchedBoard) -> None:
    """The game may have gone on while the picture was read."""
    table.play(ThrowEntered(3))
    result = expected_board(table.state).results[0]
    step = table.state.step
    table.play(Undone())
    table.referee.see_board(MoveSeen(result), seen=step)

    assert seen_view(table.referee.snapshot()).status == "waiting"


def test_after_a_restart_the_board_is_looked_at_again(tmp_path: Path) -> None:
    """Killed between a move on the board and its being taken, the table takes it after the restart."""
    table = WatchedBoard(tmp_path)
    table.play(ThrowEntered(3))
    table.shows("4/2J6/5 0:0 O")
    table.referee.close()
    again = WatchedBoard(tmp_path)
    again.shows("4/2J6/5 0:0 O")

    assert again.rest().position == "4/2J6/5 0:0 O"


def test_several_steps_are_taken_back_at_once(table: WatchedBoard) -> None:
    """All of them or none."""
    table.play(ThrowEntered(3), MoveChosen(None, 3))

    assert table.referee.undo_steps(2).position == "5/9/5 0:0 J"
    with pytest.raises(NotAllowed):
        table.referee.undo_steps(3)


@pytest.mark.parametrize(
    ("game", "spaces", "why"),
    [
        (ANA, 13, "This game has 9 spaces and the board I know has 13"),
        (
            GameStarted(variant="aj-sakalil", jade=("A", "B"), obsidian=("C", "D"), seed=1, begins=Side.JADE),
            None,
            "Everyone has their own pieces here",
        ),
        (
            GameStarted(variant="aj-sayil", jade=("A",), obsidian=("B",), seed=1, begins=Side.JADE),
            None,
            "In this game pieces also rest beside the highway",
        ),
    ],
)
def test_games_it_cannot_follow_say_so(tmp_path: Path, game: GameStarted, spaces: int | None, why: str) -> None:
    """One sentence says why, and the game is played by taps."""
    table = WatchedBoard(tmp_path, game, spaces or 9)
    table.referee.know_board(spaces or table.state.rules.spaces)
    board = seen_view(table.referee.snapshot())

    assert (board.status, board.sentence.startswith(why)) == ("off", True), board.sentence


def test_both_throws_of_a_turn_may_be_moved_before_the_picture(tmp_path: Path) -> None:
    """The result of the whole turn is taken, also for a second throw that is only read; then it can be corrected."""
    game = replace(ANA, variant="aj-sakalil", changes={"advancing": "all"})
    table = WatchedBoard(tmp_path, game, 19)
    for marked in (1, 4):
        table.play(ThrowEntered(marked), ThrowEntered(2))
        table.see(MoveSeen(expected_board(table.state).results[0]))
        table.rest()
    table.play(ThrowEntered(2), READ)
    expected = expected_board(table.state)
    taken, other = expected.results[0], expected.results[-1]
    table.see(MoveSeen(taken))
    first = table.rest()
    made = [len(turn.made) for turn in table.state.turns]
    assert other in expected_board(table.state).results
    table.see(MoveSeen(other))
    corrected = table.rest()
    undone = table.play(Undone())

    assert len(expected.results) > 1
    assert expected.unfinished
    assert (first.position, made[2:]) == (write(taken), [2])
    assert (corrected.position, corrected.phase) == (write(other), "throw")
    assert (undone.phase, undone.position, len(table.state.turns)) == ("move", write(expected.before), 2)


def test_a_computers_turn_of_two_throws_is_made_step_by_step(tmp_path: Path) -> None:
    """Each step is said, and seen, before the next."""
    game = GameStarted(variant="aj-sakalil", jade=("easy",), obsidian=("Beto",), seed=1, begins=Side.JADE)
    table = WatchedBoard(tmp_path, game, 19)
    table.play(ThrowEntered(2), ThrowEntered(3))
    for _ in range(2):
        [step] = expected_board(table.state).results
        table.see(MoveSeen(step))
        table.rest()

    assert [len(turn.made) for turn in table.state.turns] == [2]


def test_a_second_undo_is_not_undone_by_the_board(table: WatchedBoard) -> None:
    """The pieces stood as the game said after the first undo, so the board shows the move that is taken back next."""
    table.play(ThrowEntered(3), MoveChosen(None, 3), ThrowEntered(2), MoveChosen(None, 8))
    table.see(BoardUnchanged())
    table.play(Undone())
    table.shows("4/2J6/5 0:0 O")
    table.play(Undone())
    table.shows("4/2J6/5 0:0 O")
    table.play(Undone())
    shown = table.shows("4/2J6/5 0:0 O")

    assert (shown.countdown, table.rest().position) == (None, "5/9/5 0:0 J")


def test_what_is_taken_back_without_a_camera_stays_so_when_it_is_back(table: WatchedBoard) -> None:
    """The board still shows the move, because nobody has put the piece back."""
    table.play(ThrowEntered(3))
    table.shows("4/2J6/5 0:0 O")
    table.rest()
    table.play(CameraChanged(state=CameraState.LOST), Undone(), CameraChanged(state=CameraState.WATCHING))
    shown = table.shows("4/2J6/5 0:0 O")

    assert (shown.countdown, table.rest().position) == (None, "5/9/5 0:0 J")

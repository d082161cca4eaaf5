"""What the table does by itself, by its options, and what it leaves to a tap."""

from dataclasses import replace
from pathlib import Path

from companion.referee.events import (
    CameraChanged,
    CameraState,
    Confirmed,
    GameRenamed,
    Options,
    OptionsSet,
    ThrowEntered,
    Undone,
)
from tests.referee.test_whole_games import FIRST, referee


def test_auto_move_spares_the_tap_but_not_the_taking_back(tmp_path: Path) -> None:
    """The only legal move is made at once; after an undo it waits to be confirmed."""
    table = referee(tmp_path)
    table.submit(OptionsSet(Options(auto_move=True)))
    for marked in (4, 1):
        table.submit(ThrowEntered(marked))
    made = table.submit(ThrowEntered(3))
    back = table.submit(Undone())
    table.submit(CameraChanged(state=CameraState.MOVING))
    later = table.submit(GameRenamed(table.snapshot().game, "Friday"))

    assert (made.position, made.phase) == ("4/2J6/5 0:0 O", "throw")
    assert (back.phase, back.position) == (later.phase, later.position) == ("move", "5/9/5 0:0 J")
    assert table.submit(Confirmed()).position == made.position
    table.close()


def test_who_is_always_asked_taps_forced_moves_too(tmp_path: Path) -> None:
    """The option to be asked wins over the one that plays forced moves."""
    table = referee(tmp_path)
    table.submit(OptionsSet(Options(ask=True, auto_move=True)))
    for marked in (4, 1):
        table.submit(ThrowEntered(marked))
    asked = table.submit(ThrowEntered(3))

    assert (asked.phase, asked.position) == ("move", "5/9/5 0:0 J")
    assert table.submit(Confirmed()).position == "4/2J6/5 0:0 O"
    table.close()


def test_a_draw_that_was_taken_back_waits_for_a_tap(tmp_path: Path) -> None:
    """What the camera sees meanwhile does not repeat it."""
    table = referee(tmp_path, replace(FIRST, obsidian=("easy",)))
    table.submit(OptionsSet(Options(draw=True)))
    drawn = table.submit(ThrowEntered(4))
    table.submit(Undone())
    waiting = table.submit(CameraChanged(state=CameraState.WATCHING))

    assert (waiting.phase, waiting.turn) == ("throw_off", "obsidian")
    assert table.submit(Confirmed()).turn == drawn.turn
    table.close()


def test_without_auto_throw_somebody_says_that_a_throw_comes(tmp_path: Path) -> None:
    """The camera is not used until then; a count by hand is accepted anyway."""
    table = referee(tmp_path)
    table.submit(OptionsSet(Options(auto_throw=False)))
    table.submit(ThrowEntered(4))
    moving = table.submit(CameraChanged(state=CameraState.MOVING))
    assert table.state().awaited is None
    assert (moving.confirm, moving.prompt) == ("Throw", "Who begins? Beto (Obsidian) to throw.")
    table.submit(Confirmed())

    assert table.state().awaited == table.state().step
    assert table.submit(ThrowEntered(1)).phase == "throw"
    assert table.submit(OptionsSet(Options())).confirm is None
    assert table.state().awaited is not None
    table.close()

"""The watcher between a scripted camera, a scripted reader and a real referee."""

import pytest

from companion.errors import NotKept, PictureUnusable, Unknown
from companion.referee.events import (
    Confirmed,
    MoveChosen,
    ThrowAgain,
    ThrowEntered,
    ThrowUnreadable,
    Undone,
)
from companion.referee.lie import same_lie
from hardware.agreeing import LOOKS
from hardware.camera import Camera, Frame
from hardware.watcher import BACK_OFF_S
from tests.hardware.watching import EMPTY, THREE_LOTS, Make, Script, ThrowingScript, four


def test_a_throw_is_read_once_it_rests(make: Make) -> None:
    """While anything moves nothing is read; at rest the reading is shown with its picture, once."""
    bench = make(Script())
    bench.step()
    bench.script.at_rest = False
    moving = bench.step()
    shown = bench.lands(four(3))
    again = bench.step(5)

    assert (moving.camera.state, moving.phase) == ("moving", "throw")
    assert (shown.phase, shown.camera.state) == ("reading", "watching")
    assert shown.throw is not None
    assert shown.throw.seen is not None
    assert (shown.throw.marked, len(shown.throw.seen.lots)) == (3, 4)
    assert bench.referee.picture(shown.number)
    assert again == shown
    assert bench.script.stills == LOOKS


def test_sticks_lying_since_before_are_not_read(make: Make) -> None:
    """Without anything having stirred, what lies in the tray is the old throw."""
    bench = make(Script(answer=four(2)))

    assert bench.step(10).phase == "throw"
    assert bench.script.stills == 0


def test_an_empty_tray_is_no_question(make: Make) -> None:
    """Picking the sticks up leaves nothing to ask about; three lying there do."""
    bench = make(Script())
    bench.step()

    assert bench.lands(EMPTY).unsure is None
    unsure = bench.lands(THREE_LOTS).unsure
    assert unsure is not None
    assert unsure.sentence.startswith("I see three, not four")


def test_the_same_sticks_are_not_the_next_throw(make: Make) -> None:
    """A hand passing over the old throw does not make it the other player's; real new ones do."""
    bench = make(Script())
    bench.step()
    bench.lands(four(3))
    bench.referee.submit(Confirmed())
    bench.referee.submit(MoveChosen(None, 3))

    assert bench.lands(four(3, shift=4)).phase == "throw"
    assert bench.lands(four(3, shift=60)).phase == "reading"


def test_picking_up_before_confirming_keeps_the_reading(make: Make) -> None:
    """The throw was read; that the sticks are gone now does not undo it, but a new throw replaces it."""
    bench = make(Script())
    bench.step()
    shown = bench.lands(four(3))

    assert bench.lands(THREE_LOTS).throw == shown.throw
    replaced = bench.lands(four(1, shift=60)).throw
    assert replaced is not None
    assert replaced.marked == 1


def test_looking_again_reads_what_lies_there(make: Make) -> None:
    """On the players' wish the tray is read though nothing has stirred, and an empty one is a question then."""
    bench = make(Script(answer=four(2)))
    bench.step()
    bench.referee.submit(ThrowAgain())
    assert bench.step(LOOKS + 1).phase == "reading"
    bench.referee.submit(ThrowAgain())
    bench.script.answer = EMPTY

    unsure = bench.step(LOOKS + 1).unsure
    assert unsure is not None
    assert unsure.reason == "count"


def test_nothing_is_read_while_a_move_is_due(make: Make) -> None:
    """In the middle of a move the tray is nobody's business."""
    bench = make(Script())
    bench.step()
    bench.referee.submit(ThrowEntered(2))

    assert bench.lands(four(3)).phase == "move"
    assert bench.script.stills == 0


def test_a_camera_with_its_own_throws_throws_once_a_turn(make: Make) -> None:
    """One throw for each that is awaited, also after taking back or asking again, and each is answered."""
    script = ThrowingScript(answer=four(3))
    bench = make(script)
    assert bench.step(5).phase == "reading"
    assert script.throws == 1
    bench.referee.submit(ThrowAgain())
    assert bench.step(5).phase == "reading"
    assert script.throws == 2
    bench.referee.submit(Undone())
    script.answer = EMPTY

    unsure = bench.step(5).unsure
    assert unsure is not None
    assert script.throws == 3


def test_a_lost_camera_is_told_and_sought_again(make: Make) -> None:
    """The page says so, counts can be entered meanwhile, and the camera comes back by itself, less and less eagerly."""
    bench = make(Script())
    bench.step()
    bench.script.lost = True
    lost, why = bench.step(), bench.referee.table().camera.message
    attempts = []
    for _ in range(6):
        bench.script.now += BACK_OFF_S[0] / 2
        bench.step()
        attempts.append(len(bench.script.pauses))
    bench.script.lost = False
    bench.script.now += BACK_OFF_S[-1]

    assert (lost.camera.state, why) == ("lost", "The camera is unplugged.")
    assert "Tap the counts meanwhile" in lost.camera.message
    assert attempts == [1, 1, 2, 3, 4, 4]
    assert bench.step().camera.state == "watching"
    assert bench.script.opened == 1


def test_a_picture_of_another_shape_asks_for_calibration(make: Make) -> None:
    """A profile that does not fit the camera is said on the page and stays there; the game goes on by hand."""
    bench = make(Script(answer=PictureUnusable("The picture is 64 x 48, the calibration's 1280 x 960.")))
    bench.step()
    bench.script.stirred = True
    told = bench.step(5)

    assert (told.camera.state, told.phase) == ("uncalibrated", "throw")
    assert "1280 x 960" in told.camera.message


def test_a_reading_too_late_is_not_the_next_throw(make: Make) -> None:
    """Where a count is tapped while the camera still looks, its answer belongs to the throw before."""
    bench = make(Script(answer=four(3)))
    bench.step()
    still = bench.script.still

    def slow() -> Frame:
        bench.referee.submit(ThrowEntered(2))
        bench.referee.submit(Confirmed())
        return still()

    bench.script.still = slow  # type: ignore[method-assign]  # the script plays a slow camera
    bench.script.stirred = True
    late = bench.step()
    bench.script.still = still  # type: ignore[method-assign]  # and as it was

    assert (late.phase, late.turn) == ("throw", "obsidian")
    assert bench.step(5).phase == "throw"


def test_a_wish_to_look_again_dies_with_its_throw(make: Make) -> None:
    """A count tapped before the look was possible settles it; the next player's throw is their own."""
    bench = make(Script(answer=four(3)))
    bench.step()
    bench.referee.submit(ThrowAgain())
    bench.script.at_rest = False
    bench.step()
    bench.referee.submit(ThrowEntered(2))
    bench.step()
    bench.referee.submit(Confirmed())
    bench.script.at_rest = True

    assert bench.step(5).phase == "throw"
    assert bench.script.stills == 0


def test_what_lies_there_when_a_count_is_tapped_is_that_throw(make: Make) -> None:
    """Sticks that were thrown but counted by hand are not read for the next player."""
    bench = make(Script(answer=four(3)))
    bench.step()
    bench.script.stirred = True
    bench.referee.submit(ThrowEntered(2))
    bench.step()
    bench.referee.submit(Confirmed())

    assert bench.step(5).phase == "throw"


def test_a_full_disk_is_waited_for(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be written down did not happen; the watcher goes on, and reads the throw once there is room."""
    bench = make(Script())
    bench.step()
    store = bench.referee._store
    append = store.append

    def full(*_: object) -> None:
        raise NotKept("The disk is full.")

    monkeypatch.setattr(store, "append", full)
    assert bench.lands(four(3)).phase == "throw"
    monkeypatch.setattr(store, "append", append)

    assert bench.step().phase == "reading"


def test_sticks_thrown_anew_before_confirming_are_asked_about(make: Make) -> None:
    """A heap that came after a reading makes the count before it void."""
    bench = make(Script())
    bench.step()
    bench.lands(four(3))
    heap = bench.lands(ThrowUnreadable(reason="touching", lots=four(1, shift=60).lots))

    assert (heap.phase, heap.throw) == ("throw", None)
    assert heap.unsure is not None


def test_a_folder_that_is_gone_is_a_lost_camera(make: Make) -> None:
    """Whatever opening anew refuses for, the game goes on by hand."""
    bench = make(Script())
    bench.step()
    bench.script.lost = True
    bench.step()
    bench.script.now += BACK_OFF_S[-1]

    def gone() -> Camera:
        raise Unknown("There is no folder of pictures here any more.")

    bench.watcher._open = gone
    bench.step()
    assert bench.referee.table().camera.message.startswith("There is no folder")


def test_lots_lie_the_same_only_where_all_do() -> None:
    """A turned face, a shifted lot or a lot more makes it another throw; a jittering outline does not."""
    lie = four(2).lots

    assert same_lie(four(2, shift=5).lots, lie)
    assert not same_lie(four(3).lots, lie)
    assert not same_lie(four(2, shift=30).lots, lie)
    assert not same_lie(lie[:3], lie)

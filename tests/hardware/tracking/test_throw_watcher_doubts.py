"""The watcher when readings differ, lots are touched, something is in the way, or the picture is another."""

from dataclasses import replace

from companion.errors import PictureUnusable
from companion.i18n import _, languages, use_language
from companion.referee.events import (
    Confirmed,
    MoveChosen,
    ThrowAgain,
    ThrowUnreadable,
)
from hardware.tracking.consensus import READINGS_NEEDED
from hardware.tracking.throw_watcher import MAX_TRIES, OBSTRUCTED_S
from tests.hardware.tracking.watcher_bench import MakeBench, ThrowingTrayScript, TrayScript, four


def test_readings_that_differ_are_reported_and_repeated(make: MakeBench) -> None:
    """The players are asked until the readings agree."""
    bench = make(TrayScript(later=[four(2), four(3), four(3), four(3)]))
    bench.step()
    asked = bench.lands(four(3))
    again = bench.step(READINGS_NEEDED + 1)

    assert asked.unsure is not None
    assert asked.unsure.sentence.startswith("I looked twice")
    assert (again.phase, again.throw and again.throw.marked) == ("reading", 3)


def test_readings_that_never_agree_are_given_up(make: MakeBench) -> None:
    """After MAX_TRIES attempts the watcher waits for the players."""
    bench = make(TrayScript(later=[four(2), four(3)] * 50))
    bench.step()
    bench.lands(four(3))
    bench.step(20)

    assert bench.script.stills == READINGS_NEEDED * MAX_TRIES
    assert bench.step().phase == "throw"


def test_disturbed_rest_is_read_again(make: MakeBench) -> None:
    """A hand between two readings discards the first one."""
    bench = make(TrayScript(answer=four(3), later=[four(1), four(1), four(1), four(1)]))
    bench.step()
    bench.script.has_changed = True
    bench.step()
    bench.script.at_rest = False
    bench.step()
    bench.script.at_rest = True
    shown = bench.step(READINGS_NEEDED + 1).throw

    assert shown is not None
    assert shown.marked == 1
    assert bench.script.stills == READINGS_NEEDED + 1


def test_nudge_after_a_reading_is_reported(make: MakeBench) -> None:
    """The reading stays, and nothing is read again unless the players ask."""
    bench = make(TrayScript())
    bench.step()
    shown = bench.lands(four(3))
    bench.script.is_nudged = True
    nudged = bench.lands(four(1))
    bench.script.is_nudged = False

    assert nudged.throw == shown.throw
    assert nudged.camera.message.startswith("Something moved the sticks after")
    assert bench.script.stills == READINGS_NEEDED
    assert bench.step(5).camera == nudged.camera
    bench.referee.submit(ThrowAgain())
    again = bench.step(READINGS_NEEDED + 1)
    assert again.throw is not None
    assert (again.throw.marked, again.camera.message) == (1, "")


def test_pushed_lots_are_not_a_new_throw(make: MakeBench) -> None:
    """A push that the detector does not recognize is recognized by the reader's placement."""
    bench = make(TrayScript())
    bench.step()
    shown = bench.lands(four(3))
    pushed = four(3, shift=60)
    kept = replace(pushed, lots=(four(3).lots[0], *pushed.lots[1:]))
    nudged = bench.lands(kept)

    assert nudged.throw == shown.throw
    assert nudged.camera.message.startswith("Something moved the sticks after")


def test_nudge_is_not_the_next_players_throw(make: MakeBench) -> None:
    """Touching a confirmed throw does not make it the next player's."""
    bench = make(TrayScript())
    bench.step()
    bench.lands(four(3))
    bench.script.is_nudged = True
    bench.lands(four(3))
    bench.referee.submit(Confirmed())
    moving = bench.step()
    bench.referee.submit(MoveChosen(None, 3))
    snapshot = bench.lands(four(1))

    assert moving.camera.message == ""
    assert (snapshot.phase, snapshot.throw, snapshot.turn) == ("throw", None, "obsidian")
    assert snapshot.camera.message.startswith("I think the sticks were moved, not thrown")
    bench.script.is_nudged = False
    assert bench.lands(four(2, shift=60)).phase == "reading"


def test_spread_heap_is_read(make: MakeBench) -> None:
    """After the players were asked to move the lots, moving them is not a nudge."""
    bench = make(TrayScript())
    bench.step()
    bench.lands(ThrowUnreadable(reason="touching", lots=four(3).lots))
    bench.script.is_nudged = True

    assert bench.lands(four(3)).phase == "reading"


def test_a_camera_out_of_place_is_reported(make: MakeBench) -> None:
    """A turned phone sees no lots where the tray was taught; the sentence stays until it is put back."""
    bench = make(TrayScript())
    bench.step()
    turned = bench.lands(ThrowUnreadable(reason="moved"))
    put_back = bench.lands(ThrowUnreadable(reason="count"))

    assert turned.camera.message.startswith("The camera or the tray has moved. Put it back")
    assert (turned.phase, turned.unsure) == ("throw", None)
    assert put_back.camera.message == ""


def test_obstruction_is_reported(make: MakeBench) -> None:
    """One look tells whether the camera has moved; nothing counts until it is gone or accepted by Look again."""
    bench = make(TrayScript(answer=four(3), has_changed=True, is_obstructed=True))
    bench.step(2)
    soon = bench.step()
    bench.script.now += OBSTRUCTED_S
    late = bench.step()

    assert (soon.camera.state, soon.camera.message) == ("moving", "")
    assert late.camera.message.startswith("There's something new at the edge")
    assert (late.camera.state, late.phase, bench.step(5)) == ("watching", "throw", late)
    assert bench.script.stills == 1
    bench.referee.submit(ThrowAgain())
    shown = bench.step(READINGS_NEEDED + 1)
    assert bench.script.accepted == 1
    assert (shown.phase, shown.camera.message) == ("reading", "")


def test_look_again_reads_the_accepted_picture_of_a_camera_that_throws(make: MakeBench) -> None:
    """It goes on to the next picture only if nothing new was at the edge of this one."""
    bench = make(ThrowingTrayScript(answer=four(3), has_changed=True, is_obstructed=True))
    bench.step(2)
    bench.script.now += OBSTRUCTED_S
    bench.step()
    bench.referee.submit(ThrowAgain())
    shown = bench.step(READINGS_NEEDED + 1)
    thrown = bench.script.throws
    bench.referee.submit(ThrowAgain())
    bench.step()

    assert (shown.phase, thrown, bench.script.throws) == ("reading", 1, 2)


def test_a_camera_pushed_too_far_is_reported(make: MakeBench) -> None:
    """What the picture shows more of the table is no obstruction."""
    bench = make(TrayScript(answer=ThrowUnreadable(reason="moved"), is_obstructed=True))
    bench.step(2)
    bench.script.now += OBSTRUCTED_S
    pushed = bench.step()
    stays = bench.step(5)
    bench.script.is_obstructed = False
    put_back = bench.step()

    assert pushed.camera.message.startswith("The camera or the tray has moved. Put it back")
    assert (pushed.camera.state, pushed.phase, pushed.unsure) == ("watching", "throw", None)
    assert (stays, bench.script.stills) == (pushed, 1)
    assert put_back.camera.message == ""


def test_look_again_reads_a_picture_of_a_pushed_camera(make: MakeBench) -> None:
    """The players are told that the throw cannot be read there."""
    bench = make(TrayScript(answer=ThrowUnreadable(reason="moved"), is_obstructed=True))
    bench.step(2)
    bench.script.now += OBSTRUCTED_S
    bench.step()
    bench.referee.submit(ThrowAgain())

    unsure = bench.step(READINGS_NEEDED + 1).unsure
    assert unsure is not None
    assert unsure.reason == "moved"


def test_profile_of_another_size_is_reported(make: MakeBench) -> None:
    """The message stays, in the language of each phone, and the game goes on by hand."""
    why = _(
        "The picture is {size} but the camera was taught at {taught}. Teach it again at this resolution.",
        size="64x48",
        taught="1280x960",
    )
    bench = make(TrayScript(answer=PictureUnusable(why)))
    bench.step()
    bench.script.has_changed = True
    snapshot = bench.step(5)

    assert (snapshot.camera.state, snapshot.phase) == ("uncalibrated", "throw")
    assert "1280x960" in snapshot.camera.message
    with use_language(languages()["es"]):
        assert "64x48" in bench.referee.snapshot().camera.message != snapshot.camera.message


def test_a_camera_of_another_size_is_no_obstruction(make: MakeBench) -> None:
    """Its picture does not fit the empty tray at the edges, and the players are told why."""
    bench = make(TrayScript(answer=PictureUnusable("The picture is 64x48."), is_obstructed=True))
    bench.step(2)
    bench.script.now += OBSTRUCTED_S
    snapshot = bench.step(5)

    assert (snapshot.camera.state, snapshot.camera.message) == ("uncalibrated", "The picture is 64x48.")
    assert bench.script.stills == 1


def test_look_again_accepts_only_a_reported_obstruction(make: MakeBench) -> None:
    """A hand that has only just come in is not accepted."""
    bench = make(TrayScript(answer=four(3), has_changed=True, is_obstructed=True))
    bench.step(2)
    bench.referee.submit(ThrowAgain())

    assert bench.step(5).phase == "throw"
    assert bench.script.accepted == 0

"""The watcher with a scripted camera, detector and reader, and a real referee."""

import pytest

from companion.errors import NotStored, Unknown
from companion.referee.events import (
    Confirmed,
    Event,
    GameStarted,
    MoveChosen,
    Options,
    OptionsSet,
    ThrowAgain,
    ThrowEntered,
    ThrowUnreadable,
    Undone,
    same_placement,
)
from hardware.cameras.camera import Camera, Frame
from hardware.tracking.consensus import READINGS_NEEDED
from hardware.tracking.throw_watcher import BACK_OFF_S, EARLY_S
from tests.hardware.tracking.watcher_bench import (
    EMPTY,
    THREE_LOTS,
    MakeBench,
    PhoneScript,
    ThrowingTrayScript,
    TrayScript,
    four,
)


def test_throw_is_read_once_at_rest(make: MakeBench) -> None:
    """Nothing is read while something moves; at rest the reading is submitted once, with its picture."""
    bench = make(TrayScript())
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
    assert bench.script.stills == READINGS_NEEDED


def test_it_says_that_it_reads_until_it_knows(make: MakeBench) -> None:
    """That is over soon where the sticks were only taken out, so that nobody waits for a count."""
    bench = make(TrayScript(at_rest=False))
    moving = bench.step()
    bench.script.at_rest = bench.script.has_changed = True
    emptied, told = bench.step(), bench.step(2)
    landed = [bench.lands(four(3)), bench.step()]

    assert [one.camera.reading for one in (moving, emptied, told)] == [False, True, False]
    assert emptied.camera.state == "watching"
    assert [one.camera.reading for one in landed] == [False, False]


def test_a_slow_camera_is_read_before_rest_is_confirmed(make: MakeBench) -> None:
    """The frame that confirms the rest lets the second picture be read, and the next one reports both."""
    script = PhoneScript(at_rest=False, has_changed=True, answer=four(3))
    bench = make(script)
    bench.step(2)
    in_motion = script.stills
    script.is_settling = True
    bench.step(2)
    early, delays, before = script.stills, script.delays, bench.referee.snapshot()
    script.is_settling, script.at_rest = False, True
    script.frames = 0
    bench.step()
    confirmed = bench.referee.snapshot()
    reported = bench.step()

    assert (in_motion, early, delays, script.asked) == (0, 1, 1, 1)
    assert (before.phase, confirmed.phase, reported.phase) == ("throw", "throw", "reading")
    assert (script.stills, script.frames) == (READINGS_NEEDED, 2)


def test_a_slow_camera_is_asked_as_soon_as_nothing_moves(make: MakeBench) -> None:
    """Once a rest, so that the picture is there when rest is expected; not for what has been read."""
    script = PhoneScript(at_rest=False, has_changed=True, answer=four(3))
    bench = make(script)
    bench.step(2)
    in_motion, script.is_still = script.asked_early, True
    bench.step(2)
    still, script.is_settling = script.asked_early, True
    bench.step()
    script.is_still = script.is_settling = script.has_changed = False
    bench.step()
    script.is_still = True
    bench.step()

    assert (in_motion, still, script.asked_early, script.stills) == (0, 1, 1, 1)


def test_what_moves_on_was_read_too_early(make: MakeBench) -> None:
    """A stick stood for a moment and fell: two pictures of it lying have to agree."""
    script = PhoneScript(at_rest=False, has_changed=True, is_settling=True, answer=four(3), later=[four(2)])
    bench = make(script)
    bench.step(2)
    script.is_settling = False
    bench.step()
    script.at_rest = True
    shown = bench.step(READINGS_NEEDED + 1)

    assert script.stills == 1 + READINGS_NEEDED
    assert shown.throw is not None
    assert shown.throw.marked == 2


def test_a_slow_reader_waits_for_rest(make: MakeBench) -> None:
    """Its early reading outlasts the wait for the next frame, so that it would never see the end of a rest."""
    script = PhoneScript(at_rest=False, has_changed=True, is_settling=True, answer=four(3), reading_s=EARLY_S + 0.1)
    bench = make(script)
    for settling in (True, True, False, True):
        script.is_settling = settling
        bench.step()

    assert script.stills == 1


def test_nothing_is_read_early_that_is_not_new(make: MakeBench) -> None:
    """Neither an unchanged tray nor sticks that were touched."""
    script = PhoneScript(at_rest=False, is_settling=True, answer=four(3))
    bench = make(script)
    bench.step(2)
    unchanged, script.has_changed, script.is_nudged = script.stills, True, True
    bench.referee.submit(ThrowEntered(2))
    bench.step()

    assert (unchanged, script.stills) == (0, 0)


def test_unchanged_tray_is_not_read(make: MakeBench) -> None:
    """If nothing has changed, the tray shows the old throw."""
    bench = make(TrayScript(answer=four(2)))

    assert bench.step(10).phase == "throw"
    assert bench.script.stills == 0


def test_empty_tray_is_not_a_throw(make: MakeBench) -> None:
    """The players are asked about three sticks, but not about an empty tray."""
    bench = make(TrayScript())
    bench.step()

    assert bench.lands(EMPTY).unsure is None
    unsure = bench.lands(THREE_LOTS).unsure
    assert unsure is not None
    assert unsure.sentence.startswith("I see three, not four")


def test_old_throw_is_not_the_next_one(make: MakeBench) -> None:
    """A hand over the old throw does not make it the next player's; a new throw does."""
    bench = make(TrayScript())
    bench.step()
    bench.lands(four(3))
    bench.referee.submit(Confirmed())
    bench.referee.submit(MoveChosen(None, 3))

    assert bench.lands(four(3, shift=4)).phase == "throw"
    assert bench.lands(four(2, shift=60)).phase == "reading"


def test_nothing_is_counted_twice_after_an_interruption(make: MakeBench) -> None:
    """What was read before a restart, or lies there when a phone has been laid back elsewhere, is no new throw."""
    bench = make(TrayScript())
    bench.step()
    bench.lands(four(3))
    bench.referee.submit(Confirmed())
    bench.referee.submit(MoveChosen(None, 3))
    bench.watcher.close()
    restarted = make(TrayScript())
    restarted.step()
    after_restart = restarted.lands(four(3))
    restarted.script.lost = True
    restarted.step()
    restarted.script.lost, restarted.script.now = False, 60.0
    restarted.step()
    laid_back = restarted.lands(four(3, shift=200))

    assert (after_restart.phase, laid_back.phase) == ("throw", "throw")
    assert laid_back.camera.message.startswith("I think the sticks were moved, not thrown")
    assert restarted.lands(four(1, shift=250)).phase == "reading"


def test_picking_up_before_confirming_keeps_the_reading(make: MakeBench) -> None:
    """Removing the sticks does not undo the reading; a new throw replaces it."""
    bench = make(TrayScript())
    bench.step()
    shown = bench.lands(four(3))

    assert bench.lands(THREE_LOTS).throw == shown.throw
    replaced = bench.lands(four(1, shift=60)).throw
    assert replaced is not None
    assert replaced.marked == 1


def test_look_again_reads_an_unchanged_tray(make: MakeBench) -> None:
    """On the players' request the tray is read although nothing has changed, and an empty one is reported."""
    bench = make(TrayScript(answer=four(2)))
    bench.step()
    bench.referee.submit(ThrowAgain())
    assert bench.step(READINGS_NEEDED + 1).phase == "reading"
    bench.referee.submit(ThrowAgain())
    bench.script.answer = EMPTY

    unsure = bench.step(READINGS_NEEDED + 1).unsure
    assert unsure is not None
    assert unsure.reason == "count"


def test_nothing_is_read_while_a_move_is_due(make: MakeBench) -> None:
    """The tray does not matter while a move is due."""
    bench = make(TrayScript())
    bench.step()
    bench.referee.submit(ThrowEntered(2))

    assert bench.lands(four(3)).phase == "move"
    assert bench.script.stills == 0


@pytest.mark.parametrize(
    "events",
    [
        [ThrowEntered(2)],
        [OptionsSet(Options(auto_throw=False)), GameStarted(variant="puluc", jade=("Ana",), obsidian=("B",), seed=2)],
    ],
    ids=["a count is entered", "a new game waits for a tap"],
)
def test_nothing_is_in_the_air_once_no_throw_is_awaited(make: MakeBench, events: list[Event]) -> None:
    """The page would say that the sticks fly until the next throw is awaited."""
    bench = make(TrayScript(at_rest=False))
    flying = bench.step(2).camera.state
    for event in events:
        bench.referee.submit(event)

    assert (flying, bench.step().camera.state) == ("moving", "watching")


def test_camera_that_throws_makes_one_throw_a_turn(make: MakeBench) -> None:
    """It makes another throw after an undo or Look again, and each throw is reported."""
    script = ThrowingTrayScript(answer=four(3))
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


def test_lost_camera_is_reported_and_reopened(make: MakeBench) -> None:
    """It is reopened after growing delays."""
    bench = make(TrayScript())
    bench.step()
    bench.script.lost = True
    lost, why = bench.step(), bench.referee.state().camera.message
    attempts = []
    for _time in range(6):
        bench.script.now += BACK_OFF_S[0] / 2
        bench.step()
        attempts.append(len(bench.script.pauses))
    bench.script.lost = False
    bench.script.now += BACK_OFF_S[-1]

    assert (lost.camera.state, why) == ("lost", "The camera is unplugged.")
    assert "Tap the counts for now" in lost.camera.message
    assert attempts == [1, 1, 2, 3, 4, 4]
    assert bench.step().camera.state == "watching"
    assert bench.script.opened == 1


def test_late_reading_is_not_the_next_throw(make: MakeBench) -> None:
    """If a count is entered while the picture is being read, the reading belongs to the previous throw."""
    bench = make(TrayScript(answer=four(3)))
    bench.step()
    still = bench.script.still

    def slow() -> Frame:
        bench.referee.submit(ThrowEntered(2))
        bench.referee.submit(Confirmed())
        return still()

    bench.script.still = slow  # type: ignore[method-assign]  # a slow camera
    bench.script.has_changed = True
    late = bench.step()
    bench.script.still = still  # type: ignore[method-assign]  # as before

    assert (late.phase, late.turn) == ("throw", "obsidian")
    assert bench.step(5).phase == "throw"


def test_look_again_ends_with_its_throw(make: MakeBench) -> None:
    """If the count is entered before the tray could be read, the request does not apply to the next throw."""
    bench = make(TrayScript(answer=four(3)))
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


def test_throw_entered_by_hand_is_not_read_for_the_next_player(make: MakeBench) -> None:
    """What lies there when a count is entered is that throw."""
    bench = make(TrayScript(answer=four(3)))
    bench.step()
    bench.script.has_changed = True
    bench.referee.submit(ThrowEntered(2))
    bench.step()
    bench.referee.submit(Confirmed())

    assert bench.step(5).phase == "throw"


def test_reading_is_submitted_again_after_a_full_disk(make: MakeBench, monkeypatch: pytest.MonkeyPatch) -> None:
    """An event that cannot be stored did not happen; the watcher retries until there is room."""
    bench = make(TrayScript())
    bench.step()
    store = bench.referee._store
    append = store.append

    def full(*_: object) -> None:
        raise NotStored("The disk is full.")

    monkeypatch.setattr(store, "append", full)
    assert bench.lands(four(3)).phase == "throw"
    monkeypatch.setattr(store, "append", append)

    assert bench.step().phase == "reading"


def test_new_throw_before_confirming_replaces_the_reading(make: MakeBench) -> None:
    """An unreadable heap after a reading cancels the count."""
    bench = make(TrayScript())
    bench.step()
    bench.lands(four(3))
    heap = bench.lands(ThrowUnreadable(reason="touching", lots=four(1, shift=60).lots))

    assert (heap.phase, heap.throw) == ("throw", None)
    assert heap.unsure is not None


def test_failure_to_reopen_is_a_lost_camera(make: MakeBench) -> None:
    """Whatever the reason, the game goes on by hand."""
    bench = make(TrayScript())
    bench.step()
    bench.script.lost = True
    bench.step()
    bench.script.now += BACK_OFF_S[-1]

    def gone() -> Camera:
        raise Unknown("There is no folder of pictures here any more.")

    bench.watcher._open = gone
    bench.step()
    assert bench.referee.state().camera.message.startswith("There is no folder")


def test_same_placement_needs_all_lots() -> None:
    """Another face, a shifted lot or a missing one makes another throw; jitter does not."""
    lots = four(2).lots

    assert same_placement(four(2, shift=5).lots, lots)
    assert not same_placement(four(3).lots, lots)
    assert not same_placement(four(2, shift=30).lots, lots)
    assert not same_placement(lots[:3], lots)

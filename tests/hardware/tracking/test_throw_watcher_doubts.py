"""What the watcher does about looks that differ, lots that were touched, and things that lie in the way."""

from dataclasses import replace

from companion.referee.events import (
    Confirmed,
    MoveChosen,
    ThrowAgain,
    ThrowUnreadable,
)
from hardware.agreeing import LOOKS
from hardware.watcher import BLOCKED_S, TRIES
from tests.hardware.watching import Make, Script, four


def test_two_looks_that_differ_are_asked_about_and_looked_at_again(make: Make) -> None:
    """The question stands until the looks agree."""
    bench = make(Script(later=[four(2), four(3), four(3), four(3)]))
    bench.step()
    asked = bench.lands(four(3))
    again = bench.step(LOOKS + 1)

    assert asked.unsure is not None
    assert asked.unsure.sentence.startswith("I looked twice")
    assert (again.phase, again.throw and again.throw.marked) == ("reading", 3)


def test_looks_that_never_agree_are_given_up(make: Make) -> None:
    """After a few tries it waits for the players."""
    bench = make(Script(later=[four(2), four(3)] * 50))
    bench.step()
    bench.lands(four(3))
    bench.step(20)

    assert bench.script.stills == LOOKS * TRIES
    assert bench.step().phase == "throw"


def test_nothing_is_said_of_a_rest_that_was_disturbed_while_it_was_looked_at(make: Make) -> None:
    """A hand that came in between makes it look anew."""
    bench = make(Script(answer=four(3), later=[four(1), four(1), four(1), four(1)]))
    bench.step()
    bench.script.stirred = True
    bench.step()
    bench.script.at_rest = False
    bench.step()
    bench.script.at_rest = True
    shown = bench.step(LOOKS + 1).throw

    assert shown is not None
    assert shown.marked == 1
    assert bench.script.stills == LOOKS + 1


def test_a_nudge_after_reading_is_told_and_changes_nothing(make: Make) -> None:
    """Most lie as they lay: the reading stands, nothing is read anew unless the players ask."""
    bench = make(Script())
    bench.step()
    shown = bench.lands(four(3))
    bench.script.nudged = True
    nudged = bench.lands(four(1))
    bench.script.nudged = False

    assert nudged.throw == shown.throw
    assert nudged.camera.message.startswith("Something moved the four after")
    assert bench.script.stills == LOOKS
    assert bench.step(5).camera == nudged.camera
    bench.referee.submit(ThrowAgain())
    again = bench.step(LOOKS + 1)
    assert again.throw is not None
    assert (again.throw.marked, again.camera.message) == (1, "")


def test_lots_pushed_after_reading_are_no_new_throw(make: Make) -> None:
    """Where too little is left in its place for the small frames to tell, the reader's places do."""
    bench = make(Script())
    bench.step()
    shown = bench.lands(four(3))
    pushed = four(3, shift=60)
    kept = replace(pushed, lots=(four(3).lots[0], *pushed.lots[1:]))
    nudged = bench.lands(kept)

    assert nudged.throw == shown.throw
    assert nudged.camera.message.startswith("Something moved the four after")


def test_a_nudge_is_not_the_next_players_throw(make: Make) -> None:
    """A confirmed throw stays confirmed, and what lies there still is not thrown again by touching it."""
    bench = make(Script())
    bench.step()
    bench.lands(four(3))
    bench.script.nudged = True
    bench.lands(four(3))
    bench.referee.submit(Confirmed())
    moving = bench.step()
    bench.referee.submit(MoveChosen(None, 3))
    told = bench.lands(four(1))

    assert moving.camera.message == ""
    assert (told.phase, told.throw, told.turn) == ("throw", None, "obsidian")
    assert told.camera.message.startswith("The four look moved, not thrown.")
    bench.script.nudged = False
    assert bench.lands(four(2, shift=60)).phase == "reading"


def test_a_heap_that_is_spread_is_read(make: Make) -> None:
    """Where the players were asked to move the lots, moving them is the answer and no nudge."""
    bench = make(Script())
    bench.step()
    bench.lands(ThrowUnreadable(reason="touching", lots=four(3).lots))
    bench.script.nudged = True

    assert bench.lands(four(3)).phase == "reading"


def test_what_lies_at_the_border_is_to_be_taken_away(make: Make) -> None:
    """Nothing is read meanwhile; only a person can say that it belongs there."""
    bench = make(Script(answer=four(3), stirred=True, blocked=True))
    bench.step(2)
    soon = bench.step()
    bench.script.now += BLOCKED_S
    late = bench.step()

    assert (soon.camera.state, soon.camera.message) == ("moving", "")
    assert late.camera.message.startswith("Something lies at the edge")
    assert bench.script.stills == 0
    bench.referee.submit(ThrowAgain())
    shown = bench.step(LOOKS + 1)
    assert bench.script.accepted == 1
    assert (shown.phase, shown.camera.message) == ("reading", "")


def test_looking_again_while_a_hand_has_just_come_in_accepts_nothing(make: Make) -> None:
    """Only what players were told of can they mean."""
    bench = make(Script(answer=four(3), stirred=True, blocked=True))
    bench.step(2)
    bench.referee.submit(ThrowAgain())

    assert bench.step(5).phase == "throw"
    assert bench.script.accepted == 0

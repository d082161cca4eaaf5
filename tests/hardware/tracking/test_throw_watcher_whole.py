"""The watcher with the true settling and reader, before drawn pictures: a throw, a nudge, a hand that rests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.referee.events import Confirmed, GameStarted, MoveChosen, ThrowAgain, ThrowEntered
from companion.referee.referee import Referee
from companion.referee.snapshot import Snapshot
from companion.referee.store import Store
from hardware.camera import Frame, Pixels
from hardware.profile import calibrate
from hardware.settling import Settling
from hardware.throw_reader import ThrowReader
from hardware.watcher import BLOCKED_S, Watcher
from tests.hardware.drawing import Stick, calibration, four, tray

FPS = 10


class Drawn:
    """A camera before whatever lies in the tray; each frame has noise of its own."""

    def __init__(self) -> None:
        self.sticks: list[Stick] = []
        self.hand: tuple[int, int] | None = None
        self.number = 0

    def watch(self) -> Frame:
        self.number += 1
        return Frame(self._picture(), self.number / FPS)

    def still(self) -> Frame:
        return Frame(self._picture(), self.number / FPS)

    def close(self) -> None:
        self.sticks = []

    def _picture(self) -> Pixels:
        return tray(self.sticks, hand=self.hand, noise=self.number)


class Evening:
    """A table with a watcher that is stepped by the seconds."""

    def __init__(self, folder: Path) -> None:
        self.camera = Drawn()
        profile = calibrate(*calibration())
        game = GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1)
        self.referee = Referee(Store(folder), first=game)
        for marked in (4, 1):
            self.referee.submit(ThrowEntered(marked))
        self.watcher = Watcher(
            open_camera=lambda: self.camera,
            reader=ThrowReader(profile),
            settling=lambda: Settling(profile.empty),
            table=self.referee.table,
            submit=self.referee.submit,
            clock=lambda: self.camera.number / FPS,
            pause=lambda _: None,
        )

    def passes(self, seconds: float = 1.2) -> Snapshot:
        for _ in range(round(seconds * FPS)):
            self.watcher.step()
        return self.referee.snapshot()

    def throws(self, sticks: list[Stick]) -> Snapshot:
        self.camera.sticks, self.camera.hand = [], (300, 200)
        self.passes(0.3)
        self.camera.sticks, self.camera.hand = sticks, None
        return self.passes()


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    one = Evening(tmp_path)
    yield one
    one.watcher.close()
    one.referee.close()


def elsewhere(marked: int) -> list[Stick]:
    return [Stick(stick.x, 460 - stick.y, 70 - stick.turn, stick.marked) for stick in four(marked)]


def pushed(marked: int) -> list[Stick]:
    first, *others = four(marked)
    return [Stick(first.x + 14, first.y + 10, first.turn + 12, first.marked), *others]


def test_a_throw_a_nudge_and_the_next_throw(evening: Evening) -> None:
    """Read once; touched, it stays what it was; the next player's throw is their own."""
    evening.passes()
    read = evening.throws(four(3))
    evening.camera.sticks = pushed(3)
    nudged = evening.passes()
    evening.referee.submit(Confirmed())
    evening.referee.submit(MoveChosen(None, 3))
    evening.camera.sticks = four(3)
    put_back = evening.passes()
    following = evening.throws(elsewhere(1))

    assert (read.phase, read.throw and read.throw.marked, read.camera.message) == ("reading", 3, "")
    assert nudged.throw == read.throw
    assert nudged.camera.message.startswith("Something moved the four after")
    assert (put_back.phase, put_back.throw) == ("throw", None)
    assert (following.phase, following.throw and following.throw.marked) == ("reading", 1)


def test_a_hand_that_rests_is_waited_for(evening: Evening) -> None:
    """However long; then the players are asked, and the throw is read as soon as it is gone."""
    evening.passes()
    evening.camera.sticks, evening.camera.hand = four(2), (590, 300)
    soon = evening.passes()
    asked = evening.passes(BLOCKED_S + 6)
    evening.camera.hand = None

    assert (soon.phase, soon.camera.message) == ("throw", "")
    assert (asked.phase, asked.camera.state) == ("throw", "moving")
    assert asked.camera.message.startswith("Something lies at the edge")
    assert evening.passes().phase == "reading"


def test_players_say_that_a_cup_belongs_there(evening: Evening) -> None:
    """They look again once they were told, and from then on throws beside the cup are read."""
    evening.passes()
    evening.camera.sticks, evening.camera.hand = four(2), (590, 300)
    evening.passes(BLOCKED_S + 2)
    evening.referee.submit(ThrowAgain())
    shown = evening.passes()

    assert (shown.phase, shown.throw and shown.throw.marked, shown.camera.message) == ("reading", 2, "")

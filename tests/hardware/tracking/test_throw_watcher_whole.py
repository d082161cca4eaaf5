"""The watcher with the real detector and reader on drawn pictures: a throw, a nudge, a resting hand."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from companion.referee.events import Confirmed, GameStarted, MoveChosen, ThrowAgain, ThrowEntered
from companion.referee.referee import Referee
from companion.referee.snapshots.snapshot import Snapshot
from companion.storage.store import Store
from hardware.cameras.camera import Frame, Pixels
from hardware.tracking.settling import SettlingDetector
from hardware.tracking.throw_watcher import OBSTRUCTED_S, ThrowWatcher
from tests.hardware.reader.drawing import Stick, four, taught_reader, tray

pytestmark = pytest.mark.slow

FPS = 10


class DrawnCamera:
    """A camera over drawn sticks and a hand. Each frame has new noise. pushed: pixels by which it was moved aside."""

    def __init__(self) -> None:
        self.sticks: list[Stick] = []
        self.hand: tuple[int, int] | None = None
        self.pushed = 0
        self.number = 0

    def next_frame(self) -> Frame:
        self.number += 1
        return Frame(self._picture(), self.number / FPS)

    def still(self) -> Frame:
        return Frame(self._picture(), self.number / FPS)

    def close(self) -> None:
        self.sticks = []

    def _picture(self) -> Pixels:
        return np.roll(tray(self.sticks, hand=self.hand, noise=self.number), self.pushed, axis=1)


class WatchedTable:
    """A table with a watcher that is stepped in seconds."""

    def __init__(self, folder: Path) -> None:
        self.camera = DrawnCamera()
        reader = taught_reader()
        game = GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1)
        self.referee = Referee(Store(folder), first=game)
        for marked in (4, 1):
            self.referee.submit(ThrowEntered(marked))
        self.watcher = ThrowWatcher(
            open_camera=lambda: self.camera,
            reader=reader,
            detector=lambda: SettlingDetector(reader.profile.empty),
            table=self.referee.state,
            submit=self.referee.submit,
            clock=lambda: self.camera.number / FPS,
            pause=lambda _: None,
        )

    def advance(self, seconds: float = 1.2) -> Snapshot:
        for _ in range(round(seconds * FPS)):
            self.watcher.step()
        return self.referee.snapshot()

    def throw(self, sticks: list[Stick]) -> Snapshot:
        self.camera.sticks, self.camera.hand = [], (300, 200)
        self.advance(0.3)
        self.camera.sticks, self.camera.hand = sticks, None
        return self.advance()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[WatchedTable]:
    one = WatchedTable(tmp_path)
    yield one
    one.watcher.close()
    one.referee.close()


def elsewhere(marked: int) -> list[Stick]:
    return [Stick(stick.x, 460 - stick.y, 70 - stick.turn, stick.marked) for stick in four(marked)]


def pushed(marked: int) -> list[Stick]:
    first, *others = four(marked)
    return [Stick(first.x + 14, first.y + 10, first.turn + 12, first.marked), *others]


def test_throw_nudge_and_next_throw(table: WatchedTable) -> None:
    """The throw is read once, a nudge does not change it, and the next player's throw is a new one."""
    table.advance()
    read = table.throw(four(3))
    table.camera.sticks = pushed(3)
    nudged = table.advance()
    table.referee.submit(Confirmed())
    table.referee.submit(MoveChosen(None, 3))
    table.camera.sticks = four(3)
    put_back = table.advance()
    following = table.throw(elsewhere(1))

    assert (read.phase, read.throw and read.throw.marked, read.camera.message) == ("reading", 3, "")
    assert nudged.throw == read.throw
    assert nudged.camera.message.startswith("Something moved the sticks after")
    assert (put_back.phase, put_back.throw) == ("throw", None)
    assert (following.phase, following.throw and following.throw.marked) == ("reading", 1)


def test_throw_under_a_resting_hand_is_not_read(table: WatchedTable) -> None:
    """After a while the players are asked, and the throw is read as soon as the hand is gone."""
    table.advance()
    table.camera.sticks, table.camera.hand = four(2), (590, 300)
    soon = table.advance()
    asked = table.advance(OBSTRUCTED_S + 6)
    table.camera.hand = None

    assert (soon.phase, soon.camera.message) == ("throw", "")
    assert (asked.phase, asked.camera.state) == ("throw", "watching")
    assert asked.camera.message.startswith("There's something new at the edge")
    assert table.advance().phase == "reading"


def test_accepted_cup_does_not_prevent_reading(table: WatchedTable) -> None:
    """Once the players tap Look again, throws beside the cup are read."""
    table.advance()
    table.camera.sticks, table.camera.hand = four(2), (590, 300)
    table.advance(OBSTRUCTED_S + 2)
    table.referee.submit(ThrowAgain())
    shown = table.advance()

    assert (shown.phase, shown.throw and shown.throw.marked, shown.camera.message) == ("reading", 2, "")


def test_pushed_camera_is_told_from_an_obstruction(table: WatchedTable) -> None:
    """The players are told while it shows more of the table; put back, it reads what lies there."""
    table.advance()
    table.camera.sticks, table.camera.pushed = four(2), 150
    pushed = table.advance(OBSTRUCTED_S + 2)
    table.camera.pushed = 0
    put_back = table.advance()

    assert (pushed.phase, pushed.camera.state) == ("throw", "watching")
    assert pushed.camera.message.startswith("The camera or the tray has moved")
    assert (put_back.phase, put_back.throw and put_back.throw.marked, put_back.camera.message) == ("reading", 2, "")

"""A watcher with a scripted camera, detector and reader, and a real referee."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from companion.errors import CameraLost, PictureUnusable
from companion.referee.events import Face, Lot, ThrowSeen, ThrowUnreadable
from companion.referee.referee import Referee
from companion.referee.snapshots.snapshot import Snapshot
from hardware.cameras.camera import Frame, Pixels
from hardware.tracking.consensus import READINGS_NEEDED
from hardware.tracking.throw_watcher import ThrowWatcher

PICTURE = np.full((48, 64, 3), 90, np.uint8)


def four(marked: int, *, shift: float = 0.0) -> ThrowSeen:
    """Return a reading of four lots side by side."""
    faces = [Face.MARKED] * marked + [Face.PLAIN] * (4 - marked)
    lots = [Lot(x=100.0 * n + shift, y=50, angle=90, face=face, confidence=1) for n, face in enumerate(faces)]
    return ThrowSeen(marked=marked, confidence=0.9, lots=tuple(lots))


THREE_LOTS = ThrowUnreadable(reason="count", lots=four(1).lots[:3])
EMPTY = ThrowUnreadable(reason="count")


@dataclass
class TrayScript:
    """A camera and a reader that do what the test sets.

    reading_s: how long a reading takes. is_still: nothing moves, but rest is not confirmed. later: the readings after
    ``answer``. opened, stills, throws, accepted, delays: how often each was called.
    """

    now: float = 0.0
    reading_s: float = 0.0
    at_rest: bool = True
    is_still: bool = False
    has_changed: bool = False
    is_settling: bool = False
    is_nudged: bool = False
    is_obstructed: bool = False
    motions: int = 0
    accepted: int = 0
    delays: int = 0
    lost: bool = False
    answer: ThrowSeen | ThrowUnreadable | PictureUnusable = EMPTY
    later: list[ThrowSeen | ThrowUnreadable] = field(default_factory=list)
    opened: int = 0
    stills: int = 0
    throws: int = 0
    pauses: list[float] = field(default_factory=list)

    def read(self, pixels: Pixels) -> ThrowSeen | ThrowUnreadable:
        assert pixels is PICTURE
        self.now += self.reading_s
        if isinstance(self.answer, PictureUnusable):
            raise self.answer
        answer = self.answer
        if self.later:
            self.answer = self.later.pop(0)
        return answer

    def update(self, frame: Frame) -> bool:
        assert frame.pixels is PICTURE
        self.motions += not (self.at_rest or self.is_still)
        return self.at_rest and not self.is_obstructed

    def expect_delay(self) -> None:
        self.delays += 1

    def mark_read(self) -> None:
        self.has_changed = False

    def accept_obstruction(self) -> None:
        self.accepted += 1
        self.is_obstructed = False

    def next_frame(self) -> Frame:
        if self.lost:
            raise CameraLost("The camera is unplugged.")
        return Frame(PICTURE, self.now)

    def still(self) -> Frame:
        self.stills += 1
        return Frame(PICTURE, self.now)

    def close(self) -> None:
        self.opened -= 1


class ThrowingTrayScript(TrayScript):
    """A camera that makes its own throws."""

    def throw(self) -> None:
        self.throws += 1


@dataclass
class PhoneScript(TrayScript):
    """A camera whose pictures take a while.

    frames: how many were taken. asked: how often some were asked ahead. asked_early: how often a still before rest was.
    """

    frames: int = 0
    asked: int = 0
    asked_early: int = 0

    def next_frame(self) -> Frame:
        self.frames += 1
        return super().next_frame()

    def prefetch_still(self) -> None:
        self.asked_early += 1

    def prefetch(self) -> None:
        self.asked += 1


@dataclass
class WatcherBench:
    """A watcher with its script and its referee."""

    script: TrayScript
    watcher: ThrowWatcher
    referee: Referee

    def step(self, times: int = 1) -> Snapshot:
        for _ in range(times):
            self.watcher.step()
        return self.referee.snapshot()

    def lands(self, answer: ThrowSeen | ThrowUnreadable) -> Snapshot:
        """Let something move and come to rest, and have the reader answer this."""
        self.script.at_rest, self.script.answer = False, answer
        self.step()
        self.script.at_rest, self.script.has_changed = True, True
        return self.step(READINGS_NEEDED + 1)


MakeBench = Callable[[TrayScript], WatcherBench]

"""A watcher between a scripted camera, a scripted reader and a real referee."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from companion.errors import CameraLost, PictureUnusable
from companion.referee.events import Face, Lot, ThrowSeen, ThrowUnreadable
from companion.referee.referee import Referee
from companion.referee.snapshot import Snapshot
from hardware.agreeing import LOOKS
from hardware.camera import Frame, Pixels
from hardware.watcher import Watcher

PICTURE = np.full((48, 64, 3), 90, np.uint8)


def four(marked: int, *, shift: float = 0.0) -> ThrowSeen:
    """A reading of four lots lying side by side."""
    faces = [Face.MARKED] * marked + [Face.PLAIN] * (4 - marked)
    lots = [Lot(x=100.0 * n + shift, y=50, angle=90, face=face, confidence=1) for n, face in enumerate(faces)]
    return ThrowSeen(marked=marked, confidence=0.9, lots=tuple(lots))


THREE_LOTS = ThrowUnreadable(reason="count", lots=four(1).lots[:3])
EMPTY = ThrowUnreadable(reason="count")


@dataclass
class Script:
    """What camera and reader do next, and what was asked of them."""

    now: float = 0.0
    at_rest: bool = True
    stirred: bool = False
    nudged: bool = False
    blocked: bool = False
    moves: int = 0
    accepted: int = 0
    lost: bool = False
    answer: ThrowSeen | ThrowUnreadable | PictureUnusable = EMPTY
    later: list[ThrowSeen | ThrowUnreadable] = field(default_factory=list)
    opened: int = 0
    stills: int = 0
    throws: int = 0
    pauses: list[float] = field(default_factory=list)

    def see(self, frame: Frame) -> bool:
        assert frame.pixels is PICTURE
        self.moves += not self.at_rest
        return self.at_rest and not self.blocked

    def accept(self) -> None:
        self.accepted += 1
        self.blocked = False

    def read(self, pixels: Pixels | None = None) -> ThrowSeen | ThrowUnreadable:
        """Without pixels the settling's: nothing stirs any more. With them the reader's: here is the answer."""
        if pixels is None:
            self.stirred = False
            return EMPTY
        if isinstance(self.answer, PictureUnusable):
            raise self.answer
        answer = self.answer
        if self.later:
            self.answer = self.later.pop(0)
        return answer

    def watch(self) -> Frame:
        if self.lost:
            raise CameraLost("The camera is unplugged.")
        return Frame(PICTURE, self.now)

    def still(self) -> Frame:
        self.stills += 1
        return Frame(PICTURE, self.now)

    def close(self) -> None:
        self.opened -= 1


class ThrowingScript(Script):
    """A camera that brings its own throws."""

    def throw(self) -> None:
        self.throws += 1


@dataclass
class Bench:
    """A watcher at work on a script and a referee."""

    script: Script
    watcher: Watcher
    referee: Referee

    def step(self, times: int = 1) -> Snapshot:
        for _ in range(times):
            self.watcher.step()
        return self.referee.snapshot()

    def lands(self, answer: ThrowSeen | ThrowUnreadable) -> Snapshot:
        """Sticks fall, come to rest, and the reader says this of them."""
        self.script.at_rest, self.script.answer = False, answer
        self.step()
        self.script.at_rest, self.script.stirred = True, True
        return self.step(LOOKS + 1)


Make = Callable[[Script], Bench]

"""A camera over a drawn tray, and a person who lays things into it: as much time passes as frames are looked at."""

from __future__ import annotations

from companion.errors import CameraLost
from hardware.camera import Frame, Pixels
from hardware.locked_controls import LockedControls
from tests.hardware.drawing import tray

FRAME_S = 0.1
HANDS = [tray(hand=(300 + 40 * step, 200), noise=step) for step in range(4)]
"""A hand on its way out of the picture."""


class Person:
    """Lays what is asked for. ``put`` is the hand's work; the rest is the camera's.

    A hand passes through the picture before what it laid is there, so that something stirs.
    """

    def __init__(self) -> None:
        self.now = 100.0
        self.lies = tray(noise=1)
        self.passing: list[Pixels] = []
        self.lost = False
        self.done: list[str] = []

    def put(self, pixels: Pixels) -> None:
        self.passing = list(HANDS)
        self.lies = pixels

    def clock(self) -> float:
        return self.now

    def watch(self) -> Frame:
        if self.lost:
            raise CameraLost("The camera is unplugged.")
        self.now += FRAME_S
        return Frame(self.passing.pop(0) if self.passing else self.lies, self.now)

    def still(self) -> Frame:
        self.done.append("still")
        self.now += FRAME_S
        return Frame(self.lies, self.now)

    def close(self) -> None:
        self.done.append("close")


class LockingPerson(Person):
    """The same with a camera whose light and focus can be held."""

    def lock(self) -> LockedControls:
        self.done.append("lock")
        return LockedControls(exposure_us=9000)

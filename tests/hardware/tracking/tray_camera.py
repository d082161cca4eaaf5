"""A fake camera over a drawn tray. Time passes as frames are taken."""

from __future__ import annotations

from companion.errors import CameraLost
from hardware.cameras.camera import Frame, Pixels
from hardware.cameras.locked_controls import LockedControls
from tests.hardware.reader.drawing import tray

FRAME_S = 0.1
HANDS = [tray(hand=(300 + 40 * step, 200), noise=step) for step in range(4)]
"""A hand on its way out of the picture."""


class TrayCamera:
    """Shows whatever the test has laid into the tray.

    passing: shown before that, one a frame. lost: raise CameraLost. calls: the methods called, but for frames.
    """

    def __init__(self) -> None:
        self.now = 100.0
        self.picture = tray(noise=1)
        self.passing: list[Pixels] = []
        self.lost = False
        self.calls: list[str] = []

    def lay(self, pixels: Pixels) -> None:
        """Change what lies in the tray. First a hand passes through the picture, so that something moves."""
        self.passing = list(HANDS)
        self.picture = pixels

    def clock(self) -> float:
        return self.now

    def next_frame(self) -> Frame:
        if self.lost:
            raise CameraLost("The camera is unplugged.")
        self.now += FRAME_S
        return Frame(self.passing.pop(0) if self.passing else self.picture, self.now)

    def still(self) -> Frame:
        self.calls.append("still")
        self.now += FRAME_S
        return Frame(self.picture, self.now)

    def close(self) -> None:
        self.calls.append("close")


class LockableTrayCamera(TrayCamera):
    """The same with controls that can be locked."""

    is_locked = False

    def lock(self) -> LockedControls:
        self.calls.append("lock")
        return LockedControls(exposure_us=9000)

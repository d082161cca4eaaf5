"""What every camera over the tray does, whatever it is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from companion.referee.events import Face
from hardware.locked_controls import LockedControls

Pixels = NDArray[np.uint8]
"""A picture: (rows, columns, 3) uint8, blue-green-red as OpenCV expects. Not to be written to."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of the throwing tray.

    taken_at: seconds on the monotonic clock at exposure.
    """

    pixels: Pixels
    taken_at: float


class Camera(Protocol):
    """Anything that looks at the tray. One thread at a time uses it.

    Every method raises CameraLost when the picture stops, within a few seconds; and none repeats a stale
    frame to fill the gap.
    """

    def watch(self) -> Frame:
        """The next small frame, about 640 x 480, for settling; waits until there is one (10 to 30 a second)."""
        ...

    def still(self) -> Frame:
        """A full picture whose exposure began after this call, for reading."""
        ...

    def close(self) -> None:
        """Let go of the device. Twice is as good as once."""
        ...


@runtime_checkable
class Lockable(Protocol):
    """A camera whose light and focus can be held, so that what the reader learnt stays true."""

    def lock(self) -> LockedControls:
        """Let exposure, white balance and focus find their place, hold them there, and say where."""
        ...


@runtime_checkable
class Thrower(Protocol):
    """A camera that brings its own throws: pictures from a folder, or drawn ones."""

    def throw(self) -> None:
        """Begin the next throw: the frames that follow show movement, then the lots at rest."""
        ...


@runtime_checkable
class Arranger(Protocol):
    """A camera that lays its own lots out as a person would be asked to: drawn ones."""

    def lay(self, faces: Sequence[Face]) -> None:
        """Lay that many lots into the tray, apart, with these faces up, and no others; none empties it."""
        ...

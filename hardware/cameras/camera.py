"""The interface of every camera over the tray."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, runtime_checkable

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.referee.events import Face
from hardware.cameras.locked_controls import LockedControls

Pixels = NDArray[np.uint8]
"""A picture: (rows, columns, 3) uint8, blue-green-red as OpenCV expects. Treat it as read-only."""


SMALL_WIDTH = 320
"""Columns to which frames are scaled down to watch for motion. More detects smaller motions, but costs time in
proportion."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture of the tray.

    taken_at: seconds on the monotonic clock, at the start of the exposure.
    """

    pixels: Pixels
    taken_at: float

    @cached_property
    def small(self) -> Pixels:
        """The picture scaled down to SMALL_WIDTH, if it is larger. Tray and board are watched on the same one."""
        rows, columns = self.pixels.shape[:2]
        if columns <= SMALL_WIDTH:
            return self.pixels
        size = (SMALL_WIDTH, max(1, round(rows * SMALL_WIDTH / columns)))
        return np.asarray(cv2.resize(self.pixels, size, interpolation=cv2.INTER_AREA), np.uint8)

    @cached_property
    def grey(self) -> NDArray[np.uint8]:
        """The grey levels of the small picture, (rows, columns)."""
        return np.asarray(cv2.cvtColor(self.small, cv2.COLOR_BGR2GRAY), np.uint8)


class Camera(Protocol):
    """A camera over the tray, used by one thread at a time.

    Its methods raise CameraLost within a few seconds when no picture arrives. They never return a stale frame.
    """

    def next_frame(self) -> Frame:
        """Wait for the next small frame, about 640 x 480, for motion detection. There are 10 to 30 a second."""
        ...

    def still(self) -> Frame:
        """Take a full-size picture whose exposure began after this call, for reading."""
        ...

    def close(self) -> None:
        """Release the device. May be called more than once."""
        ...


@runtime_checkable
class SupportsPrefetch(Camera, Protocol):
    """A camera whose pictures take a while to arrive."""

    def prefetch_still(self) -> None:
        """Ask at once for a full-size picture, and for the next frame after it."""
        ...

    def prefetch(self) -> None:
        """Ask at once for the next frame, a full-size picture after it, and another frame."""
        ...


@runtime_checkable
class SupportsLock(Protocol):
    """A camera that can hold its exposure, white balance and focus."""

    @property
    def is_locked(self) -> bool:
        """Whether it holds them."""
        ...

    def lock(self) -> LockedControls:
        """Let exposure, white balance and focus adjust, then hold and return their values."""
        ...


@runtime_checkable
class SupportsThrow(Protocol):
    """A camera that makes its own throws: from a folder of pictures, or simulated."""

    def throw(self) -> None:
        """Begin the next throw: the following frames show lots that move and then lie at rest."""
        ...


@runtime_checkable
class SupportsPlacement(Protocol):
    """A camera that can lay out its own lots for a calibration: the simulated one."""

    def place(self, faces: Sequence[Face]) -> None:
        """Replace what lies in the tray by one lot for each of these faces, apart from each other."""
        ...

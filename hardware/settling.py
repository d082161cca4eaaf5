"""Have the lots come to rest, and is there anything new to read?"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.camera import Frame, Pixels

WIDTH = 320
"""Columns that frames are shrunk to. More sees smaller movements and costs time in proportion."""

QUIET_S = 0.2
"""Seconds without movement before the lots count as at rest; LAG_S comes on top. Longer answers later, shorter may
catch a stick that stands for a moment before it falls. The labelled clips settle 0.2 to 0.4 s after the last
movement."""

LAG_S = 0.1
"""Seconds over which slow rocking is looked for, besides the step from one frame to the next."""

NOISE_TIMES = 6.0
LEAST_STEP = 4.0
"""A pixel moved when it changed by more than this many times the frame's own noise and by LEAST_STEP grey levels of
the blurred frame. Lower takes noise for movement, higher overlooks pale lots on a pale tray."""

SHAKE = 0.5
"""Pixels of the small frame by which a shaking camera may shift the picture. More overlooks slow rocking."""

MOVING = 0.0003
"""Largest moving spot at rest, as a share of the picture: 23 of 76,800 pixels, a corner of one stick."""

BURST = 0.003
"""Share of the picture that has to move before a new throw can be read: about a third of what four kernels change when
they appear. Lower lets a passing shadow bring the old throw up again."""

CHANGED = 0.0005
"""Share of the picture by which a throw differs from the one read before it; one kernel that moved makes 0.001."""

FOREGROUND = 18.0
"""Grey levels from the empty tray that a hand differs by. Lower takes the shadow of a passer-by for a hand."""

HAND = 0.004
"""Least share of the picture for something at its border to be a hand: two fingertips."""

PATIENCE_S = 6.0
"""Seconds after which something still at the border is taken for furniture; the reader then says what it thinks."""


@dataclass(frozen=True, slots=True, eq=False)
class _Small:
    grey: NDArray[np.float32]
    slope: NDArray[np.float32]
    at: float


class Settling:
    """Watches small frames and says when the tray may be read. Fed by one thread; told the time by the frames."""

    def __init__(self, empty: Pixels | None = None, *, quiet_s: float = QUIET_S) -> None:
        """``empty``: the empty tray, of any size, to notice a hand at rest in view; without it only movement counts."""
        self._empty = None if empty is None else _small(empty)
        self._quiet_s = quiet_s
        self._recent: deque[_Small] = deque(maxlen=32)
        self._restless_at: float | None = None
        self._hand_since: float | None = None
        self._burst = False
        self._read: NDArray[np.float32] | None = None
        self._still: NDArray[np.float32] | None = None

    @property
    def stirred(self) -> bool:
        """True when something moved since the last reading and what lies there now is not what was read."""
        if not self._burst:
            return False
        if self._read is None or self._still is None or self._read.shape != self._still.shape:
            return True
        return float(_moved(self._still, _slope(self._still), self._read).mean()) > CHANGED * 255

    def read(self) -> None:
        """The tray has been read as it lies; it is not read again until something moves."""
        self._burst = False
        self._read = self._still

    def see(self, frame: Frame) -> bool:
        """Take the next frame. True while nothing moves and no hand is in view.

        Frames come 10 to 30 a second; after a gap, or a change of size, it waits anew.
        """
        grey = _small(frame.pixels)
        now = _Small(grey, _slope(grey), frame.taken_at)
        last = self._recent[-1] if self._recent else None
        if last is not None and (last.grey.shape != now.grey.shape or not 0 <= now.at - last.at <= 1):
            self._recent.clear()
            last = None
        if last is None:
            self._restless_at = now.at
        else:
            before = next((old for old in reversed(self._recent) if now.at - old.at >= LAG_S), self._recent[0])
            step, drift = _moved(now.grey, now.slope, last.grey), _moved(now.grey, now.slope, before.grey)
            if max(_largest(step), _largest(drift)) > MOVING:
                self._restless_at = now.at
            if float(step.mean()) > BURST * 255:
                self._burst = True
        self._recent.append(now)
        self._still = now.grey
        assert self._restless_at is not None
        hand = self._hand(now)
        return now.at - self._restless_at >= self._quiet_s - 1e-6 and not hand

    def _hand(self, now: _Small) -> bool:
        """True while something large reaches in from the border, until patience runs out."""
        if self._empty is None:
            return False
        empty = self._empty
        if empty.shape != now.grey.shape:
            empty = cv2.resize(empty, now.grey.shape[::-1], interpolation=cv2.INTER_AREA).astype(np.float32)
        level = _level(now.grey, empty)
        apart = (np.abs(now.grey - empty * level) > FOREGROUND).astype(np.uint8)
        new = cv2.morphologyEx(apart, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
        count, labels, facts, _ = cv2.connectedComponentsWithStats(new)
        rim = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
        there = any(facts[n, cv2.CC_STAT_AREA] > HAND * new.size for n in np.unique(rim) if 0 < n < count)
        if not there:
            self._hand_since = None
            return False
        if self._hand_since is None or (self._restless_at is not None and self._restless_at > self._hand_since):
            self._hand_since = now.at
        return now.at - self._hand_since < PATIENCE_S


def _small(pixels: Pixels) -> NDArray[np.float32]:
    rows, columns = pixels.shape[:2]
    size = (WIDTH, max(1, round(rows * WIDTH / columns)))
    grey = cv2.cvtColor(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    return cv2.blur(grey.astype(np.float32), (3, 3)).astype(np.float32)


def _level(now: NDArray[np.float32], then: NDArray[np.float32]) -> float:
    """How much brighter the whole frame has become: lamps flicker and cameras adjust."""
    return float(np.median((now[::2, ::2] + 1) / (then[::2, ::2] + 1)))


def _slope(grey: NDArray[np.float32]) -> NDArray[np.float32]:
    """How steeply the brightness changes, in grey levels a pixel."""
    across, down = cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=1 / 8)
    return cv2.magnitude(across, down).astype(np.float32)


def _moved(now: NDArray[np.float32], slope: NDArray[np.float32], then: NDArray[np.float32]) -> NDArray[np.uint8]:
    """255 where the frame changed by more than light, noise and a shaking camera explain."""
    step = np.abs(now - then * _level(now, then)) - SHAKE * slope
    noise = float(np.median(np.abs(step[::2, ::2]))) / 0.6745
    cut = max(LEAST_STEP, NOISE_TIMES * noise)
    return np.where(step > cut, 255, 0).astype(np.uint8)


def _largest(moved: NDArray[np.uint8]) -> float:
    """The largest moving spot's share of the picture."""
    if not moved.any():
        return 0.0
    _, _, facts, _ = cv2.connectedComponentsWithStats(moved)
    return float(facts[1:, cv2.CC_STAT_AREA].max()) / moved.size

"""Detect whether the lots have come to rest, and whether there is something new to read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from types import EllipsisType

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.cameras.camera import Frame, Pixels
from hardware.tracking.intrusion import ColourPlanes, IntrusionDetector, Mask, downsample, foreground, remove_shadows

QUIET_S = 0.27
"""Seconds without motion that count as rest. Higher is slower, lower may catch a stick that stands for a moment before
it falls. At 10 frames a second this makes 0.3 s, and rest is detected 0.4 s after the last motion at the latest."""

MIN_FRAMES = 3
"""Fewest frames in those seconds, for a camera that drops many."""

GAP_S = 1.0
"""Seconds without a frame after which the wait for rest starts over."""

READING_S = 8.0
"""The same after a picture was read, which takes a small machine seconds. Lower waits for rest again after each."""

REFERENCE_S = 2.0
"""Seconds at rest after which frames are compared with a newer one, so that daylight may change slowly. Higher takes a
cloud for motion. What moves by less than a pixel in this time goes unnoticed."""

NOISE_FACTOR = 6.0
MIN_STEP = 4.0
"""A pixel has moved if it changed by more than NOISE_FACTOR times the frame's noise and by MIN_STEP grey levels of the
blurred frame. Lower takes noise for motion, higher misses pale lots on a pale tray."""

MAX_NOISE = 12.0
"""Grey levels of noise in the blurred frame above which most of the picture has changed. Lower takes noise in dim light
for motion, higher misses a board that was taken away."""

MAX_SHAKE = 0.7
EDGE_TOLERANCE = 0.35
"""Pixels of the small frame by which the whole picture may shift at rest, because someone leans on the table, and by
which an edge may be off after compensating for that. Higher misses slow rocking."""

MAX_SPOT = 0.0003
"""Largest moving spot at rest, as a share of the picture: 23 of 76,800 pixels, a corner of one stick."""

BURST = 0.003
"""Share of the picture that has to move before the first throw can be read: about a third of what four kernels change
when they appear. Lower lets a passing shadow make a throw of what has been lying there from the start."""

UNMOVED_SHARE = 0.55
"""Share of what was read that has not moved, from which on it was nudged and not thrown. In 186 pairs of labelled
throws of the same lots the share is at most 0.47; with one of four lots pushed by 30 pixels it is at least 0.65."""

Grey = NDArray[np.float32]


View = Callable[[Pixels], Pixels]
"""Cuts out what is to be watched, or covers the rest, in colour or in grey levels."""


@dataclass(frozen=True, eq=False)
class _SmallFrame:
    """A frame scaled down. What only some frames need is computed once, when it is needed.

    pixels: all of it. viewed: the grey levels of what is viewed. at: the frame's time.
    """

    pixels: Pixels
    view: View
    viewed: Pixels
    at: float

    @cached_property
    def rounded(self) -> Pixels:
        """What is viewed, blurred, in whole grey levels."""
        return np.asarray(cv2.blur(self.viewed, (3, 3)), np.uint8)

    @cached_property
    def grey(self) -> Grey:
        """What is viewed, blurred."""
        return np.asarray(cv2.boxFilter(self.viewed, cv2.CV_32F, (3, 3)), np.float32)

    @cached_property
    def samples(self) -> Grey:
        """One column of eight, as divisors."""
        return self.rounded[:, ::8] + np.float32(1)

    @cached_property
    def gradients(self) -> tuple[Grey, Grey]:
        """The gradients along x and y in grey levels a pixel."""
        across, down = (cv2.Sobel(self.grey, cv2.CV_32F, *axis, scale=1 / 8) for axis in ((1, 0), (0, 1)))
        return across.astype(np.float32, copy=False), down.astype(np.float32, copy=False)

    @cached_property
    def planes(self) -> ColourPlanes:
        """Its colours, to be compared with the empty tray."""
        return downsample(self.view(self.pixels))


class SettlingDetector:
    """Watches frames and detects when the tray can be read. Used by one thread; its clock is that of the frames.

    Memory is bounded: it keeps three small frames.

    empty: the empty tray, at any size. Without it, only motion is detected, not a hand at rest in the picture.
    view: what of the frames is watched. All of it without.
    """

    def __init__(self, empty: Pixels | None = None, *, view: View = lambda pixels: pixels) -> None:
        self._intrusion = None if empty is None else IntrusionDetector(empty)
        self._view = view
        self._last_at = float("-inf")
        self._since, self._frames = 0.0, 0
        self._rest: _SmallFrame | None = None
        self._read: _SmallFrame | None = None
        self._burst = self._is_being_read = False
        self._motions = 0
        self._hand: tuple[_SmallFrame, bool] | None = None
        self._apart: tuple[_SmallFrame, _SmallFrame, Mask] | None = None

    @property
    def motions(self) -> int:
        """Number of frames with motion so far."""
        return self._motions

    @property
    def has_changed(self) -> bool:
        """Whether the tray differs from what was read last; before the first reading, whether something has moved."""
        apart = self._changes()
        return self._burst if apart is None else _has_spot(apart)

    @property
    def is_settling(self) -> bool:
        """Whether nothing has moved for half the time that counts as rest, and nothing reaches into the picture."""
        is_half_quiet = self._last_at - self._since >= QUIET_S / 2
        return is_half_quiet and not self._is_quiet() and not self._has_intrusion()

    @property
    def is_nudged(self) -> bool:
        """Whether most of what was read last has not moved: it was touched perhaps, but not thrown."""
        apart = self._changes()
        if apart is None or self._intrusion is None:
            return False
        assert self._read is not None
        lay = self._objects(self._intrusion, self._read)
        lay = cv2.resize(lay, apart.shape[::-1], interpolation=cv2.INTER_NEAREST).astype(np.uint8)
        return 0 < UNMOVED_SHARE * int(lay.sum()) <= int((lay * (apart == 0)).sum())

    @property
    def is_obstructed(self) -> bool:
        """Whether nothing moves, but something reaches into the picture."""
        return self._is_quiet() and self._has_intrusion()

    @property
    def is_untouched(self) -> bool:
        """Whether the tray is empty and no throw is waiting to be read."""
        if self._burst or self._intrusion is None or self._rest is None:
            return False
        return not self._objects(self._intrusion, self._rest).any()

    def expect_delay(self) -> None:
        """Note that the next frame may be late, because reading a picture takes a while."""
        self._is_being_read = True

    def mark_read(self) -> None:
        """Note that the tray is read as it is now. The next frame may be late."""
        self.expect_delay()
        self._burst, self._read = False, self._rest

    def accept_obstruction(self) -> None:
        """Note that what reaches into the picture belongs there."""
        if self._intrusion is not None and self._rest is not None:
            self._intrusion.accept(self._rest.planes)
            self._hand = None

    def update(self, frame: Frame) -> bool:
        """Take the next frame, of 10 to 30 a second. Returns whether nothing moves and no hand is in the picture.

        A gap between frames, or a change of their size, starts over.
        """
        now = _scaled(frame, self._view)
        rest, gap = self._rest, now.at - self._last_at
        longest = READING_S if self._is_being_read else GAP_S
        self._last_at, self._is_being_read = now.at, False
        if rest is None or rest.viewed.shape != now.viewed.shape or not 0 <= gap <= longest:
            self._begin(now)
            return False
        moved = _moved(now, rest)
        if moved is None or _has_spot(moved):
            self._motions += 1
            self._burst = self._burst or moved is None or float(moved.mean()) > BURST
            self._begin(now)
            return False
        self._frames += 1
        if now.at - rest.at > REFERENCE_S:
            self._rest = now
        if not self._is_quiet():
            return False
        if self._read is None and not self._burst:
            self._read = self._rest
        return not self._has_intrusion()

    @staticmethod
    def _objects(intrusion: IntrusionDetector, frame: _SmallFrame) -> Mask:
        """Return 1 where something lies, apart from thin edges."""
        foreground = intrusion.foreground(frame.planes)
        return cv2.morphologyEx(foreground, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)).astype(np.uint8)

    def _begin(self, now: _SmallFrame) -> None:
        self._rest, self._since, self._frames = now, now.at, 1

    def _is_quiet(self) -> bool:
        return self._frames >= MIN_FRAMES and self._last_at - self._since >= QUIET_S - 1e-6

    def _has_intrusion(self) -> bool:
        """Return whether something reaches in. Computed once per rest, because its frames are all alike."""
        if self._intrusion is None or self._rest is None:
            return False
        if self._hand is None or self._hand[0] is not self._rest:
            self._hand = (self._rest, self._intrusion.has_intrusion(self._rest.planes))
        return self._hand[1]

    def _changes(self) -> Mask | None:
        """Return 1 where the rest differs from what was read last, or None before the first reading."""
        rest, read = self._rest, self._read
        if rest is None or read is None or rest.viewed.shape != read.viewed.shape:
            return None
        if self._apart is None or self._apart[0] is not rest or self._apart[1] is not read:
            self._apart = (rest, read, _changed(rest, read))
        return self._apart[2]


def _scaled(frame: Frame, view: View) -> _SmallFrame:
    return _SmallFrame(frame.small, view, view(frame.grey), frame.taken_at)


def _are_alike(one: cv2.typing.MatLike, other: cv2.typing.MatLike) -> bool:
    """Return whether at most a small spot differs by MIN_STEP grey levels."""
    return not _is_large(cv2.threshold(cv2.absdiff(one, other), MIN_STEP - 1, 1, cv2.THRESH_BINARY)[1])


def _levels(now: _SmallFrame, then: _SmallFrame) -> Grey:
    """Return the ratio of brightness of each row: lamps flicker while a rolling shutter exposes the picture."""
    return np.asarray(cv2.blur(_median(now.samples / then.samples), (1, 7)), np.float32).reshape(-1, 1)


def _median(rows: Grey) -> Grey:
    """Return the median of each row, (rows, 1), of an even number the upper one. Sorts the rows."""
    middle = rows.shape[1] // 2
    rows.partition(middle, axis=1)
    return rows[:, middle : middle + 1]


def _moved(now: _SmallFrame, then: _SmallFrame) -> Mask | None:
    """Return 1 where the frame changed by more than light, noise and shaking explain; None if all of it moved.

    The gradients are those of ``then``, so that they are computed once for all frames of a rest.
    """
    # Most frames are alike, in steady light at once. The rest of this takes longer.
    if _are_alike(now.rounded, then.rounded):
        return np.zeros(now.viewed.shape, np.uint8)
    levels = _levels(now, then)
    if _are_alike(now.rounded, cv2.convertScaleAbs(then.rounded * levels)):
        return np.zeros(now.viewed.shape, np.uint8)
    change = then.grey * levels
    np.subtract(now.grey, change, out=change)
    across, down = then.gradients
    some, x, y = change[::4, ::4], across[::4, ::4], down[::4, ::4]
    noise = float(_median(np.abs(some).reshape(1, -1))[0, 0]) / 0.6745
    if noise > MAX_NOISE:
        return None
    calm = np.abs(some) < 3 * noise + MAX_SHAKE * (np.abs(x) + np.abs(y))
    damp = 0.01 * noise * noise * np.count_nonzero(calm) + 1e-3
    right, below = _shift((some * calm).ravel(), (x * calm).ravel(), (y * calm).ravel(), damp)
    if max(abs(right), abs(below)) > MAX_SHAKE:
        return None
    step = max(MIN_STEP, NOISE_FACTOR * noise)
    moved = np.zeros(change.size, np.uint8)
    at: NDArray[np.intp] | EllipsisType = ...
    if max(abs(right), abs(below)) <= EDGE_TOLERANCE:
        # The tolerance at edges outweighs what compensating for so small a shift adds to a change.
        at = np.flatnonzero(np.abs(change) > step)
    off, x, y = (one.ravel()[at] for one in (change, across, down))
    moved[at] = np.abs(off - right * x - below * y) - EDGE_TOLERANCE * (np.abs(x) + np.abs(y)) > step
    return moved.reshape(change.shape)


def _shift(off: Grey, x: Grey, y: Grey, damp: float) -> tuple[float, float]:
    """Return the whole picture's shift in pixels by one step of Lucas-Kanade. off: the changes; x, y: the gradients.

    damp: regularizes it for pictures with little structure.
    """
    xx, xy, yy, xo, yo = (float(one @ other) for one, other in ((x, x), (x, y), (y, y), (x, off), (y, off)))
    xx, yy = xx + damp, yy + damp
    # Numpy's solver takes twenty times as long for two equations.
    determinant = xx * yy - xy * xy
    return (yy * xo - xy * yo) / determinant, (xx * yo - xy * xo) / determinant


def _changed(now: _SmallFrame, then: _SmallFrame) -> Mask:
    """Return 1 where a rest differs from an earlier one, regardless of the light and of a bumped camera.

    The small frames are exact to the pixel; the downsampled ones tell whether light or a bump explains a difference.
    """
    different: Mask = remove_shadows(*foreground(now.planes, then.planes))
    # The edges of what lies there now are tolerated.
    moved = _moved(then, now)
    # After a bump, edges do not align to the pixel any more.
    different = cv2.morphologyEx(different, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)).astype(np.uint8)
    near = cv2.dilate(different, np.ones((3, 3), np.uint8))
    near = cv2.resize(near, now.viewed.shape[::-1], interpolation=cv2.INTER_NEAREST).astype(np.uint8)
    return near.astype(np.uint8) if moved is None else np.asarray(near * moved, np.uint8)


def _has_spot(moved: Mask) -> bool:
    """Return whether a spot of the mask is larger than MAX_SPOT."""
    if not _is_large(moved):
        return False
    _, _, facts, _ = cv2.connectedComponentsWithStats(moved)
    return bool(facts[1:, cv2.CC_STAT_AREA].max() > MAX_SPOT * moved.size)


def _is_large(moved: cv2.typing.MatLike) -> bool:
    """Return whether the mask has room for a spot larger than MAX_SPOT."""
    return cv2.countNonZero(moved) > MAX_SPOT * moved.size

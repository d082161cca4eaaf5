"""Detect whether the lots have come to rest, and whether there is something new to read."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.cameras.camera import Frame, Pixels
from hardware.tracking.intrusion import IntrusionDetector, Mask, downsample, foreground, remove_shadows

WIDTH = 320
"""Columns to which frames are scaled down. More detects smaller motions, but costs time in proportion."""

QUIET_S = 0.27
"""Seconds without motion that count as rest. Higher is slower, lower may catch a stick that stands for a moment before
it falls. At 10 frames a second this makes 0.3 s, and rest is detected 0.4 s after the last motion at the latest."""

MIN_FRAMES = 3
"""Fewest frames in those seconds, for a camera that drops many."""

GAP_S = 1.0
"""Seconds without a frame after which the wait for rest starts over."""

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


@dataclass(frozen=True, slots=True, eq=False)
class _SmallFrame:
    """A frame scaled down: its brightness, the gradients along x and y in grey levels a pixel, and its time."""

    grey: Grey
    across: Grey
    down: Grey
    pixels: Pixels
    at: float


class SettlingDetector:
    """Watches frames and detects when the tray can be read. Used by one thread; its clock is that of the frames.

    Memory is bounded: it keeps three small frames.

    empty: the empty tray, at any size. Without it, only motion is detected, not a hand at rest in the picture.
    """

    def __init__(self, empty: Pixels | None = None, *, quiet_s: float = QUIET_S) -> None:
        self._intrusion = None if empty is None else IntrusionDetector(empty)
        self._quiet_s = quiet_s
        self._last_at = float("-inf")
        self._since, self._frames = 0.0, 0
        self._rest: _SmallFrame | None = None
        self._read: _SmallFrame | None = None
        self._burst = False
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
        return self._burst if apart is None else _largest(apart) > MAX_SPOT

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

    def mark_read(self) -> None:
        """Note that the tray has been read as it is now."""
        self._burst = False
        self._read = self._rest

    def accept_obstruction(self) -> None:
        """Note that what reaches into the picture belongs there."""
        if self._intrusion is not None and self._rest is not None:
            self._intrusion.accept(downsample(self._rest.pixels))
            self._hand = None

    def update(self, frame: Frame) -> bool:
        """Take the next frame, of 10 to 30 a second. Returns whether nothing moves and no hand is in the picture.

        A gap between frames, or a change of their size, starts over.
        """
        now = _scaled(frame)
        rest, gap = self._rest, now.at - self._last_at
        self._last_at = now.at
        if rest is None or rest.grey.shape != now.grey.shape or not 0 <= gap <= GAP_S:
            self._begin(now)
            return False
        moved = _moved(now, rest)
        if moved is None or _largest(moved) > MAX_SPOT:
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
        foreground = intrusion.foreground(downsample(frame.pixels))
        return cv2.morphologyEx(foreground, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)).astype(np.uint8)

    def _begin(self, now: _SmallFrame) -> None:
        self._rest, self._since, self._frames = now, now.at, 1

    def _is_quiet(self) -> bool:
        return self._frames >= MIN_FRAMES and self._last_at - self._since >= self._quiet_s - 1e-6

    def _has_intrusion(self) -> bool:
        """Return whether something reaches in. Computed once per rest, because its frames are all alike."""
        if self._intrusion is None or self._rest is None:
            return False
        if self._hand is None or self._hand[0] is not self._rest:
            self._hand = (self._rest, self._intrusion.has_intrusion(downsample(self._rest.pixels)))
        return self._hand[1]

    def _changes(self) -> Mask | None:
        """Return 1 where the rest differs from what was read last, or None before the first reading."""
        rest, read = self._rest, self._read
        if rest is None or read is None or rest.grey.shape != read.grey.shape:
            return None
        if self._apart is None or self._apart[0] is not rest or self._apart[1] is not read:
            self._apart = (rest, read, _changed(rest, read))
        return self._apart[2]


def small(pixels: Pixels) -> Pixels:
    """Scale a frame down to the size at which it is watched, if it is larger."""
    rows, columns = pixels.shape[:2]
    if columns <= WIDTH:
        return pixels
    size = (WIDTH, max(1, round(rows * WIDTH / columns)))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


def _scaled(frame: Frame) -> _SmallFrame:
    pixels = small(frame.pixels)
    grey = cv2.blur(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY).astype(np.float32), (3, 3))
    across, down = cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=1 / 8)
    return _SmallFrame(
        grey.astype(np.float32), across.astype(np.float32), down.astype(np.float32), pixels, frame.taken_at
    )


def _levels(now: Grey, then: Grey) -> Grey:
    """Return the ratio of brightness of each row: lamps flicker while a rolling shutter exposes the picture."""
    ratio = _median((now[:, ::4] + 1) / (then[:, ::4] + 1))
    return np.asarray(cv2.blur(ratio, (1, 7)), np.float32).reshape(-1, 1)


def _median(rows: Grey) -> Grey:
    """Return the median of each row, (rows, 1), of an even number the upper one. It is faster than numpy's."""
    middle = rows.shape[1] // 2
    return np.partition(rows, middle, axis=1)[:, middle : middle + 1]


def _moved(now: _SmallFrame, then: _SmallFrame) -> Mask | None:
    """Return 1 where the frame changed by more than light, noise and shaking explain; None if all of it moved."""
    change = then.grey * _levels(now.grey, then.grey)
    np.subtract(now.grey, change, out=change)
    some, across, down = change[::4, ::4], now.across[::4, ::4], now.down[::4, ::4]
    noise = float(_median(np.abs(some).reshape(1, -1))[0, 0]) / 0.6745
    if noise > MAX_NOISE:
        return None
    calm = np.abs(some) < 3 * noise + MAX_SHAKE * (np.abs(across) + np.abs(down))
    x, y, off = across[calm], down[calm], some[calm]
    # One step of Lucas-Kanade for the whole picture, regularized for pictures with little structure.
    damp = 0.01 * noise * noise * x.size + 1e-3
    right, below = np.linalg.solve([[x @ x + damp, x @ y], [x @ y, y @ y + damp]], [x @ off, y @ off])
    if max(abs(right), abs(below)) > MAX_SHAKE:
        return None
    step = max(MIN_STEP, NOISE_FACTOR * noise)
    if cv2.norm(change, cv2.NORM_INF) <= step and max(abs(right), abs(below)) <= EDGE_TOLERANCE:
        # The tolerance at edges outweighs what compensating for so small a shift adds to a change.
        return np.zeros(change.shape, np.uint8)
    slope = np.abs(now.across) + np.abs(now.down)
    left = np.abs(change - float(right) * now.across - float(below) * now.down) - EDGE_TOLERANCE * slope
    return np.asarray(left > step, np.uint8)


def _changed(now: _SmallFrame, then: _SmallFrame) -> Mask:
    """Return 1 where a rest differs from an earlier one, regardless of the light and of a bumped camera.

    The small frames are exact to the pixel; the downsampled ones tell whether light or a bump explains a difference.
    """
    different: Mask = remove_shadows(*foreground(downsample(now.pixels), downsample(then.pixels)))
    moved = _moved(now, then)
    # After a bump, edges do not align to the pixel any more.
    different = cv2.morphologyEx(different, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)).astype(np.uint8)
    near = cv2.dilate(different, np.ones((3, 3), np.uint8))
    near = cv2.resize(near, now.grey.shape[::-1], interpolation=cv2.INTER_NEAREST).astype(np.uint8)
    return near.astype(np.uint8) if moved is None else np.asarray(near * moved, np.uint8)


def _largest(moved: Mask) -> float:
    """Return the largest moving spot's share of the picture."""
    if not moved.any():
        return 0.0
    _, _, facts, _ = cv2.connectedComponentsWithStats(moved)
    return float(facts[1:, cv2.CC_STAT_AREA].max()) / moved.size

"""Have the lots come to rest, and is there anything new to read?"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.camera import Frame, Pixels
from hardware.hands import Hands, Mask, coarse, unlike, without_shade

WIDTH = 320
"""Columns that frames are shrunk to. More sees smaller movements and costs time in proportion."""

QUIET_S = 0.27
"""Seconds for which every frame must show what the first one showed. Longer answers later, shorter may catch a stick
that stands for a moment before it falls. At 10 frames a second this makes 0.3 s, and rest is told 0.4 s after the
last movement at the latest."""

LOOKS = 3
"""Least frames in those seconds, for a camera that drops many."""

GAP_S = 1.0
"""Seconds without a frame after which it waits anew: nobody knows what happened meanwhile."""

FRESH_S = 2.0
"""Seconds at rest after which frames are compared with a later one, so that daylight may change slowly. Longer takes
a cloud for movement; what moves by less than a pixel in that time is not noticed."""

NOISE_TIMES = 6.0
LEAST_STEP = 4.0
"""A pixel moved when it changed by more than this many times the frame's own noise and by LEAST_STEP grey levels of
the blurred frame. Lower takes noise for movement, higher overlooks pale lots on a pale tray."""

SHAKE = 0.7
SLACK = 0.35
"""Pixels of the small frame by which the whole picture may shift and still be at rest, as where someone leans on the
table; and by which a single edge may be off once that is reckoned with. More overlooks slow rocking."""

MOVING = 0.0003
"""Largest moving spot at rest, as a share of the picture: 23 of 76,800 pixels, a corner of one stick."""

BURST = 0.003
"""Share of the picture that has to move before a first throw can be read: about a third of what four kernels change
when they appear. Lower takes a passing shadow for a throw of what was lying there before the camera looked."""

STAYED = 0.55
"""Share of what was read that still lies as it lay, from which on it was nudged and not thrown. Over 186 pairs of
labelled throws of the same lots 0.47 at most, with one lot of four pushed by 30 pixels 0.65 at least."""

Grey = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class _Small:
    """A frame made small: its brightness, how that changes across and down, in grey levels a pixel, and when."""

    grey: Grey
    across: Grey
    down: Grey
    pixels: Pixels
    at: float


class Settling:
    """Watches small frames and says when the tray may be read. Fed by one thread; told the time by the frames.

    It keeps three small frames, however many it has seen.
    """

    def __init__(self, empty: Pixels | None = None, *, quiet_s: float = QUIET_S) -> None:
        """``empty``: the empty tray, of any size, to notice a hand at rest in view; without it only movement counts."""
        self._hands = None if empty is None else Hands(empty)
        self._quiet_s = quiet_s
        self._last_at = float("-inf")
        self._since, self._looks = 0.0, 0
        self._rest: _Small | None = None
        self._read: _Small | None = None
        self._burst = False
        self._moves = 0
        self._hand: tuple[_Small, bool] | None = None
        self._apart: tuple[_Small, _Small, Mask] | None = None

    @property
    def moves(self) -> int:
        """In how many frames something moved, so far."""
        return self._moves

    @property
    def stirred(self) -> bool:
        """True when what lies there is not what was read last; at the start, when something moved since."""
        apart = self._unlike()
        return self._burst if apart is None else _largest(apart) > MOVING

    @property
    def nudged(self) -> bool:
        """True when what was read last lies there mostly as it lay: touched perhaps, but not thrown anew."""
        apart = self._unlike()
        if apart is None or self._hands is None:
            return False
        assert self._read is not None
        lay = self._lying(self._hands, self._read)
        lay = cv2.resize(lay, apart.shape[::-1], interpolation=cv2.INTER_NEAREST).astype(np.uint8)
        return 0 < STAYED * int(lay.sum()) <= int((lay * (apart == 0)).sum())

    @property
    def blocked(self) -> bool:
        """True when nothing moves, but something reaches in over the picture's border."""
        return self._is_quiet() and self._is_reached_into()

    @property
    def untouched(self) -> bool:
        """True while the tray is empty and nothing was thrown that had not been read."""
        if self._burst or self._hands is None or self._rest is None:
            return False
        return not self._lying(self._hands, self._rest).any()

    def read(self) -> None:
        """The tray has been read as it lies; it is not read again until that changes."""
        self._burst = False
        self._read = self._rest

    def accept(self) -> None:
        """A person says that what reaches into the picture is no hand: it belongs there."""
        if self._hands is not None and self._rest is not None:
            self._hands.accept(coarse(self._rest.pixels))
            self._hand = None

    def see(self, frame: Frame) -> bool:
        """Take the next frame. True while nothing moves and no hand is in view.

        Frames come 10 to 30 a second; after a gap, or a change of size, it waits anew.
        """
        now = _small(frame)
        rest, gap = self._rest, now.at - self._last_at
        self._last_at = now.at
        if rest is None or rest.grey.shape != now.grey.shape or not 0 <= gap <= GAP_S:
            self._begin(now)
            return False
        moved = _moved(now, rest)
        if moved is None or _largest(moved) > MOVING:
            self._moves += 1
            self._burst = self._burst or moved is None or float(moved.mean()) > BURST
            self._begin(now)
            return False
        self._looks += 1
        if now.at - rest.at > FRESH_S:
            self._rest = now
        if not self._is_quiet():
            return False
        if self._read is None and not self._burst:
            self._read = self._rest
        return not self._is_reached_into()

    @staticmethod
    def _lying(hands: Hands, frame: _Small) -> Mask:
        """1 where something lies that is no mere edge."""
        strange = hands.strange(coarse(frame.pixels))
        return cv2.morphologyEx(strange, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)).astype(np.uint8)

    def _begin(self, now: _Small) -> None:
        self._rest, self._since, self._looks = now, now.at, 1

    def _is_quiet(self) -> bool:
        return self._looks >= LOOKS and self._last_at - self._since >= self._quiet_s - 1e-6

    def _is_reached_into(self) -> bool:
        """Looked at once for each rest, as its frames are all alike."""
        if self._hands is None or self._rest is None:
            return False
        if self._hand is None or self._hand[0] is not self._rest:
            self._hand = (self._rest, self._hands.reaches_in(coarse(self._rest.pixels)))
        return self._hand[1]

    def _unlike(self) -> Mask | None:
        """1 where the rest differs from what was read last, wherever the camera points; None before any reading."""
        rest, read = self._rest, self._read
        if rest is None or read is None or rest.grey.shape != read.grey.shape:
            return None
        if self._apart is None or self._apart[0] is not rest or self._apart[1] is not read:
            self._apart = (rest, read, _changed(rest, read))
        return self._apart[2]


def _small(frame: Frame) -> _Small:
    rows, columns = frame.pixels.shape[:2]
    size = (WIDTH, max(1, round(rows * WIDTH / columns)))
    pixels = cv2.resize(frame.pixels, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
    grey = cv2.blur(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY).astype(np.float32), (3, 3))
    across, down = cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=1 / 8)
    return _Small(grey.astype(np.float32), across.astype(np.float32), down.astype(np.float32), pixels, frame.taken_at)


def _levels(now: Grey, then: Grey) -> Grey:
    """How much brighter each row has become: lamps flicker while a shutter rolls down the picture."""
    ratio = np.median((now[:, ::4] + 1) / (then[:, ::4] + 1), axis=1, keepdims=True)
    return np.asarray(cv2.blur(ratio, (1, 7)), np.float32).reshape(-1, 1)


def _moved(now: _Small, then: _Small) -> Mask | None:
    """1 where the frame changed by more than light, noise and a shaking camera explain; None where all of it moved."""
    change = now.grey - then.grey * _levels(now.grey, then.grey)
    slope = np.abs(now.across) + np.abs(now.down)
    some = np.abs(change[::4, ::4])
    noise = float(np.median(some)) / 0.6745
    calm = some < 3 * noise + SHAKE * slope[::4, ::4]
    x, y, off = now.across[::4, ::4][calm], now.down[::4, ::4][calm], change[::4, ::4][calm]
    # One step of Lucas and Kanade for the picture as a whole, damped where there is little to hold on to.
    damp = 0.01 * noise * noise * x.size + 1e-3
    right, below = np.linalg.solve([[x @ x + damp, x @ y], [x @ y, y @ y + damp]], [x @ off, y @ off])
    if max(abs(right), abs(below)) > SHAKE:
        return None
    left = np.abs(change - float(right) * now.across - float(below) * now.down) - SLACK * slope
    return np.asarray(left > max(LEAST_STEP, NOISE_TIMES * noise), np.uint8)


def _changed(now: _Small, then: _Small) -> Mask:
    """1 where the rest shows something else than an earlier one, whatever the light and however the camera was bumped.

    The small frames tell it to the pixel, the coarse ones whether light or a bump explains it.
    """
    strange: Mask = without_shade(*unlike(coarse(now.pixels), coarse(then.pixels)))
    moved = _moved(now, then)
    # After a bump, edges never meet again to the pixel.
    strange = cv2.morphologyEx(strange, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)).astype(np.uint8)
    near = cv2.dilate(strange, np.ones((3, 3), np.uint8))
    near = cv2.resize(near, now.grey.shape[::-1], interpolation=cv2.INTER_NEAREST).astype(np.uint8)
    return near.astype(np.uint8) if moved is None else np.asarray(near * moved, np.uint8)


def _largest(moved: Mask) -> float:
    """The largest moving spot's share of the picture."""
    if not moved.any():
        return 0.0
    _, _, facts, _ = cv2.connectedComponentsWithStats(moved)
    return float(facts[1:, cv2.CC_STAT_AREA].max()) / moved.size

"""Finds how the edges that differ between two pictures have moved."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.cameras.camera import Pixels
from hardware.registration.lighting import Floats, in_light_of

Doubles = NDArray[np.float64]
Move = NDArray[np.float64]

LEVELS = 3
"""Sizes in which the pictures are compared, each half the one before. More follow farther motions."""

STEPS = 6
"""Times that the motion is corrected in each size."""

DIFFERENT, STRONG, QUIET = 3.0, 6.0, 0.5
"""Multiples of the median difference by which a pixel must differ, and an edge must rise from pixel to pixel, and the
least that is taken for that difference, in grey levels. Lower follows noise, higher loses faint edges; what these leave
is too little to pass for a lot."""

FEWEST, MOST = 300, 3000
"""Pixels of edges that must differ at full size, and how many are compared in each size."""

NEAR, IN_PLACE = 0.5, 0.25
"""Distances in pixels from which an edge counts little for the motion, and up to which it is where the motion brings
it. Higher heeds what lies over edges."""

LEAST_MOTION = 1e-3
"""Pull back to no motion, as a share of the edges' own. Lower lets edges of one direction drift along it."""

FLAT = 1e-3
"""Slope in grey levels per pixel that is taken for an edge's at least, so that none is infinitely far."""

EXPLAINED, STILL = 0.45, 0.7
"""Share of the edges that differ which must be in place afterwards, and of all where nothing has moved. Lower finds a
motion in edges that are only covered, and takes what has moved along its edges for still."""

UNSEEN = 0.75
"""Mean distance in pixels, along their normals, by which edges may move unheeded. Lower costs time where shadows and
the camera's shaking shift an edge by less than a lot's outline is uncertain."""


def edge_motion(before: Pixels, now: Pixels) -> Move | None:
    """The motion of most edges of ``before`` that differ in ``now``: a shift and a small turn.

    Gauss-Newton steps, from coarse to fine, over the distances of the edges along their normals. Only those that differ
    count, and those that end far from their place count little: so it is the motion of what moved, not of the whole
    picture, and it does not matter what lies over some of the edges.

    Parameters
    ----------
    before, now : (rows, columns) uint8, grey

    Returns
    -------
    (2, 3) affine matrix from places in ``before`` to those in ``now``; None if few edges differ, if no motion
    explains enough of them, or if it is too small to matter
    """
    motion, far = _fitted(before, now, DIFFERENT, EXPLAINED)
    if far is None or far <= UNSEEN:
        return None
    middle = (np.array(now.shape[::-1]) - 1) / 2
    turn = motion[2] / middle[0]
    turned = np.array([[1, -turn], [turn, 1]])
    return np.hstack([turned, (motion[:2] + middle - turned @ middle)[:, None]])


def edges_stay(before: Pixels, now: Pixels) -> bool:
    """Whether most edges of ``before`` are in their places in ``now``, both (rows, columns) uint8, grey.

    The motion that fits all of them best is then none. A picture of something else, or that has moved, shows few edges
    of the other one, or fits it better elsewhere.
    """
    _, far = _fitted(before, now, 0.0, STILL)
    return far is not None and far <= UNSEEN


def _fitted(before: Pixels, now: Pixels, different: float, explained: float) -> tuple[Doubles, float | None]:
    """The motion of the edges that differ by that multiple of the noise, and how far it moves these, in the mean.

    None if they are few, or if it does not bring that share of them to their places.
    """
    old, new = in_light_of(now, before), now.astype(np.float32)
    sizes = []
    for _ in range(LEVELS):
        old, new = (np.asarray(cv2.pyrDown(one), np.float32) for one in (old, new))
        sizes.append((old, new))
    middle = (np.array(now.shape[::-1]) - 1) / 2
    motion, edges = np.zeros(3), None
    for level in reversed(range(LEVELS)):
        finer = _Edges.differing(*sizes[level], 2.0 ** (level + 1), middle, different)
        if finer is not None:
            edges = finer
            for _ in range(STEPS):
                motion = edges.corrected(motion)
    return motion, None if edges is None else edges.followed(motion, explained)


@dataclass(frozen=True, slots=True, eq=False)
class _Edges:
    """Pixels of edges that differ between two pictures.

    A motion is three numbers of pixels at full size: right, down, and by the turn, at half a width from the middle.

    places : (n, 2) in pixels of this size. levers : from the middle, (n, 2) in half widths.
    now : the other picture there, (n,). before : the edges' picture and its slopes right and down, (rows, columns, 3).
    noise : the median difference. factor : pixels of full size per pixel.
    """

    places: Doubles
    levers: Doubles
    now: Floats
    before: Floats
    noise: float
    factor: float

    @classmethod
    def differing(cls, old: Floats, new: Floats, factor: float, middle: Doubles, different: float) -> _Edges | None:
        """The edges of one picture that differ in the other by that multiple of the noise; None if they are few.

        middle : in pixels of full size.
        """
        old, new = (np.asarray(cv2.GaussianBlur(one, (5, 5), 1), np.float32) for one in (old, new))
        across, down = (cv2.Sobel(old, cv2.CV_32F, *way, scale=1 / 8) for way in ((1, 0), (0, 1)))
        apart = cv2.absdiff(old, new)
        noise = max(float(np.median(apart[::2, ::2])), QUIET)
        found = np.argwhere((apart >= different * noise) & (cv2.magnitude(across, down) > STRONG * noise))
        if len(found) < FEWEST / factor:
            return None
        some = found[np.linspace(0, len(found) - 1, min(MOST, len(found))).astype(int)]
        places = some[:, ::-1].astype(np.float64)
        before = np.asarray(cv2.merge([old, across, down]), np.float32)
        return cls(places, (places * factor - middle) / middle[0], new[tuple(some.T)], before, noise, factor)

    def corrected(self, motion: Doubles) -> Doubles:
        """The motion after one more step."""
        off, normal, _ = self._off(motion)
        weights = 1 / (1 + (off / NEAR) ** 2) ** 2
        ways = np.vstack([normal, normal[1] * self.levers[:, 0] - normal[0] * self.levers[:, 1]])
        stiff = (ways * weights) @ ways.T
        slack = LEAST_MOTION * np.trace(stiff)
        pull = (ways * weights) @ off * self.factor - slack * motion
        # Unlike solve, lstsq takes the zeros that are left where the motion leads out of the picture.
        step, *_ = np.linalg.lstsq(stiff + slack * np.eye(3), pull)
        return np.asarray(motion + step, np.float64)

    def followed(self, motion: Doubles, least: float) -> float | None:
        """How far these edges have moved along their normals, in the mean, in pixels of full size.

        None if the motion does not bring that share of them to their places.
        """
        off, normal, steep = self._off(motion)
        there = np.abs(off) < np.maximum(DIFFERENT * self.noise / steep, IN_PLACE)
        if there.mean() < least:
            return None
        return float(np.abs((normal * self._shift(motion)).sum(axis=0))[there].mean())

    def _shift(self, motion: Doubles) -> Doubles:
        """What the motion moves these edges right and down, (2, n) in pixels of full size."""
        right, down, turn = motion
        return np.stack([right - turn * self.levers[:, 1], down + turn * self.levers[:, 0]])

    def _off(self, motion: Doubles) -> tuple[Doubles, Doubles, Doubles]:
        """How far the edges are from where the motion brings them, along their normals; the normals; and the slopes.

        (n,) in pixels of this size, (2, n), and (n,) in grey levels per pixel.
        """
        x, y = (self.places.T - self._shift(motion) / self.factor).astype(np.float32)
        brought = np.asarray(cv2.remap(self.before, x[None], y[None], cv2.INTER_LINEAR)[0], np.float64)
        steep = np.maximum(np.hypot(brought[:, 1], brought[:, 2]), FLAT)
        return (brought[:, 0] - self.now) / steep, brought[:, 1:].T / steep, steep

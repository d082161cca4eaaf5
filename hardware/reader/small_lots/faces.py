"""Classifies the faces of small lots by their colours and by the pattern of these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.reader.small_lots.colours import UNHEARD, cells, density
from hardware.reader.tray import Floats, Mask

GLINTS = (10.0, 25.0, 50.0, 90.0)
"""Grey levels by which gloss may brighten a lot's colours."""

PLAIN_TALK = 2
"""How many times more often a colour is seen without gloss than with one of GLINTS."""

RARE = 2.0
"""How much rarer than in an object of unknown colours (as a natural logarithm) a colour must be to count as no
evidence. Higher lets single pixels of a rare colour decide."""

MOST = 3.0
"""Largest evidence of one pixel for a face, as a natural logarithm."""

TELLING = 1.5
"""How much more likely on one face than on the other a colour must be to identify it. Lower counts shaded edges as
marks, higher overlooks faint marks."""

SPOT = 0.005
"""Share of a face that is ignored: a few pixels of dirt or gloss. Higher overlooks small marks."""

SIDE = 20
"""Side, in cells, of the square in which a pattern is rotated: a dot is then 5 wide. The time is proportional to the
number of cells."""

TURNS = 24
"""Number of rotations in which a pattern is compared."""

ROOM = 1.2
"""The square's side as a share of the longest lot."""

OFF = 1.2
"""Largest deviation of one cell of a pattern, as a natural logarithm, so that gloss does not outweigh the rest."""

DIMMER = 0.12
"""How much brighter or darker than the taught one a whole pattern may be, as a natural logarithm."""

MISFIT = 0.5
"""Cost of two outlines that do not overlap at all, in units of OFF."""

WORTH = np.array([1.0, 2.0, 2.0, 1.0, 2.0, 2.0, 0.33])
"""Value of each feature at which it has its full weight: odds, and shares as logarithms, for the colours as they are
and relative to the face's base colour; and patterns. Higher gives a feature less weight."""

RIVAL = 1.2
"""How much worse the face may fit in another light for that light still to be considered. Higher asks more often in
unusual light."""

RIM = 0.06
"""Width of the rim that is ignored, as a share of the square root of a lot's area: it is blurred with the tray."""

BODY = 35
"""Percentile of a face's colours that is its base colour: gloss lies above, a dot below. At 50 broad gloss is taken for
the base, at a lower value large dots are."""

MIDDLE = 4.6
"""Logarithm of the grey level to which a face's base colour is shifted, the middle of CELLS."""

STRANGER = 1.25
"""How much further from every taught pattern a lot may be than the taught ones are from one another. Higher takes more
game pieces and tilted lots for lots, lower refuses lots in unusual light."""

WEAKEST = 0.15
"""Smallest weight of a feature that does not separate the taught lots. Each is judged by the others, and with mixed
colours a useful feature can fail at that."""


@dataclass(frozen=True, slots=True, eq=False)
class Appearance:
    """A lot's upper face: logarithms of its colours, (rows, columns, 3), and its mask, (rows, columns).

    lights: shifts of those colours, (3,), by which the light there may differ from that of the taught lots.
    """

    colours: Floats
    mask: Mask
    lights: tuple[Floats, ...] = (np.zeros(3, np.float32),)

    def pixels(self) -> Floats:
        """The colours within the rim, (n, 3)."""
        side = 2 * max(1, round(RIM * float(np.sqrt(self.mask.sum())))) + 1
        inner = cv2.erode(self.mask, np.ones((side, side), np.uint8), borderValue=0)
        return self.colours[(inner if inner.any() else self.mask) > 0]


Pattern = tuple[Floats, NDArray[np.bool_]]
"""A face's colours, (3, SIDE * SIDE), and where it lies, (SIDE * SIDE,); with one axis more before these for turns."""
Features = NDArray[np.float64]


class _Palette:
    """The colours of the pixels of marked faces and of plain ones."""

    def __init__(self, marked: Sequence[Floats], plain: Sequence[Floats], *, evened: bool = False) -> None:
        self._faces = tuple(tuple(_glossy(one, evened=evened) for one in face) for face in (marked, plain))
        self._known = tuple(_heard(face) for face in self._faces)

    def odds(self, pixels: Floats, but: int | None = None) -> tuple[float, float, float]:
        """Mean odds that pixels, (n, 3), belong to a marked face, and log shares of colours that only one face has.

        All are larger for marked faces. but: index of a taught face to leave out.
        """
        up, down = self._known
        if but is not None:
            marked, plain = self._faces
            if but < len(marked):
                up = _heard(marked[:but] + marked[but + 1 :])
            else:
                down = _heard(plain[: but - len(marked)] + plain[but - len(marked) + 1 :])
        at = cells(pixels)
        odds = np.clip(up[at] - down[at], -MOST, MOST)
        ups, downs = (float(np.log((tells.mean() + SPOT) / SPOT)) for tells in (odds > TELLING, odds < -TELLING))
        return float(odds.mean()), ups, -downs


class SmallFaces:
    """The two taught faces of a kind of small lot. Stateless between pictures.

    leads: leave-one-out margin of each taught lot; below 0 if the others take it for the opposite face.
    """

    def __init__(self, marked: Sequence[Appearance], plain: Sequence[Appearance], longest: float) -> None:
        self._side = ROOM * longest
        self._marked = len(marked)
        pixels = [one.pixels() for one in (*marked, *plain)]
        self._seen = _Palette(pixels[: len(marked)], pixels[len(marked) :])
        self._evened = _Palette(pixels[: len(marked)], pixels[len(marked) :], evened=True)
        self._patterns = [self._turned(one) for one in (*marked, *plain)]
        judged = [self._features(one, one.lights[0], number) for number, one in enumerate((*marked, *plain))]
        ups, downs = (np.stack([one for one, _ in face]) for face in (judged[: len(marked)], judged[len(marked) :]))
        self._limit = STRANGER * max(nearest for _, nearest in judged)
        self._middle = (np.median(ups, axis=0) + np.median(downs, axis=0)) / 2
        half = (np.median(ups, axis=0) - np.median(downs, axis=0)) / 2
        self._half = np.maximum(half, 1e-3)
        gaps = (ups.min(axis=0) - downs.max(axis=0)) / (2 * self._half)
        self._weights = np.where(half > 0, np.clip(gaps, WEAKEST, 1.0), 0.0) * np.minimum(half / WORTH, 1.0)
        self.leads = (*(self._lead(one) for one in ups), *(-self._lead(one) for one in downs))

    def judge(self, face: Appearance) -> tuple[float, float]:
        """Score a face, and measure how strange it is.

        The score is 1 for a typical marked face, -1 for a typical plain one, and 0 in between or if it depends on the
        assumed light. The strangeness is above 1 for a face unlike any taught one.
        """
        candidates = sorted(
            ((nearest, self._lead(features)) for features, nearest in (self._features(face, by) for by in face.lights)),
            key=lambda way: way[0],
        )
        nearest, lead = candidates[0]
        for other, another in candidates[1:]:
            if other < RIVAL * nearest and (abs(another) < abs(lead) or another * lead < 0):
                lead = another if another * lead > 0 else 0.0
        return lead, nearest / self._limit

    def _lead(self, features: Features) -> float:
        leads = np.clip((features - self._middle) / self._half, -1, 1)
        return float((leads * self._weights).sum() / max(self._weights.sum(), 1e-6))

    def _features(self, face: Appearance, light: Floats, but: int | None = None) -> tuple[Features, float]:
        """The features, each larger for marked faces, and the distance to the nearest pattern.

        Features are odds and shares of the absolute colours, the same relative to the face's base colour, and
        which face's patterns are nearer. but: index of a taught face to leave out.
        """
        pixels = face.pixels()
        upright = self._pattern(face, 0.0, light)
        apart = [1e9 if number == but else _apart(upright, taught) for number, taught in enumerate(self._patterns)]
        marked, plain = min(apart[: self._marked]), min(apart[self._marked :])
        nearer = (plain - marked) / max(plain + marked, 1e-6)
        odds = (*self._seen.odds(pixels - light, but), *self._evened.odds(_evened(pixels), but))
        return np.array([*odds, nearer]), min(marked, plain)

    def _turned(self, face: Appearance) -> Pattern:
        patterns = [self._pattern(face, 360 * turn / TURNS, face.lights[0]) for turn in range(TURNS)]
        return np.stack([one for one, _ in patterns]), np.stack([inside for _, inside in patterns])

    def _pattern(self, face: Appearance, turn: float, light: Floats) -> Pattern:
        rows, columns = np.nonzero(face.mask)
        shrink = SIDE / self._side
        place = cv2.getRotationMatrix2D((0, 0), turn, shrink)
        place[:, 2] = SIDE / 2 - 0.5 - place[:, :2] @ np.array([columns.mean(), rows.mean()])
        soft = cv2.GaussianBlur(face.colours - light, (0, 0), max(0.4 / shrink, 0.3))
        inner = cv2.erode(face.mask, np.ones((3, 3), np.uint8)).astype(np.float32)
        seen = cv2.warpAffine(soft, place, (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
        inside = cv2.warpAffine(inner, place, (SIDE, SIDE)) > 0.5
        return np.ascontiguousarray(seen.reshape(-1, 3).T), inside.ravel()


def _evened(pixels: Floats) -> Floats:
    """Colours relative to the base colour of the same face, which are independent of the light."""
    return (pixels - np.percentile(pixels, BODY, axis=0) + MIDDLE).astype(np.float32)


def _apart(face: Pattern, taught: Pattern) -> float:
    """Distance of a face from a taught one, in the rotation that fits best."""
    (seen, inside), (turned, there) = face, taught
    common = there & inside
    shared = np.maximum(np.count_nonzero(common, axis=-1), 1)
    either = np.maximum(np.count_nonzero(there | inside, axis=-1), 1)
    weights = common.astype(np.float32)
    apart = turned - seen
    light = np.einsum("nci,ni->n", apart, weights) / (3 * shared)
    apart -= np.clip(light, -DIMMER, DIMMER)[:, None, None].astype(np.float32)
    blue, green, red = apart[:, 0], apart[:, 1], apart[:, 2]
    off = np.minimum(np.sqrt(blue**2 + green**2 + red**2), OFF)
    return float((np.einsum("ni,ni->n", off, weights) / shared + MISFIT * (1 - shared / either)).min())


def _heard(faces: Sequence[Floats]) -> Floats:
    """Log frequency of each cell's colour on these faces or on anything else."""
    return np.logaddexp(density(np.concatenate(faces)), np.float32(UNHEARD - RARE))


def _glossy(pixels: Floats, *, evened: bool) -> Floats:
    """The colours of a face with and without simulated gloss; relative to its base colour if ``evened``."""
    lit = np.exp(pixels)
    middle = np.percentile(pixels, BODY, axis=0) - MIDDLE if evened else 0.0
    glossy = [pixels] * PLAIN_TALK + [np.log(lit + np.float32(glint)) for glint in GLINTS]
    return (np.concatenate(glossy) - middle).astype(np.float32)

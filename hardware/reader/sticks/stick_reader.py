"""Reads throws of casting sticks: fits each stick's place to the picture, and reads its uncovered face."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import FacesAlike
from companion.referee.events import Face, Lot
from hardware.reader.lots import Blob, Verdict
from hardware.reader.sticks.bars import Bar, Ends, weights
from hardware.reader.sticks.evidence import SURE, Evidence, StickColours, weigh
from hardware.reader.sticks.extra_stick import beside, one_more
from hardware.reader.sticks.heap import STEPS, Heap, fit, search
from hardware.reader.sticks.leftovers import LEFT, RIM, unexplained, without_hands
from hardware.reader.sticks.stacking import stacking
from hardware.reader.sticks.strips import SLIP, Strip, Strips, aligned, unroll
from hardware.reader.taught_lots import LOTS, Taught, contrasts
from hardware.reader.tray import Difference, Floats, Mask

FAINTEST = 5.0
"""Smallest mean Lab distance between the faces: below it, camera noise and wood grain decide."""

TOLD = 0.1
"""Smallest lead of each taught strip when it is judged by the other strips. Faces that do not differ lead by 0; the
labelled sets by 0.2 and more, also with noise added."""

LEAD, TAUGHT_LEAD = 0.25, 0.5
"""How much nearer one face must be than the other, (far - near) / (far + near): at least LEAD, and at least this share
of the smallest lead among the taught strips. Higher asks more often."""

SLIPPED_LEAD = 0.5
"""The share for a stick that is further from its face than any taught one, after it was shifted to where either face
fits best: its end may be lost in a shadow. Of labelled throws and of newly composed heaps of four, all but one reach
0.96; those misread have -0.5 and less. Higher asks about sticks in unusual light."""

STRANGE = 0.5
"""Largest distance of a face from its nearest taught strip, as a share of the distance between the faces. Higher takes
more game pieces for sticks, lower refuses sticks in unusual light."""

MIXED = 0.5
"""How far a stretch of a stick may deviate towards the other face, as a share of the largest difference between
stretches of the two faces: beyond that, what looks like one stick is the ends of two. Labelled throws that are read
reach 0.40 once; 240 newly composed heaps of four stay below 0.16. Lower asks about stained sticks, higher takes two
ends for one stick."""

OPEN = 0.4
"""Smallest uncovered share of a stick. Lower reads faces from too little."""

COVERED = 0.8
"""Smallest share of a stick's open part that must look like a stick, as a share of the lowest among the taught
sticks."""

EXACT = 1.5
"""Largest distance of a face from its nearest taught strip, as a multiple of the largest among the taught ones, at
which it counts as a stick even where the tray has nearly its colour."""

FAINT = 0.4
"""Smallest mean odds of a stick's open part, as a share of the faintest taught one of its face: where bare wood is hard
to distinguish from the tray, paint is not, but a stick's shadow is. Labelled throws that are read reach 0.42."""

FAINTER = 0.7
"""FAINT for a stick that does not match a taught face exactly. Lower takes deep shadows for dark sticks."""

SIDE, THERE, EXACTLY_THERE = 0.3, 0.5, 0.4
"""Where a stick's side begins, as a share of its width from the middle, and the smallest share of the side that must
look like a stick, as a share of the lowest among the taught sticks; the last value is for a stick that matches a taught
face exactly. Lower takes sticks on their edge for flat ones."""

SEEN = 0.75
"""Smallest share of a stick's length that must be inside the picture."""

HARDLY = 0.05
"""Smallest visible share of a stick."""

CLOSE = 0.3
"""How much less another arrangement of four must explain, in sticks, unless it has the same count. Lower guesses among
ambiguous heaps."""

DIMMEST, BESIDE = 0.6, 1.5
"""Largest difference between the light beside a stick and that of the empty tray, as a natural logarithm, and how far
beside, in widths: as much as GAIN compensates. Labelled throws that are read reach 0.33, also in drawn shadows of 45 %;
at 0.8 a bare stick looked painted."""

BURNT_OUT = 0.2
"""Share of a face that may be overexposed, beyond that of the taught one. Higher takes glare for white paint, lower
asks about every glint."""

CERTAIN = (5.5, 2.0, 3.3)
"""Log-odds that a face is read correctly: a base value, the gain for a full lead, and the loss for a face as strange as
is allowed. Rounded from two fits to 2,200 lots of the labelled throws and of 320 composed heaps, one on d01 to d03, one
on d04 to d08 (tests/bench/reader_confidence.py draws stated against observed)."""


@dataclass(frozen=True, slots=True)
class Judged:
    """An arrangement of the sticks: its lots, and why it is doubtful, or None."""

    lots: tuple[Lot, ...]
    doubt: str | None

    @property
    def marked(self) -> int:
        return sum(lot.face is Face.MARKED for lot in self.lots)


class Sticks:
    """A reader of one set of casting sticks. Stateless between pictures."""

    def __init__(self, taught: Taught) -> None:
        self._colours = StickColours(taught)
        self._contrasts = contrasts(taught)
        fill = min(1.0, taught.shape.area / (taught.shape.length * taught.shape.width) + 0.02)
        looks = []
        for seen, four in zip(taught.seen, taught.four, strict=True):
            odds = weigh(seen, self._colours).odds
            looks += [(seen, odds, _measured(odds, blob, fill)) for blob in four]
        length, width = (float(np.median([getattr(bar, part) for _, _, bar in looks])) for part in ("length", "width"))
        self.size = Bar(0.0, 0.0, 0.0, length, width)
        self.ends = Ends.of(length, width, fill * length * width)
        insides = [odds[self.ends.mask(bar, odds.shape) > 0] for _, odds, bar in looks]
        means = [float(inside.mean()) for inside in insides]
        self._faint = {Face.MARKED: min(means[:LOTS]), Face.PLAIN: min(means[LOTS:])}
        self._faintest = min(means)
        self._cover = min(float((inside > 0).mean()) for inside in insides)
        self._level = float(np.median([seen.light[round(bar.y), round(bar.x)] for seen, _, bar in looks]))
        self._taught = [unroll(seen, bar, self._level) for seen, _, bar in looks]
        self._glare = max(strip.glare for strip in self._taught)
        self._faces = Strips(self._taught[:LOTS], self._taught[LOTS:])
        self._contrast = float(np.median([self._faces.stretches(strip)[1].max() for strip in self._taught[:LOTS]]))
        self.separation, self._strange, self._own, least = self._telling()
        self._lead = max(LEAD, TAUGHT_LEAD * least)
        if self.separation < FAINTEST:
            raise FacesAlike(
                f"The marked and the plain faces look too alike to this camera (they differ by {self.separation:.1f}, "
                f"{FAINTEST:.0f} are needed): make the marks bolder, or light the tray better."
            )

        more = [(_measured(weigh(one.seen, self._colours).odds, one.blob, fill), one) for one in taught.more]
        further = [(unroll(one.seen, bar, self._level), one.face) for bar, one in more]
        self._faces = Strips(
            *(
                [*own, *(strip for strip, face in further if face is side)]
                for own, side in ((self._taught[:LOTS], Face.MARKED), (self._taught[LOTS:], Face.PLAIN))
            )
        )

    @cached_property
    def leads(self) -> tuple[float, ...]:
        """Leave-one-out margin of each face of the calibration, as in LEAD; below 0 it is misclassified."""
        return tuple(map(_lead, *self._others()))

    def read(self, seen: Difference) -> Verdict:
        """The lots in the tray, and why they cannot be counted, or None."""
        evidence, reaching = without_hands(seen, weigh(seen, self._colours), self.size)
        heaps = self._apart(evidence.odds) or search(evidence.odds, self.size, self.ends, LOTS, self._faintest)
        if not heaps:
            return self._fewer(seen, evidence), "covered" if reaching else "count"
        first = self._judged(seen, evidence, heaps[0])
        best, sound = heaps[0], [first] if first.doubt is None else []
        for way in heaps[1:]:
            if best.explained - way.explained > CLOSE:
                break
            other = self._judged(seen, evidence, way)
            if other.doubt is None:
                best = best if sound else way
                sound.append(other)
        if not sound:
            lots, doubt = first.lots, first.doubt
            if doubt == "count" and len(lots) < LOTS - 1:
                lots = self._fewer(seen, evidence)
            return lots, "covered" if reaching and doubt == "count" else doubt
        answer = sound[0]
        if any(one.marked != answer.marked for one in sound):
            return answer.lots, "touching"
        found = (evidence.odds, best, self.size, self.ends, self._faintest)
        if more := one_more(*found):
            return self._judged(seen, evidence, more).lots, "count"
        if beside(*found):
            return answer.lots, "touching"
        lost = any(stick.is_lost(seen) for stick in self._contrasts)
        return answer.lots, "unclear" if lost or self._is_dim(seen, evidence.odds, best) else None

    def _fewer(self, seen: Difference, evidence: Evidence) -> tuple[Lot, ...]:
        """The sticks in the tray if there are fewer than four."""
        heaps = search(evidence.odds, self.size, self.ends, LOTS - 1, self._faintest)
        return self._judged(seen, evidence, heaps[0]).lots if heaps else ()

    def _apart(self, odds: Floats) -> list[Heap]:
        """The arrangement of four sticks that do not touch; empty if there is none."""
        things = cv2.morphologyEx((odds > 0).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        outlines, _ = cv2.findContours(things, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        full = self.size.length * self.size.width
        bars = []
        for outline in outlines:
            area = cv2.contourArea(outline)
            if area < LEFT * full:
                continue
            (x, y), (one, other), angle = cv2.minAreaRect(outline)
            if one < other:
                one, other, angle = other, one, angle + 90
            if not (0.7 < one / self.size.length < 1.2 and other < 1.4 * self.size.width and 0.6 < area / full < 1.3):
                return []
            bars.append(Bar(x, y, angle % 180, self.size.length, self.size.width))
        return [fit(odds, bars, self.size, self.ends, STEPS[1:])] if len(bars) == LOTS else []

    def _judged(self, seen: Difference, evidence: Evidence, way: Heap) -> Judged:
        """Judge whether four sticks in these places explain the picture, and read their faces."""
        shape = evidence.odds.shape
        thick = [self.ends.mask(bar, shape) for bar in way.bars]
        cover = np.asarray(sum(thick), np.uint8)
        on_top = None
        lots, doubts = [], []
        for number, bar in enumerate(way.bars):
            covered = cover - thick[number]
            lot, doubt = self._lot(seen, evidence, bar, covered)
            if doubt in ("touching", "unclear"):
                on_top = on_top or stacking(seen.relit, self.ends)
                above = [n for n, other in enumerate(way.bars) if n != number and not on_top(bar, other)]
                covered = sum((thick[n] for n in above), np.zeros_like(cover))
                lot, doubt = self._lot(seen, evidence, bar, covered)
            doubts.append(doubt)
            if doubt != "count":
                lots.append(lot)
        strays, left = unexplained(evidence, way, self.size, self.ends, self._faintest)
        doubts.append(left)
        # Check for four sticks first, then for their faces.
        order = ("covered", "touching", "leaning", "count", "glare", "unclear")
        return Judged((*lots, *strays), next((reason for reason in order if reason in doubts), None))

    def _lot(self, seen: Difference, evidence: Evidence, bar: Bar, covered: Mask) -> tuple[Lot, str | None]:
        """Read a stick's uncovered face. Also returns the doubt about it or None; "count" if there is no stick."""
        strip = unroll(seen, bar, self._level, covered)
        marked, plain = self._faces.apart(strip)
        near, far = sorted((marked, plain))
        lead = _lead(near, far)
        if near > EXACT * self._own or lead < self._lead:
            strip, (marked, plain) = aligned(seen, bar, self._level, covered, self._faces)
            near, far = sorted((marked, plain))
            lead = _lead(near, far)
        side = Face.MARKED if marked < plain else Face.PLAIN
        whole = self.ends.mask(bar, covered.shape) > 0
        inside = whole & (covered == 0)
        odds = evidence.odds[inside] if inside.sum() > HARDLY * whole.sum() else np.full(1, -SURE, np.float32)
        exact = near <= EXACT * self._own and lead >= self._lead
        doubt = None
        if self._inside(bar, covered.shape) < SEEN:
            doubt = "covered"
        elif odds.mean() < (FAINT if exact else FAINTER) * self._faint[side]:
            doubt = "count"
        elif strip.open.mean() < OPEN:
            doubt = "touching"
        elif (not exact and (odds > 0).mean() < COVERED * self._cover) or self._is_thin(
            evidence.odds, bar, inside, EXACTLY_THERE if exact else THERE
        ):
            doubt = "leaning"
        elif lead < self._lead or near > self._strange or (near > self._own and self._is_slipped(strip, side)):
            doubt = "unclear"
        elif self._is_mixed(strip, side):
            doubt = "touching"
        if doubt in (None, "unclear") and strip.glare > self._glare + BURNT_OUT:
            doubt = "glare"
        return Lot(
            x=bar.x,
            y=bar.y,
            angle=float(bar.angle % 180),
            face=Face.UNKNOWN if doubt else side,
            confidence=_confidence(lead, near / self._strange),
            outline=bar.corners(),
        ), doubt

    def _is_thin(self, odds: Floats, bar: Bar, inside: NDArray[np.bool_], least: float) -> bool:
        """Whether a stick stands on its edge: less than ``least`` of one of its long sides is seen."""
        rows, columns = np.nonzero(inside)
        cos, sin = bar.along
        across = (rows - bar.y) * cos - (columns - bar.x) * sin
        there = odds[rows, columns] > 0
        sides = [there[side * across > SIDE * bar.width] for side in (-1, 1)]
        return any(len(side) > 20 and side.mean() < least * self._cover for side in sides)

    def _is_slipped(self, strip: Strip, side: Face) -> bool:
        """Whether a strip shifted further matches this face hardly better than the other."""
        marked, plain = self._faces.apart(strip, by=SLIP)
        own, other = (marked, plain) if side is Face.MARKED else (plain, marked)
        return _lead(own, other) < SLIPPED_LEAD * self._lead

    def _is_mixed(self, strip: Strip, side: Face) -> bool:
        """Whether a stretch of the strip looks like the other face."""
        marked, plain = self._faces.stretches(strip)
        nearer, other = (marked, plain) if side is Face.MARKED else (plain, marked)
        return bool((nearer - other).max(initial=0.0) > MIXED * self._contrast)

    def _is_dim(self, seen: Difference, odds: Floats, way: Heap) -> bool:
        """Whether a stick lies in much more or less light than its place had when the tray was empty."""
        bare = (self.ends.cover((bar.widened(RIM) for bar in way.bars), odds.shape) == 0) & (odds <= 0)
        for bar in way.bars:
            beside = bare & (self.ends.mask(bar.widened(BESIDE * self.size.width), odds.shape) > 0)
            if beside.any():
                now, then = (np.log(light[beside].mean(axis=-1) + 1) for light in (seen.soft, seen.bare))
                if abs(np.median(now - then)) > DIMMEST:
                    return True
        return False

    def _inside(self, bar: Bar, shape: tuple[int, ...]) -> float:
        """Share of a bar's length inside the picture."""
        along = np.linspace(-0.5, 0.5, 51)[:, None] * bar.length * bar.along + [bar.x, bar.y]
        return float(((along >= 0) & (along < shape[1::-1])).all(axis=1).mean())

    def _others(self) -> tuple[list[float], list[float]]:
        """Distances of each taught strip from the others of its face, and from those of the other face."""
        measured = [self._faces.apart(strip, but=strip) for strip in self._taught]
        own = [pair[number >= LOTS] for number, pair in enumerate(measured)]
        return own, [pair[number < LOTS] for number, pair in enumerate(measured)]

    def _telling(self) -> tuple[float, float, float, float]:
        """Least distance between strips of different faces, the largest that still belongs to one, the largest
        taught, and the least lead.

        All are 0 if the taught strips do not distinguish the faces.
        """
        own, other = self._others()
        least = min(map(_lead, own, other))
        if least < TOLD:
            return 0.0, 0.0, 0.0, 0.0
        separation = min(other)
        return separation, min(separation, max(STRANGE * separation, 1.5 * max(own))), max(own), least


def _lead(near: float, far: float) -> float:
    """Margin by which the first is nearer, as in LEAD."""
    return (far - near) / max(far + near, 1e-6)


def _confidence(lead: float, strangeness: float) -> float:
    """Probability that a face is read right."""
    first, more, less = CERTAIN
    return float(1 / (1 + np.exp(less * strangeness - more * lead - first)))


def _measured(odds: Floats, blob: Blob, fill: float) -> Bar:
    """The bar of the taught stick ``blob`` that covers the most evidence."""
    place = Bar(blob.x, blob.y, blob.angle, blob.length, blob.width)
    lengths = np.arange(blob.length - 16, blob.length + 5, 1.0)
    widths = np.arange(0.6 * blob.width, 1.1 * blob.width, 0.5)
    sizes = np.stack(np.meshgrid(lengths, widths, indexing="ij"), axis=-1).reshape(-1, 2)
    for _ in range(2):
        # The stick's shadow biases the outline, so the bar of the right size is fitted to the stick.
        length, width = sizes[weights(odds, place, sizes, fill).argmax()].tolist()
        place = replace(place, length=length, width=width)
        (place,) = fit(odds, [place], place, Ends.of(length, width, fill * length * width)).bars
    return place

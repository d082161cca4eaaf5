"""Reads throws of small lots: kernels, beans, coins, cubes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.referee.events import Face, Lot
from hardware.reader.lots import Verdict, doubted, reaching
from hardware.reader.small_lots.colours import FOOT, Near, brightness
from hardware.reader.small_lots.contour import LESS, MORE, LotContour
from hardware.reader.small_lots.detection import FOLLOWED, Thing, things
from hardware.reader.small_lots.faces import Appearance
from hardware.reader.small_lots.splitting import cut
from hardware.reader.small_lots.taught_set import SmallSet, grain, sharpness
from hardware.reader.taught_lots import LOTS, Taught
from hardware.reader.tray import Difference, Floats, Mask

RING = 1.0
"""Width of the ring around a lot in which its light is measured, as a share of its length, on both sides."""

AWAY_FROM, SECTORS, FULL, SPLIT = (0.9, 1.4), 8, 0.25, 0.4
"""The light around a lot is compared between sectors: their inner and outer radius as shares of a lot's length, their
number, the smallest share of a sector that must be bare, and the largest difference between two sectors, as a natural
logarithm. Beyond that, the edge of a shadow crosses the lot and looks like a dot. Sectors of labelled throws that are
read differ by up to 0.35, beside other lots' shadows; where such an edge was taken for a dot, by 0.5. Lower asks more
often."""

DIMMEST = 1.2
"""Largest difference between the light on a lot and that of the teaching, as a natural logarithm: a third of it."""

SAME = 0.12
"""Smallest difference at which two lights are both tried, as a natural logarithm."""

MARGIN, TOUCHING_MARGIN = 0.25, 0.3
"""Smallest lead of a face, for a lot that lies alone and for one that touches another, whose shade falls on it. Higher
asks more often."""

SHADED, CLEAR = 0.2, 0.4
"""How far a lot's shade may reach over one that touches it, as a share of a lot's length, and the smallest share of a
face that must lie beyond it. Higher asks about more heaps, lower takes shade for a dot."""

SPARSE, STEPS, FEW = 8, 10, 40
"""The picture's contrast is measured on every SPARSE-th row and column, in STEPS steps from dark to light, each of at
least FEW pixels."""

ALIKE, VARIED = 0.6, 0.1
"""Largest difference from the empty picture at which a place counts for the contrast, and the smallest range of light
from which it can be measured, as natural logarithms."""

GRAINY = 2.0
"""How many times noisier than the calibration a picture may be; beyond that the margins grow in proportion."""

STEEPER = 0.2
"""Largest difference of the picture's contrast from the empty one's, as a natural logarithm. Higher reads pictures with
another exposure curve, in which bare lots are as dark as shaded ones; lower refuses hard shadows."""

BLURRED = 0.5
"""Smallest sharpness of the lots, as a share of the taught ones', at which a dot is visible. Blur of 1 pixel leaves
0.64, of 2 pixels 0.47, of 3 pixels 0.42. Higher refuses pictures slightly out of focus."""

SCRAP = 0.5
"""Share of the smallest lot's area below which an object is no whole lot. A lot on its edge shows 0.6."""

SLIVER, RAGGED = 0.2, 0.5
"""An object is a sliver of the tray's rim if it is thinner than this share of a lot (twice that if it is longer than
one), or too small and fills less of its hull than that. Otherwise it may be the visible part of a lot under another."""

STRANGE = 0.45
"""Share of colours unknown from the taught lots from which an object is something else."""

HAND = 2.0
"""Area at the picture's border, in lots, from which an object is a hand and not a lot that rolled away."""

LUMP, LUMP_SOLID = 1.7, 0.92
"""Area, in largest lots, and share of the hull from which an object is one large piece: touching lots leave notches."""

CRUMB, PIECE_SOLID, AWAY = 0.25, 0.85, 0.5
"""For objects besides four lots: share of the smallest lot's area below which one is a crumb; share of the hull from
which a large one is a game piece; and the distance from everything else, as a share of a lot's length. A higher first
value reads more throws on trays with visible rims, but may overlook a fifth lot in deep shade. Two lots side by side
fill as much as a piece, but nobody throws six."""

FOREIGN = 1.3
"""Strangeness of its face from which an object besides four lots is no lot. In newly composed heaps, none of 778 lots
that lie alone exceeds 0.85, and none of 131 that touch exceeds 0.99."""

HUGE = 8.0
"""Area, in lots, from which an object covers the tray. Four lots in a heap stay below."""

WHOLE = (0.9, 1.12)
"""Accepted area of all four lots, as a share of what the taught faces show. A lot half hidden under another leaves
0.87. Labelled throws have 0.92 to 1.09."""

RANKED = 0.82
"""Smallest area of the smallest lot, of the second smallest and so on, as a share of the taught lot of the same rank.
Labelled throws have 0.90 and more. There is no upper limit, because dark faces are partly lost when they are taught;
SWOLLEN limits the size."""

SWOLLEN = (1.15, 1.08)
"""Largest area of a lot, as a share of the largest taught one, for a lot alone and one touching another; beyond it,
another lot may hide beneath or between them. Labelled throws have up to 1.08 and 1.07."""

DENTED = 0.035
"""How much less of its hull a lot that touches another may fill than the hollowest taught one. In labelled throws it is
up to 0.015 less."""


LIGHT = "light"
"""The doubt about an object in another light than the taught one, before which all other doubts are uncertain."""


@dataclass(frozen=True, slots=True)
class _Judged:
    """A lot, and the doubt about it or None.

    area, share: its area in pixels, and relative to the typical one. sharpness: relative to the taught lots'.
    strange: above 1 for a face unlike any taught one.
    """

    lot: Lot
    area: float
    share: float
    sharpness: float
    strange: float
    doubt: str | None


class _Looked(NamedTuple):
    """An object, the lots it was split into, the doubt about it, and the change of light on it."""

    thing: Thing
    lots: list[_Judged]
    doubts: list[str]
    relit: float


class SmallLots:
    """A reader of one set of kernels, beans, coins or cubes."""

    def __init__(self, taught: Taught) -> None:
        self._set = SmallSet(taught)
        self._largest = self._set.measures.area[1]
        self._around = _around(self._set.measures.length[1])
        self._enough = FULL * np.count_nonzero(self._around < SECTORS) / SECTORS

    @property
    def separation(self) -> float:
        """Distance between the two faces."""
        return self._set.separation

    @property
    def leads(self) -> tuple[float, ...]:
        """Leave-one-out margin of each face of the calibration, -1..1; below 0 it is misclassified."""
        return self._set.leads

    def read(self, seen: Difference) -> Verdict:
        """The lots in the tray, and why they cannot be counted, or None."""
        found = [
            thing for thing in things(seen, self._set.colours, self._set.measures) if not self._is_sliver(thing.part)
        ]
        hands, light = self._reaching(seen)
        hand, lit = bool(hands.any()), bool(light.any())
        inside = [grain(thing.near) for thing in found if not thing.at_border and not self._is_scrap(thing.part)]
        noisy = float(np.median(inside)) / self._set.grain if inside else 1.0
        looked: list[_Looked] = []
        for thing in found:
            # A hand beside the tray adds fragments of its own, so all four lots must be seen besides.
            if hand and (thing.at_border or self._is_scrap(thing.part) or _most(thing, hands, seen.scale)):
                continue
            relit = _most(thing, light, seen.scale) if lit else 0.0
            if self._is_strange(thing) and not relit:
                continue
            parts = [] if thing.at_border else cut(thing.part, brightness(thing.near.colours), self._set.measures, LOTS)
            lots = [self._judge(thing.near, part, parts, seen.scale, max(1.0, noisy / GRAINY)) for part in parts]
            doubts = [one.doubt for one in lots if one.doubt]
            if not parts and not self._is_lump(thing.part):
                doubts.append(self._doubt(thing))
            if relit > FOLLOWED or any(self._is_split(thing, part) for part in parts):
                doubts.append(LIGHT)
            looked.append(_Looked(thing, lots, doubts, relit))
        if sum(len(one.lots) for one in looked if not one.doubts) == LOTS:
            looked = [one for one in looked if not (one.doubts and self._is_no_lot(one, looked))]
        judged = [lot for one in looked for lot in one.lots]
        doubts = [doubt for one in looked for doubt in one.doubts]
        reason, steep = self._reason(judged, doubts, hand=hand), self._is_steep(seen)
        if reason in (None, "unclear"):
            return tuple(one.lot for one in judged), "unclear" if steep else reason
        # Four lots without a doubt about any one of them are doubtful together.
        doubtful = steep or (len(judged) == LOTS and not doubts)
        return tuple(lot for one in looked for lot in self._shown(one, seen.scale, doubtful=doubtful)), reason

    def _shown(self, one: _Looked, scale: float, *, doubtful: bool) -> list[Lot]:
        """The lots of an object, or the least number that it may be; certain only if there is no doubt."""
        if not one.lots:
            part = one.thing.part
            outline = cv2.approxPolyDP(part.outline, 1.0, closed=True).reshape(-1, 2)
            return [_lot(one.thing.near, part, outline, scale)] * self._set.measures.counts(part.full).start
        lots = [each.lot for each in one.lots]
        return doubted(lots) if doubtful or one.doubts else lots

    def _reason(self, judged: Sequence[_Judged], doubts: Sequence[str], *, hand: bool) -> str | None:
        """Why the lots do not make a count, or None when they do."""
        if LIGHT in doubts:
            return "unclear"
        for why in ("covered", "touching", "leaning", *doubts):
            if why in doubts:
                return why
        if len(judged) != LOTS:
            return "covered" if hand and len(judged) < LOTS else "count"
        if not WHOLE[0] <= sum(one.share for one in judged) / LOTS <= WHOLE[1]:
            return "touching"
        areas = sorted(one.area for one in judged)
        if any(area < RANKED * taught for area, taught in zip(areas, self._set.ranks, strict=True)):
            return "leaning"
        return "unclear" if np.median([one.sharpness for one in judged]) < BLURRED else None

    def _is_steep(self, seen: Difference) -> bool:
        """Whether the contrast of tray and table differs from the empty picture's."""
        then, now = (
            np.log(brightness(colours[::SPARSE, ::SPARSE]).ravel() + FOOT) for colours in (seen.bare, seen.relit)
        )
        alike = np.abs(now - then) < ALIKE
        if alike.sum() < FEW * STEPS or then[alike].std() < VARIED:
            return False
        order = np.array_split(np.argsort(then[alike]), STEPS)
        before, after = (np.array([np.median(light[alike][part]) for part in order]) for light in (then, now))
        slope = float(np.polyfit(before, after, 1)[0])
        return bool(abs(np.log(max(slope, 0.1))) > STEEPER)

    def _reaching(self, seen: Difference) -> tuple[Floats, Floats]:
        """Find intrusions from the border, and changes of light there.

        Returns a mask, 1 on hands that reach in and next to them, and the change of light where only the light has
        changed, a natural logarithm; 0 elsewhere.
        """
        hands, light = reaching(seen, HAND * self._largest / seen.scale**2)
        if not hands.any():
            return hands.astype(np.float32), light
        side = 2 * round(AWAY * self._set.measures.length[1] / seen.scale) + 1
        return np.asarray(cv2.dilate(hands.astype(np.float32), np.ones((side, side), np.uint8)), np.float32), light

    def _is_scrap(self, part: LotContour) -> bool:
        """Whether an object is too small for a whole lot, even one on its edge."""
        return part.area < SCRAP * self._set.measures.area[0]

    def _is_sliver(self, part: LotContour) -> bool:
        """Whether an object is too thin for a lot, or too small and ragged."""
        measures = self._set.measures
        thick = part.area / part.length / measures.width[0]
        thin = thick < SLIVER or (thick < 2 * SLIVER and part.length > MORE * measures.length[1])
        return thin or (self._is_scrap(part) and part.solidity < RAGGED)

    def _is_strange(self, thing: Thing) -> bool:
        """Whether an object's colours rule out a lot."""
        return not thing.at_border and thing.part.area <= HUGE * self._largest and thing.strange > STRANGE

    def _is_lump(self, part: LotContour, solid: float = LUMP_SOLID) -> bool:
        """Whether an object's size and smooth outline rule out one or several lots."""
        large = LUMP * self._largest < part.area <= HUGE * self._largest
        return large and part.solidity > solid and part.length < 2 * part.width

    def _is_no_lot(self, looked: _Looked, all_looked: Sequence[_Looked]) -> bool:
        """Whether an object cannot be a lot, given four others.

        Such are crumbs, large pieces and foreign objects away from all else, and objects that enter at the border
        when the camera is knocked.
        """
        thing, part, measures = looked.thing, looked.thing.part, self._set.measures
        if looked.relit and part.area >= CRUMB * measures.area[0]:
            return False
        others = (one.thing for one in all_looked if one is not looked)
        if any(_gap(thing, other) < AWAY * measures.length[1] for other in others):
            return False
        if thing.at_border:
            return self._is_scrap(part)
        stranger = bool(looked.lots) and all(lot.strange > FOREIGN for lot in looked.lots)
        return part.area < CRUMB * measures.area[0] or self._is_lump(part, PIECE_SOLID) or stranger

    def _doubt(self, thing: Thing) -> str:
        """Why an object cannot be identified."""
        if thing.at_border or thing.part.area > HUGE * self._largest:
            return "covered"
        longer = thing.part.length > MORE * self._set.measures.length[1]
        return "touching" if longer or thing.part.area > MORE * self._largest else "leaning"

    def _judge(self, near: Near, part: LotContour, parts: Sequence[LotContour], scale: float, noisy: float) -> _Judged:
        """Judge one of the lots in an object. noisy: factor for the required margin."""
        taken = np.zeros_like(part.mask)
        for one in parts:
            if one is not part:
                taken |= one.mask
        free = np.where(taken > 0, 0, part.hull).astype(np.uint8)
        lights = self._lights(near, part, taken)
        lead, strange = self._set.faces.judge(Appearance(near.colours, free, lights))
        side = Face.MARKED if lead > 0 else Face.PLAIN
        own, largest = self._set.sides[side], max(one.usual for one in self._set.sides.values())
        doubt = None
        if part.full < LESS * own.area[0]:
            doubt = "leaning"
        elif self._is_odd(part, alone=len(parts) == 1):
            doubt = "touching"
        elif strange > 1 or abs(lead) < noisy * (TOUCHING_MARGIN if len(parts) > 1 else MARGIN):
            doubt = "unclear"
        elif len(parts) > 1 and not self._is_told_apart(near, free, taken, lights, lead):
            doubt = "touching"
        corners = cv2.boxPoints(((part.x, part.y), (part.length, part.width), part.angle))
        lot = replace(
            _lot(near, part, corners, scale),
            face=Face.UNKNOWN if doubt else side,
            confidence=float(1 - 0.5 * np.exp(-abs(lead) / 0.12)),
        )
        # A rim that blends into the tray may appear in another light, but no lot is larger than the
        # larger face.
        share = part.full / float(np.clip(part.full, own.usual, largest))
        return _Judged(lot, part.full, share, sharpness(near, part) / self._set.sharpness, strange, doubt)

    def _is_split(self, thing: Thing, part: LotContour) -> bool:
        """Whether the light around a lot differs much from one side to another."""
        rows, columns = thing.taken.shape
        reach = len(self._around) // 2
        top, left = round(part.y) - reach, round(part.x) - reach
        box = np.s_[max(0, top) : top + len(self._around), max(0, left) : left + len(self._around)]
        around = self._around[max(0, -top) : rows - top, max(0, -left) : columns - left]
        around = np.where(cv2.dilate(thing.taken[box], np.ones((5, 5), np.uint8)) > 0, SECTORS, around)
        change = brightness(thing.near.colours[box]) - brightness(thing.near.tray[box])
        parts = (change[around == one] for one in range(SECTORS))
        lights = [float(np.median(one)) for one in parts if one.size > self._enough]
        return bool(lights) and max(lights) - min(lights) > SPLIT

    def _is_told_apart(self, near: Near, free: Mask, taken: Mask, lights: tuple[Floats, ...], lead: float) -> bool:
        """Whether the face is the same if the parts next to other lots, which may be shaded, are left out."""
        side = 2 * round(SHADED * self._set.measures.length[0]) + 1
        clear = np.where(cv2.dilate(taken, np.ones((side, side), np.uint8)) > 0, 0, free).astype(np.uint8)
        if clear.sum() < CLEAR * free.sum():
            return False
        again, _ = self._set.faces.judge(Appearance(near.colours, clear, lights))
        return bool(again * lead > 0 and abs(again) > MARGIN)

    def _is_odd(self, part: LotContour, *, alone: bool) -> bool:
        """Whether the contour may be more than one lot."""
        dented = part.solidity < self._set.measures.solidity - DENTED
        return part.full > SWOLLEN[not alone] * self._largest or (dented and not alone)

    def _lights(self, near: Near, part: LotContour, taken: Mask) -> tuple[Floats, ...]:
        """The possible lights on a lot: that of the teaching, the tray's local light, new shade, or both."""
        side = round(RING * self._set.measures.length[0]) | 1
        ring = (cv2.dilate(part.hull, np.ones((side, side), np.uint8)) > 0) & (part.hull == 0) & (taken == 0)
        if not ring.any():
            return (np.zeros(3, np.float32),)
        tray, now = (np.median(colours[ring], axis=0) for colours in (near.tray, near.colours))
        level = self._set.level
        kept: list[Floats] = []
        for shift in (np.zeros(3), tray - level, now - tray, now - level):
            light = np.asarray(np.clip(shift, -DIMMEST, DIMMEST), np.float32)
            if all(np.abs(light - other).max() > SAME for other in kept):
                kept.append(light)
        return tuple(kept)


def _lot(near: Near, part: LotContour, outline: NDArray[Any], scale: float) -> Lot:
    """A lot of unknown face. outline: (n, 2), in pixels of the crop."""

    def there(x: float, y: float) -> tuple[float, float]:
        return (near.left + x + 0.5) / scale - 0.5, (near.top + y + 0.5) / scale - 0.5

    x, y = there(part.x, part.y)
    corners = tuple(there(float(across), float(down)) for across, down in outline)
    return Lot(x=x, y=y, angle=part.angle, face=Face.UNKNOWN, confidence=0.0, outline=corners)


def _around(length: float) -> NDArray[np.uint8]:
    """Sector index of each pixel around a lot of that length within AWAY_FROM; SECTORS elsewhere."""
    least, most = (round(share * length) for share in AWAY_FROM)
    down, across = np.indices((2 * most + 1, 2 * most + 1)) - most
    away = np.hypot(across, down)
    turn = (np.arctan2(down, across) / np.pi + 1) / 2
    return np.where((away > least) & (away <= most), turn * SECTORS % SECTORS, SECTORS).astype(np.uint8)


def _gap(one: Thing, other: Thing) -> float:
    """Least distance between two objects, in pixels of the given picture; below 0 they may touch."""
    (x, y), (there, below) = ((thing.near.left + thing.part.x, thing.near.top + thing.part.y) for thing in (one, other))
    return float(np.hypot(x - there, y - below)) - (one.part.length + other.part.length) / 2


def _most(thing: Thing, field: Floats, scale: float) -> float:
    """Maximum over the object of a field at the working size."""
    rows, columns = np.nonzero(thing.part.mask)
    last = np.array(field.shape) - 1
    places = np.minimum(
        ((np.stack([rows + thing.near.top, columns + thing.near.left], -1) + 0.5) / scale).astype(int), last
    )
    return float(field[places[:, 0], places[:, 1]].max())

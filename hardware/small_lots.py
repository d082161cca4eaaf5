"""Throws of small lots: kernels, beans, coins, cubes."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.errors import FacesAlike, ProfileUnusable
from companion.referee.events import Face, Lot
from hardware.lots import Verdict
from hardware.small_colours import Near, learn, piece
from hardware.small_cuts import cut
from hardware.small_faces import Appearance, SmallFaces
from hardware.small_parts import LESS, MORE, Measures, Part, measured
from hardware.small_things import Thing, around, things
from hardware.taught import LOTS, Taught
from hardware.tray import Difference, Floats, Mask

LEAST = 60
"""Least area of a lot in pixels: on less no mark shows."""

LEAST_SEPARATION = 5.0
"""What is shown for faces that can just be told apart, as with sticks."""

APART = 0.25
"""Least median lead of the taught faces when each is judged by the others. Faces that do not differ lead by 0."""

STRAYS = 2
"""Taught lots that may stray to the other face when judged by the others, because of mixed colours each is one of its
kind."""

RING = 1.0
"""Width of the ring around a lot whose light tells of the light on it, as a share of its length, both sides."""

DIMMEST = 1.2
"""Most that the light on a lot may differ from where it was taught, as a natural logarithm: a third of it."""

SAME = 0.12
"""What two lights have to differ by to be tried both, as a natural logarithm."""

MARGIN, TOUCHING_MARGIN = 0.2, 0.3
"""Least lead of a face that is told, lying alone and touching another, whose shade falls on it."""

SCRAP = 0.5
"""Share of the smallest lot's area under which a thing is a speck or a sliver of rim. Lower takes noise for things,
higher overlooks the tip of a lot under a hand."""

STRANGE = 0.45
"""Share of colours that no taught lot has from which a thing is something else."""

HAND = 2.0
"""Lots' worth of area at the picture's border from which it is a hand, and not a lot that rolled away."""

LUMP, LUMP_SOLID = 1.7, 0.92
"""Largest lots' worth of area and share of its hull from which a thing is one large piece: lots that touch leave
notches."""

HUGE = 8.0
"""Lots' worth of area from which a thing in the tray covers it. Four lots in a heap stay below."""

WHOLE = (0.9, 1.12)
"""The area of all four lots, as a share of what the taught faces show. One that hides half under another leaves
0.87."""


class SmallLots:
    """One set of kernels, beans, coins or cubes."""

    def __init__(self, taught: Taught) -> None:
        pieces = [
            [around(seen, blob, taught.shape.length) for blob in four]
            for seen, four in zip(taught.seen, taught.four, strict=True)
        ]
        self._colours, masks = learn(pieces)
        parts = [
            [measured(((self._colours.odds(near)[0] > 0) & (mask > 0)).astype(np.uint8)) for (near, _), mask in pairs]
            for pairs in (zip(face, found, strict=True) for face, found in zip(pieces, masks, strict=True))
        ]
        if not all(part is not None and part.full > LEAST for face in parts for part in face):
            raise ProfileUnusable(
                "The lots can hardly be told from the tray: use a tray whose colour differs from both their faces."
            )
        marked, plain = ([part for part in face if part is not None] for face in parts)
        self._measures = Measures.of([*marked, *plain])
        self._areas = {side: Measures.of(face).area for side, face in ((Face.MARKED, marked), (Face.PLAIN, plain))}
        self._usual = {
            side: float(np.mean([part.full for part in face]))
            for side, face in ((Face.MARKED, marked), (Face.PLAIN, plain))
        }
        self._level = np.median(
            [np.median(near.tray.reshape(-1, 3), axis=0) for face in pieces for near, _ in face], axis=0
        ).astype(np.float32)
        looks = [
            [Appearance(near.colours, part.hull) for (near, _), part in zip(face, outlines, strict=True)]
            for face, outlines in zip(pieces, (marked, plain), strict=True)
        ]
        faces = SmallFaces(looks[0], looks[1], self._measures.length[1])
        leads = faces.leads
        self.separation = LEAST_SEPARATION * float(np.median(leads)) / APART
        if np.median(leads) < APART or sum(lead < 0 for lead in leads) > STRAYS:
            raise FacesAlike(
                "The marked and the plain faces look too alike to this camera: make the marks bolder, or light the "
                "tray better."
            )
        more = self._further(taught)
        self._marked = LOTS + len(more[0])
        if any(more):
            faces = SmallFaces([*looks[0], *more[0]], [*looks[1], *more[1]], self._measures.length[1])
        self._faces = faces

    @property
    def leads(self) -> tuple[float, ...]:
        """How surely each lot of the calibration is told when judged by all others."""
        leads = self._faces.leads
        return leads[:LOTS] + leads[self._marked :][:LOTS]

    def _further(self, taught: Taught) -> tuple[list[Appearance], list[Appearance]]:
        """The faces taught beyond the calibration, the marked ones first."""
        more: dict[Face, list[Appearance]] = {Face.MARKED: [], Face.PLAIN: []}
        for one in taught.more:
            near, rough = around(one.seen, one.blob, taught.shape.length)
            new = self._colours.odds(near)[0] > 0
            part = measured((new & (piece(new, rough) > 0)).astype(np.uint8))
            if part is not None and part.full > LEAST:
                more[one.face].append(Appearance(near.colours, part.hull))
        return more[Face.MARKED], more[Face.PLAIN]

    def read(self, seen: Difference) -> Verdict:
        """What lies in the tray, and why it cannot be counted, or None."""
        smallest = self._measures.area[0]
        lots: list[tuple[Lot, float]] = []
        doubts: list[str] = []
        found_things = [
            thing for thing in things(seen, self._colours, self._measures) if thing.part.area >= SCRAP * smallest
        ]
        hand = self._is_hand(found_things)
        for thing in found_things:
            if (thing.at_border and hand) or self._is_strange(thing):
                continue
            parts = [] if thing.at_border else cut(thing.part, thing.near.colours.mean(axis=-1), self._measures, LOTS)
            if not parts:
                if not self._is_lump(thing.part):
                    doubts.append(self._doubt(thing))
                continue
            for part in parts:
                lot, share, doubt = self._judge(thing.near, part, parts, seen.scale)
                lots.append((lot, share))
                if doubt:
                    doubts.append(doubt)
        found = tuple(lot for lot, _ in lots)
        if doubts:
            return found, next((why for why in ("covered", "touching", "leaning") if why in doubts), doubts[0])
        if len(found) != LOTS:
            return found, "covered" if hand and len(found) < LOTS else "count"
        if not WHOLE[0] <= sum(share for _, share in lots) / LOTS <= WHOLE[1]:
            return found, "touching"
        return found, None

    def _is_hand(self, things: Sequence[Thing]) -> bool:
        """True when what reaches into the picture is more than a lot."""
        return sum(thing.part.area for thing in things if thing.at_border) > HAND * self._measures.area[1]

    def _is_strange(self, thing: Thing) -> bool:
        """True for a thing that by its colour can be no lot."""
        huge = thing.part.area > HUGE * self._measures.area[1]
        return not thing.at_border and not huge and thing.strange > STRANGE

    def _is_lump(self, part: Part) -> bool:
        """True for a thing that by its size and even outline can be no lot, nor several."""
        huge, large = (part.area > times * self._measures.area[1] for times in (HUGE, LUMP))
        return not huge and large and part.solidity > LUMP_SOLID and part.length < 2 * part.width

    def _doubt(self, thing: Thing) -> str:
        """Why a thing is not made out."""
        part, measures = thing.part, self._measures
        if thing.at_border or part.area > HUGE * measures.area[1]:
            return "covered"
        return (
            "touching" if part.area > MORE * measures.area[1] or part.length > MORE * measures.length[1] else "leaning"
        )

    def _judge(self, near: Near, part: Part, parts: Sequence[Part], scale: float) -> tuple[Lot, float, str | None]:
        """The lot with its face, its area as a share of that face's usual one, and what is doubtful, or None."""
        taken = np.zeros_like(part.mask)
        for one in parts:
            if one is not part:
                taken |= one.mask
        free = np.where(taken > 0, 0, part.hull).astype(np.uint8)
        face = Appearance(near.colours, free, self._lights(near, part, taken))
        lead, strange = self._faces.judge(face)
        side = Face.MARKED if lead > 0 else Face.PLAIN
        low, high = self._areas[side]
        doubt = None
        if part.full < LESS * low:
            doubt = "leaning"
        elif part.full > MORE * high:
            doubt = "touching"
        elif strange > 1 or abs(lead) < (TOUCHING_MARGIN if len(parts) > 1 else MARGIN):
            doubt = "unclear"
        corners = cv2.boxPoints(((part.x, part.y), (part.length, part.width), part.angle))
        return (
            Lot(
                x=(near.left + part.x + 0.5) / scale - 0.5,
                y=(near.top + part.y + 0.5) / scale - 0.5,
                angle=part.angle,
                face=Face.UNKNOWN if doubt else side,
                confidence=float(1 - 0.5 * np.exp(-abs(lead) / 0.12)),
                outline=tuple(
                    ((near.left + float(x) + 0.5) / scale - 0.5, (near.top + float(y) + 0.5) / scale - 0.5)
                    for x, y in corners
                ),
            ),
            part.full / self._usual[side],
            doubt,
        )

    def _lights(self, near: Near, part: Part, taken: Mask) -> tuple[Floats, ...]:
        """The lights that may fall on a lot: the one it was taught in, the tray's own there, new shade, or both."""
        side = round(RING * self._measures.length[0]) | 1
        ring = (cv2.dilate(part.hull, np.ones((side, side), np.uint8)) > 0) & (part.hull == 0) & (taken == 0)
        if not ring.any():
            return (np.zeros(3, np.float32),)
        tray, now = (np.median(seen[ring], axis=0) for seen in (near.tray, near.colours))
        kept: list[Floats] = []
        for shift in (np.zeros(3), tray - self._level, now - tray, now - self._level):
            light = np.asarray(np.clip(shift, -DIMMEST, DIMMEST), np.float32)
            if all(np.abs(light - other).max() > SAME for other in kept):
                kept.append(light)
        return tuple(kept)

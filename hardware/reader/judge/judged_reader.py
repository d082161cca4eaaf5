"""Reads throws of lots of any make: places are proposed, judged by the taught lots, and counted if all is certain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from companion.errors import FacesAlike
from companion.referee.events import Face, Lot, ThrowSeen, ThrowUnreadable
from companion.rules.odds import LOTS
from hardware.cameras.camera import Pixels
from hardware.reader.general.empty_tray import Scene
from hardware.reader.general.lot_shape import DetectedScene, components, look
from hardware.reader.judge.candidates import Candidates, Seeing, candidates, with_faces
from hardware.reader.judge.judge_model import Model
from hardware.reader.judge.lot_crops import CropMaker
from hardware.reader.judge.lot_judge import LotJudge
from hardware.reader.judge.teaching import burnt_out, find_lots
from hardware.reader.lots import Shown
from hardware.reader.sticks.bars import Bar, Doubles, Ends, Sums
from hardware.reader.tray_moves import Floats
from hardware.registration.sheet_registration import RegisteredPicture

PRESENT, ABSENT = 0.8, 0.5
"""Log-odds from which a lot is certainly there, and below which there is certainly none. Wider apart asks more."""

READABLE = 0.0
"""Least log-odds that a lot lies flat and shows its face. Higher asks about more heaps, lower judges by what is left of
a mark."""

HIDDEN = -2.2
"""Log-odds that its face can be read below which a lot certainly does not lie flat, or lies on another one: a
probability of 0.1. Higher asks about more heaps, lower overlooks more of what looks out below a stick."""

CERTAIN, LIKE_TAUGHT = (2.5, 3.0), (0.3, 0.4)
"""Least log-odds of each face of a stick and of a small lot, and the same as a share of what this set's taught faces
usually have. Raised they ask more, lowered they misread."""

SURE_ENOUGH = 0.6
"""Confidence of a count from which no other reader needs to be asked. Lower overlooks small lots that stand on their
edge or lie on a fifth one."""

TOLD = 1.0
"""Least median of the log-odds with which each taught face is told by the others. Higher refuses to be taught faces
that differ little; of such sets most throws are asked about."""

EDGE, UNEXPLAINED = (0.25, 0.12), 0.15
"""Width of a stick's edge and of a small lot's, as a share of its width, and the share of a lot's area that may be left
over in one piece. Higher overlooks a fifth lot, lower asks about shadows."""

TURN = 10
"""Degrees between the directions in which a small lot may lie."""

COVERED = 0.2
"""Share of the picture that may be something else than tray and lots. More is no hand beside the tray."""

GLARE = (0.4, 0.25)
"""Share of a stick and of a small lot that may be burnt out to white, beyond what the taught ones have. Higher takes a
marked one for a plain one, lower asks where the rest of its face tells enough."""


class JudgedReader:
    """Reads throws of the taught lots. Stateless between pictures, so threads may share it.

    shown : later pictures of lots whose faces are known.
    reads_sticks : False for kernels, beans, coins and cubes.
    Raises ProfileUnusable, with advice, if the pictures do not show four lots; FacesAlike if their faces look alike.
    """

    def __init__(
        self, model: Model, empty: Pixels, marked: Pixels, plain: Pixels, *, shown: Sequence[Shown] = ()
    ) -> None:
        self._model = model
        self._lesson = find_lots(model, empty, marked, plain)
        self.reads_sticks = self._lesson.shape.is_long
        sides = [self._lesson.told[:LOTS], self._lesson.told[LOTS:]]
        for one in shown:
            for number, told in enumerate(self._described(one)):
                sides[number] = np.concatenate([sides[number], told])
        self._judge = LotJudge(sides[0], sides[1], model.relation(self.reads_sticks))
        _present, leads = self._judge.by_others()
        self.leads = tuple(float(lead) for first in (0, len(sides[0])) for lead in leads[first : first + LOTS])
        self._kind = 0 if self.reads_sticks else 1
        if self.separation < TOLD or max(self.leads) < CERTAIN[self._kind]:
            raise FacesAlike(
                "I can't tell the marked side from the plain side: make the marks bolder, or light the tray better."
            )
        self._least = max(CERTAIN[self._kind], LIKE_TAUGHT[self._kind] * self.separation)

    def _described(self, shown: Shown) -> Iterator[Floats]:
        """Descriptions of the marked and of the plain lots in a later picture, each (n, ...).

        None if it does not show the tray; no sticks whose angle is unknown.
        """
        shape = self._lesson.shape
        scene = self._lesson.tray.scene(shown.picture)
        if scene is None:
            return
        maker = CropMaker(look(scene, self._model.detector, shape.scale), shape, self._lesson.reference)
        lots = [lot for lot in shown.lots if not (shape.is_long and lot[2] is None)]
        for side in (Face.MARKED, Face.PLAIN):
            places = [
                replace(
                    shape.bar,
                    x=(x + 0.5) / scene.factor - 0.5,
                    y=(y + 0.5) / scene.factor - 0.5,
                    # Small lots are judged as they are proposed, without a direction.
                    angle=angle if angle and shape.is_long else 0.0,
                )
                for x, y, angle, face in lots
                if face is side
            ]
            yield self._model.describe(maker, places)

    @property
    def separation(self) -> float:
        """Log-odds with which the taught faces are usually told from one another."""
        return float(np.median(self.leads))

    @property
    def mixes_up(self) -> bool:
        """Whether the others do not tell one of the taught faces: other lots may look like the wrong side, too."""
        return min(self.leads) < CERTAIN[self._kind]

    def is_sure(self, seen: ThrowSeen) -> bool:
        """Whether a reading is certain enough to need no other. Of sticks none is: it overlooks a fifth one."""
        return not self.reads_sticks and seen.confidence >= SURE_ENOUGH

    def read(self, picture: RegisteredPicture, scene: Scene) -> ThrowSeen | ThrowUnreadable:
        """Count the marked faces, or return why the count is uncertain. Lots are in pixels of the registered picture.

        One that certainly does not show its face has no confidence.
        scene : the picture beside the empty tray.
        """
        shape = self._lesson.shape
        view = look(scene, self._model.detector, shape.scale)
        things = np.where(view.found.lot + view.found.other > 0.5, 255, 0).astype(np.uint8)
        if picture.is_cut_off(things, shape.area):
            return ThrowUnreadable(reason="moved")
        maker = CropMaker(view, shape, self._lesson.reference)
        seeing = Seeing(self._model, self._judge, view, shape, maker)
        found = with_faces(seeing, candidates(seeing).likelier(ABSENT))
        outlines = self._outlined(view, found.places)
        in_glare = [burnt_out(view, one) > self._lesson.glare + GLARE[self._kind] for one in outlines]
        doubt = self._doubt(view, found, outlines, in_glare)
        lots = tuple(
            self._lot(view, found, number, outline, in_glare=in_glare[number])
            for number, outline in enumerate(outlines)
        )
        if doubt is not None:
            return ThrowUnreadable(reason=doubt, lots=lots)
        odds = found.judgement
        certain = [_share(np.abs(odds.marked)), _share(odds.present), _share(odds.readable)]
        return ThrowSeen(
            marked=sum(lot.face is Face.MARKED for lot in lots),
            confidence=float(np.prod([share[:LOTS] for share in certain])),
            lots=lots,
        )

    def _doubt(
        self, view: DetectedScene, found: Candidates, outlines: Sequence[Doubles], in_glare: Sequence[bool]
    ) -> str | None:
        """Why these may not be exactly four lots of which each shows its face; None if they are.

        outlines, in_glare : of these places, where lots may be; whether so much of each is burnt out to white.
        """
        odds = found.judgement
        covered = (view.found.other > 0.5).mean() > COVERED
        count = int((odds.present > PRESENT).sum())
        maybe = len(outlines)
        if count != LOTS or maybe != LOTS:
            if covered or (maybe < LOTS and self._reaches_in(view)):
                return "covered"
            return "touching" if maybe > LOTS >= count or maybe == LOTS else "count"
        if self._is_left_over(view, outlines):
            return "count"
        if covered:
            return "covered"
        if any(in_glare):
            return "glare"
        if odds.readable[:LOTS].min() < READABLE:
            return "leaning"
        if np.abs(odds.marked[:LOTS]).min() < self._least:
            return "unclear"
        return None

    def _reaches_in(self, view: DetectedScene) -> bool:
        """Whether something as large as a lot, such as a hand, reaches in over the picture's border."""
        things = components(view.found.lot + view.found.other > 0.5, self._lesson.shape.area)
        return any(one.at_border for one in things)

    def _is_left_over(self, view: DetectedScene, four: Sequence[Doubles]) -> bool:
        """Whether more is seen than these four explain: a part of a fifth one, under, across or against them.

        What lies alone among small lots is judged by its looks, and what lies against them may be a lot whatever the
        detector calls it: it takes counters in one flat colour for other things.
        """
        shape = self._lesson.shape
        own = np.zeros(view.found.lot.shape, np.uint8)
        for outline in four:
            cv2.fillPoly(own, [np.round(outline).astype(np.int32)], 1)
        side = 2 * round(EDGE[self._kind] * shape.bar.width) + 1
        own = np.asarray(cv2.dilate(own, np.ones((side, side), np.uint8)), np.uint8)
        seen = view.found.lot if shape.is_long else view.found.lot + view.found.other
        rest = ((seen > 0.5) & (own == 0)).astype(np.uint8)
        rest = np.asarray(cv2.morphologyEx(rest, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
        near = cv2.dilate(own, np.ones((5, 5), np.uint8))
        return any(
            shape.is_long or near[one.outline[:, 1], one.outline[:, 0]].any()
            for one in components(rest > 0, UNEXPLAINED * shape.area)
        )

    def _lot(self, view: DetectedScene, found: Candidates, number: int, outline: Doubles, *, in_glare: bool) -> Lot:
        place, odds = found.places[number], float(found.judgement.marked[number])
        shown = found.judgement.readable[number] > HIDDEN and not in_glare
        factor = view.scene.factor
        angle = place.angle if self._lesson.shape.is_long else cv2.minAreaRect(outline.astype(np.float32))[2]
        known = shown and abs(odds) >= self._least
        face = Face.UNKNOWN if not known else Face.MARKED if odds > 0 else Face.PLAIN
        return Lot(
            x=(place.x + 0.5) * factor - 0.5,
            y=(place.y + 0.5) * factor - 0.5,
            angle=float(angle % 180) % 180,
            face=face,
            confidence=float(_share(abs(odds))) if shown else 0.0,
            outline=tuple((float(x), float(y)) for x, y in (outline + 0.5) * factor - 0.5),
        )

    def _outlined(self, view: DetectedScene, places: Sequence[Bar]) -> list[Doubles]:
        """The outlines of the lots at these places, (n, 2) pixels of the working size; small lots as they lie."""
        shape = self._lesson.shape
        lying = places if shape.is_long else turned(view.found.lot, places, shape.ends)
        return [shape.ends.outline(place) for place in lying]


def turned(lot: Floats, places: Sequence[Bar], ends: Ends) -> list[Bar]:
    """The places of small lots, each in the direction in which it covers most of what is seen of lots."""
    seen, nothing = Sums(2 * lot - 1), np.zeros(lot.shape, np.uint8)
    return [
        max(
            (replace(place, angle=float(angle)) for angle in range(0, 180, TURN)),
            key=lambda way: ends.weight(way, seen, nothing),
        )
        for place in places
    ]


def _share(odds: Any) -> Any:
    """Probability from log-odds."""
    return 1 / (1 + np.exp(-odds))

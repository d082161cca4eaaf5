"""Reads throws of lots of any make: places are proposed, judged by the taught lots, and counted if all is certain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from companion.errors import FacesAlike
from companion.referee.events import Face, Lot, ThrowSeen, ThrowUnreadable
from companion.rules.odds import LOTS
from hardware.cameras.camera import Pixels
from hardware.reader.arrays import Floats, Mask
from hardware.reader.bars import Bar
from hardware.reader.detection.lot_shape import DetectedScene
from hardware.reader.judge.candidates import UNLIKELY, Candidates, Seeing, candidates, likely, settled
from hardware.reader.judge.judge_model import Model
from hardware.reader.judge.lot_crops import CropMaker
from hardware.reader.judge.lot_judge import evidence
from hardware.reader.judge.shadows import SHADE
from hardware.reader.judge.surroundings import Surroundings, burnt_out, reaches_in
from hardware.reader.judge.teaching import find_lots
from hardware.reader.judge.witness import COLOURED, FAMILIAR, Witness
from hardware.reader.lots import Shown
from hardware.registration.sheet_registration import RegisteredPicture

SURE, ABSENT = (1.4, 1.0), 1.0
"""Log-odds from which a stick and a small lot are certainly there, and certainly show their faces if they lie alone,
and below which there is no lot. The first lowered reads what leans or is none, raised it asks about others; the second
raised overlooks a fifth lot, lowered it takes other things for one."""

COVERED = 0.2
"""Share of the picture that may be something else than tray and lots. More is no hand beside the tray."""

GLARE = (0.4, 0.25)
"""Share of a stick and of a small lot that may be burnt out to white, beyond what the taught ones have. Higher takes a
marked one for a plain one, lower asks where the rest of its face tells enough."""


@dataclass(frozen=True, slots=True)
class SeenFace:
    """How the face of a lot looks. odds: log-odds that the marked one is up.

    is_hidden : whether the lot certainly does not lie flat, or lies below another one.
    in_glare : whether too much of it is burnt out to white.
    """

    odds: float = 0.0
    is_certain: bool = False
    is_flat: bool = False
    is_hidden: bool = False
    in_glare: bool = False


class JudgedReader:
    """Reads throws of the taught lots. Stateless between pictures, so threads may share it.

    shown : later pictures of lots whose faces are known.
    leads, separation : log-odds with which each taught face, and usually one, is told by the others.
    Raises ProfileUnusable, with advice, if the pictures do not show four lots; FacesAlike if their faces look alike.
    """

    def __init__(
        self, model: Model, empty: Pixels, marked: Pixels, plain: Pixels, *, shown: Sequence[Shown] = ()
    ) -> None:
        self._model = model
        self._lesson = find_lots(model, empty, marked, plain)
        taught = [[[side] for side in told.reshape(2, LOTS, -1)] for told in self._lesson.told]
        for one in shown:
            for number, described in enumerate(self._described(one)):
                for sides, told in zip(taught, described, strict=True):
                    sides[number].append(told)
        relation = model.relations[self._lesson.shape.kind]
        self._witnesses = [Witness(np.concatenate(marked), np.concatenate(plain), relation) for marked, plain in taught]
        self._judge = self._witnesses[0].judge
        self.leads = tuple(self._witnesses[1].leads.tolist())
        self.separation = float(np.median(self.leads))
        if max(self.leads) < self._witnesses[1].least / 2:
            raise FacesAlike(
                "I can't tell the marked side from the plain side: make the marks bolder, or light the tray better."
            )
        self._glare = GLARE[self._lesson.shape.kind] + self._lesson.glare

    def _described(self, shown: Shown) -> Iterator[list[Floats]]:
        """Descriptions of the marked and of the plain lots in a later picture for each witness, (n, ...).

        None if it does not show the tray; no sticks whose angle is unknown.
        """
        shape = self._lesson.shape
        scene = self._lesson.tray.scene(shown.picture)
        if scene is None:
            return
        view = self._lesson.view(self._model.detector, scene, self._lesson.shade(scene))
        maker = CropMaker(view, shape, self._lesson.reference)
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
            yield self._model.witnessed(self._model.describe(maker, places), maker, places)

    def read(self, picture: RegisteredPicture) -> ThrowSeen | ThrowUnreadable:
        """Count the marked faces, or return why the count is uncertain. Lots are in pixels of the registered picture.

        One that certainly does not show its face has no confidence.
        """
        scene = self._lesson.tray.scene(picture.pixels)
        if scene is None:
            return ThrowUnreadable(reason="moved")
        shape = self._lesson.shape
        dark = self._lesson.shade(scene)
        view = self._lesson.view(self._model.detector, scene, dark)
        things = 255 * (view.found.lot + view.found.other > 0.5).astype(np.uint8)
        if picture.is_cut_off(things, shape.area):
            return ThrowUnreadable(reason="moved")
        maker = CropMaker(view, shape, self._lesson.reference)
        seeing = Seeing(self._model, self._judge, view, shape, maker)
        proposed = candidates(seeing)
        found, told = self._from_close_by(maker, settled(seeing, likely(proposed, shape)))
        around = Surroundings.of(view, shape, found.places, dark)
        faces = self._faces(seeing, found, told, around)
        lots = tuple(self._lot(view, place, face) for place, face in zip(found.places, faces, strict=True))
        doubt = self._doubt(view, faces, around)
        strangers = around.strangers()
        if doubt is None and (
            found.judgement.present.min() < SURE[shape.kind]
            or self._show_a_lot(maker, strangers, filter(around.leave_free, proposed.places))
        ):
            doubt = "count"
        if doubt is not None:
            others = [self._lot(view, place, SeenFace(is_hidden=True)) for place in strangers]
            # Players can then say which faces those show.
            return ThrowUnreadable(reason=doubt, lots=(*lots, *others) if len(lots) + len(others) == LOTS else lots)
        marked = sum(lot.face is Face.MARKED for lot in lots)
        return ThrowSeen(marked=marked, confidence=_confidence(found, faces), lots=lots)

    def _faces(self, seeing: Seeing, found: Candidates, told: list[Floats], around: Surroundings) -> list[SeenFace]:
        """How the faces of these lots look. told : descriptions for each witness."""
        certain, alone = self._said(told)
        shown = found.judgement.readable
        shape, view = seeing.shape, seeing.view
        glare = burnt_out(view, shape, found.places)
        # On its edge a stick may show its whole face, but then it lies along the foot of the rim that it leans against.
        borders = seeing.maker.borders(found.places) if shape.is_long else np.zeros(len(found.places))
        leans = borders > -np.log(SHADE)
        is_told = abs(certain) >= 1
        for number in filter(around.is_half_hidden, np.flatnonzero(is_told).tolist()):
            rest = self._rest(seeing.maker, found.places[number], around.hidden(number))
            is_told[number] = rest * np.sign(certain[number]) >= 1
        return [
            SeenFace(
                odds=float(certain[number]) * self._witnesses[1].least / 2,
                is_certain=bool(is_told[number] or alone[number] >= 1),
                # Others that lie against one make it look as if it leaned.
                is_flat=bool(shown[number] > (0 if around.touch(number) else SURE[shape.kind]) and not leans[number]),
                is_hidden=bool(shown[number] <= UNLIKELY),
                in_glare=glare[number] > self._glare,
            )
            for number in range(len(found.places))
        ]

    def _rest(self, maker: CropMaker, place: Bar, hidden: Mask) -> float:
        """How certainly the lot is marked by what others leave free, beside the taught ones with as much hidden."""
        said = 0.0
        for close, networks in enumerate((self._model.describers, self._model.close)):
            crops = maker.hidden_alike(self._lesson.crops[close], place, hidden, close=bool(close))
            marked, plain, own = np.split(networks[maker.shape.kind].describe(crops), [2 * LOTS, 4 * LOTS])
            said += float(Witness(marked, plain, self._model.relations[maker.shape.kind]).certainty(own)[0])
        return said

    def _said(self, told: list[Floats]) -> tuple[Floats, Floats]:
        """How certainly each face is marked, (n,), and how much of that either network says by itself if they agree."""
        said = np.stack([one.certainty(each) for one, each in zip(self._witnesses, told, strict=True)])
        networks, colours = said[:2], np.clip(said[2:], -COLOURED, COLOURED)
        agree = np.ptp(np.sign(networks), axis=0) == 0
        alone = np.asarray(np.abs(networks).min(axis=0) * agree, np.float32)
        return networks.sum(axis=0) + colours.sum(axis=0), alone

    def _from_close_by(self, maker: CropMaker, places: Candidates) -> tuple[Candidates, list[Floats]]:
        """Those of the places where lots may lie by their faces as well, and descriptions of these for each witness."""
        told = self._model.witnessed(places.told, maker, places.places)
        present, shown = self._odds(maker, places.places, told)
        kept = np.flatnonzero(present > ABSENT).tolist()
        judgement = replace(places.judgement, present=present, readable=shown)
        return replace(places, judgement=judgement).of(kept), [one[kept] for one in told]

    def _odds(self, maker: CropMaker, places: Sequence[Bar], told: list[Floats]) -> Floats:
        """Log-odds for each of n places that a lot lies there, and that one shows its face there: (2, n)."""
        own, near = (one.judge for one in self._witnesses[:2])
        present, shown = self._model.odds[self._lesson.shape.kind] @ evidence(own, near, told[0], told[1])
        # What the judge alone is sure of is a lot, however strange its face looks, but less where less of it is seen.
        present = np.maximum(present, own(told[0]).present - ABSENT / 2)
        missing = np.maximum(1 - maker.seen(places) / self._lesson.usual, 0)
        return np.stack([present - ABSENT * missing, shown]).astype(np.float32)

    def _show_a_lot(self, maker: CropMaker, things: Sequence[Bar], doubted: Iterable[Bar]) -> bool:
        """Whether a lot lies where one of the things does, or a doubted place shows a lot's face.

        The judge may have moved a place away from the lot it was proposed for.
        """
        places = [*things, *doubted]
        told = self._model.witnessed(self._model.describe(maker, places), maker, places)
        present, _ = self._odds(maker, places, told)
        _, alone = self._said(told)
        shown = (alone >= 1) & (self._witnesses[1].judge.strangeness(told[1]) < FAMILIAR)
        return bool((present[: len(things)] > ABSENT).any() or (shown & (present > 0)).any())

    def _doubt(self, view: DetectedScene, faces: Sequence[SeenFace], around: Surroundings) -> str | None:
        """Why these may not be exactly four lots of which each shows its face; None if they are.

        faces, around : of these places, where lots may be.
        """
        covered = around.covered > COVERED
        if len(faces) != LOTS:
            if covered or (len(faces) < LOTS and reaches_in(view, self._lesson.shape)):
                return "covered"
            return "touching" if len(faces) > LOTS >= sum(face.is_flat for face in faces) else "count"
        if around.show_another() or not around.are_seen():
            return "count"
        if covered or around.leave_the_picture():
            return "covered"
        if any(face.in_glare for face in faces):
            return "glare"
        certain = all(face.is_certain for face in faces)
        doubted = [number for number, face in enumerate(faces) if face.is_hidden or (certain and not face.is_flat)]
        if doubted:
            return "touching" if any(around.touch(number) for number in doubted) else "leaning"
        return None if certain else "unclear"

    def _lot(self, view: DetectedScene, place: Bar, face: SeenFace) -> Lot:
        factor, outline = view.scene.factor, self._lesson.shape.ends.outline(place)
        shown = not (face.is_hidden or face.in_glare)
        known = shown and face.is_certain
        return Lot(
            x=(place.x + 0.5) * factor - 0.5,
            y=(place.y + 0.5) * factor - 0.5,
            angle=float(place.angle % 180) % 180,
            face=Face.UNKNOWN if not known else Face.MARKED if face.odds > 0 else Face.PLAIN,
            confidence=float(_share(abs(face.odds))) if shown else 0.0,
            outline=tuple((float(x), float(y)) for x, y in (outline + 0.5) * factor - 0.5),
        )


def _confidence(found: Candidates, faces: Sequence[SeenFace]) -> float:
    """Probability that the four lie there flat and show these faces."""
    return float(np.prod(_share(np.array([*(abs(face.odds) for face in faces), *found.judgement.readable]))))


def _share(odds: Any) -> Any:
    """Probability from log-odds."""
    return 1 / (1 + np.exp(-odds))

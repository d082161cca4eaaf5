"""Throws of casting sticks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.errors import FacesAlike
from companion.referee.events import Face, Lot
from hardware.faces import Faces, Look, look
from hardware.lots import Blob, Likeness, Verdict
from hardware.sorting import Sorted, sort
from hardware.taught import LOTS, Taught
from hardware.tray import Difference

FAINTEST = 5.0
"""Least mean Lab distance between the faces: below it camera noise and wood grain decide."""

LEAD, STRAYS = 0.2, 2
"""When each taught look is judged by the other seven, half of them must lead by LEAD and no more than STRAYS go wrong.
Faces that do not differ lead by 0 and half go wrong. Two may, because of kernels of mixed colours each is one of its
kind. The labelled sets lead by 0.4 to 0.9, with one stray among the mixed kernels."""

STRANGE = 0.75
"""Furthest a face may be from its nearest taught look, as a share of the distance between the faces. Raising it takes
more game pieces for lots, lowering it refuses lots in odd light."""

MARGIN = 0.2
"""How much nearer one face must be than the other, (far - near) / (far + near). Higher asks more often."""

BARE = (0.75, 1.35)
WHOLE = (0.76, 1.5)
"""A lot's area without and with its shadow, as shares of the smallest and the largest taught for the same face. A lot
on its edge shows less, two that touch show more (1.7 and up). Wider limits risk either, narrower refuse kernels that
lie oddly."""

HUGE = 6.0
"""Lots' worth of area from which a thing in the tray covers it. Four lots in a heap stay below."""

BURNT_OUT = 0.2
"""Share of white-out above which a face that cannot be read is put down to glare."""


class Sticks:
    """One set of casting sticks."""

    def __init__(self, taught: Taught) -> None:
        self._shape = taught.shape
        places = [(seen, blob) for seen, four in zip(taught.seen, taught.four, strict=True) for blob in four]
        self._level = float(np.median([seen.light[round(blob.y), round(blob.x)] for seen, blob in places]))
        looks = [look(seen, blob, self._shape, self._level) for seen, blob in places]
        self._looks = {Face.MARKED: tuple(looks[:LOTS]), Face.PLAIN: tuple(looks[LOTS:])}
        faces = Faces(looks[:LOTS], looks[LOTS:], self._shape)
        self.separation, self._strange = _telling(faces, looks[:LOTS], looks[LOTS:])
        if self.separation < FAINTEST:
            raise FacesAlike(
                f"The marked and the plain faces look too alike to this camera (they differ by {self.separation:.1f}, "
                f"{FAINTEST:.0f} are needed): make the marks bolder, or light the tray better."
            )
        more = [(look(one.seen, one.blob, self._shape, self._level), one.face) for one in taught.more]
        marked, plain = (
            [*self._looks[side], *(one for one, face in more if face is side)] for side in (Face.MARKED, Face.PLAIN)
        )
        self._faces = Faces(marked, plain, self._shape)

    @property
    def leads(self) -> tuple[float, ...]:
        """By how much each look of the calibration is told by all others, as MARGIN reckons; below 0 it is not."""
        apart = [(self._faces.apart(one, but=one), side) for side, looks in self._looks.items() for one in looks]
        ordered = [(near, far) if side is Face.MARKED else (far, near) for (near, far), side in apart]
        return tuple((far - near) / max(far + near, 1e-6) for near, far in ordered)

    def read(self, seen: Difference) -> Verdict:
        """What lies in the tray, and why it cannot be counted, or None."""
        found = sort(seen, self._shape)
        judged = [self._judge(blob, look(seen, blob, self._shape, self._level)) for blob in found.lots]
        lots = tuple(lot for lot, _ in judged)
        return lots, self._count_doubt(found) or next((doubt for _, doubt in judged if doubt), None)

    def _count_doubt(self, found: Sorted) -> str | None:
        """Why there may not be exactly four lots, or None when there are."""
        shape = self._shape
        if len(found.lots) == LOTS and not found.doubtful:
            return None
        if len(found.lots) > LOTS:
            return "count"
        if any(blob.at_border for blob in found.foreign) or any(
            blob.at_border or blob.area > HUGE * shape.area for blob in found.doubtful
        ):
            return "covered"
        kinds = {shape.likeness(blob) for blob in found.doubtful + found.foreign}
        if Likeness.CLUSTER in kinds:
            return "touching"
        return "leaning" if Likeness.EDGE in kinds else "count"

    def _judge(self, blob: Blob, face: Look) -> tuple[Lot, str | None]:
        """The lot with its face, and why that is doubtful, or None."""
        marked, plain = self._faces.apart(face)
        near, far = sorted((marked, plain))
        lead = (far - near) / max(far + near, 1e-6)
        side = Face.MARKED if marked < plain else Face.PLAIN
        doubt = _area_doubt(face, self._looks[side])
        if doubt is None and not (lead >= MARGIN and near <= self._strange):
            doubt = "glare" if face.glare > BURNT_OUT else "unclear"
        return Lot(
            x=blob.x,
            y=blob.y,
            angle=blob.angle,
            face=Face.UNKNOWN if doubt else side,
            confidence=float(1 - 0.5 * np.exp(-lead / 0.12)),
            outline=blob.box,
        ), doubt


def _telling(faces: Faces, marked: Sequence[Look], plain: Sequence[Look]) -> tuple[float, float]:
    """Least distance between looks of different faces, and the largest that still belongs to one of them.

    Both are 0 when the taught looks are not told apart by one another.
    """
    ups, downs = ([faces.apart(one, but=one) for one in looks] for looks in (marked, plain))
    own = [one[0] for one in ups] + [one[1] for one in downs]
    other = [one[1] for one in ups] + [one[0] for one in downs]
    leads = [(far - near) / max(far + near, 1e-6) for near, far in zip(own, other, strict=True)]
    if np.median(leads) < LEAD or sum(lead < 0 for lead in leads) > STRAYS:
        return 0.0, 0.0
    separation = min(other)
    return separation, min(separation, max(STRANGE * separation, 1.5 * max(own)))


def _area_doubt(face: Look, taught: Sequence[Look]) -> str | None:
    """Why an outline that fits may still not be one lot lying flat, or None."""
    wholes, bares = zip(*(one.extent for one in taught), strict=True)
    whole, bare = (area / face.inside.mean() for area in face.extent) if taught[0].inside.all() else face.extent
    if bare > BARE[1] * max(bares) or whole > WHOLE[1] * max(wholes):
        return "touching"
    tells = min(bares) > 0.5 * min(wholes)  # else the face itself looks like shadow, and its bare area is chance
    if (tells and bare < BARE[0] * min(bares)) or whole < WHOLE[0] * min(wholes):
        return "leaning"
    return None

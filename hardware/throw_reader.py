"""A picture of a settled throw in, its count or the reason there is none out."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.errors import PictureUnusable
from companion.referee.events import Face, Lot, ThrowSeen, ThrowUnreadable
from hardware.camera import Pixels
from hardware.crossing import untangle
from hardware.faces import Faces, Look, look
from hardware.lots import Blob, Likeness
from hardware.profile import LOTS, Profile
from hardware.sorting import Sorted, sort
from hardware.tray import Difference, Tray

MARGIN = 0.2
"""How much nearer one face must be than the other, (far - near) / (far + near). On 324 lots of the labelled throws that
lie free the right face leads by 0.2 or more in all but three, and the wrong one never does. Higher asks more often."""

BARE = (0.75, 1.35)
WHOLE = (0.76, 1.5)
"""A lot's area without and with its shadow, as shares of the smallest and the largest taught for the same face. A lot
on its edge shows less, two that touch show more (1.7 and up). Wider limits risk either, narrower refuse kernels that
lie oddly."""

HUGE = 6.0
"""Lots' worth of area from which a thing in the tray covers it. Four lots in a heap stay below."""

HEAP_MARGIN = 0.3
"""The same lead for sticks in a heap, of which only a part is judged."""

OPEN = 0.5
"""Least share of a stick in a heap that has to lie open. Half a face may be all that tells."""

BURNT_OUT = 0.2
"""Share of white-out above which a face that cannot be read is put down to glare."""


class ThrowReader:
    """Reads throws of the lots and the tray in ``profile``. Keeps nothing between pictures, so threads may share it."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._tray = Tray(profile.empty)
        self._faces = Faces(profile.marked, profile.plain, profile.shape)

    def read(self, pixels: Pixels) -> ThrowSeen | ThrowUnreadable:
        """The count of marked faces, or why it is not certain. Lots are in the pixels of the picture given.

        Raises PictureUnusable when the picture's proportions are not those of the calibration.
        """
        rows, columns = self.profile.empty.shape[:2]
        scale = pixels.shape[1] / columns
        if abs(pixels.shape[0] - rows * scale) > 2:
            raise PictureUnusable(
                f"The picture is {pixels.shape[1]} x {pixels.shape[0]}, the calibration's {columns} x {rows}: "
                "calibrate with the camera setting that reads."
            )
        if pixels.shape != self.profile.empty.shape:
            pixels = cv2.resize(pixels, (columns, rows), interpolation=cv2.INTER_AREA).astype(np.uint8)
        seen = self._tray.difference(pixels)
        if seen is None:
            return ThrowUnreadable(reason="moved")
        found = sort(seen, self.profile.shape)
        judged = [
            self._judge(blob, look(seen, blob, self.profile.shape, self.profile.level), scale) for blob in found.lots
        ]
        lots = tuple(lot for lot, _ in judged)
        reason = self._count_doubt(found) or next((doubt for _, doubt in judged if doubt), None)
        if reason in ("touching", "leaning", "count") and found.doubtful and self.profile.shape.is_long:
            heap = self._heap(seen, found, scale)
            lots, reason = (heap, None) if heap else (lots, reason)
        if reason is not None:
            return ThrowUnreadable(reason=reason, lots=lots)
        return ThrowSeen(
            marked=sum(lot.face is Face.MARKED for lot in lots),
            confidence=float(np.prod([lot.confidence for lot in lots])),
            lots=lots,
        )

    def _heap(self, seen: Difference, found: Sorted, scale: float) -> tuple[Lot, ...]:
        """Four sticks that touch or cross, each with a certain face; none when there is any doubt."""
        profile = self.profile
        lots = []
        for stick in untangle(seen, found.lots + found.doubtful + found.foreign, profile.shape, LOTS):
            face = look(seen, stick.blob, profile.shape, profile.level, stick.open)
            lot, doubt = self._judge(stick.blob, face, scale, margin=HEAP_MARGIN)
            if doubt or face.inside.mean() < OPEN or stick.blob.at_border:
                return ()
            lots.append(lot)
        return tuple(lots)

    def _count_doubt(self, found: Sorted) -> str | None:
        """Why there may not be exactly four lots, or None when there are."""
        shape = self.profile.shape
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

    def _judge(self, blob: Blob, face: Look, scale: float, *, margin: float = MARGIN) -> tuple[Lot, str | None]:
        """The lot with its face, and why that is doubtful, or None."""
        profile = self.profile
        marked, plain = self._faces.apart(face)
        near, far = sorted((marked, plain))
        lead = (far - near) / max(far + near, 1e-6)
        doubt = _area_doubt(face, profile.marked if marked < plain else profile.plain)
        if doubt is None and not (lead >= margin and near <= profile.strange):
            doubt = "glare" if face.glare > BURNT_OUT else "unclear"
        up = Face.UNKNOWN if doubt else Face.MARKED if marked < plain else Face.PLAIN
        return Lot(
            x=blob.x * scale,
            y=blob.y * scale,
            angle=blob.angle,
            face=up,
            confidence=float(1 - 0.5 * np.exp(-lead / 0.12)),
            outline=tuple((x * scale, y * scale) for x, y in blob.box),
        ), doubt


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

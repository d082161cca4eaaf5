"""Reads a picture of a settled throw: its count, or the reason why there is none."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from companion.errors import PictureUnusable
from companion.referee.events import Face, Lot, ThrowSeen, ThrowUnreadable
from hardware.cameras.camera import Pixels
from hardware.reader.grain import grain, is_drowned
from hardware.reader.kinds import kind
from hardware.reader.profile import Profile
from hardware.reader.taught import teach
from hardware.registration.sheet_registration import SheetRegistration

SURE_ENOUGH = 0.92
"""Least confidence of a throw that is answered: the product of its lots. Measured by tests/bench/reader_confidence.py
on the labelled throws and composed heaps (docs/reading.md): every labelled throw that is read right lies above it, the
lowest at 0.931, and a throw spoiled by hard compression that was misread lay at 0.90. Raised to 0.97 it asks about one
labelled throw in ten more; lowered to 0.85 it would have answered that one."""


MUCH = 0.2
"""Share of the picture that may have changed. Labelled throws that are read change 0.09 of it, hands beside the tray
and all, and under drawn shadows 0.17; more is no hand beside the tray, and may hide anything."""


class ThrowReader:
    """Reads throws of the lots and the tray in ``profile``. Keeps nothing between pictures, so threads may share it."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        taught = teach(profile.empty, profile.marked, profile.plain, profile.shown)
        self._tray = taught.tray
        self._sheet = SheetRegistration(profile.empty)
        self._grain = grain(profile.empty)
        self._lot_area = taught.shape.area
        self._kind = kind(taught)

    @classmethod
    def calibrate(cls, empty: Pixels, marked: Pixels, plain: Pixels) -> ThrowReader:
        """Fit a reader to the pictures of a calibration; its ``profile`` is the one to save.

        Parameters
        ----------
        empty, marked, plain : (rows, columns, 3) uint8 arrays
            The tray without lots, with all four marked side up, and with all four plain side up; blue-green-red.

        Raises
        ------
        ProfileUnusable
            If a picture does not show that, with advice; FacesAlike if only the faces cannot be told apart.
        """
        reader = cls(Profile(empty=empty, marked=marked, plain=plain, separation=0.0))
        reader.profile = replace(reader.profile, separation=reader._kind.separation)
        return reader

    @property
    def leads(self) -> tuple[float, ...]:
        """Margin by which the other taught faces recognise each face of the calibration, -1..1; below 0 they do not."""
        return self._kind.leads

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
        straight = self._sheet.register(pixels)
        seen = self._tray.difference(straight.pixels) if straight else None
        if straight is None or seen is None:
            return ThrowUnreadable(reason="moved")
        found, reason = self._kind.read(seen)
        if straight.is_cut_off(seen.changed, self._lot_area):
            reason = "moved"
        if reason is None and np.count_nonzero(seen.changed) > MUCH * seen.changed.size:
            reason = "covered"
        lots = tuple(_enlarged(straight.to_original(_enlarged(lot, seen.scale)), scale) for lot in found)
        confidence = float(np.prod([lot.confidence for lot in lots]))
        if reason is None and (confidence < SURE_ENOUGH or is_drowned(pixels, self._grain)):
            reason = "unclear"
        if reason is not None:
            return ThrowUnreadable(reason=reason, lots=lots)
        return ThrowSeen(marked=sum(lot.face is Face.MARKED for lot in lots), confidence=confidence, lots=lots)


def _enlarged(lot: Lot, scale: float) -> Lot:
    """The lot in a picture ``scale`` times as large; the middle of a pixel is a whole number in both."""

    def there(at: float) -> float:
        return (at + 0.5) * scale - 0.5

    outline = tuple((there(x), there(y)) for x, y in lot.outline)
    return replace(lot, x=there(lot.x), y=there(lot.y), outline=outline)

"""Reads throws of sticks by the outlines and colours measured in the calibration's pictures."""

from __future__ import annotations

import numpy as np

from companion.referee.events import Face, ThrowSeen, ThrowUnreadable
from hardware.reader.lots import doubted, enlarged
from hardware.reader.sticks.stick_reader import Sticks
from hardware.reader.taught_lots import Taught
from hardware.reader.tray import Difference
from hardware.registration.sheet_registration import RegisteredPicture

SURE_ENOUGH = 0.92
"""Least confidence of a throw that is answered: the product of its lots. Measured by tests/bench/reader_confidence.py
on the labelled throws and composed heaps (docs/reading.md): every labelled throw that is read right lies above it, the
lowest at 0.931, and a throw spoiled by hard compression that was misread lay at 0.90. Raised to 0.97 it asks about one
labelled throw in ten more; lowered to 0.85 it would have answered that one."""


MUCH = 0.2
"""Share of the picture that may have changed. Labelled throws that are read change 0.09 of it, hands beside the tray
and all, and under drawn shadows 0.17; more is no hand beside the tray, and may hide anything."""


class MeasuredReader:
    """Reads throws of calibrated sticks. Stateless between pictures, so threads may share it.

    told: whether the lots' outlines were given.
    Raises FacesAlike if their faces cannot be told apart.
    """

    def __init__(self, taught: Taught, *, told: bool = False) -> None:
        self.told = told
        self._tray = taught.tray
        self._lot_area = taught.shape.area
        self._sticks = Sticks(taught)

    @property
    def separation(self) -> float:
        """Distance between the two faces, in Lab units."""
        return self._sticks.separation

    @property
    def leads(self) -> tuple[float, ...]:
        """Margin by which the other taught faces recognise each face of the calibration, -1..1; below 0 they do not."""
        return self._sticks.leads

    def compare(self, picture: RegisteredPicture) -> Difference | None:
        """The picture's difference from the empty tray, or None if the tray is not found."""
        return self._tray.difference(picture.pixels)

    def read(self, picture: RegisteredPicture, seen: Difference) -> ThrowSeen | ThrowUnreadable:
        """Count the marked faces, or return why the count is uncertain. Lots are in pixels of the registered picture.

        seen: the picture's difference from the empty tray.
        """
        found, reason = self._sticks.read(seen)
        if picture.is_cut_off(seen.changed, self._lot_area):
            reason = "moved"
        if reason is None and np.count_nonzero(seen.changed) > MUCH * seen.changed.size:
            reason, found = "covered", tuple(doubted(found))
        lots = tuple(enlarged(lot, seen.scale) for lot in found)
        confidence = float(np.prod([lot.confidence for lot in lots]))
        if reason is None and confidence < SURE_ENOUGH:
            reason = "unclear"
        if reason is not None:
            return ThrowUnreadable(reason=reason, lots=lots)
        return ThrowSeen(marked=sum(lot.face is Face.MARKED for lot in lots), confidence=confidence, lots=lots)

"""Reads throws by the outlines and colours measured in the calibration's pictures."""

from __future__ import annotations

import numpy as np

from companion.referee.events import Face, ThrowSeen, ThrowUnreadable
from hardware.cameras.camera import Pixels
from hardware.reader.lot_kinds import kind
from hardware.reader.lots import Outlines, doubted, enlarged
from hardware.reader.taught_lots import Shown, teach
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
    """Reads throws of calibrated lots. Stateless between pictures, so threads may share it.

    shown, outlines: as for `teach`. told: whether outlines were given.
    reads_sticks: False for kernels, beans, coins and cubes.
    Raises ProfileUnusable, with advice, if the pictures are not sufficient.
    """

    def __init__(
        self,
        empty: Pixels,
        marked: Pixels,
        plain: Pixels,
        shown: tuple[Shown, ...] = (),
        outlines: Outlines | None = None,
    ) -> None:
        taught = teach(empty, marked, plain, shown, outlines)
        self.told = outlines is not None
        self._tray = taught.tray
        self._lot_area = taught.shape.area
        self.reads_sticks = taught.shape.is_long
        self._kind = kind(taught)

    @property
    def separation(self) -> float:
        """Distance between the two faces, in Lab units."""
        return self._kind.separation

    @property
    def leads(self) -> tuple[float, ...]:
        """Margin by which the other taught faces recognise each face of the calibration, -1..1; below 0 they do not."""
        return self._kind.leads

    def compare(self, picture: RegisteredPicture) -> Difference | None:
        """The picture's difference from the empty tray, or None if the tray is not found."""
        return self._tray.difference(picture.pixels)

    def read(self, picture: RegisteredPicture, seen: Difference) -> ThrowSeen | ThrowUnreadable:
        """Count the marked faces, or return why the count is uncertain. Lots are in pixels of the registered picture.

        seen: the picture's difference from the empty tray.
        """
        found, reason = self._kind.read(seen)
        if picture.is_cut_off(seen.changed, self._lot_area):
            reason = "moved"
        if np.count_nonzero(seen.changed) > MUCH * seen.changed.size and (reason is None or not self.reads_sticks):
            reason, found = reason or "covered", tuple(doubted(found))
        lots = tuple(enlarged(lot, seen.scale) for lot in found)
        confidence = float(np.prod([lot.confidence for lot in lots]))
        if reason is None and confidence < SURE_ENOUGH:
            reason = "unclear"
        if reason is not None:
            return ThrowUnreadable(reason=reason, lots=lots)
        return ThrowSeen(marked=sum(lot.face is Face.MARKED for lot in lots), confidence=confidence, lots=lots)

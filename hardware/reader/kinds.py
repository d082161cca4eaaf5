"""The kinds of lots there are, and what a reader of each kind answers."""

from __future__ import annotations

from typing import Protocol

from hardware.reader.lots import Verdict
from hardware.reader.small_lots.small_lot_reader import SmallLots
from hardware.reader.sticks.stick_reader import Sticks
from hardware.reader.taught import Taught
from hardware.reader.tray import Difference


class Kind(Protocol):
    """Knows one set of lots. Keeps nothing between pictures, so threads may share it."""

    @property
    def separation(self) -> float:
        """How far the two faces are apart, in Lab units."""
        ...

    @property
    def leads(self) -> tuple[float, ...]:
        """Margin by which the other taught faces recognise each face of the calibration, -1..1; below 0 they do not."""
        ...

    def read(self, seen: Difference) -> Verdict:
        """What lies in the tray."""
        ...


def kind(taught: Taught) -> Kind:
    """What knows the lots that were taught. Raises FacesAlike when their faces cannot be told apart."""
    return Sticks(taught) if taught.shape.is_long else SmallLots(taught)

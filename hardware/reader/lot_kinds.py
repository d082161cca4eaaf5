"""The kinds of lots, and the interface of their readers."""

from __future__ import annotations

from typing import Protocol

from hardware.reader.lots import Verdict
from hardware.reader.small_lots.small_lot_reader import SmallLots
from hardware.reader.sticks.stick_reader import Sticks
from hardware.reader.taught_lots import Taught
from hardware.reader.tray import Difference


class Kind(Protocol):
    """A reader of one set of lots. Stateless between pictures, so threads may share it."""

    @property
    def separation(self) -> float:
        """Distance between the two faces, in Lab units."""
        ...

    @property
    def leads(self) -> tuple[float, ...]:
        """Margin by which the other taught faces recognise each face of the calibration, -1..1; below 0 they do not."""
        ...

    def read(self, seen: Difference) -> Verdict:
        """Detect the lots in the tray."""
        ...


def kind(taught: Taught) -> Kind:
    """The reader for the taught lots. Raises FacesAlike if their faces cannot be told apart."""
    return Sticks(taught) if taught.shape.is_long else SmallLots(taught)

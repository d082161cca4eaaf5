"""The kinds of lots there are, and what a reader of each kind answers."""

from __future__ import annotations

from typing import Protocol

from hardware.lots import Verdict
from hardware.small_lots import SmallLots
from hardware.sticks import Sticks
from hardware.taught import Taught
from hardware.tray import Difference


class Kind(Protocol):
    """Knows one set of lots. Keeps nothing between pictures, so threads may share it."""

    @property
    def separation(self) -> float:
        """How far the two faces are apart, in Lab units."""
        ...

    @property
    def leads(self) -> tuple[float, ...]:
        """By how much each face of the calibration is told by all others that were taught, -1..1; below 0 it is not."""
        ...

    def read(self, seen: Difference) -> Verdict:
        """What lies in the tray."""
        ...


def kind(taught: Taught) -> Kind:
    """What knows the lots that were taught. Raises FacesAlike when their faces cannot be told apart."""
    return Sticks(taught) if taught.shape.is_long else SmallLots(taught)

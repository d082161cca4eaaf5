"""Four lots: what is known of those in a picture, and how readings give them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.referee.events import Face, Lot
from hardware.cameras.camera import Pixels

LONG = 2.5
"""Length over width from which a lot is a stick; below it is a kernel, bean, coin or cube. Kernels measured 1.0 to 1.7,
sticks 6 and more."""


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A picture beyond the calibration's, of the same size, and which face is up of some lots in it.

    lots: (x, y, angle, face), in the picture's pixels and degrees as in a Lot; without an angle in older profiles.
    """

    picture: Pixels
    lots: tuple[tuple[float, float, float | None, Face], ...]


def enlarged(lot: Lot, scale: float) -> Lot:
    """The lot in a picture ``scale`` times as large. Pixel centres have integer coordinates in both."""

    def there(at: float) -> float:
        return (at + 0.5) * scale - 0.5

    outline = tuple((there(x), there(y)) for x, y in lot.outline)
    return replace(lot, x=there(lot.x), y=there(lot.y), outline=outline)

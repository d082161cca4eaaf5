"""What is seen around the lots that were found, which may be part of another one, and what glare hides of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.reader.arrays import Mask
from hardware.reader.bars import Bar
from hardware.reader.detection.lot_shape import ALIKE_AREA, Component, DetectedScene, LotShape, components
from hardware.reader.judge.candidates import UNLIKELY
from hardware.reader.judge.shadows import SHADY
from hardware.registration.lighting import BURNT

EDGE, UNEXPLAINED = (0.25, 0.12), 0.08
"""Width of a stick's edge and of a small lot's, as a share of its width, and the share of a lot's area that may be left
over in one piece. Higher overlooks a fifth lot, lower asks about shadows. What is within an edge touches."""

PART = 0.45
"""Share of a face that others may hide, because a hidden mark looks like none, before the rest must tell it, and before
what lies against the lots is another one if that is likelier than not. Lower asks more, higher misreads."""

SEEN = 0.4
"""Share of what others leave free of a lot that must be seen. Lower takes shadows for lots that others hide, higher
asks about lots in the tray's colour."""

WITHIN = 0.85
"""Share of a lot that must be in the picture. Lower reads what is seen of a face that reaches out of it."""


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """Where the lots lie that were found, and what is seen of lots: masks of the working size, (rows, columns).

    cover : how many of these lots lie at each pixel. clear : what certainly belongs to lots.
    shade : what may be nothing but a shadow. covered : share of the picture that is something else than tray and lots.
    """

    shape: LotShape
    places: Sequence[Bar]
    lots: Sequence[Mask]
    cover: Mask
    seen: Mask
    clear: Mask
    shade: Mask
    covered: float

    @classmethod
    def of(cls, view: DetectedScene, shape: LotShape, places: Sequence[Bar], shade: NDArray[np.bool_]) -> Surroundings:
        """What is seen around the lots at these places.

        What lies against small lots may be a lot whatever the detector calls it, because it takes counters in one flat
        colour for other things, but not if it is ``shade``.
        """
        found = view.found
        new = found.lot if shape.is_long else (found.lot + found.other) * ~shade
        seen, clear = ((new > least).astype(np.uint8) for least in (0.5, 1 / (1 + np.exp(UNLIKELY))))
        lots = [shape.ends.mask(place, seen.shape) for place in places]
        cover = sum(lots, np.zeros(seen.shape, np.uint8))
        covered = float(((found.other > 0.5) & ~shade).mean())
        return cls(shape, places, lots, cover, seen, clear, shade.astype(np.uint8), covered)

    def show_another(self) -> bool:
        """Whether a part of another lot lies against these; of what lies alone the judge knows whether it is one."""
        own = self._with_edges(self.cover, EDGE[self.shape.kind])
        heaped = any(map(self.is_half_hidden, range(len(self.lots))))
        rest = cv2.morphologyEx((self.seen if heaped else self.clear) & ~own, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        near = cv2.dilate(own, np.ones((5, 5), np.uint8))
        pieces = components(rest > 0, UNEXPLAINED * self.shape.area)
        return any(near[one.outline[:, 1], one.outline[:, 0]].any() and not self._is_shadow(one) for one in pieces)

    def _is_shadow(self, piece: Component) -> bool:
        filled = cv2.fillPoly(np.zeros_like(self.shade), [piece.outline], 1)
        return bool(cv2.mean(self.shade, filled)[0] >= SHADY)

    def leave_the_picture(self) -> bool:
        """Whether a part of a lot is outside the picture."""
        return any(cv2.countNonZero(lot) < WITHIN * self.shape.area for lot in self.lots)

    def strangers(self) -> list[Bar]:
        """Where else things of a lot's size lie."""
        rest = self.seen & ~self._with_edges(self.cover, EDGE[1])
        found = components(rest > 0, ALIKE_AREA[0] * self.shape.area)
        return [one.box for one in found if one.area < ALIKE_AREA[1] * self.shape.area and not one.at_border]

    def leave_free(self, place: Bar) -> bool:
        """Whether none of these lots lies at a place."""
        return not self.cover[self.shape.ends.mask(place, self.cover.shape) > 0].any()

    def touch(self, number: int) -> bool:
        """Whether a lot lies against others."""
        place, others = self.places[number], self._others(number)
        around = self.shape.ends.mask(place.widened(EDGE[0] * place.width), others.shape)
        return bool((around & others).any())

    def are_seen(self) -> bool:
        """Whether enough is seen of each lot."""
        free = ((lot > self._others(number)).astype(np.uint8) for number, lot in enumerate(self.lots))
        return all(cv2.countNonZero(self.seen & part) >= max(1, SEEN * cv2.countNonZero(part)) for part in free)

    def hidden(self, number: int) -> Mask:
        """Where others, or their edges, may hide a lot."""
        return self.lots[number] & self._with_edges(self._others(number), EDGE[self.shape.kind])

    def is_half_hidden(self, number: int) -> bool:
        """Whether others may hide too much of a lot to tell its face by the whole."""
        covered = cv2.countNonZero(self.lots[number] & self._others(number))
        return covered >= PART * max(1, cv2.countNonZero(self.lots[number]))

    def _others(self, number: int) -> Mask:
        return np.asarray(self.cover > self.lots[number], np.uint8)

    def _with_edges(self, lots: Mask, share: float) -> Mask:
        side = 2 * round(share * self.shape.bar.width) + 1
        return np.asarray(cv2.dilate(np.minimum(lots, 1), np.ones((side, side), np.uint8)), np.uint8)


def reaches_in(view: DetectedScene, shape: LotShape) -> bool:
    """Whether something as large as a lot, such as a hand, reaches in over the picture's border."""
    return any(one.at_border for one in components(view.found.lot + view.found.other > 0.5, shape.area))


def burnt_out(view: DetectedScene, shape: LotShape, places: Sequence[Bar]) -> list[float]:
    """Share of the lot at each place that is burnt out to white."""
    white = np.asarray(cv2.inRange(view.scene.small, np.full(3, BURNT), np.full(3, 255)), np.uint8)
    return [shape.ends.mean(place, white)[0] / 255 for place in places]

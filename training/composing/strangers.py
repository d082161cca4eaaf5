"""Cuts hands and foreign objects out of rendered throws, to put them into composed ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import cv2
import numpy as np

from hardware.composing.cutouts import Cut, Plane
from hardware.composing.painting import PlacedLot
from training.rendered_sets import NEW_THINGS, RenderedSet

SIZE, COLOUR = (0.8, 1.25), 0.2
"""Limits of the change of size; standard deviation of the change of a thing's colour (logarithm of each channel)."""

SMALLEST = 60
"""Pixels of which less than this is seen are left out."""


class Strangers:
    """The hands and the other foreign objects of rendered sets."""

    def __init__(self, sets: Iterable[RenderedSet]) -> None:
        self._things: list[Cut] = []
        self._hands: list[PlacedLot] = []
        for one in sets:
            self.add(one)

    def add(self, one: RenderedSet) -> None:
        """Add those of a set's throws."""
        for thing in _strangers(one):
            if isinstance(thing, PlacedLot):
                self._hands.append(thing)
            else:
                self._things.append(thing)

    def thing(self, random: np.random.Generator, length: float | None = None) -> Cut | None:
        """A thing that was put into a tray for one throw, in another size and colour; None if there are none.

        length : pixels that it is long; about as long as it was, if left out.
        """
        if not self._things:
            return None
        thing = self._things[random.integers(len(self._things))]
        size = float(random.uniform(*SIZE)) if length is None else length / thing.length
        return changed(thing, size, np.exp(random.normal(0, COLOUR, 3)).astype(np.float32))

    def hand(self, shape: tuple[int, ...], random: np.random.Generator) -> PlacedLot | None:
        """A hand or anything else that reaches into a picture of that shape, at either side; None if there is none."""
        hands = [hand for hand in self._hands if hand.alpha.shape == shape[:2]]
        if not hands:
            return None
        hand = hands[random.integers(len(hands))]
        across, down = (int(way) for way in random.choice((1, -1), 2))
        pixels, alpha = (np.ascontiguousarray(plane[::down, ::across]) for plane in (hand.pixels, hand.alpha))
        return replace(hand, pixels=pixels, alpha=alpha, mark=alpha)


def changed(cut: Cut, size: float, colour: Plane) -> Cut:
    """The cut-out in another size and colour."""

    def sized(plane: Plane) -> Plane:
        if size == 1.0:
            return plane
        how = cv2.INTER_AREA if size < 1 else cv2.INTER_LINEAR
        return np.asarray(cv2.resize(plane, None, fx=size, fy=size, interpolation=how), np.float32)

    return replace(
        cut,
        pixels=sized(cut.pixels) * colour,
        alpha=sized(cut.alpha),
        mark=sized(cut.mark),
        x=(cut.x + 0.5) * size - 0.5,
        y=(cut.y + 0.5) * size - 0.5,
        length=cut.length * size,
        width=cut.width * size,
    )


def _strangers(one: RenderedSet) -> Iterator[Cut | PlacedLot]:
    """The foreign objects of a set's throws: what reaches out of the picture in its place, the others cut out."""
    for image in one.images("throw"):
        values = {other["mask_value"] for other in image["others"]} & set(NEW_THINGS)
        if not values:
            continue
        pixels, mask = one.picture(image["file"]).astype(np.float32), one.mask(image)
        for value in values:
            shown = (mask == value).astype(np.float32)
            if shown.sum() < SMALLEST:
                continue
            alpha = cv2.GaussianBlur(shown, (0, 0), 0.7).astype(np.float32)
            if max(shown[0].max(), shown[-1].max(), shown[:, 0].max(), shown[:, -1].max()) > 0:
                yield PlacedLot(pixels, alpha, alpha, 0, 0, float(alpha.sum()), float(alpha.sum()))
                continue
            left, top, columns, rows = cv2.boundingRect((alpha > 0.01).astype(np.uint8))
            part = (slice(top, top + rows), slice(left, left + columns))
            yield Cut(
                lot=-1,
                marked=False,
                pixels=pixels[part],
                alpha=alpha[part],
                mark=alpha[part],
                x=columns / 2,
                y=rows / 2,
                angle=0.0,
                length=float(max(rows, columns)),
                width=float(min(rows, columns)),
            )

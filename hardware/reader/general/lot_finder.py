"""Locates four lots of a known shape, even if they touch and cross."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.reader.general.lot_shape import LOTS, Component, DetectedScene, LotShape, Spread, components
from hardware.reader.sticks.bars import Bar
from hardware.reader.sticks.heap import Heap, fit, search
from hardware.reader.sticks.stacking import stacking
from hardware.reader.tray_moves import Floats

FITTED_WIDTH = 18.0
"""Pixels that lots are wide while they are fitted. More places them more exactly and costs time with its square."""

CUTS = (0.5, 0.3, 0.18)
"""Probabilities from which a pixel speaks for a lot, tried in turn. Lower ones show fainter lots, and shadows."""

FAINTEST = 0.5
"""Least mean evidence of a lot over its outline, -1 to 1."""

HAND = 1.0
"""Lots' worth of area from which a thing that reaches in from the picture's border is a hand and no lot."""

STACKED = (0.5, 0.05)
"""What a pixel costs that two lots cover: small lots and sticks. Small ones seldom lie upon one another."""

LEAST = 0.12
"""Share of a lot's area from which a thing counts at all. Lower asks about specks, higher overlooks a lot's tip."""

FIFTH = 0.3
"""Lots' worth of area that may stay unexplained in one piece. Higher overlooks a fifth lot under another, lower asks
about shadows."""

FULL = 1.15
"""How many times the area of the largest taught ones small lots that touch may cover. Higher overlooks one that lies
half on another, lower asks about shadows between them."""

OWN = 0.15
"""Share of a lot that it alone must explain. Lower answers with a lot that is not there."""

FILLED, BESIDE = 0.85, 0.1
"""Least share of a stick's outline, drawn wider by a tenth on each side, that the network takes for lots, as a share of
the throw's best filled one. A stick on its edge fills less, and so does one put in the wrong place: three on edge
had 0.66, 0.76 and 0.83, two in three others more than 0.85. Higher asks more."""

AGREEMENT = 0.6
"""Least overlap (intersection over union) of the fitted lots and what the network takes for lots. Higher asks more."""

LENGTHS, WIDTHS, AREAS = (0.84, 1.14), (0.6, 1.5), (0.6, 1.45)
"""How a single stick's outline may differ from the taught one."""

LIKE_TAUGHT = (0.8, 1.1)
"""How far length, width and area of a single small lot may be beyond the least and the largest taught one. Wider takes
one that lies half on another for a single one, and one on its edge for a flat one."""

Mask = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Arrangement:
    """Lots that together explain a picture.

    bars : the lots' places, in pixels of the working size.
    visible : for each lot the mask of pixels that show it, (rows, columns) bool.
    touching : for each lot, whether it shares a component with others.
    doubt : why these may not be exactly four lots, or None.
    """

    bars: tuple[Bar, ...]
    visible: tuple[NDArray[np.bool_], ...]
    touching: tuple[bool, ...]
    doubt: str | None


def arrange(view: DetectedScene, shape: LotShape) -> list[Arrangement]:
    """The arrangements of four lots that explain the picture, best first; at least one, possibly with a doubt.

    Faint sticks appear only at a lower cut; sticks that are clear at a higher cut are kept from there. Small lots use
    the cut that they were measured at: at a higher one, two overlapping lots may have the outline of a single lot.
    """
    ways: list[Arrangement] = []
    for cut in CUTS if shape.is_long else (shape.cut,):
        found = _arranged(view, shape, _evidence(view, shape, cut))
        ways = ways or found
        if found[0].doubt in (None, "leaning"):
            return found
    return ways


def _arranged(view: DetectedScene, shape: LotShape, odds: Floats) -> list[Arrangement]:
    found = components(odds > 0, LEAST * shape.area)
    singles = [one for one in found if is_single(one, shape)]
    clumps = [one for one in found if one not in singles]
    alone = [_fitted(odds, one, shape) for one in singles]
    missing = LOTS - len(alone)
    if missing <= 0 or not clumps:
        extra = any(one.area > FIFTH * shape.area for one in clumps)
        doubt = "count" if len(alone) != LOTS or extra else _leaning(odds, shape, alone)
        return [_arrangement(view, shape, odds, alone, len(alone), doubt)]
    ways = _clumped(odds, clumps, shape, missing) if shape.is_long or _may_be(clumps, shape, missing) else []
    if not ways:
        return [_arrangement(view, shape, odds, alone, len(alone), "count")]
    return [
        _arrangement(view, shape, odds, [*alone, *bars], len(alone), _doubt(odds, shape, alone, bars)) for bars in ways
    ]


def _may_be(clumps: Sequence[Component], shape: LotShape, lots: int) -> bool:
    """Whether clumps of small lots may consist of that many lots, judged by their outlines and area.

    Two overlapping lots have nearly the same outline as a single lot with its shadow.
    """
    large = [one for one in clumps if one.area > FIFTH * shape.area]
    return 2 * len(large) <= lots and sum(one.area for one in clumps) <= FULL * lots * shape.spread[2][1]


def is_single(one: Component, shape: LotShape) -> bool:
    """Whether a component has the outline of one whole lot."""
    sizes = (one.box.length / shape.bar.length, one.box.width / shape.bar.width, one.area / shape.area)
    limits: Spread = (LENGTHS, WIDTHS, AREAS)
    if not shape.is_long:
        sizes = (one.box.length, one.box.width, one.area)
        limits = tuple((LIKE_TAUGHT[0] * least, LIKE_TAUGHT[1] * most) for least, most in shape.spread)
    return not one.at_border and all(low <= size <= high for size, (low, high) in zip(sizes, limits, strict=True))


def _evidence(view: DetectedScene, shape: LotShape, cut: float) -> Floats:
    """Each pixel's evidence for a lot, (rows, columns): -1 to 1, 0 at the cut. Intrusions at the border excluded."""
    found = view.found
    things = ((found.lot + found.other > 0.5) | (found.other > 0.3)).astype(np.uint8)
    _, labels, facts, _ = cv2.connectedComponentsWithStats(cv2.dilate(things, np.ones((5, 5), np.uint8)))
    rim = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
    hands = [one for one in rim if one and facts[one, cv2.CC_STAT_AREA] > HAND * shape.area]
    lot = np.where(np.isin(labels, hands), 0, found.lot) if hands else found.lot
    return np.asarray(np.where(lot > cut, (lot - cut) / (1 - cut), (lot - cut) / cut), np.float32)


def _fitted(odds: Floats, one: Component, shape: LotShape) -> Bar:
    """The taught bar fitted to a single component; lots of irregular shape keep their own outline."""
    if not shape.is_long:
        return replace(one.box)
    place = replace(one.box, length=shape.bar.length, width=shape.bar.width)
    left, top, piece = _cut(odds, [one], round(shape.bar.width))
    moved = replace(place, x=place.x - left, y=place.y - top)
    (bar,) = fit(piece, [moved], shape.bar, shape.ends, ((1.0, 0.5, 0.7, 0.015),)).bars
    return replace(bar, x=bar.x + left, y=bar.y + top)


def _clumped(odds: Floats, clumps: Sequence[Component], shape: LotShape, missing: int) -> list[tuple[Bar, ...]]:
    """The best arrangements of ``missing`` lots that explain the clumps."""
    left, top, piece = _cut(odds, clumps, round(0.5 * shape.bar.width) + 4)
    scale = FITTED_WIDTH / shape.bar.width
    large = np.asarray(cv2.resize(piece, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR), np.float32)
    size = replace(shape.bar, length=shape.bar.length * scale, width=FITTED_WIDTH)

    def back(bar: Bar) -> Bar:
        return replace(
            bar,
            x=(bar.x + 0.5) / scale - 0.5 + left,
            y=(bar.y + 0.5) / scale - 0.5 + top,
            length=bar.length / scale,
            width=bar.width / scale,
        )

    ways: list[Heap] = search(large, size, shape.ends, missing, FAINTEST, STACKED[shape.is_long])
    return [tuple(back(bar) for bar in way.bars) for way in ways if way.explained > ways[0].explained - LEAST]


def _cut(odds: Floats, found: Sequence[Component], margin: int) -> tuple[int, int, Floats]:
    """Crop the odds around the components, masking other objects. Returns left, top and the crop."""
    points = np.concatenate([one.outline for one in found])
    left, top = np.maximum(points.min(axis=0) - margin, 0)
    right, bottom = points.max(axis=0) + margin + 1
    own = np.zeros(odds.shape, np.uint8)
    cv2.drawContours(own, [one.outline for one in found], -1, 1, cv2.FILLED)
    own = np.asarray(cv2.dilate(own, np.ones((7, 7), np.uint8)), np.uint8)
    piece = np.where(own > 0, odds, -1.0)[top:bottom, left:right]
    return int(left), int(top), piece.astype(np.float32)


def _doubt(odds: Floats, shape: LotShape, alone: Sequence[Bar], bars: Sequence[Bar]) -> str | None:
    """Why the bars may not be all the lots, or not only lots; None if there is no doubt."""
    lots = (odds > 0).astype(np.uint8)
    masks = [shape.ends.mask(bar, lots.shape) for bar in (*alone, *bars)]
    cover = np.sum(masks, axis=0, dtype=np.uint8)
    wide = np.zeros_like(lots)
    for bar in (*alone, *bars):
        wide |= shape.ends.mask(bar.widened(0.12 * bar.width), lots.shape)
    rest = cv2.morphologyEx(lots & (1 - wide), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    left = components(rest > 0, FIFTH * shape.area)
    if left:
        return "count"
    if any(((cover == 1) & (mask > 0) & (lots > 0)).sum() < OWN * shape.area for mask in masks):
        return "count"
    if doubt := _leaning(odds, shape, (*alone, *bars)):
        return doubt
    union = np.count_nonzero((cover > 0) | (lots > 0))
    return "touching" if np.count_nonzero((cover > 0) & (lots > 0)) < AGREEMENT * union else None


def _leaning(odds: Floats, shape: LotShape, bars: Sequence[Bar]) -> str | None:
    """Return "leaning" if a stick, where it is not covered, is narrower than the others; else None."""
    if not shape.is_long:
        return None
    masks = [shape.ends.mask(bar.widened(BESIDE * bar.width), odds.shape) for bar in bars]
    cover = np.sum(masks, axis=0, dtype=np.uint8)
    own = [(mask > 0) & (cover == 1) for mask in masks]
    filled = [float((odds[part] > 0).mean()) for part in own if part.any()]
    return "leaning" if min(filled) < FILLED * max(filled) else None


def _arrangement(
    view: DetectedScene, shape: LotShape, odds: Floats, bars: Sequence[Bar], alone: int, doubt: str | None
) -> Arrangement:
    """The arrangement of these bars. Where two cross, neither is visible unless it certainly lies on top."""
    lots = odds > -0.2
    masks = [shape.ends.mask(bar, lots.shape) > 0 for bar in bars]
    visible = [mask & lots for mask in masks]
    on_top: Callable[[Bar, Bar], bool] | None = None
    for one in range(len(bars)):
        for other in range(one + 1, len(bars)):
            shared = masks[one] & masks[other]
            if not shared.any():
                continue
            on_top = on_top or stacking(view.scene.small, shape.ends)
            if not on_top(bars[one], bars[other]):
                visible[one] = visible[one] & ~shared
            if not on_top(bars[other], bars[one]):
                visible[other] = visible[other] & ~shared
    return Arrangement(tuple(bars), tuple(visible), tuple(number >= alone for number in range(len(bars))), doubt)

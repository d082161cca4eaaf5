"""Locates four lots of a known shape, even if they touch and cross."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules.odds import LOTS
from hardware.reader.general.clumps import explaining
from hardware.reader.general.lot_shape import Component, DetectedScene, LotShape, Spread, components
from hardware.reader.general.stick_check import misfit, widths_seen
from hardware.reader.sticks.bars import Bar
from hardware.reader.sticks.heap import Heap, fit, places_for, search
from hardware.reader.sticks.stacking import stacking
from hardware.reader.tray_moves import Floats

FITTED_WIDTH = 18.0
"""Pixels that lots are wide while they are fitted. More places them more exactly and costs time with its square."""

TRIES = ((0.5, 0.0, False), (0.5, 1.0, False), (0.25, 0.0, False), (0.5, 0.0, True))
"""Probabilities from which a pixel speaks for a stick, what the probability of another thing adds to it, and whether
things at the picture's border count too, tried in turn. The network often takes crossings for something else, and lower
probabilities show fainter lots, and shadows. What reaches the border may be a hand, or a stick and its shadow."""

FAINTEST = 0.5
"""Least mean evidence of a lot over its outline, -1 to 1."""

BESIDE = 0.6
"""Gap in lots' widths up to which a thing beside a hand is part of it. Higher asks about lots beside hands, lower takes
fingertips for lots."""

STACKED = 0.05
"""What a pixel costs that two sticks cover."""

STEEP = 4
"""How much a small lot's evidence is raised, up to 1, so that faint colours count as much as strong ones."""

LEAST = 0.12
"""Share of a lot's area from which a thing counts at all. Lower asks about specks, higher overlooks a lot's tip."""

FIFTH = 0.3
"""Lots' worth of area that may stay unexplained in one piece. Higher overlooks a fifth lot under another, lower asks
about shadows."""

PAIRS, ROOM, BARE = 0.4, 0.25, 0.15
"""Lots' worth of area that small lots may share or leave bare: in each pair, in a larger clump, and bare in solid
pieces. Composed heaps of five had 0.31 and more, or 0.23 and more in solid pieces. Higher overlooks a fifth lot, lower
asks about lots of unequal sizes."""

ONE_MORE = 0.01
"""Lots' worth of evidence that one more stick may explain, less what its overlaps cost. Heaps composed of four reached
0.002, two in three of those composed of five that passed all other checks 0.05. Higher overlooks a fifth stick."""

OWN = 0.15
"""Share of a lot that it alone must explain. Lower answers with a lot that is not there."""

AGREEMENT = 0.6
"""Least overlap (intersection over union) of the fitted lots and what the network takes for lots. Higher asks more."""

LENGTHS, WIDTHS, AREAS = (0.84, 1.14), (0.6, 1.5), (0.6, 1.45)
"""How a single stick's outline may differ from the taught one."""

LIKE_TAUGHT = (0.8, 1.1)
"""How far length, width and area of a single small lot may be beyond the least and the largest taught one. Wider takes
one that lies half on another for a single one, and one on its edge for a flat one."""

THIN = 0.5
"""Thickness under which a thing among small lots is none, as a share of a lot's width: edges of the tray, and light.
Higher overlooks lots on their edge, lower asks about reflections."""

Mask = NDArray[np.uint8]

IsStrange = Callable[[Component], bool]
"""Whether a component has none of the lots' colours."""


@dataclass(frozen=True, slots=True, eq=False)
class Arrangement:
    """Lots that together explain a picture.

    bars : the lots' places, in pixels of the working size.
    visible : for each lot the mask of pixels that show it, (rows, columns) bool.
    touching : for each lot, whether it shares a component with others.
    doubt : why these may not be exactly four lots, or None.
    crowded : whether one more lot would explain the picture better.
    """

    bars: tuple[Bar, ...]
    visible: tuple[NDArray[np.bool_], ...]
    touching: tuple[bool, ...]
    doubt: str | None
    crowded: bool = False


def arrange(view: DetectedScene, shape: LotShape, is_strange: IsStrange) -> list[Arrangement]:
    """The arrangement of four lots that best explains the picture; if there is no doubt about it, also the next best.

    Faint sticks appear only at a lower cut; sticks that are clear at a higher cut are kept from there. Small lots use
    the cut that they were measured at: at a higher one, two overlapping lots may have the outline of a single lot.
    """
    ways: list[Arrangement] = []
    for cut, others, border in TRIES if shape.is_long else ((shape.cut, 0.0, False),):
        found = _arranged(view, shape, _evidence(view, shape, cut, others, border), is_strange)
        ways = ways or found
        if border and any(is_strange(_component(shape, bar)) for bar in found[0].bars):
            break
        if found[0].crowded or found[0].doubt in (None, "leaning"):
            return found
    return ways


def taught_widths(views: Sequence[DetectedScene], shape: LotShape) -> tuple[float, float] | None:
    """The usual widths of these sticks in the pictures that teach, as LotShape has them; None if they are covered."""
    seen = []
    for view in views:
        bars = arrange(view, shape, lambda _: False)[0].bars
        seen += widths_seen(view, _evidence(view, shape, *TRIES[0]), shape, bars)
    return tuple(np.median(seen, axis=0).tolist()) if seen else None


def _component(shape: LotShape, bar: Bar) -> Component:
    return Component(np.round(shape.ends.outline(bar)).astype(np.int32), bar, shape.area, False)


def _arranged(view: DetectedScene, shape: LotShape, odds: Floats, is_strange: IsStrange) -> list[Arrangement]:
    found = components(odds > 0, LEAST * shape.area)
    strange = [one for one in found if not _is_stick(one, shape) and _is_no_lot(one, shape, is_strange)]
    if strange:
        odds = odds.copy()
        cv2.drawContours(odds, [one.outline for one in strange], -1, -1.0, cv2.FILLED)
        found = [one for one in found if one not in strange]
    singles = [one for one in found if is_single(one, shape)]
    clumps = [one for one in found if one not in singles]
    alone = [_fitted(odds, one, shape) for one in singles]
    missing = LOTS - len(alone)
    if missing <= 0 or not clumps:
        extra = any(one.area > FIFTH * shape.area for one in clumps)
        doubt = "count" if len(alone) != LOTS or extra else None
        if doubt is None and shape.is_long:
            doubt = misfit(view, odds, shape, alone)
        return [_arrangement(view, shape, odds, alone, len(alone), doubt)]
    ways, explained = _clumped(odds, clumps, shape, missing)
    if not ways:
        return [_arrangement(view, shape, odds, alone, len(alone), "count")]

    def checked(bars: Sequence[Bar]) -> Arrangement:
        told = shape.is_long or _is_filled(clumps, shape, bars, odds.shape)
        doubt = _doubt(view, odds, shape, alone, bars) if told else "count"
        return _arrangement(view, shape, odds, [*alone, *bars], len(alone), doubt)

    best = checked(ways[0])
    if best.doubt is not None:
        return [best]
    _, with_one_more = _clumped(odds, clumps, shape, missing + 1)
    if with_one_more > explained + ONE_MORE:
        return [replace(best, doubt="count", crowded=True)]
    return [best, *map(checked, ways[1:2])]


def _is_stick(one: Component, shape: LotShape) -> bool:
    return shape.is_long and is_single(one, shape)


def _is_no_lot(one: Component, shape: LotShape, is_strange: IsStrange) -> bool:
    """Whether a component is thinner than any lot, or has colours that no taught lot has."""
    return _thickness(one) < THIN * shape.bar.width or is_strange(one)


def _thickness(one: Component) -> float:
    """Diameter in pixels of the largest circle inside the component."""
    low = one.outline.min(axis=0) - 1
    drawn = np.zeros((one.outline.max(axis=0) - low + 2)[::-1], np.uint8)
    cv2.drawContours(drawn, [one.outline - low], -1, 1, cv2.FILLED)
    return 2 * float(cv2.distanceTransform(drawn, cv2.DIST_L2, 3).max())


def _is_filled(clumps: Sequence[Component], shape: LotShape, bars: Sequence[Bar], size: tuple[int, ...]) -> bool:
    """Whether small lots fill their clumps, with no room for another one under or beside them."""
    drawn = cv2.drawContours(np.zeros(size, np.uint8), [one.outline for one in clumps], -1, 1, cv2.FILLED)
    cover = np.sum([shape.ends.mask(bar, size) for bar in bars], axis=0, dtype=np.uint8)
    bare = np.asarray(drawn & (cover == 0), np.uint8)
    solid = cv2.morphologyEx(bare, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    room = np.count_nonzero(bare) + np.count_nonzero(cover > 1)
    large = sum(one.area > FIFTH * shape.area for one in clumps)
    allowed = PAIRS * large if len(bars) <= 2 * large else ROOM
    return bool(
        np.count_nonzero(drawn) > LIKE_TAUGHT[0] * shape.spread[2][0] * len(bars)
        and np.count_nonzero(solid) < BARE * shape.area
        and room < allowed * shape.area
    )


def is_single(one: Component, shape: LotShape) -> bool:
    """Whether a component has the outline of one whole lot."""
    sizes = (one.box.length / shape.bar.length, one.box.width / shape.bar.width, one.area / shape.area)
    limits: Spread = (LENGTHS, WIDTHS, AREAS)
    if not shape.is_long:
        sizes = (one.box.length, one.box.width, one.area)
        limits = tuple((LIKE_TAUGHT[0] * least, LIKE_TAUGHT[1] * most) for least, most in shape.spread)
    return not one.at_border and all(low <= size <= high for size, (low, high) in zip(sizes, limits, strict=True))


def _evidence(view: DetectedScene, shape: LotShape, cut: float, others: float, border: bool) -> Floats:
    """Each pixel's evidence for a lot, (rows, columns): -1 to 1, 0 at the cut.

    border : whether things that reach the picture's border count.
    """
    found = view.found
    things = ((found.lot + found.other > 0.5) | (found.other > 0.3)).astype(np.uint8)
    side = max(5, round(BESIDE * shape.bar.width))
    _, labels, facts, _ = cv2.connectedComponentsWithStats(cv2.dilate(things, np.ones((side, side), np.uint8)))
    rim = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
    hands = [one for one in rim if one and facts[one, cv2.CC_STAT_AREA] > FIFTH * shape.area]
    lot = np.minimum(found.lot + others * found.other, 1)
    lot = np.where(np.isin(labels, hands), 0, lot) if hands and not border else lot
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


def _clumped(
    odds: Floats, clumps: Sequence[Component], shape: LotShape, missing: int
) -> tuple[list[tuple[Bar, ...]], float]:
    """The best arrangements of ``missing`` lots that explain the clumps; how many lots' worth the first explains."""
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

    ways: list[Heap] = (
        search(large, size, shape.ends, missing, FAINTEST, STACKED)
        if shape.is_long
        else explaining(np.clip(STEEP * large, -1, 1), size, shape.ends, missing)
    )
    best = ways[0].explained if ways else 0.0
    return [tuple(back(bar) for bar in way.bars) for way in ways if way.explained > best - LEAST], best


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


def _doubt(view: DetectedScene, odds: Floats, shape: LotShape, alone: Sequence[Bar], bars: Sequence[Bar]) -> str | None:
    """Why the bars may not be all the lots, or not only lots; None if there is no doubt."""
    lots = (odds > 0).astype(np.uint8)
    masks = [shape.ends.mask(bar, lots.shape) for bar in (*alone, *bars)]
    cover = np.sum(masks, axis=0, dtype=np.uint8)
    wide = np.zeros_like(lots)
    for bar in (*alone, *bars):
        wide |= shape.ends.mask(bar.widened(0.12 * bar.width), lots.shape)
    rest = np.asarray(cv2.morphologyEx(lots & (1 - wide), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    if components(rest > 0, FIFTH * shape.area) or (shape.is_long and _shows_fifth(odds, shape, wide, rest)):
        return "count"
    if any(((cover == 1) & (mask > 0) & (lots > 0)).sum() < OWN * shape.area for mask in masks):
        return "count"
    if shape.is_long and (doubt := misfit(view, odds, shape, (*alone, *bars))):
        return doubt
    union = np.count_nonzero((cover > 0) | (lots > 0))
    return "touching" if np.count_nonzero((cover > 0) & (lots > 0)) < AGREEMENT * union else None


def _shows_fifth(odds: Floats, shape: LotShape, wide: Mask, rest: Mask) -> bool:
    """Whether what four sticks leave over (``rest``) has room for a fifth one, which others may cross (``wide``)."""
    if np.count_nonzero(rest) < FIFTH * shape.area:
        return False
    fifth = places_for(np.where(wide > 0, 0, odds).astype(np.float32), shape.bar, 1)
    return any(np.count_nonzero(rest & shape.ends.mask(bar, rest.shape)) > FIFTH * shape.area for bar in fifth)


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

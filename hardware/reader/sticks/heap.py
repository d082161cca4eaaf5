"""Locates four sticks, even if they touch and cross: the four bars that best explain the evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import cv2
import numpy as np

from hardware.reader.sticks.bars import Bar, Ends, Sums
from hardware.reader.tray_moves import Floats, Mask

HALF = 2
"""The search runs at half size, where a stick is some ten pixels wide; the result is fitted at full size."""

TURN = 3.0
"""Degrees between the directions tried: the ends move by less than half a stick's width."""

CORE = (0.88, 0.8)
"""Share of a stick's length and width over which the search averages the evidence. Higher misses sticks that lean or
lie between two directions, lower finds sticks everywhere in a heap."""

CANDIDATES, MORE = 48, 16
"""Number of candidate places kept, and how many more are sought where something stays unexplained."""

MOST_HIDDEN = 0.55
"""Largest share of a stick that another may cover. The face of one covered further cannot be read, and near duplicates
of one place would displace fainter sticks."""

BEAM = 60
"""Combinations kept at each step of the search."""

RIVALS = 6
"""Number of best combinations, all different, that are fitted at full size."""

UNEXPLAINED = 0.4
"""Mean odds of an unexplained place from which it becomes a candidate, as a share of those of the faintest taught
stick."""

STRETCH = (0.72, 1.14)
"""Apparent length of a stick that leans, and of one raised towards the camera, as shares of its own."""

STIFF = 0.6
"""Cost of stretching by a third, as a share of a stick's area. Lower lets sticks shrink away from doubtful ends."""

Step = tuple[float, float, float, float]
STEPS: tuple[Step, ...] = ((4.0, 2.0, 3.0, 0.0), (2.0, 1.0, 1.5, 0.03), (1.0, 0.5, 0.7, 0.015))
"""Steps of the fit, from coarse to fine: pixels along and across, degrees, and share of the length."""


@dataclass(frozen=True, slots=True)
class Heap:
    """Sticks that together explain the evidence. The score is the sum of odds that they cover, in sticks."""

    bars: tuple[Bar, ...]
    explained: float

    def same(self, other: Heap) -> bool:
        """Whether both have their sticks in nearly the same places."""
        rest = list(other.bars)
        for bar in self.bars:
            twin = next((one for one in rest if _twins(bar, one)), None)
            if twin is None:
                return False
            rest.remove(twin)
        return True


def _twins(one: Bar, other: Bar) -> bool:
    far, turned = one.apart(other)
    return far < 0.12 * one.length and turned < 7


def search(odds: Floats, size: Bar, ends: Ends, sticks: int, faintest: float, shared: float = 0.0) -> list[Heap]:
    """The arrangements of ``sticks`` sticks that explain the evidence, best first; empty if too few places are found.

    size: a stick's length and width; its place is ignored. faintest: mean odds of the faintest taught stick.
    shared: cost of each pixel that two sticks cover, for lots that rarely overlap.
    """
    places = places_for(odds, size, CANDIDATES)
    if len(places) < sticks:
        return []
    chosen = _combine(odds, places, ends, sticks, shared)
    for _ in range(2 if chosen else 0):
        cover = np.zeros(odds.shape, np.uint8)
        for bar in chosen[0]:
            cover |= ends.mask(bar.widened(0.12 * size.width), odds.shape)
        bare = np.where(cover > 0, 0, odds).astype(np.float32)
        least = UNEXPLAINED * faintest * size.length * size.width
        if bare[bare > 0].sum() <= least:
            break
        none = np.zeros_like(cover)
        sums = Sums(bare)
        more = [bar for bar in places_for(bare, size, MORE) if ends.weight(bar, sums, none) > least]
        if not more:
            break
        places += more
        chosen = _combine(odds, places, ends, sticks, shared)
    ways = list(islice(_different(Heap(bars, 0.0) for bars in chosen), RIVALS))
    # Most rivals are one arrangement after the first steps.
    for steps in (STEPS[:1], STEPS[1:]):
        fitted = (fit(odds, way.bars, size, ends, steps, shared) for way in ways)
        ways = list(_different(sorted(fitted, key=lambda way: -way.explained)))
    return ways


def _different(heaps: Iterable[Heap]) -> Iterator[Heap]:
    """Those that are not the same as one before."""
    found: list[Heap] = []
    for heap in heaps:
        if not any(heap.same(other) for other in found):
            found.append(heap)
            yield heap


def places_for(odds: Floats, size: Bar, most: int) -> list[Bar]:
    """At most so many candidate places for a stick, best first, without near duplicates."""
    small = np.clip(cv2.resize(odds, None, fx=1 / HALF, fy=1 / HALF, interpolation=cv2.INTER_AREA), -1.5, 1)
    solid = cv2.morphologyEx((small > 0).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    length, width = size.length / HALF, size.width / HALF
    _, _, facts, _ = cv2.connectedComponentsWithStats(cv2.dilate(solid, np.ones((5, 5), np.uint8)))
    large = facts[1:][facts[1:, cv2.CC_STAT_AREA] > 0.15 * length * width]
    if not len(large):
        return []
    low = np.maximum(large[:, :2].min(axis=0) - 4, 0)
    high = np.minimum((large[:, :2] + large[:, 2:4]).max(axis=0) + 4, small.shape[::-1])
    middle = (low + high) / 2
    side = int(np.hypot(*(high - low))) + 4
    source = np.full(small.shape, -1.5, np.float32)
    source[low[1] : high[1], low[0] : high[0]] = small[low[1] : high[1], low[0] : high[0]]
    angles = np.arange(0, 180, TURN)
    core = (max(3, round(CORE[0] * length)), max(2, round(CORE[1] * width)))
    cover = np.empty((len(angles), side, side), np.float32)
    turns = []
    for number, angle in enumerate(angles):
        cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        turn = np.array([[cos, -sin], [sin, cos]])
        turns.append(turn)
        matrix = np.hstack([turn, (middle - turn @ [side / 2, side / 2])[:, None]])
        upright = cv2.warpAffine(
            source, matrix, (side, side), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderValue=-1.5
        )
        cover[number] = cv2.GaussianBlur(cv2.boxFilter(upright, -1, core), (5, 5), 1)
    flat = cover.reshape(len(angles), -1)
    best = flat.max(axis=1)
    apart = np.abs((angles[:, None] - angles[None] + 90) % 180 - 90)
    found: list[Bar] = []
    while len(found) < most:
        top = int(best.argmax())
        if best[top] <= 0:
            break
        row, column = divmod(int(flat[top].argmax()), side)
        offset = turns[top] @ [column - side / 2, row - side / 2]
        x, y = (middle + offset + 0.5) * HALF - 0.5
        found.append(replace(size, x=float(x), y=float(y), angle=float(angles[top])))
        for twin in np.flatnonzero(apart[top] <= 7):
            across, down = turns[twin].T @ offset + side / 2
            rows = slice(max(0, int(down - 0.45 * width)), max(0, int(down + 0.45 * width) + 1))
            columns = slice(max(0, int(across - 0.1 * length)), max(0, int(across + 0.1 * length) + 1))
            cover[twin, rows, columns] = -9
            best[twin] = flat[twin].max()
    return found


def _combine(odds: Floats, places: Sequence[Bar], ends: Ends, sticks: int, shared_cost: float) -> list[tuple[Bar, ...]]:
    """The combinations of ``sticks`` places that cover the most evidence, each pixel counted once, best first."""
    small = cv2.resize(odds, None, fx=1 / HALF, fy=1 / HALF, interpolation=cv2.INTER_AREA)
    shrunk = [
        Bar((bar.x + 0.5) / HALF - 0.5, (bar.y + 0.5) / HALF - 0.5, bar.angle, bar.length / HALF, bar.width / HALF)
        for bar in places
    ]
    masks = np.stack([ends.mask(bar, small.shape).reshape(-1) for bar in shrunk])
    spots = np.flatnonzero(masks.any(axis=0))[::2]
    bars, weight = masks[:, spots].astype(np.float32), 2 * small.reshape(-1)[spots]
    shared = bars @ bars.T
    twins = shared > MOST_HIDDEN * np.minimum(*np.meshgrid(*[shared.diagonal()] * 2))
    states: list[tuple[tuple[int, ...], Floats, float]] = [((), np.zeros(len(spots), np.float32), 0.0)]
    for _ in range(sticks):
        if not states:
            break
        covered = np.stack([np.where(cover > 0, -2 * shared_cost, weight) for _, cover, _ in states])
        gains = (covered @ bars.T).astype(np.float64)
        for state, (chosen, _, total) in enumerate(states):
            gains[state] += total
            gains[state, twins[list(chosen)].any(axis=0)] = -np.inf
        combinations: dict[tuple[int, ...], tuple[float, int, int]] = {}
        for at in np.argsort(-gains, axis=None, kind="stable"):
            state, number = divmod(int(at), len(places))
            value = float(gains[state, number])
            if len(combinations) == BEAM or value == -np.inf:
                break
            combinations.setdefault(tuple(sorted((*states[state][0], number))), (value, state, number))
        states = [
            (key, np.maximum(states[state][1], bars[one]), value) for key, (value, state, one) in combinations.items()
        ]
    return [tuple(places[number] for number in chosen) for chosen, _, _ in states]


def fit(
    odds: Floats,
    bars: Sequence[Bar],
    size: Bar,
    ends: Ends,
    steps: Sequence[Step] = STEPS,
    shared: float = 0.0,
) -> Heap:
    """Move, turn and stretch the bars one after the other while this explains more."""
    fitted = list(bars)
    masks = [ends.mask(bar, odds.shape) for bar in fitted]
    cover = np.asarray(sum(masks), np.uint8)
    full = size.length * size.width

    sums = Sums(odds)

    def worth(bar: Bar, taken: Mask) -> float:
        return ends.weight(bar, sums, taken, shared) - _strain(bar, size) * full

    for step in steps:
        # Each kind of step by itself, as Bar.moved takes it.
        pushes = np.diag(step)[np.flatnonzero(step)].tolist()
        best_placed = [False] * len(fitted)
        for _ in range(3):
            for number in range(len(fitted)):
                if best_placed[number]:
                    continue
                others = cover - masks[number]
                bar = fitted[number]
                best = worth(bar, others)
                for push in pushes:
                    before = bar
                    for sign in (1, -1):
                        for _ in range(6):
                            tried = bar.moved(*(sign * by for by in push))
                            value = worth(tried, others)
                            if not STRETCH[0] <= tried.length / size.length <= STRETCH[1] or value <= best + 1e-6:
                                break
                            bar, best = tried, value
                        if bar is not before:
                            break
                if bar is fitted[number]:
                    best_placed[number] = True
                else:
                    # What it uncovers or covers may move the others.
                    best_placed = [False] * len(fitted)
                    fitted[number] = bar
                    masks[number] = ends.mask(bar, odds.shape)
                    cover = others + masks[number]
            if all(best_placed):
                break
    explained = (float(odds[cover > 0].sum()) - shared * float((cover > 1).sum())) / full - sum(
        _strain(bar, size) for bar in fitted
    )
    return Heap(tuple(fitted), explained)


def _strain(bar: Bar, size: Bar) -> float:
    """Penalty for the bar's unusual length, in sticks."""
    return STIFF * min(abs(bar.length / size.length - 1) / 0.3, 1)

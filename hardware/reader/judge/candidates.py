"""Looks for lots of the taught size in a picture: proposes places, judges them, moves them and judges them again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.rules.odds import LOTS
from hardware.reader.arrays import Floats
from hardware.reader.bars import Bar, Ends
from hardware.reader.detection.lot_shape import DetectedScene, LotShape
from hardware.reader.judge.judge_model import Model
from hardware.reader.judge.lot_crops import CropMaker
from hardware.reader.judge.lot_judge import Judgement, moved
from hardware.reader.judge.proposals import distinct, in_line, proposals, same_lot, within

UNLIKELY = -2.2
"""Log-odds, a probability of 0.1, below which a place is not judged a second time, a lot certainly does not lie flat or
lies on another one, and a lot's pixel is certainly nothing else. Higher saves time, overlooks lots that were proposed
far from where they lie, asks about more heaps and takes shadows for a fifth lot; lower overlooks more of what looks
out below one."""

STEPS, ROUNDS = (0.4, 0.2, 0.1, 0.05), 12
"""Steps in a stick's widths by which places are moved that overlap, and how often at most with each."""

TURN = 10
"""Degrees between the directions in which a small lot may lie."""

FARTHEST = (0.6, 0.3)
"""How far a place is moved at most after each judgement, as a share of a lot's length or width."""


@dataclass(frozen=True, slots=True, eq=False)
class Seeing:
    """A picture, and what is needed to look for lots in it. judge: from descriptions of crops to a judgement."""

    model: Model
    judge: Callable[[Floats], Judgement]
    view: DetectedScene
    shape: LotShape
    maker: CropMaker


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Places where lots may lie, the likeliest first, with their judgement and the descriptions it was made by."""

    places: list[Bar]
    judgement: Judgement
    told: Floats

    def of(self, kept: Sequence[int]) -> Candidates:
        """Some of these places."""
        return Candidates([self.places[one] for one in kept], self.judgement.of(kept), self.told[kept])


def candidates(seeing: Seeing) -> Candidates:
    """The places where lots of that size may lie."""
    shape = seeing.shape
    describer = seeing.model.describers[shape.kind]
    places = proposals(seeing.view.found, shape)
    for farthest, describe in zip(FARTHEST, (describer.describe, describer.describe_all_round), strict=True):
        told = describe(seeing.maker.crops(places))
        judgement = seeing.judge(told)
        places = _nearer(places, judgement, farthest, shape)
        kept = distinct(places, judgement.present, shape, UNLIKELY, same_lot)
        places, judgement, told = [places[one] for one in kept], judgement.of(kept), told[kept]
    return Candidates(places, judgement, told).of(distinct(places, judgement.present, shape, UNLIKELY, in_line))


def likely(proposed: Candidates, shape: LotShape) -> Candidates:
    """The proposed places that may be settled: doubtful ones would draw sticks that overlap away from theirs."""
    return proposed.of(np.flatnonzero(proposed.judgement.present > 0).tolist()) if shape.is_long else proposed


def parted(lot: Floats, places: Sequence[Bar], ends: Ends) -> list[Bar]:
    """Places of sticks, those that overlap others moved to where all together explain most of what is seen of lots."""
    odds, fitted = np.asarray(2 * lot - 1, np.float32), [*places]
    masks = [ends.mask(place, lot.shape) for place in places]
    for step in STEPS:
        for _ in range(ROUNDS):
            before = [*fitted]
            for number, place in enumerate(fitted):
                taken = np.asarray(sum(masks) - masks[number], np.uint8)
                if not (masks[number] & (taken > 0)).any():
                    continue
                far, turn = step * place.width, float(np.degrees(2 * step * place.width / place.length))
                ways = [place.moved(along, across) for along, across in ((far, 0), (-far, 0), (0, far), (0, -far))]
                ways += [place.moved(turn=by) for by in (turn, -turn)]
                inside = (way for way in ways if way.is_within(lot.shape))
                fitted[number] = max([place, *inside], key=lambda way: ends.weight(way, odds, taken))
                masks[number] = ends.mask(fitted[number], lot.shape)
            if fitted == before:
                break
    return fitted


def turned(lot: Floats, places: Sequence[Bar], ends: Ends) -> list[Bar]:
    """The places of small lots, each in the direction in which it covers most of what is seen of lots."""
    seen, nothing = np.asarray(2 * lot - 1, np.float32), np.zeros(lot.shape, np.uint8)
    return [
        max(
            (replace(place, angle=float(angle)) for angle in range(0, 180, TURN)),
            key=lambda way: ends.weight(way, seen, nothing),
        )
        for place in places
    ]


def settled(seeing: Seeing, found: Candidates) -> Candidates:
    """These places as the lots lie, and those of lots beside these that were overlooked, judged there.

    Sticks that overlap lie where they explain most together.
    """
    lot, shape = seeing.view.found.lot, seeing.shape
    if shape.is_long:
        places = parted(lot, [*found.places, *_overlooked(seeing, found.places)], shape.ends)
    else:
        found = replace(found, places=turned(lot, found.places, shape.ends))
        more = _overlooked(seeing, found.places)
        judgement = seeing.judge(seeing.model.describe(seeing.maker, more))
        places = [*found.places, *turned(lot, _nearer(more, judgement, FARTHEST[-1], shape), shape.ends)]
    if places == found.places:
        return found
    told = seeing.model.describe(seeing.maker, places)
    judgement = seeing.judge(told)
    same = in_line if shape.is_long else within
    return Candidates(places, judgement, told).of(distinct(places, judgement.present, shape, UNLIKELY, same))


def _nearer(places: Sequence[Bar], judgement: Judgement, farthest: float, shape: LotShape) -> list[Bar]:
    """The places where the lots lie rather, ``farthest`` away at most."""
    return [
        moved(place, np.clip(off, -farthest, farthest), shape) for place, off in zip(places, judgement.off, strict=True)
    ]


def _overlooked(seeing: Seeing, places: Sequence[Bar]) -> list[Bar]:
    """Places that are missing among these: the judge moves those of two lots against each other on to one."""
    left = seeing.view.found
    more: list[Bar] = []
    while len(places) + len(more) < LOTS:
        cover = np.asarray(sum(seeing.shape.ends.mask(place, left.lot.shape) for place in (*places, *more)), np.uint8)
        bare = [np.where(cover > 0, 0, plane).astype(np.float32) for plane in (left.lot, left.other)]
        proposed = proposals(replace(left, lot=bare[0], other=bare[1]), seeing.shape)
        if not proposed:
            break
        more.append(proposed[0])
    return more

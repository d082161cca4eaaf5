"""Looks for lots of the taught size in a picture: proposes places, judges them, moves them and judges them again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hardware.reader.general.lot_shape import DetectedScene, LotShape
from hardware.reader.judge.judge_model import Model
from hardware.reader.judge.lot_crops import CropMaker
from hardware.reader.judge.lot_judge import Judgement, moved
from hardware.reader.judge.proposals import distinct, in_line, proposals, same_lot
from hardware.reader.sticks.bars import Bar
from hardware.reader.tray_moves import Floats

KEPT = 10
"""Most places that are judged a second time."""

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

    def likelier(self, odds: float) -> Candidates:
        """The places where a lot lies with more than these log-odds."""
        return self.of(np.flatnonzero(self.judgement.present > odds).tolist())


def candidates(seeing: Seeing) -> Candidates:
    """The places where lots of that size may lie."""
    shape = seeing.shape
    describer = seeing.model.describer(shape.is_long)
    places = proposals(seeing.view.found, shape)
    for farthest, describe in zip(FARTHEST, (describer.describe, describer.describe_all_round), strict=True):
        told = describe(seeing.maker.crops(places))
        judgement = seeing.judge(told)
        places = [
            moved(place, np.clip(off, -farthest, farthest), shape)
            for place, off in zip(places, judgement.off, strict=True)
        ]
        kept = distinct(places, judgement.present, shape, KEPT, same_lot)
        places, judgement, told = [places[one] for one in kept], judgement.of(kept), told[kept]
    return Candidates(places, judgement, told).of(distinct(places, judgement.present, shape, KEPT, in_line))


def with_faces(seeing: Seeing, found: Candidates) -> Candidates:
    """These places with their faces as they are seen from close by."""
    told = seeing.model.with_faces(found.told, seeing.maker, found.places)
    return Candidates(found.places, replace(found.judgement, marked=seeing.judge(told).marked), told)

"""All that the judge has learnt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hardware.reader.arrays import Floats
from hardware.reader.bars import Bar
from hardware.reader.detection.lot_shape import LotDetector
from hardware.reader.judge.lot_crops import CropMaker
from hardware.reader.judge.lot_judge import MAKE, Describer
from hardware.reader.judge.witness import colours


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """The trained networks.

    describers, relations : for sticks and for small lots, and what was learnt about comparing their descriptions.
    odds : (2, 2, EVIDENCE) for sticks and for small lots, what each piece of evidence counts for a lot's being at a
        place and for its showing its face there.
    close : describe the faces of both, which need to be seen from close by.
    """

    detector: LotDetector
    describers: tuple[Describer, Describer]
    close: tuple[Describer, Describer]
    relations: tuple[tuple[float, ...], tuple[float, ...]]
    odds: Floats

    def describe(self, maker: CropMaker, places: Sequence[Bar]) -> Floats:
        """The descriptions of the lots at these places."""
        return self.describers[maker.shape.kind].describe_all_round(maker.crops(places))

    def witnessed(self, told: Floats, maker: CropMaker, places: Sequence[Bar]) -> list[Floats]:
        """Descriptions of these places for each witness: as told, with faces from close by, and small lots' colours."""
        crops = maker.crops(places, close=True)
        faces = [self.close[maker.shape.kind].describe_all_round(crops)[:, 5 + MAKE :]]
        if not maker.shape.is_long:
            faces.append(colours(crops))
        return [told, *(np.concatenate([told[:, : 5 + MAKE], face], axis=1) for face in faces)]

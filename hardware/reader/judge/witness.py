"""Tells faces by what one network, or their colours, say of them, as certainly as the taught ones are told."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.rules.odds import LOTS
from hardware.reader.arrays import Floats
from hardware.reader.detection.empty_tray import DARK
from hardware.reader.judge.lot_judge import LotJudge

CERTAIN, LIKE_TAUGHT = 4.5, 0.55
"""Least log-odds of a face by all witnesses together, and the same as a share of what this set's taught faces usually
have. Raised they ask more, lowered they misread."""

FAMILIAR = 12.0
"""Distance between the descriptions of a face and of the taught one it is most like, below which it may well be one of
them. Raised it asks about shadows, lowered it overlooks a fifth lot."""

COLOURED = 0.5
"""Most that the colours of a face may say of it, where 1 is certain. Raised it misreads in other light, lowered it asks
more about small marks."""


class Witness:
    """Tells the faces of the taught lots.

    marked, plain : (n, ...) descriptions of each face, those of the calibration first.
    relation : the learnt numbers of the judge.
    least : log-odds from which a face is certain, of all together.
    """

    def __init__(self, marked: Floats, plain: Floats, relation: Sequence[float]) -> None:
        self.judge = LotJudge(marked, plain, relation)
        _present, leads = self.judge.by_others()
        self.leads = np.concatenate([leads[first : first + LOTS] for first in (0, len(marked))])
        self.least = max(CERTAIN, LIKE_TAUGHT * float(np.median(self.leads)))

    def certainty(self, told: Floats) -> Floats:
        """How certainly each is marked, or below 0 plain: (n,). What all witnesses say is certain from a sum of 1."""
        return self.judge(told).marked / self.least


def colours(crops: Floats) -> Floats:
    """The colours in the middle of small lots: (n, 15), from crops from close by, (n, CHANNELS, 36, 36).

    Least, quartiles and most of the light, of red and of blue, in spots of two by two pixels; as large as a network's
    numbers, to be compared as these are.
    """
    light = np.log(crops[:, :3, 10:-10, 10:-10] + 0.5 + DARK / 255)
    spots = light.reshape(-1, 3, 8, 2, 8, 2).mean(axis=(3, 5)).reshape(-1, 3, 64)
    blue, green, red = spots.transpose(1, 0, 2)
    seen = np.quantile(np.stack([spots.mean(axis=1), red - green, blue - green]), np.linspace(0, 1, 5), axis=2)
    return np.asarray(5 * seen.transpose(2, 1, 0).reshape(-1, 15), np.float32)

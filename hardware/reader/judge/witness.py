"""Tells faces by what one network says of them, as certainly as it tells the taught ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.rules.odds import LOTS
from hardware.reader.arrays import Floats
from hardware.reader.judge.lot_judge import LotJudge

CERTAIN, LIKE_TAUGHT = 4.5, 0.55
"""Least log-odds of a face by two witnesses together, and the same as a share of what this set's taught faces usually
have. Raised they ask more, lowered they misread."""

FAMILIAR = 12.0
"""Distance between the descriptions of a face and of the taught one it is most like, below which it may well be one of
them. Raised it asks about shadows, lowered it overlooks a fifth lot."""


class Witness:
    """Tells the faces of the taught lots.

    marked, plain : (n, ...) descriptions of each face, those of the calibration first.
    relation : the learnt numbers of the judge.
    least : log-odds from which a face is certain, of both together.
    """

    def __init__(self, marked: Floats, plain: Floats, relation: Sequence[float]) -> None:
        self.judge = LotJudge(marked, plain, relation)
        _present, leads = self.judge.by_others()
        self.leads = np.concatenate([leads[first : first + LOTS] for first in (0, len(marked))])
        self.least = max(CERTAIN, LIKE_TAUGHT * float(np.median(self.leads)))

    def certainty(self, told: Floats) -> Floats:
        """How certainly each is marked, or below 0 plain: (n,). What two witnesses say is certain from a sum of 1."""
        return self.judge(told).marked / self.least

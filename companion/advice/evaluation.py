"""How likely the side to throw is to win, judged at a glance: a small network over what features sees.

The weights are fitted on solved games by ``tests/bench/fit_evaluation.py``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from companion.advice.features import Features
from companion.advice.odds import FAIR
from companion.rules.position import Position
from companion.rules.ruleset import Variant

Array = NDArray[np.float64]

WEIGHTS = files("companion.advice") / "weights.json"
_FARTHEST = 6.0
"""Standard deviations that a feature may lie off what was seen while fitting; beyond, nothing more is made of it."""


class Evaluation:
    """Judges positions of one game with given lots."""

    def __init__(self, rules: Variant, marked: Fraction = FAIR) -> None:
        self._features = Features(rules, marked)
        kept = json.loads(WEIGHTS.read_text(encoding="ascii"))
        self._mean, self._per = np.array(kept["mean"]), np.array(kept["per"])
        self._layers = [(np.array(weights), np.array(bias)) for weights, bias in kept["layers"]]

    def wins(self, positions: Sequence[Position]) -> Array:
        """The chance that the side to throw wins each position, none of which is over. A draw counts half."""
        seen = (self._features.of(positions) - self._mean) * self._per
        seen = np.clip(seen, -_FARTHEST, _FARTHEST)
        *hidden, (weights, bias) = self._layers
        for inner, offset in hidden:
            seen = np.tanh(seen @ inner + offset)
        return np.asarray(1 / (1 + np.exp(-(seen @ weights + bias)[:, 0])))

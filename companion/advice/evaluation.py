"""How likely the side to throw is to win, judged at a glance: a small network over what features sees.

The weights are fitted by ``python -m tests.bench.fit_evaluation`` on 17 solved games of about the size that is played
and 120 small ones, several players a side among them. On 30 small games left out of the fit a judgement is off by 0.030
of win chance on average of the games (root mean square in each; by 0.083 in the worst), on those fitted by 0.023.
Fitted anew without one game, it is off there by 0.035 instead of 0.022 in Puluc, 0.032 instead of 0.012 in Culin's
game, 0.042 instead of 0.017 in Aj Sayil, and 0.107 instead of 0.029 in Buluc, which alone of its size stops at the far
end: a rule it has not seen misleads it. How far it is off in games too large to be solved, nobody knows.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from companion.advice.features import Features
from companion.advice.odds import FAIR
from companion.rules.position import Position
from companion.rules.ruleset import Variant

Array = NDArray[np.float64]

_FARTHEST = 6.0
"""Standard deviations that a feature may lie off what was seen while fitting; beyond, nothing more is made of it."""

_AT_ONCE = 32
"""Rows of one product of matrices: few enough for NumPy to keep to one core. With the others busy, waiting for them
was measured to take a hundred times as long as the product."""


@dataclass(frozen=True, slots=True)
class Network:
    """From features, a row a position, to chances.

    mean, per: what is taken from each feature, and what it is then multiplied by. layers: weights and bias of each.
    """

    mean: Array
    per: Array
    layers: list[tuple[Array, Array]]

    @classmethod
    def parse(cls, text: str) -> Network:
        """Read weights as they are kept."""
        kept = json.loads(text)
        layers = [(np.array(weights), np.array(bias)) for weights, bias in kept["layers"]]
        return cls(np.array(kept["mean"]), np.array(kept["per"]), layers)

    def standardised(self, seen: Array) -> Array:
        return np.clip((seen - self.mean) * self.per, -_FARTHEST, _FARTHEST)

    def judged(self, seen: Array) -> Array:
        """The chance of each row, inside (0, 1)."""
        return np.concatenate([self._judged(seen[first : first + _AT_ONCE]) for first in range(0, len(seen), _AT_ONCE)])

    def _judged(self, seen: Array) -> Array:
        inner = self.standardised(seen)
        *hidden, (weights, bias) = self.layers
        for matrix, offset in hidden:
            inner = np.tanh(inner @ matrix + offset)
        return np.asarray(1 / (1 + np.exp(-(inner @ weights + bias)[:, 0])))


def fitted() -> Network:
    """The network that comes with the companion."""
    return Network.parse((files("companion.advice") / "weights.json").read_text(encoding="ascii"))


class Evaluation:
    """Judges positions of one game with given lots. network: another one than the companion's own."""

    def __init__(self, rules: Variant, marked: Fraction = FAIR, network: Network | None = None) -> None:
        self._features, self._network = Features(rules, marked), network or fitted()

    def wins(self, positions: Sequence[Position]) -> Array:
        """The chance that the side to throw wins each position, none of which is over. A draw counts half."""
        return self._network.judged(self._features.of(positions))

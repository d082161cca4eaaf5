"""Static evaluation: a small neural network estimates win chances from the features of a position.

The weights are fitted by ``python -m tests.bench.fit_evaluation`` on 17 solved games of about the size that is played
and 120 small ones, some with several players a side. The root mean square error of the win chance is 0.030 on average
over 30 small games left out of the fit (0.083 in the worst) and 0.023 over the fitted ones. When one game is left out
of the fit, its error rises from 0.022 to 0.035 in Puluc, from 0.012 to 0.032 in Culin's game, from 0.017 to 0.042 in Aj
Sayil, and from 0.029 to 0.107 in Buluc, the only game of its size that stops at the far end: an unseen rule misleads
the network. The error in games too large to solve is unknown.
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
from companion.rules.odds import FAIR
from companion.rules.position import Position
from companion.rules.variant import Variant

Array = NDArray[np.float64]

_FARTHEST = 6.0
"""Features are clipped at this many standard deviations from their mean in the fit."""

_AT_ONCE = 32
"""Rows of a matrix product: few enough for NumPy to stay on one core. Where the other cores are busy, waiting for them
was measured to take a hundred times as long as the product."""


@dataclass(frozen=True, slots=True)
class Network:
    """A multilayer perceptron from features to win chances.

    Attributes
    ----------
    mean : (features,) float64 array
        Subtracted from each feature.
    per : (features,) float64 array
        Then multiplied with it: one over the standard deviation in the fit.
    layers : list of (weights, bias)
        Weights of shape (inputs, outputs) and bias of shape (outputs,), float64, first layer first.
    """

    mean: Array
    per: Array
    layers: list[tuple[Array, Array]]

    @classmethod
    def parse(cls, text: str) -> Network:
        """Parse the JSON of ``weights.json``."""
        kept = json.loads(text)
        layers = [(np.array(weights), np.array(bias)) for weights, bias in kept["layers"]]
        return cls(np.array(kept["mean"]), np.array(kept["per"]), layers)

    def standardised(self, seen: Array) -> Array:
        """Features of shape (positions, features), standardised and clipped."""
        return np.clip((seen - self.mean) * self.per, -_FARTHEST, _FARTHEST)

    def predict(self, seen: Array) -> Array:
        """Win chances of positions.

        Parameters
        ----------
        seen : (positions, features) float64 array
            As ``Features.of`` returns them.

        Returns
        -------
        (positions,) float64 array
            Inside (0, 1), for the side to throw.
        """
        pieces = [self._predict(seen[first : first + _AT_ONCE]) for first in range(0, len(seen), _AT_ONCE)]
        return np.concatenate(pieces)

    def _predict(self, seen: Array) -> Array:
        inner = self.standardised(seen)
        *hidden, (weights, bias) = self.layers
        for matrix, offset in hidden:
            inner = np.tanh(inner @ matrix + offset)
        return np.asarray(1 / (1 + np.exp(-(inner @ weights + bias)[:, 0])))


def default_network() -> Network:
    """The network shipped with the companion."""
    return Network.parse((files("companion.advice") / "weights.json").read_text(encoding="ascii"))


class Evaluation:
    """Evaluates positions of one game with given lots. network: the shipped one if None."""

    def __init__(self, rules: Variant, marked: Fraction = FAIR, network: Network | None = None) -> None:
        self._features, self._network = Features(rules, marked), network or default_network()

    def wins(self, positions: Sequence[Position]) -> Array:
        """Win chances of the side to throw, as a (positions,) float64 array. No position may be over; a draw counts
        half."""
        return self._network.predict(self._features.of(positions))

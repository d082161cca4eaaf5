"""Classify a space by its features with small neural networks, trained on rendered games by `training.board`."""

from __future__ import annotations

import io
from dataclasses import dataclass
from enum import IntEnum
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from hardware.board.space_features import Features

WEIGHTS = "space_weights.npz"


class SpaceClass(IntEnum):
    """The content of a space: empty, one piece, a stack with the named side on top, or something else."""

    EMPTY = 0
    JADE = 1
    JADE_UNIT = 2
    OBSIDIAN = 3
    OBSIDIAN_UNIT = 4
    PARTLY = 5


@dataclass(frozen=True, slots=True, eq=False)
class SpaceClassifier:
    """An ensemble of networks with one hidden layer; probabilities are averaged. Arrays (networks, ...), float32."""

    mean: NDArray[np.float32]
    scale: NDArray[np.float32]
    hidden: NDArray[np.float32]
    hidden_bias: NDArray[np.float32]
    out: NDArray[np.float32]
    out_bias: NDArray[np.float32]

    @classmethod
    def shipped(cls) -> SpaceClassifier:
        """Load the weights shipped with the program."""
        stored = io.BytesIO(files("hardware.board").joinpath(WEIGHTS).read_bytes())
        with np.load(stored, allow_pickle=False) as arrays:
            return cls(**{name: arrays[name] for name in cls.__dataclass_fields__})

    def probabilities(self, features: Features) -> NDArray[np.float64]:
        """Return the probability of each SpaceClass, (spaces, 6)."""
        inputs = (np.sign(features) * np.log1p(2 * np.abs(features)) - self.mean) / self.scale
        inner = np.tanh(inputs @ self.hidden + self.hidden_bias[:, None])
        scores = (inner @ self.out + self.out_bias[:, None]).astype(np.float64)
        scores = np.exp(scores - scores.max(axis=2, keepdims=True))
        answer: NDArray[np.float64] = (scores / scores.sum(axis=2, keepdims=True)).mean(axis=0)
        return answer

"""Fit the space classifier: small networks, in NumPy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hardware.board.space_classifier import SpaceClass, SpaceClassifier
from hardware.board.space_features import BINS, PER_SIDE, Features

NETWORKS, HIDDEN, EPOCHS, BATCH = 3, 32, 40, 256
RATE, DECAY = 3e-3, 1e-3
JITTER = 0.03
"""Standard deviation, of standardised features, that is added in every epoch: few boards must do for many."""

SMOOTHING = 0.002
"""Share of each label that is spread over all classes, so that nothing is ever quite certain."""

Classes = NDArray[np.int64]


def fit(features: Features, classes: Classes, seed: int = 0) -> SpaceClassifier:
    """Fit the networks, augmenting the samples with boards turned round and with the sides exchanged."""
    inputs, labels = _mirrored(features, classes)
    inputs = np.sign(inputs) * np.log1p(2 * np.abs(inputs))
    mean, scale = inputs.mean(axis=0), inputs.std(axis=0) + 0.05
    inputs = (inputs - mean) / scale
    wanted = np.eye(len(SpaceClass))[labels] * (1 - SMOOTHING) + SMOOTHING / len(SpaceClass)
    layers = [_network(inputs, wanted, np.random.default_rng([seed, at])) for at in range(NETWORKS)]
    stacked = [np.stack(parts).astype(np.float32) for parts in zip(*layers, strict=True)]
    return SpaceClassifier(mean.astype(np.float32), scale.astype(np.float32), *stacked)


def save(classifier: SpaceClassifier, path: Path) -> None:
    """Save the weights in the format that ``SpaceClassifier.shipped`` loads."""
    np.savez(path, **{name: getattr(classifier, name) for name in SpaceClassifier.__dataclass_fields__})


def _network(inputs: Features, wanted: NDArray[np.float64], rng: np.random.Generator) -> list[NDArray[np.float64]]:
    """Train one network with Adam and a cosine learning-rate schedule."""
    many, outs = inputs.shape[1], wanted.shape[1]
    weights = [
        rng.normal(0, many**-0.5, (many, HIDDEN)),
        np.zeros(HIDDEN),
        rng.normal(0, HIDDEN**-0.5, (HIDDEN, outs)),
        np.zeros(outs),
    ]
    first, second = ([np.zeros_like(one) for one in weights] for _moment in range(2))
    steps = EPOCHS * -(-len(inputs) // BATCH)
    step = 0
    for _epoch in range(EPOCHS):
        for batch in np.array_split(rng.permutation(len(inputs)), -(-len(inputs) // BATCH)):
            shown = inputs[batch] + rng.normal(0, JITTER, (len(batch), many))
            inner = np.tanh(shown @ weights[0] + weights[1])
            scores = inner @ weights[2] + weights[3]
            chances = np.exp(scores - scores.max(axis=1, keepdims=True))
            chances /= chances.sum(axis=1, keepdims=True)
            off = (chances - wanted[batch]) / len(batch)
            back = (off @ weights[2].T) * (1 - inner * inner)
            slopes = [shown.T @ back, back.sum(axis=0), inner.T @ off, off.sum(axis=0)]
            step += 1
            rate = RATE * 0.5 * (1 + np.cos(np.pi * step / steps))
            for at, slope in enumerate(slopes):
                first[at] += 0.1 * (slope - first[at])
                second[at] += 0.001 * (slope * slope - second[at])
                move = first[at] / (1 - 0.9**step) / (np.sqrt(second[at] / (1 - 0.999**step)) + 1e-8)
                weights[at] = weights[at] * (1 - rate * DECAY) - rate * move
    return weights


def _mirrored(features: Features, classes: Classes) -> tuple[Features, Classes]:
    exchanged = np.array([0, 3, 4, 1, 2, 5])
    shown = [(features, classes)]
    cuts = [PER_SIDE, 2 * PER_SIDE, 2 * PER_SIDE + BINS, 2 * PER_SIDE + 2 * BINS]
    jade, obsidian, foreign, changed, pieces = np.split(features, cuts, axis=1)
    other = pieces.copy()
    other[:, 4] *= -1
    shown.append((np.hstack([obsidian, jade, foreign, changed, other]), exchanged[classes]))
    for given, labels in list(shown):
        jade, obsidian, foreign, changed, pieces = np.split(given, cuts, axis=1)
        turned = [_turned(jade), _turned(obsidian), foreign[:, ::-1], changed[:, ::-1], pieces]
        shown.append((np.hstack(turned), labels))
    return np.concatenate([one for one, _labels in shown]), np.concatenate([labels for _one, labels in shown])


def _turned(side: Features) -> Features:
    """Return one side's features as if the road ran the other way."""
    turned = side.copy()
    turned[:, :BINS] = side[:, :BINS][:, ::-1]
    turned[:, BINS + 1] *= -1
    turned[:, BINS + 5] = 1 - turned[:, BINS + 5]
    return turned

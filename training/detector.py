"""Trains the lot detector, resumable at any moment."""

# ruff: noqa: T201 - progress on the terminal

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from hardware.reader.general.detector import LOT
from training.averaged_training import AveragedTraining, learning_rate, load_averaged
from training.composing.examples import Composer
from training.network import LotNet
from training.rendered_sets import rendered_sets
from training.samples import Sample, Stream

BATCH = 8
RATE, DECAY = 2e-3, 1e-4
"""Highest learning rate, and weight decay."""

WARM_UP, LOWEST = 200, 0.04
"""Steps in which the learning rate rises, and the share of it that the last step has."""

AVERAGED = 0.998
"""Share of the running average of the weights that a step leaves."""

INSIDE, ALONG = 2.0, 0.5
"""What the errors of the two maps weigh beside the classes'."""

SAVE_EVERY, LOOK_EVERY = 250, 500
"""Steps between checkpoints, and between looks for sets that were rendered meanwhile."""


def loss(scores: Tensor, batch: Sequence[Sample]) -> Tensor:
    """The training loss of the network's scores, (n, 24, rows, columns)."""
    n, _, rows, columns = scores.shape
    full = scores.reshape(n, 2, 2, 6, rows, columns).permute(0, 3, 4, 1, 5, 2).reshape(n, 6, 2 * rows, 2 * columns)
    classes, weights, inside, along, directed = (
        torch.from_numpy(np.stack([getattr(one, name) for one in batch]))
        for name in ("classes", "weights", "inside", "along", "directed")
    )
    told = (functional.cross_entropy(full[:, :3], classes, reduction="none") * weights).sum() / weights.sum()
    lots = (classes == LOT).float()
    far = (functional.smooth_l1_loss(full[:, 3], inside, reduction="none", beta=0.1) * (0.1 + lots)).mean()
    ways = ((full[:, 4:6] - along) ** 2).sum(dim=1) * directed
    return told + INSIDE * far + ALONG * ways.sum() / (directed.sum() + 1)


def train(folders: Sequence[Path], out: Path, steps: int, seed: int = 1) -> LotNet:
    """Train on all sets in the folders except validation sets, and return the averaged network.

    ``out`` keeps the checkpoint ``detector.pt``, from which an interrupted training goes on.
    """
    network = LotNet().to(memory_format=torch.channels_last)
    training = AveragedTraining(network, rate=RATE, decay=DECAY, averaged=AVERAGED)
    kept = out / "detector.pt"
    training.resume(kept)
    random = np.random.default_rng([seed, training.step])
    stream, known = Stream(Composer([], random), random), set[str]()
    network.train()
    began, recent = time.monotonic(), []
    while training.step < steps:
        if not known or training.step % LOOK_EVERY == 0:
            for one in rendered_sets(folders):
                if one.labels["id"] not in known and not one.is_validation:
                    known.add(one.labels["id"])
                    stream.add(one)
        batch = stream.batch(BATCH)
        seen = torch.from_numpy(np.stack([one.seen for one in batch])).contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            scores = network(seen)
        cost = loss(scores.float(), batch)
        training.learn(cost, learning_rate(training.step, steps, warm_up=WARM_UP, lowest=LOWEST))
        recent.append(float(cost.detach()))
        if training.step % SAVE_EVERY == 0 or training.step == steps:
            training.save(kept)
            spent = time.monotonic() - began
            print(f"step {training.step}: loss {np.mean(recent):.4f}, {len(known)} sets, {spent:.0f} s", flush=True)
            recent = []
    return training.averaged


def load(kept: Path) -> LotNet:
    """The averaged network of a checkpoint."""
    network = LotNet()
    load_averaged(network, kept)
    return network

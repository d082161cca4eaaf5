"""Trains the lot detector, resumable at any moment."""

# ruff: noqa: T201 - progress on the terminal

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from training.averaged_training import AveragedTraining, learning_rate, load_averaged, training_device
from training.composing.examples import Composer
from training.exported_weights import load_exported, normalising
from training.network import LotNet
from training.rendered_sets import RenderedSet, rendered_sets
from training.samples import LOT, Sample, Stream

BATCH, FRESH = 64, 2
"""Crops in each step, and fresh pictures made for them. More fresh pictures show more, and take longer."""

STICK_SETS, SMALL_SETS = 48, 32
"""Sets of sticks and of small lots that one process draws from. More of them show more, and take more memory in each
process, and longer to begin."""

RATE, DECAY = 1.5e-3, 1e-4
"""Highest learning rate, and weight decay."""

WARM_UP, LOWEST = 200, 0.02
"""Steps in which the learning rate rises, and the share of it that the last step has."""

MEASURED = 10
"""Batches by which the usual inputs of a shipped detector's layers are measured."""

AVERAGED = 0.998
"""Share of the running average of the weights that a step leaves."""

INSIDE, ALONG = 2.0, 0.5
"""What the errors of the two maps weigh beside the classes'."""

SAVE_EVERY = 250
"""Steps between checkpoints."""


class Batch(NamedTuple):
    """The crops of one step, (n, ...) each, as in `Sample`, in half precision and bytes: processes exchange them."""

    seen: Tensor
    classes: Tensor
    weights: Tensor
    inside: Tensor
    along: Tensor
    directed: Tensor

    @classmethod
    def of(cls, samples: Sequence[Sample]) -> Batch:
        """The batch of these samples."""
        kinds = {"classes": torch.uint8, "directed": torch.uint8}
        return cls(
            *(
                torch.from_numpy(np.stack([getattr(one, name) for one in samples])).to(kinds.get(name, torch.float16))
                for name in cls._fields
            )
        )

    def on(self, device: torch.device) -> Batch:
        """The batch on another device."""
        return Batch(*(one.to(device, non_blocking=True) for one in self))


class Crops(IterableDataset):
    """Endless batches of crops. Each worker process draws from sets of its own, chosen at random."""

    def __init__(self, known: Sequence[RenderedSet], seed: Sequence[int]) -> None:
        self._known, self._seed = known, seed

    def __iter__(self) -> Iterator[Batch]:
        worker = get_worker_info()
        random = np.random.default_rng([*self._seed, 0 if worker is None else worker.id])
        stream = Stream(Composer([], random), random)
        for is_stick, count in ((True, STICK_SETS), (False, SMALL_SETS)):
            kind = [one for one in self._known if (one.kind == "sticks") == is_stick]
            for number in random.permutation(len(kind))[:count]:
                stream.add(kind[number])
        while True:
            yield Batch.of([sample for _ in range(FRESH) for sample in stream.batch(BATCH // FRESH)])


def loss(scores: Tensor, batch: Batch) -> Tensor:
    """The training loss of the network's scores, (n, 24, rows, columns)."""
    n, _, rows, columns = scores.shape
    full = scores.reshape(n, 2, 2, 6, rows, columns).permute(0, 3, 4, 1, 5, 2).reshape(n, 6, 2 * rows, 2 * columns)
    classes, weights = batch.classes.long(), batch.weights.float()
    told = (functional.cross_entropy(full[:, :3], classes, reduction="none") * weights).sum() / weights.sum()
    lots = (classes == LOT).float()
    off = functional.smooth_l1_loss(full[:, 3], batch.inside.float(), reduction="none", beta=0.1)
    far = (off * (0.1 + lots)).mean()
    ways = ((full[:, 4:6] - batch.along) ** 2).sum(dim=1) * batch.directed
    return told + INSIDE * far + ALONG * ways.sum() / (batch.directed.sum() + 1)


def train(
    folders: Sequence[Path], out: Path, steps: int, *, shipped: Path | None = None, workers: int = 0, seed: int = 1
) -> LotNet:
    """Train on all sets in the folders except validation sets, and return the averaged network.

    ``out`` keeps the checkpoint ``detector.pt``, from which an interrupted training goes on, with other crops.
    shipped : the exported file of a detector with whose weights this one begins.
    workers : processes that make the crops; 0 to make them in this one.
    """
    torch.manual_seed(seed)
    device = training_device()
    network = LotNet().to(device, memory_format=torch.channels_last)
    kept = out / "detector.pt"
    known = [one for one in rendered_sets(folders) if not one.is_validation]
    if shipped is not None and not kept.exists():
        load_exported(network, shipped)
        with normalising(network), torch.no_grad():
            for batch in islice(_batches(Crops(known, [seed]), workers), MEASURED):
                network(batch.on(device).seen.float())
    training = AveragedTraining(network, rate=RATE, decay=DECAY, averaged=AVERAGED)
    training.resume(kept)
    batches = _batches(Crops(known, [seed, training.step]), workers)
    network.train()
    began, recent = time.monotonic(), []
    while training.step < steps:
        batch = next(batches).on(device)
        with torch.autocast(device.type, dtype=torch.bfloat16):
            scores = network(batch.seen.float().contiguous(memory_format=torch.channels_last))
        cost = loss(scores.float(), batch)
        training.learn(cost, learning_rate(training.step, steps, warm_up=WARM_UP, lowest=LOWEST))
        recent.append(cost.detach())
        if training.step % SAVE_EVERY == 0 or training.step == steps:
            training.save(kept)
            spent, mean = time.monotonic() - began, float(torch.stack(recent).mean())
            print(f"step {training.step}: loss {mean:.4f}, {len(known)} sets, {spent:.0f} s", flush=True)
            recent = []
    return training.averaged.cpu()


def load(kept: Path) -> LotNet:
    """The averaged network of a checkpoint."""
    network = LotNet()
    load_averaged(network, kept)
    return network


def _batches(crops: Crops, workers: int) -> Iterator[Batch]:
    """The batches, made by so many other processes, which start when the first is asked for."""
    yield from DataLoader(crops, batch_size=None, num_workers=workers, pin_memory=torch.cuda.is_available())

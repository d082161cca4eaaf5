"""The samples of many sets as tensors, of which some are held in memory at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.judging.augmentation import SHOWN
from training.judging.lot_samples import LotSamples
from training.judging.sample_store import load

PLACES, OTHERS, UNREADABLE = 18, 7, 3
"""Places drawn of a set for one step: all, those of anything but lots, and those of lots whose face cannot be read."""

EASY = 0.1
"""Chance with which a place without a lot is drawn where the detector shows nothing; what it shows is added to that."""

HELD, EXCHANGED = 120, 1000
"""Sets held in memory, about 25 MB each, and steps after which others are."""


@dataclass(frozen=True, slots=True, eq=False)
class SetTensors:
    """The samples of one set. pools : of each sort of places the numbers, their chances, and how many are drawn."""

    supports: Tensor
    crops: Tensor
    present: Tensor
    readable: Tensor
    face: Tensor
    off: Tensor
    pools: tuple[tuple[NDArray[np.int64], NDArray[np.float64], int], ...]

    @classmethod
    def of(cls, samples: LotSamples, device: torch.device) -> SetTensors:
        """The tensors of a set's samples. Crops stay in half precision, to save memory."""
        # Of a lot whose face is hidden there may be nothing to see: it counts neither as there nor as missing.
        present = np.where((samples.present == 1) & (samples.readable == 0), -1, samples.present)
        everywhere = np.ones(len(present))
        rows, columns = samples.crops.shape[2:]
        middle = samples.crops[:, SHOWN, rows // 4 : -(rows // 4), columns // 4 : -(columns // 4)]
        shown = EASY + middle.sum(axis=1, dtype=np.float64).mean(axis=(1, 2))
        others = [
            (np.flatnonzero(pool), chance[pool] / chance[pool].sum(), count)
            for pool, chance, count in ((present == 0, shown, OTHERS), (samples.readable == 0, everywhere, UNREADABLE))
            if pool.any()
        ]
        lots = np.flatnonzero(present == 1)
        rest = PLACES - sum(count for _, _, count in others)
        pools = [(lots, np.full(len(lots), 1 / len(lots)), rest), *others] if len(lots) else others
        return cls(
            supports=torch.as_tensor(samples.supports, dtype=torch.float32, device=device),
            crops=torch.as_tensor(samples.crops, device=device),
            present=torch.as_tensor(present, dtype=torch.int64, device=device),
            readable=torch.as_tensor(samples.readable, dtype=torch.int64, device=device),
            face=torch.as_tensor(samples.face, dtype=torch.float32, device=device),
            off=torch.as_tensor(samples.off, device=device),
            pools=tuple(pools),
        )

    def drawn(self, random: np.random.Generator) -> Tensor:
        """Numbers of places for one step: half of them lots, some unreadable ones."""
        numbers = np.concatenate([random.choice(pool, count, p=chance) for pool, chance, count in self.pools])
        return torch.as_tensor(numbers, device=self.crops.device)


class SamplePool:
    """The sets of one kind, some of which are held in memory. It holds the same ones at a step in every training."""

    def __init__(self, files: Sequence[Path], seed: int, device: torch.device) -> None:
        self._files, self._seed, self._device = list(files), seed, device
        self._held: dict[Path, SetTensors] = {}

    def __len__(self) -> int:
        return len(self._files)

    def at(self, step: int) -> list[SetTensors]:
        """The sets held at that step."""
        random = np.random.default_rng([self._seed, step // EXCHANGED])
        numbers = sorted(random.permutation(len(self._files))[:HELD])
        wanted = [self._files[number] for number in numbers]
        if list(self._held) != wanted:
            self._held = {path: self._held[path] for path in wanted if path in self._held}
            self._held = {path: self._held.get(path) or SetTensors.of(load(path), self._device) for path in wanted}
        return list(self._held.values())

"""The samples of many sets as tensors, of which some are held in memory at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from companion.rules.odds import LOTS
from training.judging.augmentation import SHOWN
from training.judging.lot_samples import EASY, LotSamples
from training.judging.painted_marks import paint
from training.judging.sample_store import load

PLACES, OTHERS, UNREADABLE = 18, 7, 3
"""Places drawn of a set for one step: all, those of anything but lots, and those of lots whose face cannot be read."""

PLAIN = 0.75
"""Share of the lots that have marks painted on them whose plain side is seen."""

HELD, EXCHANGED = 120, 1000
"""Sets held in memory, about 25 MB each, and steps after which others are."""


@dataclass(frozen=True, slots=True, eq=False)
class LotTensors:
    """The taught lots of one set, and all or some of its places, as in `LotSamples`."""

    supports: Tensor
    crops: Tensor
    present: Tensor
    readable: Tensor
    face: Tensor
    off: Tensor

    def at(self, places: NDArray[np.int64]) -> LotTensors:
        """Those at the places with these numbers, in full precision."""
        numbers = torch.as_tensor(places, device=self.crops.device)
        return replace(
            self,
            crops=self.crops[numbers].float(),
            present=self.present[numbers],
            readable=self.readable[numbers],
            face=self.face[numbers],
            off=self.off[numbers],
        )


@dataclass(frozen=True, slots=True, eq=False)
class SetTensors:
    """The samples of one set. pools : of each sort of places the numbers, their chances, and how many are drawn."""

    samples: LotTensors
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
        tensors = LotTensors(
            supports=torch.as_tensor(samples.supports, dtype=torch.float32, device=device),
            crops=torch.as_tensor(samples.crops, device=device),
            present=torch.as_tensor(present, dtype=torch.int64, device=device),
            readable=torch.as_tensor(samples.readable, dtype=torch.int64, device=device),
            face=torch.as_tensor(samples.face, dtype=torch.float32, device=device),
            off=torch.as_tensor(samples.off, device=device),
        )
        return cls(tensors, tuple(pools))

    def drawn(self, random: np.random.Generator) -> LotTensors:
        """Places for one step: half of them lots, some unreadable ones."""
        places = [random.choice(pool, count, p=chance) for pool, chance, count in self.pools]
        return self.samples.at(np.concatenate(places))

    def painted(self, random: np.random.Generator, chance: torch.Generator) -> LotTensors:
        """Lots from close by of one side, which is plain in three of four cases, on half of which marks are painted."""
        every, side = self.samples, -1 if random.random() < PLAIN else 1
        alike = np.flatnonzero(every.face.cpu().numpy() == side)
        if not len(alike):
            return self.drawn(random)
        drawn = every.at(random.choice(alike, PLACES))
        taught = every.supports[:LOTS] if side > 0 else every.supports[LOTS:]
        is_marked = torch.as_tensor(random.random(PLACES) < 0.5, device=taught.device)
        seen = torch.cat([taught, drawn.crops[is_marked]])
        paint(seen, functional.pad(drawn.off[is_marked], (0, 0, LOTS, 0)), chance)
        drawn.crops[is_marked] = seen[LOTS:]
        return replace(drawn, supports=torch.cat([seen[:LOTS], taught]), face=2 * is_marked.float() - 1)


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

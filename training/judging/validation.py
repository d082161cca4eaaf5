"""Reports how well the judge judges the places of sets that it has not been trained on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from hardware.reader.judge.witness import CERTAIN
from training.judging.judge_network import Judge
from training.judging.lot_samples import LotSamples
from training.judging.sample_store import load

BATCH = 256

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """The log-odds of n places, (n,) each, and the truth."""

    samples: LotSamples
    present: Floats
    readable: Floats
    marked: Floats

    def margins(self) -> Floats:
        """The log-odds of the true face, where it is known."""
        seen = self.samples.face != 0
        return self.marked[seen] * self.samples.face[seen]


@torch.no_grad()
def judged(judge: Judge, samples: LotSamples) -> Judged:
    """Judge a set's places."""
    supports = judge.network(torch.from_numpy(samples.supports.astype(np.float32)))
    parts = torch.from_numpy(samples.crops).split(BATCH)
    told = torch.cat([judge.network(part.float()) for part in parts])
    present, readable, marked = (odds.numpy() for odds in judge.relation(supports, told))
    return Judged(samples, present, readable, marked)


def report(judge: Judge, files: Sequence[Path]) -> Iterator[str]:
    """A line for each set, and lines for all of them."""
    every = []
    for path in files:
        one = judged(judge, load(path))
        every.append(one)
        yield f"  {path.stem}: {_faces(one.margins())}; present {_wrong(one.present, one.samples.present)}"
    if every:
        yield f"{len(every)} sets: {_faces(np.concatenate([one.margins() for one in every]))}"
        for name in ("present", "readable"):
            odds = np.concatenate([getattr(one, name) for one in every])
            truth = np.concatenate([getattr(one.samples, name) for one in every])
            so, not_so = _percentiles(odds[truth == 1], (1, 5, 25)), _percentiles(odds[truth == 0], (75, 95, 99))
            yield f"{name}: {_wrong(odds, truth)}; log-odds if so {so}, if not {not_so}"


def _faces(margins: Floats) -> str:
    if not len(margins):
        return "no faces"
    least = CERTAIN / 2
    right, certain, wrong = (margins > 0).mean(), (margins > least).mean(), int((margins < -least).sum())
    return f"of {len(margins)} faces {right:.2%} right, {certain:.2%} certain, {wrong} certain and wrong"


def _wrong(odds: Floats, truth: NDArray[np.int8]) -> str:
    counted = truth >= 0
    share = ((odds > 0) != (truth == 1))[counted].mean() if counted.any() else 0.0
    return f"{share:.2%} wrong"


def _percentiles(odds: Floats, shares: tuple[int, ...]) -> str:
    if not len(odds):
        return "none"
    return " ".join(f"{value:.1f}" for value in np.percentile(odds, shares)) + f" (percentiles {shares})"

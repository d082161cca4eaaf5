"""Keeps the judge's samples in a folder, one file for each set, so that making them can be interrupted."""

# ruff: noqa: T201 - progress on the terminal

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields
from functools import cache
from hashlib import sha256
from itertools import repeat
from pathlib import Path

import cv2
import numpy as np

from hardware.reader.general.detector import Detector
from hardware.reader.judge.lot_crops import STICK_CROP
from training.composing.strangers import Strangers
from training.judging.lot_samples import LotSamples, drawn_samples, set_samples
from training.rendered_sets import RenderedSet

COMPOSED, DRAWN_COMPOSED = 12, 14
"""Composed throws of each rendered set, and of each drawn one, which has no others."""

DRAWN = 1
"""Sets that are drawn on each rendered tray."""

SUFFIX, UNTAUGHT = ".npz", ".untaught"


@dataclass(frozen=True, slots=True)
class Task:
    """Samples to be made. drawn : number of the set that is drawn on the tray, or None for the rendered one."""

    one: RenderedSet
    drawn: int | None

    @property
    def name(self) -> str:
        """The file's name without its suffix."""
        return self.one.labels["id"] if self.drawn is None else f"{self.one.labels['id']}-drawn{self.drawn}"

    def samples(self, detector: Detector, strangers: Strangers) -> LotSamples | None:
        """Make them; always the same."""
        random = np.random.default_rng([self.one.number, 0 if self.drawn is None else 1 + self.drawn])
        if self.drawn is None:
            return set_samples(self.one, detector, strangers, COMPOSED, random)
        return drawn_samples(self.one, detector, strangers, DRAWN_COMPOSED, random)


def make_samples(known: Sequence[RenderedSet], model: Path, folder: Path, workers: int = 1) -> None:
    """Make the samples of all sets and of sets drawn on their trays, except those already in the folder.

    Sets that cannot be taught leave an empty file that marks them.
    model : the detector's ONNX file. Samples made with an earlier one have to be removed first.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tasks = [
        task
        for one in known
        for drawn in (None, *range(DRAWN))
        if not any((folder / ((task := Task(one, drawn)).name + end)).exists() for end in (SUFFIX, UNTAUGHT))
    ]
    folders = tuple(one.folder for one in known)
    with ProcessPoolExecutor(workers) as pool:
        for line in pool.map(_make, tasks, repeat(folders), repeat(model), repeat(folder)):
            print(line, flush=True)


def save(samples: LotSamples, path: Path) -> None:
    """Save samples. The file is complete or absent."""
    fresh = path.with_suffix(".new")
    with fresh.open("wb") as file:
        np.savez(file, **{one.name: getattr(samples, one.name) for one in fields(LotSamples)})
    fresh.replace(path)


def load(path: Path) -> LotSamples:
    """Load samples."""
    with np.load(path) as stored:
        return LotSamples(**{one.name: stored[one.name] for one in fields(LotSamples)})


def sample_files(folder: Path, *, is_long: bool) -> Iterator[Path]:
    """The files of sticks' or of small lots' samples, except those of validation sets, in order of name."""
    for path in sorted(folder.glob(f"*{SUFFIX}"), key=lambda path: path.stem):
        if set_of(path).is_validation:
            continue
        with np.load(path) as stored:
            if (stored["supports"].shape[2:] == STICK_CROP) is is_long:
                yield path


def set_of(path: Path) -> RenderedSet:
    """The number and the validation of the set whose tray a file's samples show; it has no pictures."""
    return RenderedSet(path.parent, {"id": path.stem.split("-")[0]})


@cache
def _strangers(folders: Sequence[Path]) -> Strangers:
    """The foreign objects of the sets in these folders, once in each process."""
    return Strangers(RenderedSet.opened(folder) for folder in folders)


def _make(task: Task, folders: Sequence[Path], model: Path, folder: Path) -> str:
    cv2.setNumThreads(1)
    samples = task.samples(Detector(model, sha256(model.read_bytes()).hexdigest()), _strangers(folders))
    if samples is None:
        (folder / (task.name + UNTAUGHT)).touch()
        return f"{task.name}: cannot be taught"
    save(samples, folder / (task.name + SUFFIX))
    kind = "sticks" if samples.is_long else "small lots"
    return f"{task.name}: {kind}, {len(samples.crops)} places, {int((samples.present == 1).sum())} of them lots"

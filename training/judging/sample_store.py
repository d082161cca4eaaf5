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

from hardware.composing.cutouts import TrayScene
from hardware.reader.detection.detector import Detector
from training.composing.borrowed_lots import borrowed_lots
from training.composing.drawn_lots import drawn_lots
from training.composing.labelled_scenes import open_set
from training.composing.strangers import Strangers
from training.judging.lot_samples import LotSamples, SetSamples, laid_samples, set_samples
from training.rendered_sets import RenderedSet

COMPOSED, LAID_COMPOSED = 12, 14
"""Composed throws of each rendered set, and of lots that are laid on its tray, of which there are no others."""

OWN, DRAWN, BORROWED = ORIGINS = ("own", "drawn", "borrowed")
"""Where the lots on a tray come from: its own, drawn ones, or another set's."""

FOLDS = 5
"""Parts of the sets, by their numbers modulo this, of which one can be held out; none lends its lots to another one."""

STICKS, SMALL, CLOSE_STICKS, CLOSE_SMALL = KINDS = ("sticks", "small", "close_sticks", "close_small")
"""The judges, which are also the folders of their samples: of sticks, of small lots, and of both from close by."""

SUFFIX, UNTAUGHT = ".npz", ".untaught"


@dataclass(frozen=True, slots=True)
class Task:
    """Samples to be made on the tray of a set.

    origin : of the lots, one of ORIGINS. other : the set from which lots are borrowed.
    turn : which of the sets of that origin that are laid on the tray, from 0.
    """

    one: RenderedSet
    origin: str
    other: RenderedSet
    turn: int = 0

    @property
    def name(self) -> str:
        """The file's name without its suffix."""
        laid = "" if self.origin == OWN else f"-{self.origin}"
        return f"{self.one.labels['id']}{laid}" + (f"-{self.turn}" if self.turn else "")

    def samples(self, detector: Detector, strangers: Strangers) -> SetSamples | None:
        """Make them; always the same."""
        random = np.random.default_rng([self.one.number, ORIGINS.index(self.origin), self.turn])
        if self.origin == OWN:
            return set_samples(self.one, detector, strangers, COMPOSED, random)
        try:
            scene = self._scene(random)
        except ValueError:
            return None  # no lot lies free, so that the light is unknown
        return None if scene is None else laid_samples(scene, detector, strangers, LAID_COMPOSED, random)

    def _scene(self, random: np.random.Generator) -> TrayScene | None:
        tray = open_set(self.one.folder.parent, self.one.labels)
        if self.origin == DRAWN:
            return drawn_lots(tray, random)
        return borrowed_lots(tray, open_set(self.other.folder.parent, self.other.labels), random)


def tasks_for(known: Sequence[RenderedSet], laid: int = 1) -> Iterator[Task]:
    """The samples to be made of these sets: of their own lots, and ``laid`` times of drawn and of borrowed ones.

    Each borrows the lots of sets in its part of them, drawn by its number.
    """
    for one in known:
        others = [other for other in known if other.number % FOLDS == one.number % FOLDS]
        lenders = np.random.default_rng(one.number).integers(len(others), size=laid).tolist()
        yield Task(one, OWN, one)
        for turn, lender in enumerate(lenders):
            yield from (Task(one, origin, others[lender], turn) for origin in (DRAWN, BORROWED))


def make_samples(known: Sequence[RenderedSet], model: Path, folder: Path, workers: int = 1, laid: int = 1) -> None:
    """Make the samples of all sets and of lots laid on their trays, except those already in the folder's `KINDS`.

    Sets that cannot be taught leave an empty file that marks them. laid : see `tasks_for`.
    model : the detector's ONNX file. Samples made with an earlier one have to be removed first.
    """
    for kind in KINDS:
        (folder / kind).mkdir(parents=True, exist_ok=True)
    tasks = [task for task in tasks_for(known, laid) if not _is_made(task, folder)]
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


def is_long(kind: str) -> bool:
    """Whether a judge sees sticks."""
    return kind in (STICKS, CLOSE_STICKS)


def is_close(kind: str) -> bool:
    """Whether a judge sees faces alone."""
    return kind in (CLOSE_STICKS, CLOSE_SMALL)


def sample_files(folder: Path, kind: str) -> list[Path]:
    """The files of one judge's samples, except those of validation sets, in order of name."""
    files = sorted((folder / kind).glob(f"*{SUFFIX}"), key=lambda path: path.stem)
    return [path for path in files if not set_of(path).is_validation]


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
    name, places = task.name + SUFFIX, samples.places
    kind, close = (STICKS, CLOSE_STICKS) if places.is_long else (SMALL, CLOSE_SMALL)
    if samples.close is not None:
        save(samples.close, folder / close / name)
    save(places, folder / kind / name)
    return f"{task.name}: {kind}, {len(places.crops)} places, {int((places.present == 1).sum())} of them lots"


def _is_made(task: Task, folder: Path) -> bool:
    """Whether its samples exist; those from close by are saved before the others."""
    files = [folder / kind / (task.name + SUFFIX) for kind in (STICKS, SMALL)]
    return any(path.exists() for path in (*files, folder / (task.name + UNTAUGHT)))

"""Judges whether a lot lies at a place, whether its face can be read, and which face it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock

import numpy as np

from hardware.reader.arrays import Floats
from hardware.reader.bars import Bar
from hardware.reader.detection.detector import open_network
from hardware.reader.detection.lot_shape import LotShape
from hardware.reader.judge.lot_crops import diameter

FACE, MAKE, EVIDENCE = 48, 16, 5
"""Numbers that describe a crop's face, and what sort of thing it shows, and by which it is known for a lot."""


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """Log-odds for each of n places, (n,): that a lot lies there, that its face can be read, and that it is the marked
    one; and the place where the lot lies rather, (n, 3) along, across and turned."""

    present: Floats
    readable: Floats
    marked: Floats
    off: Floats

    def of(self, kept: Sequence[int]) -> Judgement:
        """The judgement of some of the places."""
        return Judgement(self.present[kept], self.readable[kept], self.marked[kept], self.off[kept])


class Describer:
    """Runs the judge's network with OpenCV alone. Threads may share it; a lock serialises them.

    digest : the SHA-256 of the model's file. Raises ValueError if the file has another one.
    """

    def __init__(self, model: Path, digest: str) -> None:
        self._net = open_network(model, digest)
        self._turn = Lock()

    def describe(self, crops: Floats) -> Floats:
        """(n, 5 + MAKE + FACE) descriptions of (n, CHANNELS, rows, columns) crops."""
        with self._turn:
            if not len(crops):
                return np.empty((0, 5 + MAKE + FACE), np.float32)
            self._net.setInput(crops)
            return np.array(self._net.forward(), np.float32)

    def describe_all_round(self, crops: Floats) -> Floats:
        """The mean descriptions of crops and their mirror images: steadier, and four times the work."""
        images = [_mirrored(crops, along, across) for along in (False, True) for across in (False, True)]
        told = np.stack(np.split(self.describe(np.concatenate([mirrored for mirrored, _ in images])), len(images)))
        told[:, :, 2:5] *= np.array([signs for _, signs in images], np.float32)[:, None]
        return np.asarray(told.mean(axis=0), np.float32)


class LotJudge:
    """Judges descriptions of places by those of the taught lots.

    marked, plain : (n, ...) descriptions of the taught lots, four or more of each face.
    relation : the learnt numbers.
    """

    def __init__(self, marked: Floats, plain: Floats, relation: Sequence[float]) -> None:
        taught = np.concatenate([marked, plain])
        self._sides = marked, plain
        self._relation = relation
        self._make, self._face, self._count = taught[:, 5 : 5 + MAKE], taught[:, 5 + MAKE :], len(marked)
        self._steep, noise, self._gain, self._strange, self._here, self._flat = relation
        sides = self._face[: self._count], self._face[self._count :]
        gap = np.abs(sides[0].mean(axis=0) - sides[1].mean(axis=0))
        spread = (sides[0].std(axis=0, ddof=1) + sides[1].std(axis=0, ddof=1)) / 2
        parted = (gap / (gap + 2 * spread + noise)) ** 2
        self._weights = parted / (parted.sum() + 0.1)

    def __call__(self, told: Floats) -> Judgement:
        """Judge places by their descriptions."""
        strange = self.oddness(told)
        apart = (np.abs(told[:, None, 5 + MAKE :] - self._face[None]) * self._weights).sum(axis=2)
        marked, plain = (
            -_logsumexp(-self._steep * side) for side in (apart[:, : self._count], apart[:, self._count :])
        )
        return Judgement(
            present=told[:, 0] + self._here - self._strange * strange,
            readable=told[:, 1] + self._flat - self._strange * strange,
            marked=self._gain * (plain - marked),
            off=told[:, 2:5],
        )

    def oddness(self, told: Floats) -> Floats:
        """How far each thing is from the taught lot that it is most like as a sort of thing: (n,)."""
        return _nearest(told[:, 5 : 5 + MAKE], self._make)

    def strangeness(self, told: Floats) -> Floats:
        """How far each face is from the taught one it is most like, whichever that is: (n,)."""
        return _nearest(told[:, 5 + MAKE :], self._face)

    def by_others(self) -> tuple[Floats, Floats]:
        """How the others judge each taught face, (n,) log-odds: that it is there, and its lead.

        A face leads by the log-odds with which it is told; below 0 the others take it for the opposite one.
        """
        present, leads = [], []
        for number, sign in ((0, 1), (1, -1)):
            for one in range(len(self._sides[number])):
                sides = [*self._sides]
                sides[number] = np.delete(sides[number], one, axis=0)
                judgement = LotJudge(sides[0], sides[1], self._relation)(self._sides[number][one : one + 1])
                present.append(float(judgement.present[0]))
                leads.append(sign * float(judgement.marked[0]))
        return np.array(present, np.float32), np.array(leads, np.float32)


def evidence(judge: LotJudge, near: LotJudge, told: Floats, close: Floats) -> Floats:
    """What the networks say of n places by which a lot that shows its face is known: (EVIDENCE, n).

    near, close : the judge of faces from close by, and the places' descriptions from there.
    """
    one = np.ones(len(told), np.float32)
    return np.stack([told[:, 0], told[:, 1], judge.oddness(told), near.strangeness(close), one])


def presence(told: Floats) -> Judgement:
    """Judge places before lots are taught: only whether there is one."""
    nothing = np.zeros(len(told), np.float32)
    return Judgement(present=told[:, 0], readable=told[:, 1], marked=nothing, off=told[:, 2:5])


def moved(place: Bar, off: Floats, shape: LotShape) -> Bar:
    """The place where the lot lies rather."""
    if not shape.is_long:
        size = diameter(shape)
        return replace(place, x=place.x + float(off[0]) * size, y=place.y + float(off[1]) * size)
    turn = np.degrees(off[2] * shape.bar.width / shape.bar.length)
    return place.moved(float(off[0] * place.length), float(off[1] * place.width), float(turn))


def _mirrored(crops: Floats, along: bool, across: bool) -> tuple[Floats, tuple[int, int, int]]:
    """Crops mirrored along and across, and the signs that lead from where lots lie there to where they lie here."""
    turns = -1 if along != across else 1
    seen = crops[:, :, :: -1 if across else 1, :: -1 if along else 1].copy()
    seen[:, -1] *= turns
    return seen, (-1 if along else 1, -1 if across else 1, turns)


def _nearest(told: Floats, taught: Floats) -> Floats:
    """Distance of each of n descriptions to the nearest taught one, (n,)."""
    return np.asarray(np.linalg.norm(told[:, None] - taught[None], axis=2).min(axis=1), np.float32)


def _logsumexp(values: Floats) -> Floats:
    most = values.max(axis=1)
    return np.asarray(most + np.log(np.exp(values - most[:, None]).sum(axis=1)), np.float32)

"""Fits how the log-odds that a lot lies at a place, and shows its face there, follow from what the networks say."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.errors import CompanionError
from companion.rules.odds import LOTS
from hardware.reader.judge.candidates import Seeing, candidates, likely, settled
from hardware.reader.judge.judge_model import Model
from hardware.reader.judge.lot_crops import CropMaker
from hardware.reader.judge.lot_judge import EVIDENCE, LotJudge, evidence
from hardware.reader.judge.shipped_judge import FACTS
from hardware.reader.judge.teaching import TaughtPlaces, find_lots
from training.composing.strangers import Strangers
from training.judging.lot_labels import label, without_hidden
from training.judging.lot_samples import Throw, throws_of, worsened
from training.rendered_sets import RenderedSet

COMPOSED = 6
"""Composed throws of each set. More of them, and what hardly ever happens counts as much as what does."""

SEEN = 0.3
"""Visible share of a lot from which it has to be found."""

STEPS, LEAST = 60, 0.1
"""Newton steps of the fit, and what keeps coefficients small in it."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """n places where a reader looks for lots. known: (n, EVIDENCE).

    present, shown : (n,) whether a lot lies there, and whether it shows its face: 1, 0, or -1 if it does not count.
    """

    known: Numbers
    present: NDArray[np.int8]
    shown: NDArray[np.int8]


def fitted_odds(parts: Iterable[Places]) -> list[list[float]]:
    """What each piece of evidence counts for a lot's being there, and for its showing its face: (2, EVIDENCE)."""
    every = [*parts]
    known = np.concatenate([one.known for one in every])
    truths = (np.concatenate([getattr(one, name) for one in every]) for name in ("present", "shown"))
    return [_fitted(known[truth >= 0], truth[truth >= 0]) for truth in truths]


def write_odds(odds: Mapping[str, list[list[float]]], folder: Path) -> None:
    """Put them into the facts of the model in that folder."""
    facts = json.loads((folder / FACTS).read_text(encoding="ascii"))
    facts["odds"].update(odds)
    (folder / FACTS).write_text(json.dumps(facts, indent=1) + "\n", encoding="ascii")


def places_of(
    one: RenderedSet, model: Model, strangers: Strangers, random: np.random.Generator
) -> tuple[int, list[Places]] | None:
    """The kind of a set's lots, as in `LotShape.kind`, and the places in its throws; None if it cannot be taught."""
    try:
        lesson = find_lots(model, *(one.picture(image["file"]) for image in one.teaching_images()))
    except CompanionError:
        return None
    throws = worsened(throws_of(one, lesson, strangers, COMPOSED, random), random)
    return lesson.shape.kind, [*_places(model, lesson, throws)]


def _places(model: Model, lesson: TaughtPlaces, throws: Iterable[Throw]) -> Iterator[Places]:
    shape, relation = lesson.shape, model.relations[lesson.shape.kind]
    own, near = (LotJudge(told[:LOTS], told[LOTS:], relation) for told in lesson.told[:2])
    for throw in throws:
        scene = lesson.tray.scene(throw.pixels)
        if scene is None:
            continue
        view = lesson.view(model.detector, scene, lesson.shade(scene))
        maker = CropMaker(view, shape, lesson.reference)
        seeing = Seeing(model, own, view, shape, maker)
        found = settled(seeing, likely(candidates(seeing), shape))
        known = evidence(own, near, *model.witnessed(found.told, maker, found.places)[:2]).T
        lots = without_hidden(throw.lots, shape)
        labels = [label(place, lots, shape) for place in found.places]
        hidden = [lot for lot in lots if lot.shown < SEEN]
        # A lot of which hardly anything is seen counts neither as there nor as missing.
        present = [
            -1 if label(place, hidden, shape).present == 1 else one.present
            for place, one in zip(found.places, labels, strict=True)
        ]
        shown = [one.readable if one.present == 1 else one.present for one in labels]
        yield Places(known.astype(float), np.array(present, np.int8), np.array(shown, np.int8))


def _fitted(known: Numbers, truth: NDArray[np.int8]) -> list[float]:
    """The coefficients of a logistic regression. The last column of what is known is 1."""
    spread, middle = known.std(axis=0) + 1e-6, known.mean(axis=0)
    spread[-1], middle[-1] = 1.0, 0.0
    scaled, fitted = (known - middle) / spread, np.zeros(EVIDENCE)
    for _ in range(STEPS):
        share = 1 / (1 + np.exp(-scaled @ fitted))
        slope = scaled.T @ (share - truth) + LEAST * fitted
        bend = (scaled * (share * (1 - share))[:, None]).T @ scaled + LEAST * np.eye(EVIDENCE)
        fitted -= np.linalg.solve(bend, slope)
    told = fitted / spread
    told[-1] -= middle @ told
    return [round(float(one), 4) for one in told]

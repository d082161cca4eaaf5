"""Composes throws from the pictures that taught a reader, and tries how it reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from companion.calibration.forecast import Trial, TrialResult
from companion.referee.events import ThrowSeen, ThrowUnreadable
from hardware.cameras.camera import Pixels
from hardware.composing.arrangement import MAKERS, Floor, varied
from hardware.composing.cutouts import Cut, TrayScene
from hardware.composing.painting import Taken, painted, placed
from hardware.composing.taught_faces import TaughtFaces
from hardware.composing.visibility import touching, truths

TRIALS = 20
"""Throws that are composed. More take longer, about 0.3 s each, fewer say less."""

STICKS = ("heap", "apart", "crossed", "leg to side", "star", "heap", "stacked", "crossed", "heap", "side by side")
SMALL_LOTS = (
    "apart",
    "side by side",
    "apart",
    "apart",
    "end to end",
    "apart",
    "apart",
    "side by side",
    "apart",
    "apart",
)
"""The arrangements, in turn. In nine of ten rendered throws sticks touch, but in only three of ten small lots do; they
slide off one another."""

ATTEMPTS = 200
"""Attempts to arrange a throw in which every face can be told, before it is given up."""

GAIN, CAST, SHAKE = 0.02, 0.006, 0.4
"""Largest random change between pictures: exposure and white balance (shares), and camera shift (pixels)."""


@dataclass(frozen=True, slots=True, eq=False)
class TrialThrow:
    """A composed picture and its count. touching: some of its lots touch."""

    pixels: Pixels
    marked: int
    touching: bool


def tried(read: Callable[[Pixels], ThrowSeen | ThrowUnreadable], faces: TaughtFaces, trials: int) -> Iterator[Trial]:
    """Read composed throws one after the other. The same faces always make the same throws. read: as a reader does."""
    for throw in trial_throws(faces, trials):
        answer = read(throw.pixels)
        result = TrialResult.ASKED
        if isinstance(answer, ThrowSeen):
            result = TrialResult.RIGHT if answer.marked == throw.marked else TrialResult.WRONG
        yield Trial(result, throw.touching)


def trial_throws(faces: TaughtFaces, trials: int) -> Iterator[TrialThrow]:
    """Compose up to that many throws. Kinds that do not fit into the tray are left out."""
    scene = faces.scene()
    backgrounds = faces.backgrounds(float(np.hypot(*scene.shadow)))
    scenes = [replace(scene, empty=background) for background in backgrounds]
    del scene
    for seed in range(trials):
        throw = _composed(scenes[seed % 2], seed)
        if throw is not None:
            yield throw


def _composed(scene: TrayScene, seed: int) -> TrialThrow | None:
    random = np.random.default_rng(seed)
    kinds = STICKS if scene.is_long else SMALL_LOTS
    kind = kinds[seed % len(kinds)]
    for _ in range(ATTEMPTS):
        lots = _lots(scene, random)
        poses = MAKERS[kind](Floor(scene, lots, random))
        if poses is None:
            continue
        poses = varied(poses, random)
        layers = [placed(scene.empty.shape, cut, pose) for cut, pose in zip(lots, poses, strict=True)]
        if all(lot.is_readable for lot in truths(layers, lots, poses, np.zeros(scene.empty.shape[:2], np.float32))):
            break
    else:
        return None
    taken = Taken(
        gain=float(random.uniform(1 - GAIN, 1 + GAIN)),
        cast=tuple(random.uniform(1 - CAST, 1 + CAST, 3)),
        shift=tuple(random.uniform(-SHAKE, SHAKE, 2)),
    )
    pixels = painted(scene, layers, taken, random)
    return TrialThrow(pixels, sum(cut.marked for cut in lots), touching(layers, scene.empty.shape))


def _lots(scene: TrayScene, random: np.random.Generator) -> list[Cut]:
    """Four lots of the eight, each with a random face up, half of them mirrored."""
    sides = [[cut for cut in scene.cuts if cut.marked is marked] for marked in (False, True)]
    lots = [sides[int(random.integers(2))][number] for number in random.permutation(min(map(len, sides)))]
    return [cut.mirrored() if random.random() < 0.5 else cut for cut in lots]

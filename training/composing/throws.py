"""Composes heaps of four lots from cut-outs, with exact labels: each lot's face, and how much of it is visible."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from training.composing.arrangement import KINDS, Pose, arrange, spot_for
from training.composing.cutouts import Cut, Pixels, Plane, Scene
from training.composing.painting import Layer, Taken, cover_of, painted, piece, placed

FACE, MARK = 0.55, 0.5
"""Visible shares of each lot's upper face and of its mark at which a throw counts as readable: the definition of the
labelled pictures."""

HIDDEN = 0.1
"""Visible share of a face below which nobody can judge it. Shares in between count neither way."""

FIFTH = 0.3
"""Smallest visible share of each face if there are five lots. A buried lot cannot be counted."""

GAIN, CAST, SHAKE = 0.02, 0.006, 0.4
"""Largest random change between pictures: exposure and white balance (shares), and camera shift (pixels)."""

OTHER_GAIN, OTHER_CAST, OTHER_SLOPE, OTHER_SHIFT = (0.7, 1.2), 0.06, 0.12, 8.0
"""The same for another light and a bumped camera: brightness, colour, a gradient across the picture, and pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """The labels of one lot. face, mark: visible shares, relative to the whole lot."""

    x: float
    y: float
    angle: float
    marked: bool
    face: float
    mark: float


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Heap:
    """A picture, (960, 1280, 3) uint8 blue-green-red, and its labels.

    says: "readable", "unreadable" or "between"; a wrong reading of the last counts as wrong all the same.
    touching: some of the lots touch or cross, to within a pixel or two.
    undecidable: so little of a lot's mark is visible that a wrong reading is nobody's fault.
    """

    name: str
    kind: str
    seed: int
    pixels: Pixels
    lots: tuple[Truth, ...]
    says: str
    undecidable: bool
    touching: bool

    @property
    def marked(self) -> int:
        """Number of marked faces up, visible or not."""
        return sum(lot.marked for lot in self.lots)


def compose(scene: Scene, seed: int, kinds: Sequence[str] = KINDS) -> Heap:
    """Compose the heap of ``seed``; always the same one. Kinds alternate from seed to seed."""
    kind = kinds[seed % len(kinds)]
    random = np.random.default_rng([seed, zlib.crc32(scene.name.encode())])
    for _ in range(400):
        lots = _lots(scene, random, {"three": 3, "five": 5, "none": 0}.get(kind, 4))
        poses = arrange(scene, kind, lots, random)
        if poses is None:
            continue
        cover = cover_of(scene, kind, lots, poses, random)
        layers = [placed(scene.empty.shape, cut, pose) for cut, pose in zip(lots, poses, strict=True)]
        truths = _truths(layers, lots, poses, cover)
        if any(lot.face < 0.99 for lot in truths) and kind == "hand aside":
            continue
        says = _says(truths)
        # Enough of a fifth lot is visible that nobody could overlook it.
        if _wanted(kind, says) and not (kind == "five" and any(lot.face < FIFTH for lot in truths)):
            break
    else:
        raise ValueError(f"{scene.name} {seed}: no {kind} heap fits into the tray")
    if kind == "with a piece":
        size = random.uniform(0.9, 1.3) * float(np.mean([cut.width for cut in scene.cuts]))
        thing, spot = piece(size, random), spot_for(scene, lots, poses, size, random)
        if spot is not None:
            layers.append(placed(scene.empty.shape, thing, spot))
    weak = any(lot.mark < 0.2 or lot.face < 0.2 for lot in truths)
    return Heap(
        name=scene.name,
        kind=kind,
        seed=seed,
        pixels=painted(scene, layers, cover, taken(kind, random), random),
        lots=tuple(truths),
        says=says,
        undecidable=weak,
        touching=_touching(layers[: len(lots)], scene.empty.shape),
    )


def _touching(lots: Sequence[Layer], shape: tuple[int, ...]) -> bool:
    """True when two of the lots come within two pixels."""
    taken = np.zeros(shape[:2], np.uint8)
    for one in lots:
        own = np.zeros(shape[:2], np.uint8)
        own[one.part] = one.alpha > 0.5
        own = cv2.dilate(own, np.ones((3, 3), np.uint8)).astype(np.uint8)
        if (own & taken).any():
            return True
        taken |= own
    return False


def taken(kind: str, random: np.random.Generator) -> Taken:
    """Random exposure, colour cast and shift of a picture."""
    if kind == "other light":
        return Taken(
            gain=float(random.uniform(*OTHER_GAIN)),
            cast=tuple(random.uniform(1 - OTHER_CAST, 1 + OTHER_CAST, 3)),
            slope=tuple(random.uniform(-OTHER_SLOPE, OTHER_SLOPE, 2)),
            shift=tuple(random.uniform(-OTHER_SHIFT, OTHER_SHIFT, 2)),
        )
    return Taken(
        gain=float(random.uniform(1 - GAIN, 1 + GAIN)),
        cast=tuple(random.uniform(1 - CAST, 1 + CAST, 3)),
        shift=tuple(random.uniform(-SHAKE, SHAKE, 2)),
    )


def _wanted(kind: str, says: str) -> bool:
    if kind in ("three", "five", "none", "hidden"):
        return says == "unreadable"
    if kind in ("hand", "glare", "half out"):
        return says != "readable"
    return says == "between" if kind == "partly hidden" else says == "readable"


def _says(lots: Sequence[Truth]) -> str:
    if len(lots) != 4 or any(lot.face < HIDDEN for lot in lots):
        return "unreadable"
    return "readable" if all(lot.face >= FACE and lot.mark >= MARK for lot in lots) else "between"


def _lots(scene: Scene, random: np.random.Generator, count: int) -> list[Cut]:
    """``count`` different lots of the set, each with a random face up."""
    chosen = []
    ids = list(random.permutation(sorted({cut.lot for cut in scene.cuts if cut.lot < 4})))
    while len(ids) < count:
        ids.append(int(random.integers(4)))
    for lot in ids[:count]:
        marked = bool(random.random() < 0.5)
        pool = [cut for cut in scene.cuts if cut.lot == lot and cut.marked == marked]
        pool = pool or [cut for cut in scene.cuts if cut.marked == marked]
        chosen.append(pool[int(random.integers(len(pool)))])
    return chosen


def _truths(layers: Sequence[Layer], lots: Sequence[Cut], poses: Sequence[Pose], cover: Plane) -> list[Truth]:
    """Measure how much of each lot is visible below later lots, below whatever covers the tray, and within the
    picture."""
    open_to_view = 1 - cover
    found = []
    for layer, cut, pose in zip(reversed(layers), reversed(lots), reversed(poses), strict=True):
        seen = layer.alpha * open_to_view[layer.part]
        found.append(
            Truth(
                x=pose.x,
                y=pose.y,
                angle=pose.angle % 180,
                marked=cut.marked,
                face=min(1.0, float(seen.sum()) / layer.whole),
                mark=min(1.0, float((seen * layer.mark).sum()) / layer.whole_mark),
            )
        )
        open_to_view[layer.part] *= 1 - layer.alpha
    return found[::-1]

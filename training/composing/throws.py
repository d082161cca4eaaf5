"""Composes heaps of four lots from cut-outs, with exact labels: each lot's face, and how much of it is visible."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from hardware.composing.cutouts import Cut, Pixels, Plane, TrayScene
from hardware.composing.painting import Taken, painted, placed
from hardware.composing.visibility import Truth, touching, truths
from training.composing.arrangement import KINDS, arrange, spot_for
from training.composing.covers import cover_of, covered, piece
from training.composing.on_edge import on_edge
from training.composing.strangers import Strangers

HIDDEN = 0.1
"""Visible share of a face below which nobody can judge it. Shares in between count neither way."""

FIFTH = 0.3
"""Smallest visible share of each face if there are five lots. A buried lot cannot be counted."""

TWIN, ALIKE = 0.5, (0.8, 1.8)
"""Share of foreign objects that are as large as a small lot, and the limits of their size in its lengths."""

GAIN, CAST, SHAKE = 0.02, 0.006, 0.4
"""Largest random change between pictures: exposure and white balance (shares), and camera shift (pixels)."""

OTHER_GAIN, OTHER_CAST, OTHER_SLOPE, OTHER_SHIFT = (0.7, 1.2), 0.06, 0.12, 8.0
"""The same for another light and a bumped camera: brightness, colour, a gradient across the picture, and pixels."""


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


def compose(scene: TrayScene, seed: int, kinds: Sequence[str] = KINDS, strangers: Strangers | None = None) -> Heap:
    """Compose the heap of ``seed``; always the same one. Kinds alternate from seed to seed.

    strangers : for the kinds "with a thing" and "with a hand", which are not among KINDS, nor are "on edge",
        "a fifth below", "beside the tray" and "over the rim".
    """
    kind = kinds[seed % len(kinds)]
    random = np.random.default_rng([seed, zlib.crc32(scene.name.encode())])
    for _ in range(400):
        lots = _lots(scene, random, {"three": 3, "five": 5, "a fifth below": 5, "none": 0}.get(kind, 4))
        if kind == "on edge":
            lots[-1] = on_edge(lots[-1], random)
        poses = arrange(scene, kind, lots, random)
        if poses is None:
            continue
        hand = strangers.hand(scene.empty.shape, random) if strangers and kind == "with a hand" else None
        cover = cover_of(scene, kind, lots, poses, random) if hand is None else hand.alpha
        layers = [placed(scene.empty.shape, cut, pose) for cut, pose in zip(lots, poses, strict=True)]
        labels = truths(layers, lots, poses, cover)
        if kind == "on edge":
            labels[-1] = replace(labels[-1], face=0.0, mark=0.0)
        if any(lot.face < 0.99 for lot in labels) and kind == "hand aside":
            continue
        says = _says(labels)
        # Enough of a fifth lot is visible that nobody could overlook it.
        if _wanted(kind, says) and not (kind == "five" and any(lot.face < FIFTH for lot in labels)):
            break
    else:
        raise ValueError(f"{scene.name} {seed}: no {kind} heap fits into the tray")
    thing = None
    if kind == "with a piece":
        thing = piece(random.uniform(0.9, 1.3) * float(np.mean([cut.width for cut in scene.cuts])), random)
    elif strangers and kind == "with a thing":
        alike = not scene.is_long and random.random() < TWIN
        length = float(random.uniform(*ALIKE) * np.mean([cut.length for cut in scene.cuts])) if alike else None
        thing = strangers.thing(random, length)
    if thing is not None and (spot := spot_for(scene, lots, poses, thing.length, random)) is not None:
        layers.append(placed(scene.empty.shape, thing, spot))
    weak = any(lot.mark < 0.2 or lot.face < 0.2 for lot in labels)
    how = taken(kind, random)
    across, down = how.shift

    def cover_it(canvas: Plane) -> Plane:
        if hand is None:
            return covered(canvas, cover, random)
        return np.asarray(canvas + (hand.pixels - canvas) * hand.alpha[..., None], np.float32)

    return Heap(
        name=scene.name,
        kind=kind,
        seed=seed,
        pixels=painted(scene, layers, how, random, cover_it),
        lots=tuple(replace(lot, x=lot.x + across, y=lot.y + down) for lot in labels),
        says=says,
        undecidable=weak,
        touching=touching(layers[: len(lots)], scene.empty.shape),
    )


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
    if kind == "with a hand":
        return True
    if kind in ("three", "five", "a fifth below", "none", "hidden", "on edge"):
        return says == "unreadable"
    if kind in ("hand", "glare", "half out"):
        return says != "readable"
    return says == "between" if kind == "partly hidden" else says == "readable"


def _says(lots: Sequence[Truth]) -> str:
    if len(lots) != 4 or any(lot.face < HIDDEN for lot in lots):
        return "unreadable"
    return "readable" if all(lot.is_readable for lot in lots) else "between"


def _lots(scene: TrayScene, random: np.random.Generator, count: int) -> list[Cut]:
    """``count`` different lots of the set, each with a random face up."""
    chosen = []
    ids = list(random.permutation(sorted({cut.lot for cut in scene.cuts if cut.lot < 4})))
    while len(ids) < count:
        ids.append(int(random.integers(4)))
    for lot in ids[:count]:
        marked = bool(random.random() < 0.5)
        chosen.append(side_of(scene, lot, random, marked=marked))
    return chosen


def side_of(scene: TrayScene, lot: int, random: np.random.Generator, *, marked: bool) -> Cut:
    """That lot with that side up, or another lot if it was never seen so. Raises ValueError if none was."""
    sides = [cut for cut in scene.cuts if cut.marked == marked]
    pool = [cut for cut in sides if cut.lot == lot] or sides
    return pool[int(random.integers(len(pool)))]

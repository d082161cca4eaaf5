"""Composes pictures of cut-out lots on other trays, with hands and foreign objects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.cameras.camera import Pixels
from hardware.composing.cutouts import Cut, TrayScene
from hardware.composing.painting import painted, placed
from training.composing.arrangement import arrange, spot_for
from training.composing.labelled_scenes import open_set
from training.composing.strangers import SIZE, Strangers, changed
from training.composing.throws import taken
from training.rendered_sets import RenderedSet

Plane = NDArray[np.float32]

STRANGER = 10
"""Mask value of hands and of other things in composed pictures."""

POSES = (
    "apart",
    "side by side",
    "end to end",
    "leg to side",
    "crossed",
    "stacked",
    "star",
    "heap",
    "leaning",
    "hidden",
    "beside the tray",
)
OFTEN = (0.16, 0.12, 0.06, 0.1, 0.14, 0.1, 0.06, 0.14, 0.05, 0.03, 0.04)
"""The arrangements of four lots, and the share of each. Touching and crossing lots are the hard ones."""

COUNTS, COUNTS_OFTEN = (4, 5, 3, 2, 0), (0.84, 0.06, 0.05, 0.02, 0.03)

ELSEWHERE = 0.6
"""Share of pictures whose lots come from another set than their tray."""

STRANGERS, HANDS = 0.35, 0.15
"""Share of pictures with a foreign object, and with a hand."""

COLOUR = 0.12
"""Standard deviation of the change of the lots' colour (logarithm of each channel)."""

DISGUISED, DISGUISE = 0.15, (0.4, 1.0)
"""Share of pictures whose lots take on the tray's colour, and limits of how much of it (share of the logarithm)."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Example:
    """A picture with the true class of each pixel.

    pixels, bare : (rows, columns, 3) uint8, the picture, and the empty tray in the same place and light.
    mask : (rows, columns) uint8: 0 nothing new, 1 to 5 a lot, STRANGER anything else.
    angles : degrees clockwise of lots 1 to 5 from index 1 on; nan for lots without a direction.
    width : of a lot, in pixels.
    """

    pixels: Pixels
    bare: Pixels
    mask: Pixels
    angles: NDArray[np.float64]
    width: float


class Composer:
    """Composes pictures from rendered sets. Sets without a single separate lot serve as trays only."""

    def __init__(self, sets: Sequence[RenderedSet], random: np.random.Generator) -> None:
        self._random = random
        self._trays: list[TrayScene] = []
        self._lots: list[TrayScene] = []
        self._strangers = Strangers(())
        for one in sets:
            self.add(one)

    def add(self, one: RenderedSet) -> None:
        """Cut out the lots of a set, and add them."""
        try:
            scene = open_set(one.folder.parent, one.labels)
        except ValueError:
            return  # none of its lots lies free
        self._trays.append(scene)
        if {cut.marked for cut in scene.cuts} == {True, False}:
            self._lots.append(scene)
        self._strangers.add(one)

    def example(self) -> Example:
        """Compose a random picture. Raises LookupError if no set shows a marked and a plain lot that lie free."""
        if not self._lots:
            raise LookupError("None of the sets shows a marked and a plain lot that lie free: add other sets.")
        while True:
            try:
                made = self._composed()
            except (ValueError, IndexError, cv2.error):
                continue  # a pose that leaves the picture
            if made is not None:
                return made

    def _composed(self) -> Example | None:
        random = self._random
        lots = self._lots[random.integers(len(self._lots))]
        tray = self._trays[random.integers(len(self._trays))] if random.random() < ELSEWHERE else lots
        size = float(random.uniform(*SIZE)) if tray is not lots else 1.0
        colour = np.exp(random.normal(0, COLOUR if random.random() < 0.3 else 0.02, 3))
        if random.random() < DISGUISED:
            difference = tray.empty.mean(axis=(0, 1)) / _mean_colour(lots.cuts)
            colour *= difference ** random.uniform(*DISGUISE)
        count = int(random.choice(COUNTS, p=COUNTS_OFTEN))
        chosen = [
            changed(lots.cuts[random.integers(len(lots.cuts))], size, colour.astype(np.float32)) for _ in range(count)
        ]
        scene = replace(tray, is_long=lots.is_long, cuts=tuple(chosen) or lots.cuts)
        poses = None
        for _ in range(20):
            pose = str(random.choice(POSES, p=OFTEN)) if count == 4 else ("apart", "heap")[int(random.integers(2))]
            poses = arrange(scene, pose, chosen, random) if chosen else []
            if poses is not None:
                break
        if poses is None:
            return None
        layers = [placed(scene.empty.shape, cut, pose) for cut, pose in zip(chosen, poses, strict=True)]
        values = list(range(1, count + 1))
        angles = np.full(6, np.nan)
        if lots.is_long:
            angles[1 : count + 1] = [pose.angle % 180 for pose in poses]
        if random.random() < STRANGERS and (thing := self._strangers.thing(random)) is not None:
            spot = spot_for(scene, chosen, poses, 0.6 * thing.length, random) if chosen else None
            if spot is not None:
                layers.append(placed(scene.empty.shape, thing, spot))
                values.append(STRANGER)
        if random.random() < HANDS and (hand := self._strangers.hand(scene.empty.shape, random)) is not None:
            layers.append(hand)
            values.append(STRANGER)
        mask = np.zeros(scene.empty.shape[:2], np.uint8)
        for value, layer in zip(values, layers, strict=True):
            mask[layer.part][layer.alpha > 0.5] = value
        how = taken("other light", random) if random.random() < 0.3 else taken("", random)
        pixels = painted(scene, layers, replace(how, shift=(0.0, 0.0)), random)
        return Example(
            pixels=pixels,
            bare=_out_of_place(scene.empty, pixels, random),
            mask=mask,
            angles=angles,
            width=float(np.mean([cut.width for cut in scene.cuts])),
        )


def _mean_colour(cuts: Sequence[Cut]) -> Plane:
    """Mean colour of lots, (3,)."""
    seen = [cut.pixels[cut.alpha > 0.5].mean(axis=0) for cut in cuts]
    return np.asarray(np.maximum(np.mean(seen, axis=0), 1.0), np.float32)


def _out_of_place(empty: Plane | Pixels, pixels: Pixels, random: np.random.Generator) -> Pixels:
    """The empty tray in the picture's light, with a typical registration error."""
    off = random.normal(0, 0.8 if random.random() < 0.1 else 0.2, 2)
    move = np.array([[1, 0, off[0]], [0, 1, off[1]]])
    laid = cv2.warpAffine(empty, move, empty.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    ratio = np.median((pixels[::4, ::4] + 4.0) / (laid[::4, ::4] + 4.0), axis=(0, 1))
    return np.asarray(np.clip(np.round(laid * ratio), 0, 255), np.uint8)

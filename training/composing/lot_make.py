"""Draws lots of one make: their colours, grain, shape and mark are random, but common to a set."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules.odds import LOTS
from hardware.composing.cutouts import PAD, Cut
from hardware.reader.bars import Bar, Ends
from training.composing.marks import SMALL_MARKS, STICK_MARKS, THIN, Mark

FINER = 4
"""How much larger lots are drawn than they are shown."""

MIXED = 0.3
"""Share of sets of small lots whose colours differ from lot to lot, as those of maize do."""

DIFFERENCE = 14.0
"""Least distance in Lab between a mark and the lot's own colour, so that a person sees it."""


class LotMake:
    """The common properties of a set's lots. length, width: in pixels."""

    def __init__(self, length: float, width: float, random: np.random.Generator, *, is_long: bool) -> None:
        self.is_long, self.length, self.width = is_long, length, width
        self._roundness = float(random.choice((0.0, 0.5, 1.0) if is_long else (1.0, 1.0, 0.2)))
        mixed = not is_long and random.random() < MIXED
        self._bases = [_colour(random, wooden=is_long) for _ in range(LOTS if mixed else 1)]
        same = mixed or random.random() < 0.75
        self._others = self._bases if same else [_colour(random, wooden=False)]
        name, number = str(random.choice(STICK_MARKS if is_long else SMALL_MARKS)), int(random.integers(1, 6))
        self._mark = Mark(name, number, float(random.uniform(*((0.12, 0.3) if name in THIN else (0.3, 0.65)))))
        self._paint = next(
            paint
            for paint in (_colour(random, wooden=False) for _ in range(1000))
            if min(_difference(paint, bare) for bare in (*self._bases, *self._others)) > DIFFERENCE
        )
        self._grain = float(random.uniform(0, 0.09))
        self._worn = float(random.choice((0.0, 0.0, random.uniform(0, 0.35))))
        self._spread = float(random.choice((0.02, 0.05, 0.12)))
        self._gloss = float(random.uniform(0, 0.12))

    def cut(self, lot: int, random: np.random.Generator, *, marked: bool) -> Cut:
        """Draw one lot from one side."""
        size = float(np.exp(random.normal(0, 0.01 if self.is_long else 0.05)))
        length, width = self.length * size, self.width * size
        rows, columns = (round((side + 2 * PAD) * FINER) for side in (width, length))
        down, across = np.mgrid[:rows, :columns].astype(np.float64)
        u, v = (across - (columns - 1) / 2) / (length * FINER), (down - (rows - 1) / 2) / (width * FINER)
        tint = np.exp(random.normal(0, self._spread)) * np.exp(random.normal(0, self._spread / 3, 3))
        fibre = random.normal(0, 1, (max(2, int(width / 1.5)), 3))
        blotches = random.normal(0, 1, (max(2, int(width / 2)), max(2, int(length / 2))))
        fibres, mottled = (
            cv2.resize(one, (columns, rows), interpolation=cv2.INTER_CUBIC).astype(np.float64)
            for one in (fibre, blotches)
        )
        shade = 1 + self._grain * (fibres + 0.6 * mottled) - self._gloss * v
        mark = np.zeros(u.shape)
        if marked:
            mark[self._mark.covers(u, v, self.length / self.width, is_long=self.is_long)] = 1
        if self._worn:
            mark *= 1 - self._worn * (mottled > 0.8)
        mark = cv2.GaussianBlur(mark, (0, 0), 0.12 * FINER).astype(np.float64)
        bares = self._bases if marked else self._others
        bare = bares[lot % len(bares)] * tint * shade[..., None]
        painted = self._paint * tint * (1 + 0.5 * self._grain * mottled)[..., None]
        pixels = bare * (1 - mark[..., None]) + painted * mark[..., None]
        outline = self._outline(length, width) * FINER + ((columns - 1) / 2, (rows - 1) / 2)
        alpha = np.zeros(u.shape, np.uint8)
        cv2.fillPoly(alpha, [np.round(outline * 16).astype(np.int32)], 1, cv2.LINE_8, 4)
        small = (columns // FINER, rows // FINER)
        seen, shown, told = (
            np.asarray(cv2.resize(plane.astype(np.float32), small, interpolation=cv2.INTER_AREA), np.float32)
            for plane in (np.clip(pixels, 1, 255), alpha, mark)
        )
        return Cut(
            lot=lot,
            marked=marked,
            pixels=seen,
            alpha=shown,
            # A plain face has no mark, and one that is too small to count is judged by the whole face.
            mark=told * shown if told.sum() > 4 else shown,
            x=(small[0] - 1) / 2,
            y=(small[1] - 1) / 2,
            angle=0.0,
            length=length,
            width=width,
        )

    def _outline(self, length: float, width: float) -> NDArray[np.float64]:
        """The outline of such a lot of that size, around the origin."""
        if not self.is_long and self._roundness == 1.0:
            turns = np.linspace(0, 2 * np.pi, 32, endpoint=False)
            return np.stack([np.cos(turns) * length, np.sin(turns) * width], axis=1) / 2
        return Ends(self._roundness).outline(Bar(0, 0, 0, length, width))


def _colour(random: np.random.Generator, *, wooden: bool) -> NDArray[np.float64]:
    """A random colour, blue-green-red. Wooden ones are between pale straw and dark brown."""
    if wooden and random.random() < 0.75:
        light, warm = random.uniform(60, 225), random.uniform(0.12, 0.6)
        return np.array([light * (1 - warm), light * (1 - 0.45 * warm), light])
    if random.random() < 0.35:
        return np.full(3, random.uniform(12, 235)) * np.exp(random.normal(0, 0.05, 3))
    return random.uniform(10, 240, 3)


def _difference(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """The distance of two colours in Lab."""
    pair = np.clip(np.stack([one, other])[None] / 255, 0, 1).astype(np.float32)
    lab = cv2.cvtColor(pair, cv2.COLOR_BGR2LAB).astype(np.float32)
    return float(np.linalg.norm(lab[0, 0] - lab[0, 1]))

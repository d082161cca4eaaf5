"""Check that foreign pictures are refused: ``python -m tests.bench.reader_foreign_pictures PHOTOS LABELLED``.

PHOTOS holds photographs of other things and their ``labels.csv``, LABELLED the labelled throws. No photograph shows
four taught lots, so none may be read as a throw. Two questions: is a photograph refused in place of a throw, and is it
refused when the reader was taught on that photograph's background?
"""

# ruff: noqa: T201 - prints its results

from __future__ import annotations

import argparse
import csv
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from companion.errors import CompanionError
from companion.referee.events import ThrowSeen
from hardware.cameras.camera import Pixels
from hardware.cameras.picture_files import load_picture
from hardware.composing.arrangement import Pose
from hardware.composing.cutouts import TrayScene
from hardware.composing.painting import lay
from hardware.reader.throw_reader import ThrowReader
from tests.hardware.reader.labelled.reading_counts import labelled_throws
from training.composing.labelled_scenes import open_sets

ON_A_PLAIN_GROUND = ("dice", "kernels", "coins", "sticks")
"""Kinds whose background can be estimated from the photograph; a board's cannot."""

TAUGHT_ON_IT = ("d09", "d10", "d11", "d12")
"""Sets whose lots are small enough to be taught on each of the photographs."""


def cut_to(pixels: Pixels, rows: int, columns: int) -> Pixels:
    """The middle of the photograph, cropped to these proportions and resized."""
    high, wide = pixels.shape[:2]
    scale = min(high / rows, wide / columns)
    top, left = (high - round(rows * scale)) // 2, (wide - round(columns * scale)) // 2
    part = pixels[top : top + round(rows * scale), left : left + round(columns * scale)]
    return np.asarray(cv2.resize(part, (columns, rows), interpolation=cv2.INTER_AREA), np.uint8)


def background(pixels: Pixels) -> Pixels:
    """The photograph's background as a smooth surface, fitted robustly; boards have none."""
    rows, columns = pixels.shape[:2]
    small = cv2.resize(pixels, (120, max(1, round(120 * rows / columns))), interpolation=cv2.INTER_AREA)
    across, down = np.meshgrid(np.linspace(-1, 1, small.shape[1]), np.linspace(-1, 1, small.shape[0]))
    terms = np.stack([across**i * down**j for i in range(3) for j in range(3 - i)], axis=-1).reshape(-1, 6)
    colours = small.reshape(-1, 3).astype(np.float64)
    kept = np.maximum(np.abs(across), np.abs(down)).ravel() > 0.8
    sheet = colours
    for _ in range(12):
        sheet = terms @ np.linalg.lstsq(terms[kept], colours[kept], rcond=None)[0]
        off = np.abs(colours - sheet).max(axis=1)
        kept = off < max(6.0, 2.5 * float(np.median(off[kept])))
    ground = np.clip(sheet, 0, 255).astype(np.uint8).reshape(small.shape)
    return np.asarray(cv2.resize(ground, (columns, rows), interpolation=cv2.INTER_LINEAR), np.uint8)


def answers_as_a_throw(pixels: Pixels, readers: list[ThrowReader]) -> Counter[str]:
    """Each reader's answer for a photograph that it was not taught on."""
    said: Counter[str] = Counter()
    for reader in readers:
        rows, columns = reader.profile.empty.shape[:2]
        answer = reader.read(cut_to(pixels, rows, columns))
        said["READ" if isinstance(answer, ThrowSeen) else answer.reason] += 1
    return said


def answers_once_taught(pixels: Pixels, empty: Pixels, scenes: list[TrayScene]) -> Counter[str]:
    """Answers of readers that were taught four lots of another set on this background."""
    said: Counter[str] = Counter()
    rows, columns = empty.shape[:2]
    corners = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32)
    ground = empty.astype(np.float32)
    for scene in scenes:
        random = np.random.default_rng(4)
        here = replace(scene, empty=ground, light=np.ones((rows, columns, 1), np.float32), floor=corners)
        spots = [(x * columns, y * rows) for x in (0.35, 0.65) for y in (0.35, 0.65)]
        taught = []
        for marked in (True, False):
            four = [next(cut for cut in scene.cuts if cut.lot == n and cut.marked == marked) for n in range(4)]
            poses = [Pose(x=x, y=y, angle=cut.angle) for (x, y), cut in zip(spots, four, strict=True)]
            taught.append(lay(here, four, poses, random))
        try:
            reader = ThrowReader.calibrate(empty, *taught)
        except CompanionError as error:
            said[f"not taught ({type(error).__name__})"] += 1
            continue
        answer = reader.read(pixels)
        said["READ" if isinstance(answer, ThrowSeen) else answer.reason] += 1
    return said


def main() -> None:
    """Read, count, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photos", type=Path, help="holds labels.csv and the photographs")
    parser.add_argument("labelled", type=Path, help="holds the labelled throws, to teach readers with")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    readers = list({id(reader): reader for _, reader, _ in labelled_throws(chosen.labelled, set(), 1)}.values())
    scenes = [scene for _, scene in open_sets(chosen.labelled, set(TAUGHT_ON_IT))]
    with (chosen.photos / "labels.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if (chosen.photos / row["file"]).is_file()]
    sums: dict[str, list[Counter[str]]] = defaultdict(lambda: [Counter(), Counter()])
    for row in rows:
        pixels = load_picture(chosen.photos / row["file"])
        kind = row["kind"]
        unknown = answers_as_a_throw(pixels, readers)
        sums[kind][0] += unknown
        line = f"{row['file']}: {row['n_objects']} things; as a throw: {_listed(unknown)}"
        if kind in ON_A_PLAIN_GROUND:
            empty = background(pixels)
            taught = answers_once_taught(pixels, empty, scenes)
            sums[kind][1] += taught
            line += f"; taught on it: {_listed(taught)}"
        print(line, flush=True)
    for kind, (unknown, taught) in sums.items():
        print(f"{kind}: as a throw {_listed(unknown)}; taught on it {_listed(taught)}")


def _listed(said: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in said.most_common()) or "not tried"


if __name__ == "__main__":
    main()

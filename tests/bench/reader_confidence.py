"""Compare stated confidence with accuracy: ``python -m tests.bench.reader_confidence FOLDER --plot FILE``.

Uses all labelled throws, corrupted ones on request, and composed heaps. Every lot that the reader judged counts,
whether or not the throw was read. A throw counts when all four lots were judged; its confidence is their product. So
readings below the reader's threshold are included, and the last table shows what other thresholds would have answered.
"""

# ruff: noqa: T201 - prints its results

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import cv2

from companion.referee.events import Face, Lot, ThrowSeen, ThrowUnreadable
from tests.bench.reader_heaps import read_heaps
from tests.hardware.reader.labelled.corruptions import SPOILERS
from tests.hardware.reader.labelled.reading_counts import labelled_throws
from training.composing.arrangement import KINDS
from training.composing.labelled_scenes import open_sets

EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0)
"""Edges of the bins; finer towards 1, where most readings lie."""

THRESHOLDS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995, 0.999)

Place = tuple[float, float, bool]
"""The true place of a lot in pixels, and whether its marked face is up."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One judgement of the reader. answered: it gave it as an answer. source: the picture, for looking it up."""

    confidence: float
    right: bool
    answered: bool
    source: str


def judged(
    answer: ThrowSeen | ThrowUnreadable, truth: Sequence[Place], readable: bool, reach: float, source: str
) -> tuple[list[Judged], Judged | None]:
    """The reader's judgement of each lot, and of the throw if it judged all four.

    reach: maximum distance in pixels between a lot and its reading. A throw with a hidden part is never right, because
    it could only be guessed.
    """
    answered = isinstance(answer, ThrowSeen)
    said = [lot for lot in answer.lots if lot.face is not Face.UNKNOWN]
    lots = [Judged(lot.confidence, _is_so(lot, truth, reach), answered, source) for lot in said]
    if isinstance(answer, ThrowSeen):
        stated = answer.confidence
    elif len(said) == len(answer.lots) == 4:
        stated = math.prod(lot.confidence for lot in said)
    else:
        return lots, None
    marked = sum(lot.face is Face.MARKED for lot in said)
    right = readable and marked == sum(up for _, _, up in truth)
    return lots, Judged(stated, right, answered, source)


def _is_so(lot: Lot, truth: Sequence[Place], reach: float) -> bool:
    """Whether a lot lies there with that face up."""
    near = [(math.hypot(lot.x - x, lot.y - y), up) for x, y, up in truth]
    return any(far <= reach and up == (lot.face is Face.MARKED) for far, up in near)


def labelled(folder: Path, only: set[str], spoiled: bool) -> Iterator[tuple[list[Judged], Judged | None]]:
    """The judgements of the labelled throws and of their corruptions."""
    for image, reader, pixels in labelled_throws(folder, only, 1):
        truth = [(*one["center_px"], one["face_up"] == "marked") for one in image["objects"]]
        reach = 0.5 * max(one["length_px"] for one in image["objects"])
        yield judged(reader.read(pixels), truth, image["readable"], reach, image["file"])
        # Skip rotated and shifted pictures: their lots are no longer at the labelled places.
        for spoiler in (one for one in SPOILERS if spoiled and one.name not in ("rotation", "shift")):
            for strength in (spoiler.strengths[0], spoiler.strengths[-1]):
                answer = reader.read(spoiler.spoil(pixels, strength))
                source = f"{image['file']} {spoiler.name} {strength:g}"
                yield judged(answer, truth, image["readable"], reach, source)


def composed(folder: Path, only: set[str], count: int, seed: int) -> Iterator[tuple[list[Judged], Judged | None]]:
    """The judgements of composed heaps; heaps that are neither readable nor unreadable count only lot by lot."""
    for one, scene in open_sets(folder, only):
        for heap, answer, _ in read_heaps(folder, one, scene, range(seed, seed + count), KINDS):
            truth = [(lot.x, lot.y, lot.marked) for lot in heap.lots]
            reach = 0.5 * max(cut.length for cut in scene.cuts)
            lots, throw = judged(answer, truth, heap.says == "readable", reach, f"{heap.name} {heap.seed}")
            yield lots, None if heap.says == "between" else throw


def interval(right: int, of: int) -> tuple[float, float]:
    """Wilson's 95 % interval for a proportion."""
    z, p = 1.96, right / of
    middle = (p + z * z / (2 * of)) / (1 + z * z / of)
    half = z * math.sqrt(p * (1 - p) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return max(0.0, middle - half), min(1.0, middle + half)


def binned(said: Sequence[Judged]) -> Iterator[tuple[float, float, list[Judged]]]:
    """(lower edge, upper edge, judgements) of every non-empty bin."""
    for low, high in pairwise(EDGES):
        inside = [one for one in said if low <= one.confidence < high or (high == 1.0 == one.confidence)]
        if inside:
            yield low, high, inside


def show(title: str, said: Sequence[Judged]) -> None:
    """Print stated against observed confidence, bin by bin."""
    print(f"{title}: {len(said)}, wrong {sum(not one.right for one in said)}")
    for low, high, inside in binned(said):
        right = sum(one.right for one in inside)
        least, most = interval(right, len(inside))
        stated = sum(one.confidence for one in inside) / len(inside)
        print(
            f"  {low:5.3f} to {high:5.3f}: {len(inside):5d} stated {stated:.4f}, right {right / len(inside):.4f} "
            f"({least:.4f} to {most:.4f})"
        )


def thresholds(throws: Sequence[Judged]) -> None:
    """Print the answers at other thresholds, had the reader answered everything it judged."""
    print("if throws were answered from this confidence on")
    for least in THRESHOLDS:
        answers = [one for one in throws if one.confidence >= least]
        print(f"  {least:5.3f}: answered {len(answers):5d}, wrong {sum(not one.right for one in answers)}")


def plot(lots: Sequence[Judged], throws: Sequence[Judged], path: Path) -> None:
    """Two reliability plots, of lots and of throws, on axes that magnify the range near 1."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(11, 5), layout="constrained")
    for axis, (name, said) in zip(axes, (("lots", lots), ("throws", throws)), strict=True):
        floor = 1e-4
        axis.plot([floor, 1], [floor, 1], color="0.7", linewidth=0.8)
        for _, _, inside in binned(said):
            right = sum(one.right for one in inside)
            least, most = interval(right, len(inside))
            doubt = max(floor, 1 - sum(one.confidence for one in inside) / len(inside))
            wrong = max(floor, 1 - right / len(inside))
            axis.plot([doubt] * 2, [max(floor, 1 - most), max(floor, 1 - least)], color="C0")
            axis.plot([doubt], [wrong], "o", color="C0" if right < len(inside) else "C2")
            axis.annotate(str(len(inside)), (doubt, wrong), textcoords="offset points", xytext=(5, 4), fontsize=8)
        axis.set(xscale="log", yscale="log", xlabel="stated doubt, 1 - confidence", ylabel="observed share wrong")
        axis.set(title=f"{len(said)} {name} (green: none wrong; below the line: surer than said)")
        axis.title.set_fontsize(10)
    figure.savefig(path, dpi=100)


def main() -> None:
    """Read everything, print, draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="holds labels.json and the sets")
    parser.add_argument("--sets", default="", help="only these, with commas between")
    parser.add_argument("--count", type=int, default=100, help="composed heaps a set")
    parser.add_argument("--seed", type=int, default=50_000, help="of the first heap")
    parser.add_argument(
        "--spoiled", action="store_true", help="the labelled throws also in other light, noise and so on"
    )
    parser.add_argument("--plot", type=Path, help="draw the reliability plots into this file")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    only = set(chosen.sets.split(",")) - {""}
    lots: list[Judged] = []
    throws: list[Judged] = []
    for title, source in (
        ("labelled", labelled(chosen.folder, only, chosen.spoiled)),
        ("composed", composed(chosen.folder, only, chosen.count, chosen.seed)),
    ):
        said = list(source)
        some = [throw for _, throw in said if throw is not None]
        show(f"{title}, lots judged", [one for found, _ in said for one in found])
        show(f"{title}, throws judged", some)
        lots += [one for found, _ in said for one in found]
        throws += some
    show("all lots judged", lots)
    show("all throws judged", throws)
    thresholds(throws)
    for one in throws:
        if not one.right and (one.answered or one.confidence > 0.9):
            print(f"{'MISREAD' if one.answered else 'would be wrong'} {one.source} at {one.confidence:.3f}")
    if chosen.plot:
        plot(lots, throws, chosen.plot)


if __name__ == "__main__":
    main()

"""Measure how reading degrades as pictures get worse: ``python -m tests.bench.reader_robustness FOLDER``.

Every labelled throw of the chosen sets is corrupted in every way of ``tests.hardware.reader.labelled.corruptions`` and
read with the profile of the clean calibration pictures; ``--chance ROUNDS`` corrupts it in random ways instead. No
corrupted throw may be misread.
"""

# ruff: noqa: T201 - prints its results

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np

from tests.hardware.reader.labelled.corruptions import SPOILERS, Spoiler, by_chance
from tests.hardware.reader.labelled.reading_counts import LabelledThrow, ReadingCounts, labelled_throws


def line(title: str, count: ReadingCounts) -> str:
    reasons = ", ".join(f"{name} {n}" for name, n in count.reasons.most_common(4))
    return (
        f"  {title:24s} apart {count.share('apart'):6.1%}, touching or crossing "
        f"{count.share('touching or crossing'):6.1%}, MISREAD {len(count.wrong)}; asked: {reasons}"
    )


def sweep(throws: list[LabelledThrow], spoiler: Spoiler) -> list[tuple[float, ReadingCounts]]:
    """The outcomes at each strength."""
    counts = []
    for strength in spoiler.strengths:
        count = ReadingCounts()
        for image, reader, pixels in throws:
            count.add(image, reader, spoiler.spoil(pixels, strength))
        counts.append((strength, count))
        print(line(f"{spoiler.name} {strength:g} {spoiler.unit}", count), *count.wrong, flush=True)
    return counts


def draw(throws: list[LabelledThrow], rounds: int, seed: int) -> None:
    """Read each throw that many times with random corruptions, and print the misreadings."""
    random = np.random.default_rng(seed)
    count = ReadingCounts()
    for number in range(rounds):
        for image, reader, pixels in throws:
            spoiled, what = by_chance(pixels, random)
            before = len(count.wrong)
            count.add(image, reader, spoiled)
            if len(count.wrong) > before:
                print(f"MISREAD round {number}: {image['file']}, {what}", flush=True)
    print(line(f"{rounds * len(throws)} by chance, seed {seed}", count))


def plot(curves: dict[str, list[tuple[float, ReadingCounts]]], untouched: ReadingCounts, path: Path) -> None:
    """Plot the share read against the strength, one small plot for each corruption."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(3, 4, figsize=(14, 9), sharey=True, layout="constrained")
    for axis, (name, points) in zip(axes.flat, curves.items(), strict=False):
        for row, colour in (("apart", "C0"), ("touching or crossing", "C1")):
            axis.plot([x for x, _ in points], [c.share(row) for _, c in points], "o-", color=colour, label=row)
            axis.axhline(untouched.share(row), color=colour, linewidth=0.6, linestyle=":")
        wrong = [(x, len(c.wrong) / sum(c.of.values())) for x, c in points if c.wrong]
        axis.plot([x for x, _ in wrong], [y for _, y in wrong], "rx", label="misread")
        axis.set(title=name, ylim=(-0.03, 1.03))
    axes[0, 0].legend()
    axes[0, 0].set_ylabel("share read")
    for axis in axes.flat[len(curves) :]:
        axis.axis("off")
    figure.savefig(path, dpi=100)


def main() -> None:
    """Corrupt, read, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="holds labels.json and the sets")
    parser.add_argument("--sets", default="", help="only these, with commas between")
    parser.add_argument("--ways", default="", help="only these ways to spoil, with commas between")
    parser.add_argument("--every", type=int, default=1, help="take only every N-th throw")
    parser.add_argument("--chance", type=int, default=0, help="spoil every throw so many times as chance has it")
    parser.add_argument("--seed", type=int, default=1, help="what chance begins with")
    parser.add_argument("--plot", type=Path, help="draw the curves into this file")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    only, ways = (set(names.split(",")) - {""} for names in (chosen.sets, chosen.ways))
    throws = labelled_throws(chosen.folder, only, chosen.every)
    untouched = ReadingCounts()
    for image, reader, pixels in throws:
        untouched.add(image, reader, pixels)
    print(line(f"untouched, {len(throws)} throws", untouched), *untouched.wrong)
    if chosen.chance:
        draw(throws, chosen.chance, chosen.seed)
        return
    curves = {one.name: sweep(throws, one) for one in SPOILERS if not ways or one.name in ways}
    wrong = sum(len(count.wrong) for points in curves.values() for _, count in points)
    print(f"misread in all: {wrong} of {len(throws) * sum(len(points) for points in curves.values())}")
    if chosen.plot:
        plot(curves, untouched, chosen.plot)


if __name__ == "__main__":
    main()

"""Print how reading falls off as pictures get worse: ``python tests/bench/robustness.py FOLDER``.

Every labelled throw of the chosen sets is spoiled in every way of ``spoiling`` and read with the profile of the
unspoiled calibration pictures; with ``--chance ROUNDS``, so many times as chance has it instead. Misreadings have to
stay at none.
"""

# ruff: noqa: T201 - a table on the terminal is what this is for

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.errors import CompanionError
from companion.referee.events import ThrowSeen
from hardware.camera import Pixels
from hardware.pictures import load_picture
from hardware.profile import calibrate
from hardware.throw_reader import ThrowReader
from tests.bench.reading_table import kind
from tests.bench.spoiling import SPOILERS, Spoiler, by_chance

Picture = tuple[dict[str, Any], ThrowReader, Pixels]


@dataclass(slots=True)
class Count:
    """What came of one way and strength: readable throws that lie apart or not, and everything wrong."""

    read: Counter[str] = field(default_factory=Counter)
    of: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def add(self, image: dict[str, Any], reader: ThrowReader, pixels: Pixels) -> None:
        name = kind(image)
        answer = reader.read(pixels)
        self.of[name] += 1
        if not isinstance(answer, ThrowSeen):
            self.reasons[answer.reason] += 1
        elif image["readable"] and answer.marked == image["count_marked_up"]:
            self.read[name] += 1
        else:
            self.wrong.append(image["file"])

    def share(self, name: str) -> float:
        return self.read[name] / max(self.of[name], 1)


def pictures(folder: Path, only: set[str], every: int) -> list[Picture]:
    """(labels, reader, pixels) of every so-manieth throw of the sets."""
    found: list[Picture] = []
    for one in json.loads((folder / "labels.json").read_text())["sets"]:
        if only and one["id"] not in only:
            continue
        names = ("empty", "cal_marked", "cal_plain")
        try:
            reader = ThrowReader(calibrate(*(load_picture(folder / one["id"] / f"{name}.jpg") for name in names)))
        except CompanionError as error:
            print(f"{one['id']}: {error}")
            continue
        throws = [image for image in one["images"] if image["role"] == "throw"]
        found += [(image, reader, load_picture(folder / image["file"])) for image in throws]
    return found[::every]


def line(title: str, count: Count) -> str:
    reasons = ", ".join(f"{name} {n}" for name, n in count.reasons.most_common(4))
    return (
        f"  {title:24s} apart {count.share('apart'):6.1%}, touching or crossing "
        f"{count.share('touching or crossing'):6.1%}, MISREAD {len(count.wrong)}; asked: {reasons}"
    )


def sweep(throws: list[Picture], spoiler: Spoiler) -> list[tuple[float, Count]]:
    """What came of each strength."""
    counts = []
    for strength in spoiler.strengths:
        count = Count()
        for image, reader, pixels in throws:
            count.add(image, reader, spoiler.spoil(pixels, strength))
        counts.append((strength, count))
        print(line(f"{spoiler.name} {strength:g} {spoiler.unit}", count), *count.wrong, flush=True)
    return counts


def draw(throws: list[Picture], rounds: int, seed: int) -> None:
    """Spoil and read every throw so many times as chance has it, and print what was misread."""
    random = np.random.default_rng(seed)
    count = Count()
    for number in range(rounds):
        for image, reader, pixels in throws:
            spoiled, what = by_chance(pixels, random)
            before = len(count.wrong)
            count.add(image, reader, spoiled)
            if len(count.wrong) > before:
                print(f"MISREAD round {number}: {image['file']}, {what}", flush=True)
    print(line(f"{rounds * len(throws)} by chance, seed {seed}", count))


def plot(curves: dict[str, list[tuple[float, Count]]], untouched: Count, path: Path) -> None:
    """The share read against the strength, one small plot a way."""
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
    """Spoil, read, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="holds labels.json and the sets")
    parser.add_argument("--sets", default="", help="only these, with commas between")
    parser.add_argument("--ways", default="", help="only these ways to spoil, with commas between")
    parser.add_argument("--every", type=int, default=1, help="take only every so-manieth throw")
    parser.add_argument("--chance", type=int, default=0, help="spoil every throw so many times as chance has it")
    parser.add_argument("--seed", type=int, default=1, help="what chance begins with")
    parser.add_argument("--plot", type=Path, help="draw the curves into this file")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    only, ways = (set(names.split(",")) - {""} for names in (chosen.sets, chosen.ways))
    throws = pictures(chosen.folder, only, chosen.every)
    untouched = Count()
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

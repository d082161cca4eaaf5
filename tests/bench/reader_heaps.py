"""Count how composed heaps are read: ``python -m tests.bench.reader_heaps FOLDER --count N --seed S``.

Four lots cut out of a set's pictures are placed on its empty tray in arrangements typical of four thrown lots. The
seed of a misread heap draws it again: ``--sets d01 --seed 17 --count 1 --save DIR``. Cut-outs have no height and only
one light, so these heaps only approximate real ones.
"""

# ruff: noqa: T201 - prints its results

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2

from companion.errors import CompanionError
from companion.referee.events import ThrowSeen, ThrowUnreadable
from hardware.cameras.picture_files import load_picture
from hardware.composing.cutouts import TrayScene
from hardware.reader.throw_reader import ThrowReader
from training.composing.arrangement import KINDS
from training.composing.labelled_scenes import open_sets
from training.composing.throws import Heap, compose

CALIBRATION = ("empty", "cal_marked", "cal_plain")


def outcome(heap: Heap, answer: ThrowSeen | ThrowUnreadable) -> str:
    """Right, MISREAD, or the reason for asking; "guessed" if the faces cannot be known."""
    if not isinstance(answer, ThrowSeen):
        return answer.reason
    if heap.says == "between" and answer.marked != heap.marked and heap.undecidable:
        return "guessed"
    return "right" if heap.says != "unreadable" and answer.marked == heap.marked else "MISREAD"


def read_heaps(
    folder: Path, one: dict[str, Any], scene: TrayScene, seeds: range, kinds: tuple[str, ...] = KINDS
) -> Iterator[tuple[Heap, ThrowSeen | ThrowUnreadable, float]]:
    """(heap, answer, milliseconds) of each seed; nothing if the set cannot be calibrated."""
    try:
        profile = ThrowReader.calibrate(
            *(load_picture(folder / one["id"] / f"{name}.jpg") for name in CALIBRATION)
        ).profile
    except CompanionError as error:
        print(f"{one['id']}: {error}")
        return
    reader = ThrowReader(profile)
    for seed in seeds:
        try:
            heap = compose(scene, seed, kinds)
        except ValueError as error:
            print(error)
            continue
        start = time.process_time()
        answer = reader.read(heap.pixels)
        yield heap, answer, (time.process_time() - start) * 1000


def show(title: str, found: list[tuple[Heap, str, float]]) -> None:
    """Print a line for each kind, and the sums of those that count towards the bars."""
    print(title)
    for kind in KINDS:
        rows = [row for row in found if row[0].kind == kind]
        if rows:
            counts = ", ".join(f"{name} {n}" for name, n in Counter(row[1] for row in rows).most_common())
            print(f"  {kind:14s}{len(rows):4d} {statistics.median(row[2] for row in rows):5.0f} ms: {counts}")
    for name, says, touching in (
        ("readable, apart", "readable", (False,)),
        ("readable, touching or crossing", "readable", (True,)),
        ("unreadable", "unreadable", (False, True)),
        ("between", "between", (False, True)),
    ):
        rows = [row for row in found if row[0].says == says and row[0].touching in touching]
        if rows:
            right, wrong = (sum(row[1] == word for row in rows) for word in ("right", "MISREAD"))
            asked = 1 - (right + wrong) / len(rows)
            print(f"  {name:31s}{len(rows):5d}: right {right / len(rows):6.1%}, asked {asked:6.1%}, MISREAD {wrong}")


def main() -> None:
    """Compose, read, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="holds labels.json and the sets")
    parser.add_argument("--count", type=int, default=34, help="pictures a set")
    parser.add_argument("--seed", type=int, default=0, help="the first picture's seed; the others follow")
    parser.add_argument("--sets", help="only these, with commas between")
    parser.add_argument("--kinds", help="only these, with commas between; changes what a seed makes")
    parser.add_argument("--save", type=Path, help="write the misread pictures here")
    parser.add_argument("--all", action="store_true", help="write all pictures, not only the misread ones")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    kinds = tuple(chosen.kinds.split(",")) if chosen.kinds else KINDS
    everything: list[tuple[Heap, str, float]] = []
    for one, scene in open_sets(chosen.folder, set(chosen.sets.split(",")) if chosen.sets else None):
        found = []
        for heap, answer, spent in read_heaps(
            chosen.folder, one, scene, range(chosen.seed, chosen.seed + chosen.count), kinds
        ):
            result = outcome(heap, answer)
            found.append((heap, result, spent))
            if chosen.save and (chosen.all or result == "MISREAD"):
                chosen.save.mkdir(parents=True, exist_ok=True)
                name = f"{heap.name}_{heap.seed}_{heap.kind}_{heap.marked}_{result}.png".replace(" ", "-")
                cv2.imwrite(str(chosen.save / name), heap.pixels)
        show(f"{one['id']} {one['kind']}, {one['style']}", found)
        everything += found
    show("all", everything)
    wrong: dict[str, list[Heap]] = defaultdict(list)
    for heap, result, _ in everything:
        if result == "MISREAD":
            wrong[heap.name].append(heap)
    for name, heaps in wrong.items():
        print(f"MISREAD {name}: " + ", ".join(f"{heap.seed} ({heap.kind})" for heap in heaps))


if __name__ == "__main__":
    main()

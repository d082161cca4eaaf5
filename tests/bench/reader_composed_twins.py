"""Compare readings of labelled throws and their composed twins: ``python -m tests.bench.reader_composed_twins FOLDER``.

A twin shows cut-outs of the same lots with the same faces at the labelled places. The closer the readings of throws and
twins, the more composed heaps say about real ones.
"""

# ruff: noqa: T201 - prints its results

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.referee.events import ThrowSeen, ThrowUnreadable
from hardware.composing.arrangement import Pose
from hardware.composing.cutouts import Cut, Pixels, TrayScene
from hardware.composing.painting import painted, placed
from hardware.reader.throw_reader import ThrowReader
from tests.hardware.reader.labelled.reading_counts import labelled_throws
from training.composing.labelled_scenes import open_sets
from training.composing.throws import taken
from training.evaluation import row


def lowest_first(objects: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The lots ordered so that each comes after those beneath it."""
    left, laid = list(objects), []
    while left:
        above = {one["id"]: set(one["overlapped_by"]) for one in left}
        waiting = set(above)
        free = next((one for one in left if not any(one["id"] in above[other] for other in waiting)), left[0])
        # A lot that covers none of the waiting ones is the lowest of them.
        laid.append(free)
        left.remove(free)
    return laid


def twin(scene: TrayScene, image: dict[str, Any], random: np.random.Generator) -> Pixels:
    """The composed picture of a labelled throw."""
    layers = []
    for one in lowest_first(image["objects"]):
        cut = _cut(scene, one, random)
        # Stick labels have no direction, so either end may come first; kernels point from tip to crown.
        turn = 180.0 * int(random.integers(2)) if scene.is_long else 0.0
        stretch = one["length_px"] / cut.length if scene.is_long else 1.0
        pose = Pose(x=one["center_px"][0], y=one["center_px"][1], angle=one["angle_deg"] + turn, stretch=stretch)
        layers.append(placed(scene.empty.shape, cut, pose))
    return painted(scene, layers, taken("", random), random)


def _cut(scene: TrayScene, one: dict[str, Any], random: np.random.Generator) -> Cut:
    marked = one["face_up"] == "marked"
    own = [cut for cut in scene.cuts if cut.marked == marked and cut.lot == one["id"]]
    own = own or [cut for cut in scene.cuts if cut.marked == marked]
    return own[int(random.integers(len(own)))]


def outcome(answer: ThrowSeen | ThrowUnreadable, image: dict[str, Any]) -> str:
    if not isinstance(answer, ThrowSeen):
        return "asked"
    return "right" if answer.marked == image["count_marked_up"] else "MISREAD"


def main() -> None:
    """Read both and count the pairs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="holds labels.json and the sets")
    parser.add_argument("--sets", default="", help="only these, with commas between")
    parser.add_argument("--save", type=Path, help="write the twins here")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    only = set(chosen.sets.split(",")) - {""}
    scenes = {scene.name: scene for _, scene in open_sets(chosen.folder, only)}
    pairs: dict[str, Counter[tuple[str, str]]] = {"apart": Counter(), "touching or crossing": Counter()}
    reader: ThrowReader
    for image, reader, pixels in labelled_throws(chosen.folder, only, 1):
        if not image["readable"] or image["flags"]["hand"] or image["flags"]["game_piece"]:
            continue
        copy = twin(scenes[image["file"].split("/")[0]], image, np.random.default_rng(len(image["file"])))
        pairs[row(image)][outcome(reader.read(pixels), image), outcome(reader.read(copy), image)] += 1
        if chosen.save:
            chosen.save.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(chosen.save / image["file"].replace("/", "_").replace(".jpg", ".png")), copy)
    for name, counts in pairs.items():
        print(name)
        for (real, composed), count in sorted(counts.items()):
            print(f"  labelled {real:8s} twin {composed:8s} {count:4d}")


if __name__ == "__main__":
    main()

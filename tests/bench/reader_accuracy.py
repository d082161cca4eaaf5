"""Count the labelled throws that are read, refused and misread: ``python -m tests.bench.reader_accuracy FOLDER``.

FOLDER holds labelled sets of pictures. ``--tuned`` names the sets that thresholds were tuned on, and splits the sums.
"""

# ruff: noqa: T201 - prints its results

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import cv2

from companion.errors import CompanionError
from companion.referee.events import ThrowSeen
from hardware.cameras.picture_files import load_picture
from hardware.reader.throw_reader import ThrowReader
from training.evaluation import ROWS, row

Row = tuple[str, str, str, float]
"""(row of the table, outcome, picture, milliseconds)"""


def outcomes(folder: Path, one: dict[str, Any]) -> list[Row]:
    """The outcome of every throw of a set: right, MISREAD or the reason for asking."""
    throws = [image for image in one["images"] if image["role"] == "throw"]
    home = folder / one["id"]
    try:
        profile = ThrowReader.calibrate(
            *(load_picture(home / f"{name}.jpg") for name in ("empty", "cal_marked", "cal_plain"))
        ).profile
    except CompanionError as error:
        print(f"{one['id']}: {error}", file=sys.stderr)
        return [(row(image), "uncalibrated", image["file"], 0.0) for image in throws]
    reader = ThrowReader(profile)
    found = []
    for image in throws:
        pixels = load_picture(folder / image["file"])
        start = time.process_time()
        answer = reader.read(pixels)
        spent = (time.process_time() - start) * 1000
        if isinstance(answer, ThrowSeen):
            right = image["readable"] and answer.marked == image["count_marked_up"]
            found.append((row(image), "right" if right else "MISREAD", image["file"], spent))
        else:
            found.append((row(image), answer.reason, image["file"], spent))
    return found


def show(title: str, found: list[Row]) -> None:
    """Print a line for each row: throws, share answered correctly, median time, and each outcome."""
    print(title)
    for name in ROWS:
        rows = [one for one in found if one[0] == name]
        if rows:
            outcome = Counter(one[1] for one in rows)
            good = outcome["right"] if name != "unreadable" else len(rows) - outcome["MISREAD"]
            middle = statistics.median(one[3] for one in rows)
            counts = ", ".join(f"{what} {count}" for what, count in outcome.most_common())
            print(f"  {name:21s}{len(rows):4d} {good / len(rows):6.1%} {middle:5.0f} ms: {counts}")


def main() -> None:
    """Read every labelled throw in the folder and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="holds labels.json and the sets")
    parser.add_argument("--sets", default="", help="only these, with commas between")
    parser.add_argument("--tuned", default="", help="the sets that thresholds were set on, with commas between")
    parser.add_argument("--asked", action="store_true", help="name the readable pictures that were not read")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    only, tuned = (set(names.split(",")) - {""} for names in (chosen.sets, chosen.tuned))
    everything: dict[str, list[Row]] = {}
    for one in json.loads((chosen.folder / "labels.json").read_text())["sets"]:
        if only and one["id"] not in only:
            continue
        everything[one["id"]] = outcomes(chosen.folder, one)
        show(f"{one['id']} {one['kind']}, {one['style']}", everything[one["id"]])
    if tuned:
        for title, inside in (("the sets thresholds were set on", True), ("the other sets", False)):
            show(title, [one for name, rows in everything.items() if (name in tuned) is inside for one in rows])
    rows = [one for found in everything.values() for one in found]
    show("all", rows)
    for name, outcome, picture, _ in rows:
        if outcome == "MISREAD" or (chosen.asked and name != "unreadable" and outcome != "right"):
            print(f"{outcome} {picture}")


if __name__ == "__main__":
    main()

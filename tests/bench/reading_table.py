"""Print how many labelled throws are read, refused and misread: ``python tests/bench/reading_table.py FOLDER``.

The folder holds sets as the labelled pictures have them, or clips with one folder a throw. Not a test: a table to
look at when a threshold moves.
"""

# ruff: noqa: T201 - a table on the terminal is what this is for

from __future__ import annotations

import json
import statistics
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from companion.errors import CompanionError
from companion.referee.events import ThrowSeen
from hardware.pictures import load_picture
from hardware.profile import calibrate
from hardware.throw_reader import ThrowReader

TUNED = {"d01", "d02", "d03", "d09", "d10"}
KINDS = ("apart", "touching or crossing", "unreadable")


def kind(image: dict[str, Any]) -> str:
    """Which row of the table a labelled throw belongs to."""
    if not image["readable"]:
        return "unreadable"
    return "touching or crossing" if image["flags"]["touching"] or image["flags"]["overlapping"] else "apart"


def outcomes(folder: Path, one: dict[str, Any], times: list[float]) -> list[tuple[str, str, str]]:
    """(kind, outcome, picture) of every throw of a set; the outcome is right, MISREAD or the reason."""
    throws = [image for image in one["images"] if image["role"] == "throw"]
    home = folder / one["id"]
    try:
        profile = calibrate(*(load_picture(home / f"{name}.jpg") for name in ("empty", "cal_marked", "cal_plain")))
    except CompanionError as error:
        print(f"{one['id']}: {error}", file=sys.stderr)
        return [(kind(image), "uncalibrated", image["file"]) for image in throws]
    reader = ThrowReader(profile)
    found = []
    for image in throws:
        pixels = load_picture(folder / image["file"])
        start = time.perf_counter()
        answer = reader.read(pixels)
        times.append((time.perf_counter() - start) * 1000)
        if isinstance(answer, ThrowSeen):
            right = image["readable"] and answer.marked == image["count_marked_up"]
            found.append((kind(image), "right" if right else "MISREAD", image["file"]))
        else:
            found.append((kind(image), answer.reason, image["file"]))
    return found


def show(title: str, found: list[tuple[str, str, str]]) -> None:
    """One line a kind."""
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    for name, outcome, _ in found:
        rows[name][outcome] += 1
    print(title)
    for name in KINDS:
        if rows[name]:
            counts = ", ".join(f"{outcome} {count}" for outcome, count in rows[name].most_common())
            print(f"  {name:21s} {sum(rows[name].values()):4d}: {counts}")


def main(folder: Path) -> None:
    """Read every labelled throw in ``folder`` and print the tables."""
    everything: list[tuple[str, str, str]] = []
    tuned: list[tuple[str, str, str]] = []
    times: list[float] = []
    for one in json.loads((folder / "labels.json").read_text())["sets"]:
        found = outcomes(folder, one, times)
        show(f"{one['id']} {one['kind']}, {one['style']}", found)
        everything += found
        tuned += found if one["id"] in TUNED else []
    show("the sets the thresholds were set on", tuned)
    show("the other sets", [row for row in everything if row not in tuned])
    show("all", everything)
    for _, outcome, picture in everything:
        if outcome == "MISREAD":
            print(f"MISREAD {picture}")
    if times:
        print(f"median {statistics.median(times):.0f} ms, longest {max(times):.0f} ms")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

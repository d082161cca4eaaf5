"""Labelled throws with their readers, and counts of what was read, refused and misread."""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.errors import CompanionError
from companion.referee.events import ThrowSeen
from hardware.cameras.camera import Pixels
from hardware.cameras.picture_files import load_picture
from hardware.reader.throw_reader import ThrowReader
from training.evaluation import row

LabelledThrow = tuple[dict[str, Any], ThrowReader, Pixels]


@dataclass(slots=True)
class ReadingCounts:
    """How some throws were read, by row of the evaluation's table.

    read, of: readings that were right, and all throws. reasons: why the reader asked. wrong: files of misread throws.
    """

    read: Counter[str] = field(default_factory=Counter)
    of: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def add(self, image: dict[str, Any], reader: ThrowReader, pixels: Pixels) -> None:
        name = row(image)
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


def labelled_throws(folder: Path, only: set[str], every: int) -> list[LabelledThrow]:
    """Labels, reader and pixels of every ``every``-th throw of the named sets (all if ``only`` is empty)."""
    found: list[LabelledThrow] = []
    for one in json.loads((folder / "labels.json").read_text())["sets"]:
        if only and one["id"] not in only:
            continue
        names = ("empty", "cal_marked", "cal_plain")
        try:
            reader = ThrowReader.calibrate(*(load_picture(folder / one["id"] / f"{name}.jpg") for name in names))
        except CompanionError as error:
            sys.stderr.write(f"{one['id']}: {error}\n")
            continue
        throws = [image for image in one["images"] if image["role"] == "throw"]
        found += [(image, reader, load_picture(folder / image["file"])) for image in throws]
    return found[::every]

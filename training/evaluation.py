"""Evaluates a reader on labelled throws, by kind of lot, arrangement and disturbance."""

from __future__ import annotations

import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from companion.errors import CompanionError
from companion.referee.events import ThrowSeen, ThrowUnreadable
from hardware.cameras.camera import Pixels
from training.rendered_sets import RenderedSet

Read = Callable[[Pixels], ThrowSeen | ThrowUnreadable]
Teach = Callable[[Pixels, Pixels, Pixels], Read]
"""A reader taught with the empty tray, the marked and the plain faces; raises CompanionError where it refuses."""

ROWS = ("apart", "touching or crossing", "unreadable")
KINDS = ("sticks", "kernels", "beans", "coins", "cubes")
DISTURBANCES = {
    "free": "nothing else",
    "touch": "thrown close together",
    "hand": "a hand",
    "piece": "a piece of a game",
    "outside": "a lot beside the tray",
    "lean": "a stick against the rim",
    "edge": "a lot on its edge",
    "overlap": "a lot below another",
    "three": "a lot missing",
    "fifth": "a fifth lot",
    "cover": "a hand over a lot",
}
"""What the generator's modes put into a throw."""


def row(image: Mapping[str, Any]) -> str:
    """The table row of a labelled throw."""
    if not image["readable"]:
        return "unreadable"
    return "touching or crossing" if image["flags"]["touching"] or image["flags"]["overlapping"] else "apart"


@dataclass
class Table:
    """Outcomes: right, MISREAD, untaught, or the reason for asking.

    counts : by kind of lot and row. disturbed : by what the generator put into the throw.
    """

    counts: dict[tuple[str, str], Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    disturbed: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    untaught: dict[str, str] = field(default_factory=dict)
    misread: list[str] = field(default_factory=list)
    milliseconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def add(self, one: RenderedSet, teach: Teach) -> None:
        """Teach the reader with the set's pictures and let it read every throw."""
        taught = (one.picture(image["file"]) for image in one.teaching_images())
        try:
            read = teach(*taught)
        except CompanionError as error:
            self.untaught[one.labels["id"]] = str(error)
            read = None
        for image in one.images("throw"):
            outcome = "untaught" if read is None else self._read(read, one, image)
            self.counts[one.kind, row(image)][outcome] += 1
            if image.get("mode") in DISTURBANCES:
                lots = "sticks" if one.kind == "sticks" else "small lots"
                unreadable = "" if image["readable"] else ", unreadable"
                self.disturbed[f"{lots}, {DISTURBANCES[image['mode']]}{unreadable}"][outcome] += 1

    def _read(self, read: Read, one: RenderedSet, image: Mapping[str, Any]) -> str:
        pixels = one.picture(image["file"])
        start = time.process_time()
        answer = read(pixels)
        self.milliseconds[row(image)].append((time.process_time() - start) * 1000)
        if isinstance(answer, ThrowUnreadable):
            return answer.reason
        if image["readable"] and answer.marked == image["count_marked_up"]:
            return "right"
        self.misread.append(f"{image['file']}: {answer.marked} read, {image['count_marked_up']} are up")
        return "MISREAD"

    def lines(self) -> Iterable[str]:
        """The table as text: a line for each kind of lot and row, and for each disturbance.

        Each with its number of throws, and the share of correct answers.
        """
        for group, name in product(KINDS, ROWS):
            if (group, name) in self.counts:
                yield _line(f"{group}, {name}", self.counts[group, name])
        for name in ROWS:
            yield _line(f"all, {name}", sum((self.counts[group, name] for group in KINDS), Counter[str]()))
        for what, outcomes in sorted(self.disturbed.items()):
            yield _line(what, outcomes)
        for name, spent in self.milliseconds.items():
            yield f"{name}: median {statistics.median(spent):.0f} ms of processor time"
        yield f"not taught: {len(self.untaught)} sets"
        yield from (f"  {name}: {why}" for name, why in self.untaught.items())
        yield from self.misread


def _line(name: str, outcomes: Counter[str]) -> str:
    count = sum(outcomes.values())
    asked = name.endswith("unreadable")
    good = count - outcomes["MISREAD"] if asked else outcomes["right"]
    listed = ", ".join(f"{what} {many}" for what, many in outcomes.most_common())
    return f"{name:42s}{count:5d} {good / max(count, 1):6.1%}: {listed}"

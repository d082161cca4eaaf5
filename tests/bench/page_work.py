"""Measure the page's work at each change of the table: ``python -m tests.bench.page_work``.

Plays a short game with all kinds of moves, several times, on a phone. Prints for each kind of change the median of the
page's processor time in its longest task and in all, how many tasks were longer than 50 ms, and how many were longer
than a frame once the change was on the screen, where they would hold up its animation; all as on a processor four times
slower. Processor times depend less on the machine's load than durations; they are multiplied, because Chromium's own
throttling spins by the clock.
"""

from __future__ import annotations

import json
import math
import tempfile
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import click
from playwright.sync_api import Page, sync_playwright

from companion.referee.events import GameStarted, MoveChosen, ThrowEntered
from companion.rules.unit import Side
from tests.browser.chromium import LAUNCH_OPTIONS, chromium_path
from tests.browser.conftest import House
from tests.browser.first_visit import SLOWER

FRAME_MS, LONG_MS = 1000 / 60, 50
ROUNDS = 3
SETTLED_MS = 1500
"""Longer than any animation of a move."""
CATEGORIES = ["toplevel", "devtools.timeline"]
TASK, PAINT = "ThreadControllerImpl::RunTask", "Paint"
KINDS = {
    "FunctionCall": "script",
    "EventDispatch": "script",
    "UpdateLayoutTree": "style",
    "Layout": "layout",
    PAINT: "paint",
    "PrePaint": "paint",
    "ParseHTML": "script",
}
TURNS: tuple[tuple[str, int, int | None, int | None], ...] = (
    ("enter", 3, None, 3),
    ("enter", 3, None, 7),
    ("hop", 2, 3, 5),
    ("hop", 1, 7, 6),
    ("capture", 1, 5, 6),
    ("enter", 2, None, 8),
    ("capture", 2, 6, 8),
    ("enter", 4, None, 6),
    ("home", 4, 8, None),
)
"""What happens, the count, and the move's start and end."""


class Work(NamedTuple):
    """The processor time of the page's tasks, of those after the first painting, and of each kind of work, in ms."""

    tasks: list[float]
    after: list[float]
    kinds: Counter[str]


def work(trace: bytes) -> Work:
    """The page's work in a trace."""
    events: list[dict[str, Any]] = json.loads(trace)["traceEvents"]
    [main] = {
        (one["pid"], one["tid"])
        for one in events
        if one["name"] == "thread_name" and one["args"]["name"] == "CrRendererMain"
    } & {(one["pid"], one["tid"]) for one in events if one["name"] == "UpdateLayoutTree"}
    here = [one for one in events if (one["pid"], one["tid"]) == main and "tdur" in one]
    kinds = Counter[str]()
    for one in here:
        if kind := KINDS.get(one["name"]):
            kinds[kind] += SLOWER * one["tdur"] / 1000
    painted = min((one["ts"] for one in here if one["name"] == PAINT), default=math.inf)
    tasks = [(one["ts"], SLOWER * one["tdur"] / 1000) for one in here if one["name"] == TASK]
    return Work([spent for _, spent in tasks], [spent for begun, spent in tasks if begun > painted], kinds)


def measured(page: Page, change: Callable[[], object]) -> Work:
    """The page's work during a change of the table."""
    browser = page.context.browser
    assert browser is not None
    browser.start_tracing(page=page, categories=CATEGORIES)
    change()
    page.wait_for_timeout(SETTLED_MS)
    return work(browser.stop_tracing())


def main() -> None:
    house = House(Path(tempfile.mkdtemp()))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=LAUNCH_OPTIONS)
        page = browser.new_context(
            viewport={"width": 360, "height": 640}, device_scale_factor=2, is_mobile=True
        ).new_page()
        page.goto(house.address)
        start = GameStarted(variant="puluc", jade=("Mia",), obsidian=("Ben",), seed=7, begins=Side.JADE)
        found: dict[str, list[Work]] = {}
        for _ in range(ROUNDS):
            house.referee.submit(start)
            page.wait_for_timeout(SETTLED_MS)
            for name, marked, begin, end in TURNS:
                for what, event in (("throw", ThrowEntered(marked)), (name, MoveChosen(begin, end))):
                    found.setdefault(what, []).append(measured(page, partial(house.referee.submit, event)))
        browser.close()
    house.stop()
    for what, changes in found.items():
        click.echo(described(what, changes))


def described(what: str, changes: list[Work]) -> str:
    """The medians of some changes of one kind, in a line."""
    kinds = {kind: median(one.kinds[kind] for one in changes) for kind in sorted({*KINDS.values()})}
    longest, whole = (median(most(one.tasks) for one in changes) for most in (max, sum))
    long = sum(spent > LONG_MS for one in changes for spent in one.tasks)
    held = sum(spent > FRAME_MS for one in changes for spent in one.after)
    parts = ", ".join(f"{kind} {time:.0f}" for kind, time in kinds.items())
    each = f"{long / len(changes):.1f} tasks over {LONG_MS} ms; animating, {held / len(changes):.1f} over a frame"
    return f"{what:8} longest {longest:4.0f} ms, in all {whole:4.0f} ms ({parts}); {each}; of {len(changes)}"


if __name__ == "__main__":
    main()

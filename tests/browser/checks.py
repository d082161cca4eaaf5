"""Checks that hold on every screen, for sight, touch, keyboard and screen reader; each returns the faults found."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

SIZES = {"phone": (360, 640), "tablet": (820, 1180), "projector": (1920, 1080)}
"""Width and height in CSS pixels."""
THUMB = 44
"""Minimum width and height of a tap target in pixels."""
CONTRAST = 4.5
"""Minimum contrast of a text with its background: AA for letters that are not large."""
WCAG = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    # Off by default, although WCAG 2.2 AA requires it.
    "rules": {"target-size": {"enabled": True}},
    "resultTypes": ["violations"],
}
COLOURS = {"runOnly": ["color-contrast"], "resultTypes": ["violations"]}
"""The only rule of axe-core for which the theme matters."""
LONGEST = 11
"""Letters of a word that fit into a line of large text on a phone. Longer words may be broken."""
SPARE_TABS = 3
"""Presses of Tab beyond the number of controls: the browser's own controls come between the last and the first."""


@cache
def _script() -> str:
    return Path(__file__).with_name("checks.js").read_text(encoding="utf-8")


def _ask(page: Page, question: str, *facts: object) -> Any:
    return page.evaluate(f"(facts) => {{ {_script()} return checks.{question}(...facts); }}", list(facts))


@cache
def _axe() -> str:
    return str(Axe().axe_script)


def kept_out(page: Page, options: dict[str, Any] = WCAG) -> list[str]:
    """Violations found by axe-core, of WCAG 2.2 AA if no other rules are given."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_axe())
    return [
        f"{rule['id']}: {' '.join(map(str, node['target']))}: {node['failureSummary']}"
        for rule in page.evaluate("(options) => axe.run(options)", options)["violations"]
        for node in rule["nodes"]
    ]


def faint(page: Page) -> list[str]:
    """Texts with too little contrast, including those that axe-core is not certain of."""
    return list(_ask(page, "faint", CONTRAST))


def too_wide(page: Page) -> list[str]:
    """Elements that make the page scroll sideways."""
    return list(_ask(page, "tooWide"))


def too_small(page: Page) -> list[str]:
    """Tap targets that are too small. A label counts with the control it contains."""
    return list(_ask(page, "tooSmall", THUMB))


def broken(page: Page) -> list[str]:
    """Words, and options of commands, that are broken across lines although a line has room for them."""
    return list(_ask(page, "broken", LONGEST))


def out_of_reach(page: Page) -> list[str]:
    """Controls that the Tab key does not reach, or on which the focus cannot be seen."""
    for _ in range(_ask(page, "watchKeys") + SPARE_TABS):
        page.keyboard.press("Tab")
    return list(_ask(page, "outOfReach"))


def no_way_back(page: Page) -> list[str]:
    """A screen other than the table, scrolled to its end, without a link to the table in its header in view."""
    return list(_ask(page, "noWayBack"))


def said(page: Page) -> list[str]:
    """The title and every text that is visible or read out, except those marked as not to be translated
    or as in a language of their own.
    """
    return list(_ask(page, "said"))

"""What must hold on every screen, for the eye, the thumb, the keyboard and the ear; each answers what is wrong."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

SIZES = {"phone": (360, 640), "tablet": (820, 1180), "projector": (1920, 1080)}
"""Width and height in CSS pixels."""
THUMB = 44
"""Pixels that whatever can be tapped is wide and high, at least."""
CONTRAST = 4.5
"""Of a text to its ground, at least: AA for letters that are not large."""
WCAG = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    # Left out unless asked for, though it is a criterion of 2.2 AA.
    "rules": {"target-size": {"enabled": True}},
    "resultTypes": ["violations"],
}
LONGEST = 11
"""Letters of a word that a line of large text has room for on a phone. Longer ones may go on in the next line."""
SPARE_TABS = 3
"""Presses of Tab beyond the number of controls: the browser's own come between the last and the first."""


@cache
def _script() -> str:
    return Path(__file__).with_name("checks.js").read_text(encoding="utf-8")


def _ask(page: Page, question: str, *facts: object) -> Any:
    page.evaluate(_script())
    return page.evaluate(f"(facts) => checks.{question}(...facts)", list(facts))


def kept_out(page: Page) -> list[str]:
    """What axe-core finds against WCAG 2.2 AA."""
    return [
        f"{rule['id']}: {' '.join(map(str, node['target']))}: {node['failureSummary']}"
        for rule in Axe().run(page, options=WCAG).response["violations"]
        for node in rule["nodes"]
    ]


def faint(page: Page) -> list[str]:
    """Texts that do not stand out from their ground, those included of which axe-core is not certain."""
    return list(_ask(page, "faint", CONTRAST))


def too_wide(page: Page) -> list[str]:
    """What makes the page scroll sideways."""
    return list(_ask(page, "tooWide"))


def too_small(page: Page) -> list[str]:
    """What a thumb would miss. A label that holds its control counts with it."""
    return list(_ask(page, "tooSmall", THUMB))


def broken(page: Page) -> list[str]:
    """Words that go on in the next line, though a line has room for them."""
    return list(_ask(page, "broken", LONGEST))


def out_of_reach(page: Page) -> list[str]:
    """What the Tab key does not come to, or where it cannot be seen that it has."""
    for _ in range(_ask(page, "watchKeys") + SPARE_TABS):
        page.keyboard.press("Tab")
    return list(_ask(page, "outOfReach"))


def said(page: Page) -> list[str]:
    """Every text that is seen or read out, and the title; not what is marked as nobody's to translate."""
    return list(_ask(page, "said"))

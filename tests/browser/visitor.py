"""A phone that visits screens and records their faults: errors, broken layout, requests to other hosts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Error, Page, Request

from tests.browser.checks import (
    COLOURS,
    SIZES,
    WCAG,
    broken,
    faint,
    kept_out,
    no_way_back,
    out_of_reach,
    too_small,
    too_wide,
)
from tests.browser.screen_states import Visit, visits

PHONE = {"width": 360, "height": 640}
LARGE_TEXT = "document.documentElement.style.fontSize = '200%'"
"""Simulates the browser's own text size setting."""
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Waits until what is fitted to its place has been redrawn after a change of size."""


class Visitor:
    """A phone of one kind at one table, at its printed address. noise: errors and foreign requests."""

    def __init__(self, browser: Browser, address: str, **kind: Any) -> None:
        self.home = address.split("/?")[0]
        self._viewport = kind.get("viewport", PHONE)
        self.context = browser.new_context(**{"viewport": PHONE, **kind})
        self.noise: list[str] = []
        self.page = self.context.new_page()
        self.context.on("console", self._heard)
        self.context.on("weberror", lambda broken: self.noise.append(f"broke: {broken.error}"))
        self.context.on("request", self._asked)
        self.page.goto(address)

    def screens(self) -> list[Visit]:
        """A visit to every screen but the table, from the companion's own route list."""
        return visits(self.page.request.get(f"{self.home}/api/openapi.json").json())

    def see(self, visit: Visit) -> Page:
        """Open the screen, as large as this phone is and in light colours, and make its taps."""
        self.page.set_viewport_size(self._viewport)
        self.page.emulate_media(color_scheme="light")
        answer = self.page.goto(f"{self.home}{visit.path}")
        assert answer is not None
        assert answer.ok, f"{visit.path} answers {answer.status}"
        for tapped in visit.taps:
            self.page.locator(tapped).click()
        try:
            self.page.locator(visit.shows).first.wait_for()
        except Error as error:
            error.add_note(f"{visit} says: {self.page.locator('body').inner_text()!r}; heard: {self.noise}")
            raise
        return self.page

    def examine(self, check: Callable[[Page], Iterator[str]], *screens: Visit) -> list[str]:
        """All faults that the check finds on these visits, each with its address, and the noise since the last."""
        faults = [
            f"{' > '.join([visit.path, *visit.taps])}: {fault}" for visit in screens for fault in check(self.see(visit))
        ]
        # So that it does not draw what other visitors make of the table meanwhile.
        self.page.goto("about:blank")
        faults += self.noise
        self.noise.clear()
        return faults

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.noise.append(f"console: {message.text} {message.location.get('url', '')}".rstrip())

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((f"{self.home}/", "data:", "blob:")):
            self.noise.append(f"asked elsewhere: {request.url}")


def wrong(page: Page) -> Iterator[str]:
    """All faults of the page as it is open now. Leaves it with large text."""
    yield from no_way_back(page)
    for scheme, rules in (("light", WCAG), ("dark", COLOURS)):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        yield from (f"{scheme}: {fault}" for fault in chain(kept_out(page, rules), faint(page)))
    yield from out_of_reach(page)
    yield from unfit(page)


def unfit(page: Page) -> Iterator[str]:
    """The faults that depend on the length of its texts. Leaves it with large text."""
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(DRAWN)
        yield from (f"{size}: {fault}" for fault in chain(too_wide(page), too_small(page), broken(page)))
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    page.evaluate(LARGE_TEXT)
    page.evaluate(DRAWN)
    yield from (f"text twice as large: {fault}" for fault in chain(too_wide(page), broken(page)))

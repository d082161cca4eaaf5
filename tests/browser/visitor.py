"""A phone that visits screens and notes what no page should do: complain, break, or ask another host."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Page, Request

from tests.browser.checks import SIZES, broken, faint, kept_out, out_of_reach, too_small, too_wide
from tests.browser.screen_states import Visit, visits

PHONE = {"width": 360, "height": 640}
LARGE_TEXT = "document.documentElement.style.fontSize = '200%'"
"""What a browser's own setting of the size of text does."""


class Visitor:
    """A phone of one kind at one table, whose printed address it has opened. noise: what it should not have heard."""

    def __init__(self, browser: Browser, address: str, **kind: Any) -> None:
        self.home = address.split("/?")[0]
        self.context = browser.new_context(**{"viewport": PHONE, **kind})
        self.noise: list[str] = []
        self.page = self.context.new_page()
        self.context.on("console", self._heard)
        self.context.on("weberror", lambda broken: self.noise.append(f"broke: {broken.error}"))
        self.context.on("request", self._asked)
        self.page.goto(address)

    def screens(self) -> list[Visit]:
        """A visit to every screen but the table, as the companion itself describes them."""
        return visits(self.page.request.get(f"{self.home}/api/openapi.json").json())

    def see(self, visit: Visit) -> Page:
        """Open the screen, and tap what is to be tapped."""
        answer = self.page.goto(f"{self.home}{visit.path}")
        assert answer is not None
        assert answer.ok, f"{visit.path} answers {answer.status}"
        for tapped in visit.taps:
            self.page.locator(tapped).click()
        return self.page

    def examine(self, *screens: Visit) -> list[str]:
        """All that is wrong on them, each fault with the address it was found at, and what was heard on the way."""
        faults = [
            f"{' > '.join([visit.path, *visit.taps])}: {fault}" for visit in screens for fault in wrong(self.see(visit))
        ]
        return faults + self.noise

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.noise.append(f"console: {message.text}")

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((f"{self.home}/", "data:", "blob:")):
            self.noise.append(f"asked elsewhere: {request.url}")


def wrong(page: Page) -> Iterator[str]:
    """Everything that is wrong with the page as it is open now. It is left with large text."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        yield from (f"{scheme}: {fault}" for fault in chain(kept_out(page), faint(page)))
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        yield from (f"{size}: {fault}" for fault in chain(too_wide(page), too_small(page), broken(page)))
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    yield from out_of_reach(page)
    page.evaluate(LARGE_TEXT)
    yield from (f"text twice as large: {fault}" for fault in chain(too_wide(page), broken(page)))

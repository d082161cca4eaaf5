"""A phone in a real browser, and a table for it that can be stopped and restarted."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from threading import Thread
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Playwright, expect

from companion.access.credentials import Credentials
from companion.advice.adviser import Adviser
from companion.referee.events import Face, GameStarted, Lot, Picture, ThrowEntered, ThrowSeen
from companion.referee.history.review_queue import ReviewQueue
from companion.referee.referee import Referee
from companion.referee.workers.advice_worker import AdviceWorker
from companion.rules.variant import Variant
from companion.storage.store import Store
from tests.advice.brute_force import BruteForceAdviser
from tests.advice.material_adviser import MaterialAdviser
from tests.browser.chromium import LAUNCH_OPTIONS, chromium_path
from web.app import create_app
from web.serving.server import Server

CODE = "maize-7"
SMALL = {"width": 360, "height": 640}
PATIENCE_MS = 60_000
"""Time limit for expectations. More than the default 5 s, for busy machines: one took 10 s to learn four sticks."""

NOTE_WHETHER_TAKEN = """() => document.addEventListener(
    "click",
    ({ target }) => (window.taken = !target.closest("[data-touch][aria-disabled]")),
    { capture: true, once: true },
)"""


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Start the installed Chromium. Without it the tests are skipped, or fail where CI is set."""
    chromium = chromium_path()
    if chromium is None:
        why = "There is no Chromium here. Install one, or name it in $CHROMIUM."
        pytest.fail(why) if os.environ.get("CI") else pytest.skip(why)
    return browser_type_launch_args | {"executable_path": chromium, "args": list(LAUNCH_OPTIONS)}


@pytest.fixture(scope="session", autouse=True)
def patience() -> None:
    expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def base_url() -> None:
    """No shared address: each table has its own. (pytest warns about the plugin's own fixture.)"""


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any], playwright: Playwright) -> dict[str, Any]:
    """A phone held upright, with hints switched on. Seven times fewer pixels than its own are drawn."""
    phone = {name: value for name, value in playwright.devices["Pixel 7"].items() if name != "default_browser_type"}
    phone["device_scale_factor"] = 1
    hints = {"name": "puluc_hints", "value": "yes", "domain": "127.0.0.1", "path": "/", "expires": -1}
    return browser_context_args | phone | {"storage_state": {"cookies": [hints], "origins": []}}


def tap(page: Page, selector: str) -> None:
    """Tap as soon as the page accepts taps again; it ignores them for a moment after each change."""
    taken = False
    while not taken:
        # A click alone would retry at growing intervals.
        page.locator("[data-touch]:not([aria-disabled])").wait_for()
        page.evaluate(NOTE_WHETHER_TAKEN)
        page.locator(selector).last.click()
        # On a busy machine the page may have changed since.
        taken = page.evaluate("window.taken !== false")


def box_of(locator: Locator) -> dict[str, float]:
    """Where one element is on the screen, measured in a single step: the page may replace elements between two."""
    locator.wait_for(state="attached")
    box: dict[str, float]
    (box,) = locator.evaluate_all("all => all.map((one) => one.getBoundingClientRect().toJSON())")
    return box


def adviser(rules: Variant, marked: Fraction) -> Adviser:
    """An adviser: exact where the board is small enough, rough elsewhere."""
    return BruteForceAdviser(rules, marked) if rules.spaces == 5 else MaterialAdviser()


class House:
    """A table's referee and server on one folder and port. ``stop`` simulates a power cut, ``start`` its end.

    players: of the first game. how: additional arguments of ``create_app``.
    """

    def __init__(self, folder: Path, players: tuple[str, str] = ("Mia", "Ben"), **how: Any) -> None:
        self._folder, self._players, self._how = folder, players, how
        self._port = 0
        self._credentials = Credentials(CODE)
        self.start()

    def start(self, streams: int = 24) -> None:
        jade, obsidian = self._players
        first = GameStarted(variant="puluc", jade=(jade,), obsidian=(obsidian,), seed=7)
        self.referee = Referee(Store(self._folder), first=first)
        # Only the test steps it, so a review stays in progress as long as the test needs.
        self.reviews = ReviewQueue(adviser)
        app = create_app(self.referee, code=self._credentials, reviews=self.reviews, streams=streams, **self._how)
        self._server = Server(app, host="127.0.0.1", port=self._port)
        self._port = self._server.port
        self._now = 0.0
        self._thread = Thread(target=self._server.run)
        self._thread.start()

    def stop(self) -> None:
        self._server.close()
        self._thread.join(10)
        assert not self._thread.is_alive()
        self.referee.close()

    @property
    def watched(self) -> str:
        """The address without the code."""
        return f"http://127.0.0.1:{self._port}/"

    @property
    def address(self) -> str:
        """The printed address."""
        return f"{self.watched}?code={CODE}"

    def advise(self) -> None:
        """Publish the chances of the current position: exact on the smallest board, otherwise an estimate."""
        AdviceWorker(self.referee, adviser, wait_s=0).step()

    def after(self, seconds: float) -> None:
        """Advance a countdown by that much. Before the first call no countdown runs."""
        if self.referee.countdown() is None:
            self.referee.start_countdowns(lambda: self._now)
        self._now += seconds
        self.referee.end_countdown(wait_s=0)

    def begin(self) -> None:
        """Let Jade win the throw-off."""
        self.referee.submit(ThrowEntered(3))
        self.referee.submit(ThrowEntered(1))

    def see(self, marked: int) -> None:
        """Let the camera read a throw, with a picture of four lots side by side."""
        picture = np.full((96, 128, 3), 90, np.uint8)
        lots = []
        for place in range(4):
            left, right = 16 + 28 * place, 28 + 28 * place
            cv2.rectangle(picture, (left, 20), (right, 76), (200, 230, 240), -1)
            corners = ((left, 20.0), (right, 20.0), (right, 76.0), (left, 76.0))
            face = Face.MARKED if place < marked else Face.PLAIN
            lots.append(Lot(x=left + 6, y=48, angle=90, face=face, confidence=0.98, outline=corners))
        jpeg = cv2.imencode(".jpg", picture)[1].tobytes()
        shown = Picture(jpeg=jpeg, width=128, height=96)
        self.referee.submit(ThrowSeen(marked=marked, confidence=0.98, lots=tuple(lots), picture=shown))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    yield house
    house.stop()


@pytest.fixture
def phone(page: Page, house: House) -> Page:
    """A phone that has opened the printed address."""
    page.goto(house.address, wait_until="domcontentloaded")
    return page


@pytest.fixture
def another(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[Callable[..., Page]]:
    """More phones, each with its own options, such as a viewport or no JavaScript."""
    contexts: list[BrowserContext] = []

    def another(address: str, **differs: Any) -> Page:
        contexts.append(browser.new_context(**(browser_context_args | differs)))
        page = contexts[-1].new_page()
        page.goto(address, wait_until="domcontentloaded")
        return page

    yield another
    for context in contexts:
        context.close()

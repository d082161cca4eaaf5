"""The screens around the table: how many taps away each is, and whether it fits a small phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from companion.referee.events import Confirmed, GameStarted, MoveChosen, ThrowEntered
from tests.browser.checks import faint
from tests.browser.conftest import SMALL, House
from tests.browser.table.test_new_game import choose, menu

pytestmark = pytest.mark.browser

SCREENS = ("rules", "games", "scores", "sticks", "camera", "calibrate", "settings", "review")
SIZES = {"phone": SMALL, "tablet": {"width": 820, "height": 1180}, "projector": {"width": 1920, "height": 1080}}
TARGETS = """(root) => [...document.querySelector(root).querySelectorAll("a, button, select, summary, textarea, input")]
  .filter((one) => one.checkVisibility() && !one.matches(":disabled, .tick input, .choices input, .pick input"))
  .filter((one) => one.offsetHeight < 44 || one.offsetWidth < 44)
  .map((one) => one.outerHTML)"""
"""Controls too small for a thumb. A checkbox or a radio button counts with its label, which takes the tap."""


@pytest.fixture
def lived(house: House) -> House:
    """A table with history: several turns to review, thrown sticks, and a second game."""
    short = {"pieces": "1", "spaces": "5"}
    house.referee.submit(GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1, changes=short))
    for marked in (4, 1):
        house.referee.submit(ThrowEntered(marked))
    house.see(3)
    house.referee.submit(Confirmed())
    house.referee.submit(MoveChosen(None, 3))
    for marked, start, to in ((1, None, 5), (2, 3, 5)):
        house.referee.submit(ThrowEntered(marked))
        house.referee.submit(MoveChosen(start, to))
    return house


def test_every_screen_is_two_taps_away_and_left_in_one(phone: Page, lived: House) -> None:
    """The menu shows a link to each, and an open one tells the table now and then that its phone is still there.

    The way back from each is examined by tests/browser/page/test_every_screen.py.
    """
    phone.clock.install()
    phone.set_viewport_size({"width": SMALL["width"], "height": SMALL["height"]})
    phone.goto(lived.watched)
    phone.locator("[data-menu] summary").click()
    links = phone.locator("[data-menu] nav a")
    described = phone.request.get(f"{lived.watched}api/openapi.json").json()["paths"]
    targets = [str(link.get_attribute("href")) for link in links.all()]
    for link in links.all():
        expect(link).to_be_in_viewport(ratio=1)
    assert {target.strip("/") for target in targets} >= set(SCREENS)
    assert set(targets) <= set(described)
    links.last.click()
    phone.wait_for_url(f"**{targets[-1]}")
    with phone.expect_response("**/api/welcome"):
        phone.clock.fast_forward(20_000)
    phone.locator("header a[href='/']").click()
    phone.wait_for_url(lived.watched)


def test_the_new_game_is_one_tap_away_and_left_in_one(phone: Page) -> None:
    """By the button within the thumb's reach, and back by Cancel or the Escape key."""
    for leave in ("Cancel", "Escape"):
        phone.locator("[data-action=new]").click()
        expect(phone.locator("[data-dialog]")).to_be_visible()
        if leave == "Cancel":
            phone.locator("[data-dialog] .cancel").click()
        else:
            phone.keyboard.press(leave)
        expect(phone.locator("[data-dialog]")).to_be_hidden()


@pytest.mark.parametrize("size", SIZES)
def test_the_new_game_fits_a_small_phone(size: str, lived: House, another: Callable[..., Page]) -> None:
    """With every part open and two teams, it passes the checks of the other screens."""
    page = another(lived.address, viewport=SIZES[size])
    choose(page, "aj-sayil", 3)
    page.locator("[data-dialog] details").evaluate_all("all => all.forEach((one) => (one.open = true))")
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        assert faint(page) == [], scheme
    assert page.evaluate(TARGETS, "[data-dialog]") == []
    for text in ("106.25%", "212.5%"):
        page.evaluate("size => document.documentElement.style.fontSize = size", text)
        wide, room = page.locator("[data-dialog]").evaluate(
            "({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]"
        )
        assert wide <= room, text
        expect(page.locator("[data-dialog] [value=start]")).to_be_in_viewport(ratio=1)


def think(house: House) -> None:
    """Finish the review of the current game."""
    table = house.referee.snapshot().game
    for _ in range(20):
        house.reviews.ask(table, house.referee.load_game(table))
        house.reviews.step()


def test_a_double_tap_imports_one_game(phone: Page, lived: House) -> None:
    """However quickly the second tap follows."""
    record = phone.request.get(f"{lived.watched}api/games/{lived.referee.snapshot().game}/record").text()
    before = len(lived.referee.games())
    menu(phone, "games")
    phone.locator("textarea").fill(record)
    phone.get_by_role("button", name="Import").dblclick()
    phone.wait_for_url(lived.watched)

    assert len(lived.referee.games()) == before + 1

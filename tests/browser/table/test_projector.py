"""The projector page: board, throw and chances for a whole room. Its only control is the way back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from companion.referee.events import GameStarted, MoveChosen, ThrowEntered
from tests.browser.checks import broken, too_wide
from tests.browser.conftest import House

pytestmark = pytest.mark.browser

HALL = {"width": 1280, "height": 720}
READABLE = 60  # height of the count in pixels on a screen of 720, so that it is legible from the back of a room
OUTSIDE = """() => [...document.querySelectorAll("main *")]
  .filter((one) => one.checkVisibility() && !one.closest("svg"))
  .filter((one) => {
    const { right, bottom } = one.getBoundingClientRect();
    return right > innerWidth + 1 || bottom > innerHeight + 1;
  })
  .map((one) => one.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("variant", ["puluc", "puluc-13", "aj-sayil"])
def test_it_follows_the_table_on_one_screen(house: House, another: Callable[..., Page], variant: str) -> None:
    """From the reading to the move without a tap; nothing overflows, and the count is large."""
    house.referee.submit(GameStarted(variant=variant, jade=("Mia",), obsidian=("Ben",), seed=7))
    house.begin()
    house.see(3)
    house.advise()
    page = another(f"{house.watched}board", viewport=HALL)
    expect(page.locator("[data-prompt]")).to_have_text("Mia (Jade) threw 3 marked. Is that right?")
    expect(page.locator(".lot")).to_have_count(4)
    expect(page.locator("[data-chances]")).to_contain_text("Chance to win")
    size = page.locator("[data-thrown] b").first.bounding_box()
    outside = page.evaluate(OUTSIDE)
    assert size is not None
    assert size["height"] >= READABLE
    assert outside == []
    expect(page.locator("button:enabled:visible")).to_have_count(0)

    house.referee.submit(ThrowEntered(3))
    if variant == "aj-sayil":
        return
    house.referee.submit(MoveChosen(None, 3))
    expect(page.locator("[data-space='3'] .piece.jade")).to_have_count(1)
    expect(page.locator("[data-prompt]")).to_have_text("Ben (Obsidian) to throw.")


def test_the_highway_lies_from_left_to_right(house: House, another: Callable[..., Page]) -> None:
    """It is as wide as the screen, with Jade's base at the left; the way back leads to the table.

    The chances fit beside the throw, also in the language with the longest names.
    """
    house.advise()
    page = another(f"{house.watched}board", viewport=HALL, locale="es-MX")
    chance = page.locator(".split > span").last
    expect(chance).to_contain_text("Obsidiana 50")
    for width, height in ((820, 1180), (HALL["width"], HALL["height"])):
        page.set_viewport_size({"width": width, "height": height})
        assert chance.evaluate("one => one.getBoundingClientRect().right <= innerWidth")
    places = page.locator("[data-space]")
    expect(places).to_have_count(11)
    lefts = dict(places.evaluate_all("all => all.map((one) => [one.dataset.space, one.getBoundingClientRect().x])"))
    xs = [lefts[name] for name in ("jade", "1", "5", "9", "obsidian")]
    assert xs == sorted(set(xs))

    page.get_by_label("Volver a la mesa").click()
    expect(page).to_have_url(house.watched)


def test_it_fits_a_phone_held_upright(house: House, another: Callable[..., Page]) -> None:
    """No word is broken, and names and numbers stay off the edges of the bases."""
    house.begin()
    house.see(3)
    house.advise()
    page = another(f"{house.watched}board", viewport={"width": 390, "height": 844}, locale="es-MX")
    expect(page.locator("[data-thrown]")).to_contain_text("marcados")
    name, base = (page.locator(one).bounding_box() for one in (".base.jade .who", ".base.jade"))

    assert broken(page) == []
    assert too_wide(page) == []
    assert name
    assert base
    assert name["x"] - base["x"] >= 6


def test_it_can_be_read_without_scripts(house: House, another: Callable[..., Page]) -> None:
    """The HTML contains the prompt, the board and the count."""
    house.begin()
    house.see(2)
    page = another(f"{house.watched}board", viewport=HALL, java_script_enabled=False)

    expect(page.locator("[data-prompt]")).to_have_text("Mia (Jade) threw 2 marked. Is that right?")
    expect(page.locator("[data-thrown] b")).to_have_text("2")
    expect(page.locator("[data-space]")).to_have_count(11)

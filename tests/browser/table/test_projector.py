"""The projector page: board, throw and chances for a whole room. Its only control is the way back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from companion.referee.events import GameStarted, MoveChosen, ThrowEntered
from tests.browser.checks import broken, too_wide
from tests.browser.conftest import House, box_of
from tests.browser.screen_states import in_teams, moving, reading

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
    size = box_of(page.locator("[data-thrown] b").first)
    outside = page.evaluate(OUTSIDE)
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
    name, base = (box_of(page.locator(one)) for one in (".base.jade .who", ".base.jade"))

    assert broken(page) == []
    assert too_wide(page) == []
    assert name["x"] - base["x"] >= 6


CROWDED = """() => {
  const box = (one) => one.getBoundingClientRect();
  const rows = [...document.querySelectorAll("[data-space]")].sort((a, b) => box(a).y - box(b).y);
  const head = box(document.querySelector("header"));
  const pieces = [...document.querySelectorAll(".space .piece:only-child")];
  const words = [...document.querySelectorAll("[data-thrown] b + span")];
  return [
    ...rows.filter((one, at) => at && box(one).y < box(rows[at - 1]).bottom - 1),
    ...rows.filter((one) => box(one).y < head.bottom),
    ...pieces.filter((one) => box(one).height > box(one.closest(".space")).height),
    ...words.filter((one) => box(one).height > 2 * parseFloat(getComputedStyle(one).fontSize)),
  ].map((one) => one.outerHTML.slice(0, 80));
}"""
"""Returns rows that cover one another or the head, pieces higher than their space, and a count's word broken in two."""


@pytest.mark.parametrize("state", [moving, reading, in_teams])
def test_an_upright_tablet_shows_all_of_it(
    house: House, another: Callable[..., Page], state: Callable[[House], None]
) -> None:
    """Nineteen spaces with teams too, in the language that needs most letters, and each piece fits its space."""
    state(house)
    page = another(f"{house.watched}board", viewport={"width": 820, "height": 1180}, locale="es-MX")
    expect(page.locator("[data-thrown]")).to_contain_text("2" if state is in_teams else "3")

    # On a busy machine the words may be measured before their row has its width.
    page.wait_for_function(f"() => !({CROWDED})().length")
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate(CROWDED) == []


def test_a_long_name_stays_inside_its_base(house: House, another: Callable[..., Page]) -> None:
    """No letter of it is cut off at the edge; what has no room in three lines ends in an ellipsis."""
    reading(house)
    page = another(f"{house.watched}board", viewport=HALL)
    name = page.locator(".base .who.long").first
    expect(name).to_be_visible()

    assert name.evaluate("one => one.scrollWidth <= one.clientWidth")


def test_it_can_be_read_without_scripts(house: House, another: Callable[..., Page]) -> None:
    """The HTML contains the prompt, the board and the count."""
    house.begin()
    house.see(2)
    page = another(f"{house.watched}board", viewport=HALL, java_script_enabled=False)

    expect(page.locator("[data-prompt]")).to_have_text("Mia (Jade) threw 2 marked. Is that right?")
    expect(page.locator("[data-thrown] b")).to_have_text("2")
    expect(page.locator("[data-space]")).to_have_count(11)

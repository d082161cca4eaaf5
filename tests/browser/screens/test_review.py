"""Reviewing a game by touch, by keyboard, without JavaScript, and while the companion still computes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.checks import faint
from tests.browser.conftest import SMALL, House, box_of
from tests.browser.table.states import LONG
from tests.referee.random_games import random_game

pytestmark = pytest.mark.browser


def think(house: House) -> None:
    while house.reviews.step(patience=0):
        pass


@pytest.fixture
def look(house: House, another: Callable[..., Page]) -> Callable[..., Page]:
    """Import a game, finish its review, and open it on a small phone."""

    def look(*words: str, phone: dict[str, Any] | None = None, turn: str = "", **how: Any) -> Page:
        game = house.referee.import_game(random_game(*words, **how)).game
        house.reviews.ask(game, house.referee.load_game(game))
        think(house)
        page = another(f"{house.watched}games/{game}/review{turn}", **({"viewport": SMALL} | (phone or {})))
        if not phone or phone.get("java_script_enabled", True):
            expect(page.locator("[data-ready]")).to_be_visible()
        return page

    return look


def test_the_end_of_a_game_leads_to_its_review(house: House, another: Callable[..., Page]) -> None:
    """One tap on the table; the page shows the progress, and the review when it is finished."""
    house.referee.import_game(random_game(seed=0))
    phone = another(house.address, viewport=SMALL)
    phone.locator("[data-review-link] a").click()
    expect(phone.locator("[data-thinking]")).to_contain_text("0 of 16 turns")
    for _ in range(4):
        house.reviews.step(patience=0)
    expect(phone.locator("[data-done]")).to_contain_text("3 of 16 turns")
    think(house)

    expect(phone.locator("[data-ready] [data-title]")).to_have_text("Turn 16 of 16: Mia (Jade)")
    expect(phone.locator("[data-now]")).to_have_text("Mia (Jade) has won.")


def test_keys_move_through_the_game(look: Callable[..., Page]) -> None:
    """The graph is a slider: arrows go turn by turn, Home and End to its ends; screen readers read the turn.

    On a phone held across it stands beside the board.
    """
    page = look(seed=0, phone={"viewport": {"width": 844, "height": 390}})
    graph, board = (box_of(page.locator(f"[data-{name}]")) for name in ("graph", "board"))
    assert (board["x"] > graph["x"] + graph["width"], board["y"] < graph["y"]) == (True, True)
    slider = page.get_by_role("slider", name="Turn of the game")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-title]")).to_have_text("Turn 15 of 16: Ben (Obsidian)")
    expect(slider).to_have_attribute(
        "aria-valuetext", page.locator("[data-title]").inner_text() + ". " + page.locator("[data-now]").inner_text()
    )
    page.keyboard.press("Home")

    expect(page.locator("[data-title]")).to_have_text("Before the first turn")
    expect(page.locator("[data-board] .space .piece")).to_have_count(0)
    page.keyboard.press("End")
    expect(page.locator("[data-title]")).to_contain_text("Turn 16")


def test_a_finger_slides_along_the_graph(look: Callable[..., Page]) -> None:
    """A tap goes to that turn, and the line follows the finger; the board shows the position at that turn."""
    page = look(seed=0)
    box = box_of(page.locator("[data-graph]"))

    def at(turn: int) -> tuple[float, float]:
        return box["x"] + box["width"] * (8 + 304 * turn / 16) / 320, box["y"] + box["height"] / 2

    page.mouse.click(*at(8))
    expect(page.locator("[data-title]")).to_contain_text("Turn 8 of 16")
    page.mouse.move(*at(8))
    page.mouse.down()
    page.mouse.move(*at(5), steps=4)
    page.mouse.up()

    expect(page.locator("[data-title]")).to_contain_text("Turn 5 of 16")
    # The slider and the line must agree to less than half a turn, at both ends too.
    for turn in (0, 1, 15, 16):
        for aside in (-6, 6):
            x, y = at(turn)
            page.mouse.click(x + aside, y)
            expect(page.get_by_role("slider")).to_have_value(f"{turn}")
    page.mouse.click(*at(5))
    assert page.locator("[data-graph]").evaluate("graph => graph.scrollTop") == 0
    line = box_of(page.locator(".cursor line"))
    assert line["x"] + line["width"] / 2 == pytest.approx(at(5)[0], abs=3)
    expect(page.locator("[data-board] [data-space='5'] .piece.obsidian")).to_be_visible()


def test_a_moment_shows_the_alternatives(look: Callable[..., Page]) -> None:
    """On a choice, a tap shows the better move on the board of that moment; on a throw, the other throws' outcomes."""
    page = look(seed=0)
    page.locator(".moments a", has_text="Costly choice").click()
    expect(page.locator("[data-did]")).to_contain_text(
        "A blunder: 25 fewer wins in 100 games. Better: move 2 to 3, capturing 1."
    )
    expect(page.locator("[data-board] [data-space='5'] .piece.jade")).to_be_visible()
    better = page.locator("[data-better]")
    better.click()

    expect(better).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-board] [data-space='4'] .piece.jade")).to_be_visible()
    expect(page.locator("svg.arrow")).to_have_count(1)
    better.click()
    expect(page.locator("[data-board] [data-space='5'] .piece.jade")).to_be_visible()

    page.locator(".moments a", has_text="Bad luck").click()
    expect(page.locator("[data-list] li")).to_have_count(5)
    expect(page.locator("[data-list] .came")).to_contain_text("came")


def test_without_a_script_links_lead_from_turn_to_turn(look: Callable[..., Page]) -> None:
    """The same page: each turn has its own address and a drawing of all."""
    page = look(seed=0, turn="?turn=8", phone={"java_script_enabled": False})
    expect(page.locator("[data-title]")).to_contain_text("Turn 8")
    expect(page.locator("svg.chances")).to_be_visible()
    page.locator("[data-step=back]").click()
    expect(page.locator("[data-title]")).to_contain_text("Turn 7")
    page.locator(".all summary").click()
    page.locator(".all a").first.click()

    expect(page.locator("[data-title]")).to_contain_text("Turn 1 of 16")


def test_a_player_plays_on_from_the_board_shown(look: Callable[..., Page], house: House) -> None:
    """The better move's board is the one before the turn; a spectator is offered nothing, nor anybody at the end."""
    page = look(seed=0, turn="?turn=8")
    address = page.url
    expect(page.locator("[data-play-on]")).to_have_count(0)
    page.goto(house.address)
    page.goto(address.replace("turn=8", "turn=16"))
    expect(page.locator("[data-ready]")).to_be_visible()
    expect(page.locator("[data-play-on]")).to_be_hidden()
    page.locator(".moments a", has_text="Costly choice").click()
    page.locator("[data-better]").click()
    turn = int(page.url.rpartition("=")[2])
    page.locator("[data-play-on]").click()
    page.locator("[data-question] .main").click()
    expect(page.locator("[data-turn-panel]")).to_be_visible()

    assert len(house.referee.state().turns) == turn - 1


TEAMS = {"jade": (LONG, "Bea", "easy"), "obsidian": ("Carl", "Dora", LONG)}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("words", "names"), [("puluc", {}), ("puluc", {"jade": (LONG,)}), ("aj-sayil", TEAMS), ("aj-tiwil", TEAMS)]
)
def test_it_fits_a_small_phone(look: Callable[..., Page], words: str, names: dict[str, Any], scheme: str) -> None:
    """At 360 by 640, in both themes: nothing overflows, is too small to tap, or lacks contrast."""
    page = look(words, seed=2, turns=60, phone={"color_scheme": scheme}, **names)
    page.locator(".moments a").first.click()
    page.locator(".all summary").click()
    small = page.locator("a:visible, button:visible:enabled, summary:visible").evaluate_all(
        "all => all.filter(one => one.offsetHeight < 44 || one.offsetWidth < 44).map(one => one.outerHTML)"
    )

    assert page.evaluate("document.documentElement.scrollWidth") <= SMALL["width"]
    assert small == []
    assert faint(page) == []
    board = box_of(page.locator("[data-board]"))
    assert board["y"] < SMALL["height"] * 0.75


def test_the_sides_stand_beside_each_other_on_a_large_screen(look: Callable[..., Page]) -> None:
    """In the sums and in who did what, so that both can be compared at a glance."""
    page = look("puluc", seed=2, turns=60, phone={"viewport": {"width": 1920, "height": 1080}})
    tops = page.locator(".looking ~ section > article").evaluate_all("all => all.map((one) => one.offsetTop)")
    rows = page.locator(".balance tr").evaluate_all("all => all.map((one) => one.cells.length)")

    assert len(tops) == 2
    assert len(set(tops)) == 1
    assert set(rows) == {3}

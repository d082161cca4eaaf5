"""Playing by keyboard: the focus stays on something that can be used."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from companion.referee.events import MoveChosen, Resigned, ThrowEntered
from companion.rules.unit import Side
from tests.browser.conftest import SMALL, House

pytestmark = pytest.mark.browser


def press(page: Page, selector: str) -> None:
    """Press Enter on an element as soon as the page accepts it; it ignores taps for a moment after each change."""
    expect(page.locator(selector).first).to_be_enabled()
    page.locator(selector).first.press("Enter")


def test_the_focus_goes_on_to_the_next_step(phone: Page, house: House) -> None:
    """From a count to the moves, and from a move to the next count, although the main button only says what to do."""
    house.begin()
    main, first_count, first_move = (phone.locator(f"[data-{name}]").first for name in ("main", "count", "move"))
    expect(phone.locator("[data-prompt]")).to_have_text("Mia (Jade) to throw.")
    press(phone, "[data-count='2']")
    expect(main).to_have_text("Enter on 2")
    expect(main).to_be_focused()
    press(phone, "[data-main]")
    expect(phone.locator("[data-prompt]")).to_have_text("Ben (Obsidian) to throw.")
    expect(main).to_be_disabled()
    expect(first_count).to_be_focused()
    house.referee.submit(ThrowEntered(1))
    house.referee.submit(MoveChosen(None, 9))
    expect(phone.locator("[data-prompt]")).to_have_text("Mia (Jade) to throw.")
    press(phone, "[data-count='3']")

    expect(main).to_have_text("Choose a move")
    expect(first_move).to_be_focused()
    press(phone, "[data-move]")
    expect(first_count).to_be_focused()


def test_the_large_picture_keeps_the_focus(phone: Page, house: House) -> None:
    """What it covers is out of reach until it is closed; then the focus is on the small picture again."""
    house.begin()
    house.see(2)
    covered = phone.locator("header, main .board, [data-digits], footer")
    press(phone, "[data-zoom]")
    expect(phone.locator(".throw-picture.large")).to_be_visible()
    within = []
    for _ in range(8):
        phone.keyboard.press("Tab")
        within.append(phone.evaluate("document.activeElement.matches('body, .throw-picture.large *')"))
    expect(covered.locator("visible=true")).to_have_count(0)
    for closing in ("Escape", "Enter"):
        phone.get_by_role("button", name="Close").press(closing)
        expect(phone.locator("[data-zoom]")).to_be_focused()
        press(phone, "[data-zoom]")

    assert all(within)


def test_what_is_closed_gives_the_focus_back(phone: Page, house: House) -> None:
    """The menu to its button, also after a question that it asked; the counts to theirs; the ending to the rematch."""
    phone.set_viewport_size({"width": SMALL["width"], "height": SMALL["height"]})
    house.begin()
    for marked, to in ((1, 1), (0, 5), (2, 2), (2, 8)):
        house.referee.submit(ThrowEntered(marked))
        house.referee.submit(MoveChosen(None, to))
    house.referee.submit(ThrowEntered(3))
    menu, recount = phone.locator("[data-menu] summary"), phone.locator("[data-recount]")
    expect(recount).to_be_visible()
    press(phone, "[data-menu] summary")
    phone.locator("[data-menu] a").first.press("Escape")
    expect(menu).to_be_focused()
    for name in ("Turn the board", "End the game…"):
        press(phone, "[data-menu] summary")
        phone.get_by_role("button", name=name).press("Enter")
        phone.keyboard.press("Escape")
        expect(menu).to_be_focused()
    press(phone, "[data-recount]")
    phone.locator("[data-count='2']").press("Escape")
    expect(recount).to_be_focused()
    house.referee.submit(Resigned(Side.JADE))
    expect(phone.locator("[data-ending]")).to_be_visible()
    press(phone, "[data-action=closeEnding]")

    expect(phone.locator("[data-main]")).to_be_focused()

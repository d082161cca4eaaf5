"""The link between phone and table: quick, honest about being broken, and mended without a touch."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from companion.referee.events import ThrowEntered
from tests.browser.conftest import House

pytestmark = pytest.mark.browser


def test_two_phones_see_a_move_within_a_second(phone: Page, house: House, another: Callable[..., Page]) -> None:
    """What is played on one phone stands on the other at once."""
    house.begin()
    house.referee.submit(ThrowEntered(2))
    other = another(house.address)
    expect(other.locator("[data-action=confirm]")).to_be_visible()

    phone.click("[data-action=confirm]")

    expect(other.locator("[data-space='2'] .piece.jade")).to_be_visible(timeout=1000)
    expect(other.locator("[data-prompt]")).to_contain_text("Ben (Obsidian) to throw.", timeout=1000)


def test_a_broken_link_is_said_and_mends_itself(phone: Page, house: House) -> None:
    """When the table's companion stops, a banner says so; when it is back, the banner goes and the game stands."""
    phone.click("[data-count='3']")
    expect(phone.locator("[data-prompt]")).to_contain_text("Ben (Obsidian)")

    house.stop()
    expect(phone.locator("[data-lost]")).to_be_visible()
    house.start()
    expect(phone.locator("[data-lost]")).to_be_hidden()

    phone.click("[data-count='1']")
    expect(phone.locator("[data-prompt]")).to_contain_text("Mia (Jade) to throw.")


def test_a_tap_on_a_broken_link_is_answered(phone: Page, house: House) -> None:
    """A tap that reaches nobody says so, instead of seeming to work."""
    expect(phone.locator("[data-count]")).to_have_count(5)
    phone.route("**/api/throw", lambda route: route.abort())
    phone.click("[data-count='3']")

    expect(phone.get_by_role("alert")).to_contain_text("The table does not answer.")
    assert not house.referee.snapshot().undo


def test_a_phone_too_many_asks_by_itself(phone: Page, house: House) -> None:
    """Where no stream is to be had, the page asks every two seconds, and shows no banner."""
    house.stop()
    house.start(streams=0)
    expect(phone.locator("[data-lost]")).to_be_hidden()
    phone.reload(wait_until="domcontentloaded")
    expect(phone.locator("[data-count]")).to_have_count(5)
    house.referee.submit(ThrowEntered(3))

    expect(phone.locator("[data-prompt]")).to_contain_text("Ben (Obsidian)", timeout=4000)
    expect(phone.locator("[data-lost]")).to_be_hidden()


def test_a_phone_in_the_pocket_lets_go_and_catches_up(phone: Page, house: House) -> None:
    """A hidden page listens no more; shown again, it has the newest table at once."""
    expect(phone.locator("[data-count]")).to_have_count(5)
    hide = """hidden => {
        Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    phone.evaluate(hide, True)
    house.referee.submit(ThrowEntered(3))
    phone.wait_for_timeout(300)
    expect(phone.locator("[data-prompt]")).to_contain_text("Mia (Jade)")

    phone.evaluate(hide, False)

    expect(phone.locator("[data-prompt]")).to_contain_text("Ben (Obsidian)", timeout=1000)


def test_a_quiet_page_has_nothing_to_complain_of(page: Page, house: House) -> None:
    """In a round with a picture nothing is logged as an error, and no other host is asked for anything."""
    complaints: list[str] = []
    asked: list[str] = []
    page.on(
        "console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(house.address)
    page.click("[data-count='3']")
    page.click("[data-count='1']:enabled")
    house.see(2)
    expect(page.locator("[data-seen] img")).to_be_visible()
    page.click("[data-action=confirm]")
    expect(page.locator("body")).to_have_attribute("data-phase", "move")
    page.click("[data-action=confirm]")
    expect(page.locator("[data-prompt]")).to_contain_text("Ben (Obsidian) to throw.")

    assert not complaints
    assert all(address.startswith(house.watched) for address in asked)
    assert any("/pictures/" in address for address in asked)

"""Two phones at one table, each in its own language."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from companion.referee.events import ThrowEntered
from tests.browser.conftest import House

pytestmark = pytest.mark.browser


def test_each_phone_uses_its_own_language(house: House, another: Callable[..., Page]) -> None:
    """Text from the server and from the page's scripts, from the first view on and as the game goes on."""
    mexican, british = another(house.address, locale="es-MX"), another(house.address, locale="en-GB")
    house.begin()
    house.referee.submit(ThrowEntered(3))

    expect(mexican.locator("[data-prompt]")).to_have_text("Mia (Jade) mueve 3.")
    expect(british.locator("[data-prompt]")).to_have_text("Mia (Jade) moves 3.")
    expect(mexican.locator("[data-thrown]")).to_contain_text("3 marcados")
    expect(british.locator("[data-thrown]")).to_contain_text("3 marked")


def test_a_phone_may_be_set_to_another_language_than_its_browser(house: House, another: Callable[..., Page]) -> None:
    """It applies at once and persists after a reload."""
    phone = another(f"{house.watched}settings", locale="en-GB")
    phone.get_by_role("radio", name="Español").check()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Ajustes")

    phone.goto(house.watched)
    expect(phone.locator("html")).to_have_attribute("lang", "es")

"""The sticks screen: two taps from the table, and one more to use their chances in advice."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from companion.referee.events import ThrowEntered
from tests.browser.conftest import House, box_of

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_measured_sticks_are_used_with_a_tap(phone: Page, house: House, scheme: str) -> None:
    """The chart and its text fit the phone; the tap takes effect, and so does undoing it."""
    for marked in (4, 3):
        house.referee.submit(ThrowEntered(marked))
    phone.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    phone.set_viewport_size({"width": 360, "height": 640})
    phone.goto(house.watched)
    phone.locator("[data-menu] summary").click()
    phone.locator("[data-menu] a[href='/sticks']").click()
    use = phone.get_by_role("button", name="for advice")
    expect(use).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    assert box_of(use)["height"] >= 44
    use.click()
    expect(phone.get_by_text("Used for advice")).to_be_visible()
    assert house.referee.state().options.marked != "0.5"
    phone.get_by_role("button", name="Back to even sticks").click()
    expect(phone.get_by_role("button", name="for advice")).to_be_visible()

    assert float(house.referee.state().options.marked) == 0.5


def test_many_throws_fit_the_narrowest_phone(house: House, another: Callable[..., Page]) -> None:
    """In the language that needs most letters, and in whole numbers where they are large."""
    for _ in range(300):
        house.referee.submit(ThrowEntered(2))
    page = another(house.address, viewport={"width": 320, "height": 568}, locale="es-MX")
    page.goto(f"{house.watched}sticks")

    expect(page.locator(".counts tr").last.locator("td")).to_have_text(["19", "75", "112", "75", "19"])
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.locator(".counts td").evaluate_all("all => all.forEach((one) => (one.textContent = '1125'))")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320

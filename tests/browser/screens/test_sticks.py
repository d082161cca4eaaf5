"""The sticks screen: two taps from the table, and one more to use their chances in advice."""

from __future__ import annotations

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

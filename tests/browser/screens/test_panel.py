"""Buttons and lamp on the phone, against the whole companion: a press here reaches its pins."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.checks import kept_out, out_of_reach, too_small, too_wide
from tests.browser.conftest import SMALL
from tests.service.companion_process import running_companion

pytestmark = pytest.mark.browser

JUTTING = """() => [...document.querySelectorAll(".does, .key span")].filter((one) => {
  const { left, right } = one.parentElement.getBoundingClientRect();
  const inside = one.getBoundingClientRect();
  return inside.left < left || inside.right > right;
}).map((one) => one.textContent.trim())"""
"""The texts that are wider than the button or card in which they stand."""


def test_the_panel_can_be_tried_on_the_page(page: Page, tmp_path: Path) -> None:
    """A press, a long press, two at once released early, and two held to the end; by finger, mouse or key.

    It fits the narrowest phone, in the language that needs most letters.
    """
    page.set_viewport_size({"width": SMALL["width"], "height": SMALL["height"]})
    settings = tmp_path / "quick.toml"
    settings.write_text("[buttons]\nhold_s = 1.5\n")
    prompt, says, both = (page.locator(f"[data-{name}]") for name in ("prompt", "says", "both"))
    confirm, next_one, back = (page.locator(f"[data-key={name}]") for name in ("confirm", "next", "back"))
    with running_companion(tmp_path / "data", "--camera", "none", "--config", str(settings)) as companion:
        page.goto(companion.address, wait_until="domcontentloaded")
        page.locator("[data-menu] summary").click()
        page.locator("a[href='/panel']").click()
        expect(says).to_have_text("Throw the sticks.")
        wrong = [*kept_out(page), *too_wide(page), *too_small(page), *out_of_reach(page)]
        # All the controls are visible without scrolling.
        seen = both.evaluate("one => one.getBoundingClientRect().bottom")
        page.context.add_cookies([{"name": "lang", "value": "es", "url": page.url}])
        page.set_viewport_size({"width": 320, "height": SMALL["height"]})
        page.reload()
        wrong += [*too_wide(page), *page.evaluate(JUTTING)]
        page.context.clear_cookies(name="lang")
        page.set_viewport_size({"width": SMALL["width"], "height": SMALL["height"]})
        page.reload()

        next_one.click(delay=100)
        expect(prompt).to_have_text("Jade threw 1 marked. Is that right?")
        expect(says).to_have_text("There is something to confirm.")
        next_one.focus()
        page.keyboard.press("Enter", delay=100)
        expect(prompt).to_have_text("Jade threw 2 marked. Is that right?")
        back.hover()
        page.mouse.down()
        expect(says).to_have_text("That button does nothing right now.")
        page.mouse.up()
        expect(says).to_have_text("There is something to confirm.")

        both.hover()
        page.mouse.down()
        expect(says).to_have_text("Keep holding to close the companion. Let go to keep playing.")
        expect(confirm).to_have_attribute("aria-pressed", "true")
        page.mouse.up()
        expect(says).to_have_text("There is something to confirm.")
        expect(confirm).to_have_attribute("aria-pressed", "false")
        still = prompt.inner_text()
        page.mouse.down()
        ended = companion.process.wait(timeout=60)
        expect(page.locator("[data-problem]")).to_have_text("The table is not answering.")
        expect(page.locator("[data-glow]")).to_have_attribute("fill-opacity", "0")

    assert wrong == []
    assert seen <= SMALL["height"]
    assert still == "Jade threw 2 marked. Is that right?"
    assert ended == 0
